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
