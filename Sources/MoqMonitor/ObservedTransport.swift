import MoqBase
import MoqTransport

/// A transport that passes everything through to another one, and tells a monitor what went either way.
///
/// It reads no clock: the owner gives the instant by `advance` before it lets the session process.
public final class ObservedTransport: TransportSession {
    /// Who is told.
    public let monitor: SessionMonitor
    private let inner: any TransportSession
    private let promises: () -> TransportPromises
    private var now = Instant.origin

    /// A transport around another one, which nobody else may poll then. `promises` is asked once the handshake is over.
    public init(
        _ inner: any TransportSession, monitor: SessionMonitor,
        promises: @escaping () -> TransportPromises = { TransportPromises() }
    ) {
        self.inner = inner
        self.monitor = monitor
        self.promises = promises
    }

    /// Gives the instant, and lets the monitor's deadlines pass.
    public func advance(to now: Instant) {
        self.now = max(self.now, now)
        monitor.advance(to: self.now)
    }

    public var role: EndpointRole { inner.role }
    public var negotiatedProtocol: String? { inner.negotiatedProtocol }
    public var kind: TransportKind { inner.kind }
    public var requestPath: String? { inner.requestPath }
    public var remoteAddress: NetworkAddress { inner.remoteAddress }
    public var maximumDatagramSize: Int? { inner.maximumDatagramSize }
    public var pathEstimate: PathEstimate? { inner.pathEstimate }
    public var handshakeStanding: String? { inner.handshakeStanding }

    public func poll() -> TransportEvent? {
        let event = inner.poll()
        switch event {
        case .established:
            monitor.establish(protocolName: inner.negotiatedProtocol, over: inner.kind, promises: promises(), at: now)
        case .streamOpened(let stream): tell(.opened(stream), .relay)
        case .readable(let stream): tell(.arrived(stream), .relay)
        case .reset(let stream, let code): tell(.reset(stream, code), .relay)
        case .stopped(let stream, let code): tell(.stopped(stream, code), .relay)
        case .datagram(let bytes): tell(.datagram(bytes), .relay)
        case .closed(let close): tell(.closed(close), .relay)
        case .writable, .delivered, .streamsAvailable, nil: break
        }
        return event
    }

    public func openStream(_ direction: StreamDirection) -> StreamID? {
        guard let stream = inner.openStream(direction) else { return nil }
        tell(.opened(stream), .client)
        return stream
    }

    public func write(_ bytes: [UInt8], to stream: StreamID) {
        tell(.bytes(stream, bytes), .client)
        inner.write(bytes, to: stream)
    }

    public func canWrite(_ stream: StreamID) -> Bool { inner.canWrite(stream) }

    public func finish(_ stream: StreamID) {
        tell(.finished(stream), .client)
        inner.finish(stream)
    }

    public func reset(_ stream: StreamID, code: StreamCode) {
        tell(.reset(stream, code), .client)
        inner.reset(stream, code: code)
    }

    public func stop(_ stream: StreamID, code: StreamCode) {
        tell(.stopped(stream, code), .client)
        inner.stop(stream, code: code)
    }

    public func read(_ stream: StreamID, limit: Int) -> StreamRead? {
        guard let read = inner.read(stream, limit: limit) else { return nil }
        if !read.bytes.isEmpty { tell(.bytes(stream, read.bytes), .relay) }
        if read.isFinished { tell(.finished(stream), .relay) }
        return read
    }

    public func setPriority(_ priority: SendPriority, of stream: StreamID) { inner.setPriority(priority, of: stream) }

    public func sendDatagram(_ bytes: [UInt8]) -> Bool {
        guard inner.sendDatagram(bytes) else { return false }
        tell(.datagram(bytes), .client)
        return true
    }

    public func close(code: UInt64, reason: String) {
        tell(
            .closed(SessionClose(initiator: .local, cause: .application(code: code), reason: reason)), .client)
        inner.close(code: code, reason: reason)
    }

    private func tell(_ event: ObservedEvent, _ side: MonitorSide) { monitor.observe(event, from: side, at: now) }
}
