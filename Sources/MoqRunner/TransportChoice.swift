import MoqTransport

/// Over what a session is to be dialled: one transport, or a race between those that the URL opens.
public enum TransportChoice: Hashable, Sendable, CustomStringConvertible {
    /// One transport.
    case one(TransportKind)
    /// `auto`: as the reference client dials, the QUIC-based transport first and WebSocket behind it.
    case race

    /// The choice that scenarios and flags call by a name; nil for a name that is none.
    public init?(name: some StringProtocol) {
        if name == "auto" {
            self = .race
            return
        }
        guard let kind = TransportKind(rawValue: String(name)) else { return nil }
        self = .one(kind)
    }

    /// What stands for the transport in the id of a comparison between transports.
    public static let comparisonName = "compared"

    /// Its name in scenarios and flags.
    public var name: String {
        switch self {
        case .one(let kind): kind.rawValue
        case .race: "auto"
        }
    }

    public var description: String { name }

    /// The transports that the session may come to run over.
    public var candidates: [TransportKind] {
        switch self {
        case .one(let kind): [kind]
        case .race: [.webtransport, .websocket]
        }
    }
}
