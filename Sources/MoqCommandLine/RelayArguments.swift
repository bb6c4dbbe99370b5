import MoqRelay
import MoqTokens
import MoqTransport
import MoqWire

/// What `moqspec relay` was asked for.
public struct RelayArguments: Sendable {
    /// Where clients of the original stack look for a relay on the same machine.
    public static let usualURL = "http://localhost:4443/anon"

    /// Where it is to be found; port 0 lets the system choose one.
    public var url: RelayURL
    /// The IP addresses to listen on, as text: those of the URL's host, or the one of `--bind`.
    public var hosts: [String]
    /// Whether `--bind` was given.
    public var isBoundExplicitly: Bool
    /// Which numbers its codes have.
    public var generation: CodeGeneration
    /// The versions that it accepts, by preference.
    public var versions: [Version]
    /// What its sessions may be carried by, each once.
    public var transports: [TransportKind]
    /// The prefix that anyone may use without a token; nil for none.
    public var publicPrefix: BroadcastPath?
    /// The key that verifies tokens.
    public var tokenKey: JSONWebKey?
    /// How long broadcasts stay after their publisher was lost.
    public var linger: Duration
    /// What is wrong with it on purpose; nil for nothing.
    public var fault: RelayFault?
    /// The files of its certificate and key; nil for a certificate of its own.
    public var identity: Identity?
    /// Whether it says what happens in JSON.
    public var isJSON: Bool

    /// The files of a certificate.
    public struct Identity: Equatable, Sendable {
        /// The chain, PEM.
        public var certificate: String
        /// The key, PEM.
        public var key: String
    }

    /// Understands the flags.
    public init(_ arguments: ParsedArguments) throws(UsageError) {
        url = try Self.url(arguments.value(of: "url") ?? Self.usualURL)
        isBoundExplicitly = arguments.has("bind")
        hosts = try Self.hosts(of: url, bind: arguments.value(of: "bind"))
        generation = try arguments.generation(of: "generation", allowingProbe: false) ?? .second
        versions = try arguments.versions(of: "moq-version") ?? Version.byPreference
        transports =
            switch try arguments.transports(of: "transport") {
            case .usual: TransportKind.allCases
            case .some(let kinds): kinds
            case .race: throw UsageError("--transport: a relay has no `auto`; list what it is to serve, or `all`")
            }
        url = try Self.served(url, transports)
        tokenKey = nil
        if let file = arguments.value(of: "key") { tokenKey = try TokenArguments.key(file, flag: "key") }
        publicPrefix = nil
        if let prefix = arguments.value(of: "public") ?? (tokenKey == nil ? "anon" : nil) {
            do {
                publicPrefix = try BroadcastPath(prefix)
            } catch {
                throw UsageError("--public \(prefix): \(error)")
            }
        }
        fault = try arguments.faults(of: "fault").first
        linger = try arguments.duration(of: "linger", allowingZero: true) ?? .zero
        switch (arguments.value(of: "tls-cert"), arguments.value(of: "tls-key")) {
        case (let certificate?, let key?): identity = Identity(certificate: certificate, key: key)
        case (nil, nil): identity = nil
        case (_?, nil): throw UsageError("--tls-cert needs the key of the certificate: --tls-key FILE")
        case (nil, _?): throw UsageError("--tls-key needs the certificate of the key: --tls-cert FILE")
        }
        isJSON = arguments.has("json")
    }

    /// What is printed once it is ready, at the port that it has.
    public static func readyLine(url: RelayURL, fingerprint: String) -> String {
        "ready \(url) sha256 \(fingerprint)"
    }

    /// The URLs under which a relay at `url` serves `transports`, one for each way to reach it: a client may dial any of
    /// them, all with the fingerprint of the ready line.
    public static func servedURLs(url: RelayURL, transports: [TransportKind]) -> [RelayURL] {
        let ways: [(TransportKind, [RelayURL.Scheme])] = [
            (.quic, [.moqt]), (.webtransport, [.https, .http]), (.websocket, [.ws, .wss]), (.tcp, [.tcp, .tls]),
        ]
        let schemes = ways.filter { transports.contains($0.0) }.flatMap(\.1)
        return schemes.map { scheme in
            var served = url
            served.scheme = scheme
            return served
        }
    }

    /// The URL, if it is one of those that are served. `http://` gives way to one that is: it may be the usual one, and
    /// says little of transports.
    private static func served(_ url: RelayURL, _ transports: [TransportKind]) throws(UsageError) -> RelayURL {
        let served = servedURLs(url: url, transports: transports)
        // The two names of raw QUIC mean the same.
        guard let first = served.first, !served.contains(where: { $0.scheme.kind == url.scheme.kind }) else {
            return url
        }
        guard url.scheme != .http else { return first }
        let schemes = served.map { "\($0.scheme.rawValue)://" }.joined(separator: ", ")
        throw UsageError(
            "--url \(url): nobody could use it, --transport leaves \(url.scheme.kind) out; "
                + "give one that is served (\(schemes)), or add \(url.scheme.kind) to --transport")
    }

    private static func url(_ text: String) throws(UsageError) -> RelayURL {
        let url: RelayURL
        do {
            url = try RelayURL(text)
        } catch .badPort("0") {
            url = try urlWithFreePort(text)
        } catch .noScheme {
            throw UsageError("--url \(text): it is a URL such as \(usualURL)")
        } catch {
            throw UsageError("--url: \(error)")
        }
        guard url.query == nil else { throw UsageError("--url: the URL of a relay that listens has no query") }
        return url
    }

    /// The URL whose port is 0, which no client could use.
    private static func urlWithFreePort(_ text: String) throws(UsageError) -> RelayURL {
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        let end = text[start...].firstIndex(of: "/") ?? text.endIndex
        guard let colon = text[start..<end].lastIndex(of: ":") else {
            throw UsageError("--url \(text): it has no port")
        }
        do {
            var url = try RelayURL("\(text[..<colon]):1\(text[end...])")
            url.port = 0
            return url
        } catch {
            throw UsageError("--url: \(error)")
        }
    }

    private static func hosts(of url: RelayURL, bind: String?) throws(UsageError) -> [String] {
        if let bind {
            let address = bind.hasPrefix("[") && bind.hasSuffix("]") ? String(bind.dropFirst().dropLast()) : bind
            guard isAddress(address) else {
                throw UsageError("--bind \(bind): it is an IP address of this machine without a port, such as 0.0.0.0")
            }
            return [address]
        }
        if url.host == "localhost" { return ["127.0.0.1", "::1"] }
        if isAddress(url.host), url.host == "::1" || url.host.hasPrefix("127.") { return [url.host] }
        throw UsageError(
            "--url \(url): the relay keeps to loopback, and \(url.host) is not of it; "
                + "to serve others give --bind ADDRESS too (0.0.0.0 for all IPv4 addresses)")
    }

    private static func isAddress(_ text: String) -> Bool {
        if text.count(where: { $0 == ":" }) > 1 { return text.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}
