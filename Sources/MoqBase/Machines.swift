/// One or more datagrams of one peer, back to back.
///
/// All segments have `segmentSize` bytes, but the last may be shorter: the form in which Linux takes and gives
/// several datagrams in one call (UDP GSO and GRO).
public struct DatagramBatch: Sendable {
    /// The far end.
    public var remote: NetworkAddress
    /// The segments, one after another.
    public var bytes: [UInt8]
    /// The size of every segment but the last, at least 1.
    public var segmentSize: Int

    /// A batch of segments.
    public init(remote: NetworkAddress, bytes: [UInt8], segmentSize: Int) {
        self.remote = remote
        self.bytes = bytes
        self.segmentSize = segmentSize
    }

    /// One datagram.
    public init(remote: NetworkAddress, datagram: [UInt8]) {
        self.init(remote: remote, bytes: datagram, segmentSize: max(datagram.count, 1))
    }

    /// The ranges of the segments in `bytes`.
    public var segments: [Range<Int>] {
        stride(from: 0, to: bytes.count, by: segmentSize).map { $0..<min($0 + segmentSize, bytes.count) }
    }
}

/// Something that speaks datagrams and thinks without I/O.
///
/// A driver hands it what arrived and the instant, sends what `transmit` gives until that is nil, and calls
/// `advance` once `deadline` has passed. The owner of the machine may act on it between turns of the crank; the
/// driver collects the datagrams on its next turn.
public protocol DatagramMachine: AnyObject {
    /// Takes datagrams that arrived.
    func receive(_ batch: DatagramBatch, at now: Instant)
    /// The next datagrams to send, or nil when there are none at this instant.
    func transmit(at now: Instant) -> DatagramBatch?
    /// When `advance` wants to be called at the latest, if ever.
    var deadline: Instant? { get }
    /// Lets time-driven work happen.
    func advance(to now: Instant)
    /// Whether nobody but the machine has anything to do when it was given something: a driver in simulated time goes on
    /// by itself then.
    var isOnItsOwn: Bool { get }
}

extension DatagramMachine {
    /// Somebody looks after it.
    public var isOnItsOwn: Bool { false }
}

/// One end of a byte stream (TCP) that thinks without I/O.
public protocol ByteStreamMachine: AnyObject {
    /// Takes bytes that arrived, in order.
    func receive(_ bytes: [UInt8], at now: Instant)
    /// The peer sends nothing more: `failure` is nil for an orderly end, else says what broke.
    func receiveEnd(failure: String?, at now: Instant)
    /// The next bytes to send, or nil when there are none at this instant.
    func transmit(at now: Instant) -> [UInt8]?
    /// Whether everything has been said and the stream can be closed once the bytes given so far are out.
    var isFinished: Bool { get }
    /// When `advance` wants to be called at the latest, if ever.
    var deadline: Instant? { get }
    /// Lets time-driven work happen.
    func advance(to now: Instant)
}
