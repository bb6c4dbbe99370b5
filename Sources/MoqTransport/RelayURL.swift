/// Where a relay is and how it is to be spoken to.
public struct RelayURL: Hashable, Sendable, CustomStringConvertible {
    /// What carries moq-lite, by URL scheme.
    public enum Scheme: String, Hashable, Sendable, CaseIterable {
        /// Raw QUIC; the two names mean the same.
        case moqt, moql
        /// WebTransport over HTTP/3.
        case https
        /// WebTransport, after fetching the certificate's fingerprint from the same host and port.
        case http
        /// Qmux over WebSocket.
        case ws, wss
        /// Qmux over TCP.
        case tcp
        /// Qmux over TLS, with the protocol as its ALPN (the drafts' binding; no released peer has it).
        case tls

        /// What carries the session.
        public var kind: TransportKind {
            switch self {
            case .moqt, .moql: .quic
            case .https, .http: .webtransport
            case .ws, .wss: .websocket
            case .tcp, .tls: .tcp
            }
        }

        /// Whether TLS protects it. What runs over QUIC always is.
        public var isSecure: Bool { self != .ws && self != .tcp }

        /// The port where a URL names none.
        var defaultPort: UInt16? {
            switch self {
            case .moqt, .moql, .https, .wss: 443
            case .http, .ws: 80
            case .tcp, .tls: nil
            }
        }
    }

    /// The scheme.
    public var scheme: Scheme
    /// A name or an address, without brackets.
    public var host: String
    /// The port.
    public var port: UInt16
    /// Starts with a slash; `/` where the URL has none.
    public var path: String
    /// What follows the question mark, if anything.
    public var query: String?

    /// Reads a URL such as `moqt://localhost:4443/anon?jwt=...`.
    public init(_ text: String) throws(RelayURLError) {
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .noScheme(text) }
        let word = parts[0].lowercased()
        guard let scheme = Scheme(rawValue: word) else { throw .unknownScheme(word) }
        self.scheme = scheme
        var rest = parts[1]
        if let fragment = rest.firstIndex(of: "#") { rest = rest[..<fragment] }
        if let question = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: question)...])
            rest = rest[..<question]
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        path = slash == rest.endIndex ? "/" : String(rest[slash...])
        var authority = rest[..<slash]
        if authority.contains("@") { throw .credentials }
        if authority.hasPrefix("["), let close = authority.firstIndex(of: "]") {
            host = String(authority[authority.index(after: authority.startIndex)..<close])
            authority = authority[authority.index(after: close)...]
            if !authority.isEmpty && !authority.hasPrefix(":") { throw .noHost(text) }
        } else {
            let end = authority.firstIndex(of: ":") ?? authority.endIndex
            host = String(authority[..<end])
            authority = authority[end...]
        }
        guard !host.isEmpty else { throw .noHost(text) }
        if authority.isEmpty {
            guard let port = scheme.defaultPort else { throw .noPort(text) }
            self.port = port
        } else {
            guard let port = UInt16(authority.dropFirst()), port > 0 else {
                throw .badPort(String(authority.dropFirst()))
            }
            self.port = port
        }
    }

    /// Path and query as a request carries them.
    public var requestPath: String {
        query.map { "\(path)?\($0)" } ?? path
    }

    /// Whether the host is an address rather than a name: such a host gets no SNI.
    public var hostIsAddress: Bool {
        host.contains(":")
            || host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { UInt8($0) != nil }
    }

    /// The URL without its query, which may hold a token.
    public var description: String {
        let shown = host.contains(":") ? "[\(host)]" : host
        return "\(scheme.rawValue)://\(shown):\(port)\(path)"
    }
}

/// Why a text is no URL of a relay.
public enum RelayURLError: Error, Equatable, Sendable, CustomStringConvertible {
    case noScheme(String)
    case unknownScheme(String)
    case noHost(String)
    case noPort(String)
    case badPort(String)
    case credentials

    public var description: String {
        switch self {
        case .noScheme(let text):
            "`\(text)` names no scheme; write moqt://host:port/path for raw QUIC"
        case .unknownScheme(let word):
            "`\(word)` is no scheme of a relay; known are \(RelayURL.Scheme.allCases.map(\.rawValue).joined(separator: ", "))"
        case .noHost(let text):
            "`\(text)` names no host; write moqt://host:port/path"
        case .noPort(let text):
            "`\(text)` names no port, which this scheme needs; write tcp://host:port/path"
        case .badPort(let text):
            "`\(text)` is no port; it is a number from 1 to 65535"
        case .credentials:
            "a relay's URL carries no user name; a token goes into the query as ?jwt=..."
        }
    }
}
