import MoqBase
import MoqLite
import MoqScenario

/// Frames or datagrams being written, with their pace.
protocol WritingProgress: AnyObject {
    /// Writes what is due; true once all is written.
    func advance(_ actor: SessionActor, _ run: CaseRun) throws(RunnerError) -> Bool
}

/// The groups of one `write`.
final class FrameWriting: WritingProgress {
    private let action: WriteAction
    fileprivate let track: PublishedTrack
    private let sequences: [UInt64]
    private let sizes: [Int]
    private let content: [UInt8]?
    private var groupIndex = 0
    private var frameIndex = 0
    private var written = 0
    private var nextDue: Instant?
    fileprivate var waitEnd: Instant?

    init(_ action: WriteAction, _ actor: SessionActor) throws(RunnerError) {
        self.action = action
        track = try actor.publishedTrack(action.target)
        switch action.groups {
        case .next(let count): sequences = (0..<UInt64(count)).map { [track] in track.nextGroup + $0 }
        case .numbers(let numbers): sequences = numbers
        }
        switch action.frames {
        case .uniform(let count, let size): sizes = Array(repeating: size, count: count)
        case .each(let each): sizes = each
        }
        content = action.content.map { Array($0.utf8) }
    }

    func advance(_ actor: SessionActor, _ run: CaseRun) throws(RunnerError) -> Bool {
        while groupIndex < sequences.count {
            // As fast as the transport takes it: what it does not take must not pile up in memory. Nor may readers
            // that do read fall behind a relay's window only because the writer has a processor to itself.
            if actor.isBacklogged || run.hasReaderBehind(track) { return false }
            if let due = nextDue, run.now < due {
                run.wake(at: due)
                return false
            }
            let sequence = sequences[groupIndex]
            if action.isUnanswered || track.isOver && track.open[sequence] == nil {
                try actor.forceGroup(
                    sequence, of: track, sizes: sizes, content: content, finish: action.finish,
                    mayArrive: action.isUnanswered)
                groupIndex += 1
                continue
            }
            if frameIndex == 0, track.open[sequence] == nil, mustWaitForReaders(run) { return false }
            let group = try actor.openGroup(sequence, of: track)
            if frameIndex < sizes.count {
                let timestamp = action.timestamps.map { $0.start + UInt64(written) * $0.step }
                actor.writeFrame(
                    to: group, of: track, size: sizes[frameIndex], content: content, timestamp: timestamp)
                frameIndex += 1
                written += 1
                if case .every(let interval) = action.pace {
                    nextDue = (nextDue ?? run.now).advanced(by: interval)
                }
            }
            if frameIndex >= sizes.count {
                if action.finish { try actor.finishGroup(sequence, of: track) }
                groupIndex += 1
                frameIndex = 0
                // A turn of the crank between two groups: a burst would go out newest first, and a relay would be
                // right to begin with what came first.
                if groupIndex < sequences.count {
                    actor.pump()
                    run.wake(at: run.now)
                    return false
                }
            }
            if written.isMultiple(of: 16) { actor.pump() }
        }
        return true
    }
}

extension FrameWriting {
    /// How long a new group waits for readers that have not had their first one: then the first is not coming.
    private static let patience = Duration.milliseconds(500)

    /// Whether a reader has still to receive its first group, of those that are written. Where a subscription begins
    /// is settled by the first group that a relay sees: two that come together let it begin with the later one
    /// (moq-ffi 0.3.19 on 05, observed).
    private func mustWaitForReaders(_ run: CaseRun) -> Bool {
        guard track.hasWritten, run.hasReaderWithoutGroup(track) else { return false }
        let end = waitEnd ?? run.now.advanced(by: run.patient(Self.patience))
        waitEnd = end
        run.wake(at: end)
        return run.now < end
    }
}

/// The datagrams of one `datagram`.
final class DatagramWriting: WritingProgress {
    private let action: DatagramAction
    private var index = 0
    private var nextDue: Instant

    init(_ action: DatagramAction, _ run: CaseRun) {
        self.action = action
        nextDue = run.now
    }

    func advance(_ actor: SessionActor, _ run: CaseRun) throws(RunnerError) -> Bool {
        while index < action.count {
            guard run.now >= nextDue else {
                run.wake(at: nextDue)
                return false
            }
            try actor.writeDatagrams(action, index: index)
            index += 1
            if case .every(let interval) = action.pace { nextDue = nextDue.advanced(by: interval) }
        }
        return true
    }
}

/// The bytes of one `send_raw`, each in a turn of its own.
final class RawWriting: WritingProgress {
    private var action: SendRawAction
    private let bytes: [UInt8]
    private var index = 0

    init(_ action: SendRawAction, _ actor: SessionActor) throws(RunnerError) {
        self.action = action
        bytes = try actor.encode(action.bytes, actor.session?.version ?? actor.rawVersion)
        self.action.label = action.label ?? "byte by byte \(actor.rawCount + 1)"
    }

    func advance(_ actor: SessionActor, _ run: CaseRun) throws(RunnerError) -> Bool {
        var piece = action
        let isLast = index + 1 >= bytes.count
        piece.bytes = index < bytes.count ? [.bytes([bytes[index]])] : []
        piece.finish = isLast && action.finish
        piece.reset = isLast ? action.reset : nil
        piece.stop = isLast ? action.stop : nil
        try actor.sendRaw(piece)
        switch action.stream {
        case .newUnidirectional, .newBidirectional: action.stream = action.label.map { .named($0) } ?? action.stream
        case .named, .datagram, .connection, .group, .request: break
        }
        index += 1
        guard !isLast else { return true }
        run.wake(at: run.now)
        return false
    }
}

extension SessionActor {
    /// Hands what was written to the transport.
    func pump() {
        line?.feeds.pump(at: scene.driver.now)
    }
}
