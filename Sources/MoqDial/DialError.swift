import MoqBase

/// Why dialling could not even begin, or a fingerprint could not be had.
public enum DialError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The machine refused a socket; the text says why.
    case socket(String)
    /// The plan cannot be carried out as it is; the text says what to change.
    case unusable(String)
    /// The fingerprint could not be fetched; the text says from where and what to try.
    case fingerprint(String)
    /// Nobody tells the fingerprint there: the connection could not be made or broke, or no answer came in time. The
    /// text says from where and what to try.
    case unreachable(String)

    public var description: String {
        switch self {
        case .socket(let why): "a socket for a session could not be had: \(why)"
        case .unusable(let why), .fingerprint(let why), .unreachable(let why): why
        }
    }
}
