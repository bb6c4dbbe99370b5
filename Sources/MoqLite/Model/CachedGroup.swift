import MoqBase
import MoqTransport
import MoqWire

/// Is told when a group that it reads has changed.
protocol GroupReader: AnyObject {
    /// The group has more frames, has ended, or was taken away.
    func groupChanged(_ group: CachedGroup)
}

/// One group as far as it is known: a window of frames that grows at its end and, past its bound, loses its beginning.
///
/// Readers keep their own position and ask with `read(_:)`; a reader that is slower than the window moves is told
/// so, and nobody waits for it.
public final class CachedGroup {
    /// Why a store took a group away from those who may still read it.
    public enum Removal: Hashable, Sendable {
        /// It is not the latest and was kept for the retention of the track.
        case old
        /// The bytes or the number of groups kept would have passed a bound.
        case evicted
    }

    /// What is known about the rest of the group.
    public enum State: Hashable, Sendable {
        /// More frames may come.
        case open
        /// All frames are there.
        case finished
        /// Its producer cut it with this code.
        case aborted(StreamCode)
        /// It is not kept any more, whole or not.
        case removed(Removal)
    }

    /// What a reader gets at its position.
    public enum Reading: Sendable {
        /// The frame at the position.
        case frame(Frame)
        /// What there is of a frame that is not whole yet.
        case part(OpenFrame)
        /// Nothing yet.
        case wait
        /// The group ended before the position.
        case end
        /// The producer cut the group.
        case aborted(StreamCode)
        /// The group is gone from the cache.
        case removed(Removal)
        /// The frame at the position left the window, or never came.
        case lagged
    }

    /// A frame that is not whole yet.
    public struct OpenFrame: Hashable, Sendable {
        /// Its head, with the size of the whole payload.
        public var header: FrameHeader
        /// What has come of its payload.
        public var bytes: [UInt8]
    }

    /// What a frame costs beyond its payload, so that endless empty frames are bounded too.
    static let frameOverhead = 48

    /// The number of the group within its track.
    public let sequence: UInt64
    /// How many groups of the store came before it.
    public let arrival: Int
    /// What is known about the rest.
    public private(set) var state = State.open
    /// The index of the oldest frame that is still there.
    public private(set) var firstIndex: Int
    /// Bytes held, overhead included.
    public private(set) var storedBytes = 0
    /// When it was last written to, or read by a fetch.
    public var lastTouched: Instant
    /// When a newer group came, if one did.
    public internal(set) var supersededAt: Instant?

    private var frames: [Frame] = []
    private var openFrame: OpenFrame?
    private var head = 0
    private var readers: [any GroupReader] = []

    /// An open group without frames; `firstIndex` is not 0 when its producer left out the first frames.
    public init(sequence: UInt64, arrival: Int = 0, firstIndex: Int = 0, at now: Instant) {
        self.sequence = sequence
        self.arrival = arrival
        self.firstIndex = firstIndex
        lastTouched = now
    }

    /// One more than the index of the newest frame.
    public var frameCount: Int { firstIndex + frames.count - head }

    /// Whether nothing can be added any more.
    public var isTerminal: Bool { state != .open }

    /// What there is at `index`.
    public func read(_ index: Int) -> Reading {
        switch state {
        case .aborted(let code): return .aborted(code)
        case .removed(let why): return .removed(why)
        case .open, .finished: break
        }
        if index < firstIndex { return .lagged }
        if index < frameCount { return .frame(frames[head + index - firstIndex]) }
        if state == .finished { return .end }
        if index == frameCount, let openFrame { return .part(openFrame) }
        return .wait
    }

    /// The bytes of `frame` as bounds count them.
    static func cost(of frame: Frame) -> Int {
        frame.payload.count + frameOverhead
    }

    /// Adds a frame and drops the oldest ones until at most `window` bytes are left; the newest frame always stays.
    /// Returns by how much the bytes held changed.
    @discardableResult
    public func append(_ frame: Frame, window: Int, at now: Instant) -> Int {
        guard state == .open else { return 0 }
        let before = storedBytes
        frames.append(frame)
        // Some readers may have its head already.
        if let openFrame { frames[frames.count - 1].timestamp = openFrame.header.timestamp }
        openFrame = nil
        storedBytes += Self.cost(of: frame)
        keepWindow(window)
        lastTouched = now
        tellReaders()
        return storedBytes - before
    }

    /// Adds bytes to the frame behind the newest; what is there already is passed over. The whole frame comes by
    /// `append` in the end, and it is then that its bytes count: until then their number is bounded where they arrive.
    public func extend(_ part: FramePart, at now: Instant) {
        guard state == .open else { return }
        if openFrame == nil, part.offset == 0 {
            openFrame = OpenFrame(header: part.header, bytes: part.bytes)
        } else if let known = openFrame, known.header.size == part.header.size, known.bytes.count == part.offset {
            openFrame?.bytes += part.bytes
        } else {
            return
        }
        lastTouched = now
        tellReaders()
    }

    /// Drops the oldest frames until at most `window` bytes are left; the newest frame always stays. Returns by how
    /// much the bytes held changed.
    func shrink(to window: Int) -> Int {
        let before = storedBytes
        keepWindow(window)
        return storedBytes - before
    }

    private func keepWindow(_ window: Int) {
        while storedBytes > window, frames.count - head > 1 {
            storedBytes -= Self.cost(of: frames[head])
            frames[head].payload = []
            head += 1
            firstIndex += 1
        }
        if head > 64, head * 2 > frames.count {
            frames.removeFirst(head)
            head = 0
        }
    }

    /// No further frame will come.
    public func finish(at now: Instant) {
        guard state == .open else { return }
        state = .finished
        lastTouched = now
        tellReaders()
    }

    /// The group is cut: what was kept of it is let go. Returns by how much the bytes held changed.
    @discardableResult
    public func abort(_ code: StreamCode) -> Int {
        guard state == .open else { return 0 }
        return clear(.aborted(code))
    }

    /// The group is taken away, whatever state it was in. Returns by how much the bytes held changed.
    @discardableResult
    func remove(_ why: Removal) -> Int {
        if case .removed = state { return 0 }
        if case .aborted = state { return 0 }
        return clear(.removed(why))
    }

    func attach(_ reader: any GroupReader) {
        readers.append(reader)
    }

    func detach(_ reader: any GroupReader) {
        readers.removeAll { $0 === reader }
    }

    private func clear(_ newState: State) -> Int {
        firstIndex = frameCount
        frames = []
        openFrame = nil
        head = 0
        let freed = storedBytes
        storedBytes = 0
        state = newState
        tellReaders()
        return -freed
    }

    private func tellReaders() {
        for reader in readers { reader.groupChanged(self) }
    }
}
