/// Why the handshake of a binding failed although the peer answered.
public enum HandshakeRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// HTTP answered the CONNECT or the upgrade with this status.
    case status(Int)
    /// The peer speaks HTTP/3, HTTP/1.1 or TCP, but not what was asked for: it allows no WebTransport, is no WebSocket
    /// server, or does not begin as Qmux does.
    case notSpoken(String)
    /// The peer picked a protocol that was not offered.
    case notOffered(String)
    /// The peer picked an extension of WebSocket that was not offered.
    case extensionNotOffered(String)
    /// The peer picked no protocol where one is needed.
    case noProtocol

    public var description: String {
        switch self {
        case .status(let status): "HTTP status \(status)"
        case .notSpoken(let what): what
        case .notOffered(let name): "the peer picked `\(name)`, which was not offered"
        case .extensionNotOffered(let name): "the peer picked the WebSocket extension `\(name)`, which was not offered"
        case .noProtocol: "the peer picked none of the protocols offered"
        }
    }
}
