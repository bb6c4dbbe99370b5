/// Why a probe could not go on.
public enum ProbeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The machine refused a socket, or the sockets failed; the text says why.
    case environment(String)

    public var description: String {
        switch self {
        case .environment(let why): why
        }
    }
}
