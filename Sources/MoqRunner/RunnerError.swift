/// Why the harness could not do something. Never blamed on the relay.
enum RunnerError: Error, CustomStringConvertible {
    /// The machine refused a socket, a thread or the like.
    case environment(String)
    /// The relay could not be used: nobody answers, the certificate is refused.
    case target(String)
    /// Nobody answers at the relay's address, so far.
    case unreachable(String)
    /// Somebody is at the relay's address, so far, who does not go on with the handshake.
    case silent(String)
    /// A step asks for what cannot be done at that point.
    case unusable(String)

    var description: String {
        switch self {
        case .environment(let text), .target(let text), .unreachable(let text), .silent(let text), .unusable(let text):
            text
        }
    }
}
