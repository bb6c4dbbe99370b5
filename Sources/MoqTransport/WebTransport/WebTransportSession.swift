import MoqBase
import MoqHTTP3
import MoqQUIC

/// The binding of moq-lite to WebTransport over HTTP/3 (draft-ietf-webtrans-http3; the settings and headers of draft 02
/// and of the drafts since, as moq-ffi 0.2 to 0.4.18 use them).
public final class WebTransportSession: TransportSession {
    /// The QUIC connection beneath, for reports. Nobody else polls it.
    public let connection: QUICConnection
    public let role: EndpointRole
    public private(set) var negotiatedProtocol: String?
    public private(set) var requestPath: String?
    /// The HTTP/3 SETTINGS of the peer, by identifier; nil until they were seen.
    public private(set) var peerSettings: [UInt64: UInt64]?

    /// The client's end, on a connection that negotiates `h3`.
    public init(client connection: QUICConnection, authority: String, path: String, protocols: [String]) {
        self.connection = connection
        role = .client
        requestPath = path
    }

    /// The server's end, on a connection that negotiated `h3`. Of the client's list the first name that `protocols`
    /// holds is chosen.
    public init(server connection: QUICConnection, protocols: [String]) {
        self.connection = connection
        role = .server
    }

    public var kind: TransportKind { .webtransport }
    public var remoteAddress: NetworkAddress { connection.remoteAddress }
    public func poll() -> TransportEvent? { nil }
    public func openStream(_ direction: StreamDirection) -> StreamID? { nil }
    public func write(_ bytes: [UInt8], to stream: StreamID) {}
    public func canWrite(_ stream: StreamID) -> Bool { false }
    public func finish(_ stream: StreamID) {}
    public func reset(_ stream: StreamID, code: StreamCode) {}
    public func stop(_ stream: StreamID, code: StreamCode) {}
    public func read(_ stream: StreamID, limit: Int) -> StreamRead? { nil }
    public func setPriority(_ priority: SendPriority, of stream: StreamID) {}
    public var maximumDatagramSize: Int? { nil }
    public func sendDatagram(_ bytes: [UInt8]) -> Bool { false }
    public var pathEstimate: PathEstimate? { nil }
    public func close(code: UInt64, reason: String) {}
}
