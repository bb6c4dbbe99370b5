import MoqBase

/// A byte stream as a session with one stream: whatever is written goes out as it stands, whatever arrives is read.
///
/// For those who test what a peer makes of bytes that no session would send. The only stream is there from the start
/// (`ByteStreamSession.stream`); finishing it or closing the session ends the connection.
public final class ByteStreamSession: TransportSession, ByteStreamMachine {
    /// The one stream.
    public static let stream = StreamID(rawValue: 0)
    /// Unsent bytes above which `canWrite` is false.
    private static let writeBudget = 256 << 10

    /// What stands for the bytes in reports.
    public let kind: TransportKind
    public let remoteAddress: NetworkAddress
    private var events: [TransportEvent] = []
    private var unsent: [UInt8] = []
    private var unread: [UInt8] = []
    private var isEstablished = false
    private var hasPeerEnded = false
    private var hasEnded = false
    private var isClosed = false

    /// A stream to an address, on which a server expects the transport `kind`.
    public init(kind: TransportKind, remote: NetworkAddress) {
        self.kind = kind
        remoteAddress = remote
    }

    public var role: EndpointRole { .client }
    public var negotiatedProtocol: String? { nil }
    public var requestPath: String? { nil }

    // MARK: The session

    public func poll() -> TransportEvent? {
        events.isEmpty ? nil : events.removeFirst()
    }

    public func openStream(_ direction: StreamDirection) -> StreamID? { nil }
    public func canWrite(_ stream: StreamID) -> Bool { unsent.count < Self.writeBudget }

    public func write(_ bytes: [UInt8], to stream: StreamID) {
        guard stream == Self.stream, !hasEnded else { return }
        unsent += bytes
    }

    public func finish(_ stream: StreamID) {
        if stream == Self.stream { hasEnded = true }
    }

    public func reset(_ stream: StreamID, code: StreamCode) { finish(stream) }
    public func stop(_ stream: StreamID, code: StreamCode) {}
    public func setPriority(_ priority: SendPriority, of stream: StreamID) {}

    public func read(_ stream: StreamID, limit: Int) -> StreamRead? {
        guard stream == Self.stream, !unread.isEmpty || hasPeerEnded else { return nil }
        let bytes = Array(unread.prefix(limit))
        unread.removeFirst(bytes.count)
        return StreamRead(bytes: bytes, isFinished: hasPeerEnded && unread.isEmpty)
    }

    public var maximumDatagramSize: Int? { nil }
    public func sendDatagram(_ bytes: [UInt8]) -> Bool { false }
    public var pathEstimate: PathEstimate? { nil }

    public func close(code: UInt64, reason: String) {
        hasEnded = true
        end(SessionClose(initiator: .local, cause: .application(code: code), reason: reason))
    }

    private func end(_ close: SessionClose) {
        guard !isClosed else { return }
        isClosed = true
        events.append(.closed(close))
    }

    private func establish() {
        guard !isEstablished, !isClosed else { return }
        isEstablished = true
        events.append(.established)
    }

    // MARK: The machine

    public func receive(_ bytes: [UInt8], at now: Instant) {
        establish()
        unread += bytes
        events.append(.readable(Self.stream))
    }

    public func receiveEnd(failure: String?, at now: Instant) {
        hasPeerEnded = true
        hasEnded = true
        unsent = []
        if failure == nil { events.append(.readable(Self.stream)) }
        end(SessionClose(initiator: .peer, cause: .lost, reason: failure ?? "the peer ended the connection"))
    }

    public func transmit(at now: Instant) -> [UInt8]? {
        establish()
        guard !unsent.isEmpty else { return nil }
        defer { unsent = [] }
        return unsent
    }

    public var isFinished: Bool { hasEnded && unsent.isEmpty }
    public var deadline: Instant? { isEstablished || isClosed ? nil : .origin }
    public func advance(to now: Instant) { establish() }
}
