import MoqTransport
import MoqWire

/// Why nothing can be published or watched. Every text is a sentence for people, with what to try.
public enum LiveError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The relay cannot be used: nobody is there, it refuses, or it is no relay.
    case relay(String)
    /// This machine cannot: sockets, files.
    case environment(String)
    /// The media cannot be sent in that way.
    case media(String)

    public var description: String {
        switch self {
        case .relay(let text), .environment(let text), .media(let text): text
        }
    }
}

extension SessionClose {
    /// How the session ended, with what to try where that is known.
    public var advised: String {
        guard case .application(let code) = cause, initiator == .peer else { return description }
        let denials = CodeGeneration.allCases.map { CodeTable.numberToSend(for: .unauthorized, in: $0, on: .close) }
        guard denials.contains(code) else { return description }
        return "\(description). Give a token that allows the path (--token-file FILE), or take another path."
    }
}
