import MoqBase

/// A session whose streams live in a Qmux engine, whatever carries the engine's records.
///
/// A binding that conforms has all of `TransportSession` from here but `kind`, `requestPath` and `remoteAddress`.
public protocol QmuxSession: TransportSession {
    /// The engine beneath. Nobody else polls it.
    var engine: QmuxEngine { get }
}

extension QmuxSession {
    public var role: EndpointRole { engine.role }
    public var negotiatedProtocol: String? { engine.negotiatedProtocol }

    public func poll() -> TransportEvent? { engine.poll() }
    public func openStream(_ direction: StreamDirection) -> StreamID? { engine.openStream(direction) }
    public func write(_ bytes: [UInt8], to stream: StreamID) { engine.write(bytes, to: stream) }
    public func canWrite(_ stream: StreamID) -> Bool { engine.canWrite(stream) }
    public func finish(_ stream: StreamID) { engine.finish(stream) }
    public func reset(_ stream: StreamID, code: StreamCode) { engine.reset(stream, code: code) }
    public func stop(_ stream: StreamID, code: StreamCode) { engine.stop(stream, code: code) }
    public func read(_ stream: StreamID, limit: Int) -> StreamRead? { engine.read(stream, limit: limit) }
    public func setPriority(_ priority: SendPriority, of stream: StreamID) { engine.setPriority(priority, of: stream) }

    /// Qmux carries no datagrams of moq-lite.
    public var maximumDatagramSize: Int? { nil }
    public func sendDatagram(_ bytes: [UInt8]) -> Bool { false }

    public var pathEstimate: PathEstimate? { engine.pathEstimate }
    public func close(code: UInt64, reason: String) { engine.close(code: code, reason: reason) }
}
