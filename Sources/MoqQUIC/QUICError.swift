/// Why something of the QUIC room could not be set up.
public enum QUICError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A certificate, key or root file cannot be used; the text says which and why.
    case unusableCertificate(String)
    /// A self-signed certificate could not be made.
    case cannotGenerate(String)
    /// The key log file cannot be opened.
    case keyLog(path: String, reason: String)
    /// The TLS library refused its settings.
    case tls(String)

    public var description: String {
        switch self {
        case .unusableCertificate(let why): why
        case .cannotGenerate(let why): "cannot generate a self-signed certificate: \(why)"
        case .keyLog(let path, let reason):
            "cannot open the TLS key log \(path): \(reason); set SSLKEYLOGFILE to a path that can be written"
        case .tls(let why): "cannot set up TLS: \(why)"
        }
    }
}
