/// Why TLS could not be set up.
public enum TLSError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A certificate, key, root file or fingerprint cannot be used; the text says which and why.
    case unusableCertificate(String)
    /// The protocol names cannot be offered; the text says why.
    case unusableProtocols(String)
    /// The host that is dialled is not known, but the trust asks for its name.
    case noServerName
    /// OpenSSL refused its settings.
    case setup(String)

    public var description: String {
        switch self {
        case .unusableCertificate(let why), .unusableProtocols(let why): why
        case .noServerName:
            "a certificate that leads to a root is checked for the host's name, and none was given; pin its fingerprint"
        case .setup(let why): "cannot set up TLS: \(why)"
        }
    }
}
