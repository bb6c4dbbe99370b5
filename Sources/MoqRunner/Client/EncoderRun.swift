import MoqBase
import MoqKit
import MoqScenario

/// A camera or a microphone behind a track: it runs from the moment at which the track is started.
final class EncoderRun {
    let label: String
    let kind: TrackKind
    let source: any CaptureSource
    /// Added to the times of the source: that of the moment at which it began, or its own zero.
    private let clockStart: Int64?
    private var began: Instant?
    private var firstDue: Int64 = 0
    private var clockJump: Int64 = 0
    private var damages: [(kind: DamageAction.Kind, left: Int, hasBegun: Bool)] = []
    private var isAfterKeyframe = false

    init(_ label: String, _ kind: TrackKind, _ source: any CaptureSource, clockStart: Duration?) {
        self.label = label
        self.kind = kind
        self.source = source
        self.clockStart = clockStart.map { $0.wholeNanoseconds / 1000 }
    }

    /// When the next frame is due; nil while it does not run, and at its end.
    var deadline: Instant? {
        guard let began, let due = source.nextDue else { return nil }
        return began.advanced(by: .microseconds(due - firstDue))
    }

    /// Begins, from a keyframe.
    func start(at now: Instant) {
        guard began == nil else { return }
        source.restart()
        firstDue = source.nextDue ?? 0
        began = now
    }

    /// The camera delivers nothing more, until it is started again.
    func pause() { began = nil }

    /// The clock of the source shows another time from the next frame on.
    func moveClock(by jump: Duration) {
        clockJump += jump.wholeNanoseconds / 1000
    }

    /// Spoils the next frames of a kind; deltas from the first behind a keyframe on, so that it does not hang on the
    /// moment how much of a group they cost.
    func damage(_ kind: DamageAction.Kind, count: Int) {
        damages.append((kind, count, hasBegun: kind != .delta))
    }

    private func spoil(_ frame: inout EncodedFrame) {
        let index = damages.firstIndex { damage in
            switch damage.kind {
            case .any: true
            case .keyframe: frame.isKeyframe
            case .delta: !frame.isKeyframe && (damage.hasBegun || isAfterKeyframe)
            }
        }
        isAfterKeyframe = frame.isKeyframe
        guard let index else { return }
        damages[index].hasBegun = true
        damages[index].left -= 1
        if damages[index].left == 0 { damages.remove(at: index) }
        frame.payload = source.spoiled(frame.payload)
    }

    /// Frames that are due.
    func take(at now: Instant) -> [EncodedFrame] {
        var frames: [EncodedFrame] = []
        while let due = deadline, due <= now, frames.count < Self.mostAtOnce, let began, var frame = source.next() {
            let host = Int64(clamping: began.nanoseconds / 1000)
            frame.time = frame.time - firstDue + (clockStart ?? host) + clockJump
            spoil(&frame)
            frames.append(frame)
        }
        return frames
    }

    /// A harness that was held up makes up for it in steps.
    private static let mostAtOnce = 64
}
