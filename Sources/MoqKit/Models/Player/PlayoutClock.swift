/// The clock that pictures follow where no sound does: it is kept near the target by going a little faster or slower.
struct PlayoutClock: Hashable, Sendable {
    /// What a retarget did.
    enum Retarget: Hashable, Sendable {
        case noOp
        case nudge(Double)
        case jump(Int64)
    }

    /// Errors up to this are left alone, and from this on jumped over.
    static let tolerance: Int64 = 20_000
    static let jumpLimit: Int64 = 500_000
    /// The greatest change of rate.
    private static let greatestNudge = 0.05

    private struct Anchor: Hashable {
        var position: Int64
        var at: Int64
    }

    private var anchor: Anchor?
    private var rate = 1.0

    /// Whether it runs.
    var isRunning: Bool { anchor != nil }

    /// Begins at a position.
    mutating func start(at position: Int64, now: Int64) {
        anchor = Anchor(position: position, at: now)
        rate = 1
    }

    mutating func stop() { anchor = nil }

    /// Where it is; nil while it does not run.
    func position(at now: Int64) -> Int64? {
        anchor.map { $0.position + Int64(Double(now - $0.at) * rate) }
    }

    /// When it will be at a position.
    func instant(of position: Int64) -> Int64? {
        anchor.map { $0.at + Int64((Double(position - $0.position) / rate).rounded(.up)) }
    }

    /// Comes nearer to where it should be.
    mutating func retarget(_ target: Int64, now: Int64) -> Retarget? {
        guard let position = position(at: now) else { return nil }
        let error = target - position
        anchor = Anchor(position: position, at: now)
        switch abs(error) {
        case ...Self.tolerance:
            rate = 1
            return .noOp
        case Self.jumpLimit...:
            anchor = Anchor(position: target, at: now)
            rate = 1
            return .jump(target)
        default:
            let share = Double(abs(error) - Self.tolerance) / Double(Self.jumpLimit - Self.tolerance)
            rate = 1 + (error > 0 ? 1 : -1) * Self.greatestNudge * share
            return .nudge(rate)
        }
    }
}

/// What lies between the zero points of audio and video, which need not have anything to do with each other.
enum DomainMapping {
    /// Offsets up to this are a matter of latency, not of clocks.
    static let threshold: Int64 = 2_000_000

    /// What is added to video time to be in audio time: 0 unless the offset is greater than the threshold.
    static func offset(audioEdge: Int64?, videoEdge: Int64?) -> Int64 {
        guard let audioEdge, let videoEdge else { return 0 }
        let offset = audioEdge - videoEdge
        return abs(offset) > threshold ? offset : 0
    }
}
