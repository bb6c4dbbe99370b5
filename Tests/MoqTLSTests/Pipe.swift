import MoqBase

/// Two byte stream machines joined to each other, with bytes cut as chance has it.
final class Pipe {
    /// The most turns before a pipe is taken for one that never comes to rest.
    private static let maximumTurns = 100_000

    let left: any ByteStreamMachine
    let right: any ByteStreamMachine
    var now = Instant(nanoseconds: 1_000_000_000)
    private var random: SeededRandom?
    private var leftEnded = false
    private var rightEnded = false

    init(_ left: any ByteStreamMachine, _ right: any ByteStreamMachine, seed: UInt64? = nil) {
        self.left = left
        self.right = right
        random = seed.map(SeededRandom.init(seed:))
    }

    /// Carries bytes both ways until nothing moves any more. False when that never happens.
    func settle() -> Bool {
        for _ in 0..<Self.maximumTurns {
            let toRight = carry(from: left, to: right, ended: &leftEnded)
            let toLeft = carry(from: right, to: left, ended: &rightEnded)
            if !toRight && !toLeft { return true }
        }
        return false
    }

    private func chunk(upTo count: Int) -> Int {
        guard var random else { return count }
        defer { self.random = random }
        return Int.random(in: 1...700, using: &random)
    }

    private func carry(
        from source: any ByteStreamMachine, to sink: any ByteStreamMachine, ended: inout Bool
    ) -> Bool {
        guard !ended else { return false }
        guard let bytes = source.transmit(at: now) else {
            guard source.isFinished else { return false }
            ended = true
            sink.receiveEnd(failure: nil, at: now)
            return true
        }
        var position = 0
        while position < bytes.count {
            let size = chunk(upTo: bytes.count)
            let end = min(position + size, bytes.count)
            sink.receive(Array(bytes[position..<end]), at: now)
            position = end
        }
        return true
    }
}

/// A machine that says what it is given and notes what it hears.
final class Talker: ByteStreamMachine {
    var toSay: [[UInt8]]
    var hangsUp: Bool
    private(set) var heard: [UInt8] = []
    /// How the stream ended, once it has: an empty text for an orderly end.
    private(set) var end: String?

    init(saying toSay: [[UInt8]] = [], hangsUp: Bool = false) {
        self.toSay = toSay
        self.hangsUp = hangsUp
    }

    func receive(_ bytes: [UInt8], at now: Instant) { heard += bytes }
    func receiveEnd(failure: String?, at now: Instant) { end = failure ?? "" }
    func transmit(at now: Instant) -> [UInt8]? { toSay.isEmpty ? nil : toSay.removeFirst() }
    var isFinished: Bool { (hangsUp && toSay.isEmpty) || end != nil }
    var deadline: Instant? { nil }
    func advance(to now: Instant) {}
}
