import MoqBase
import MoqQUIC
import MoqTransport

/// Where a relay is met over one transport, and how it is judged there.
public struct Route: Sendable {
    /// What carries the session.
    public var kind: TransportKind
    /// Whether TLS protects it; what runs over QUIC always is.
    public var isSecure: Bool
    /// The address to dial: UDP or TCP, as the transport has it.
    public var address: NetworkAddress
    /// What the certificate must be for, and the name sent as SNI unless it is an address.
    public var serverName: String
    /// Host and port as a request names them (`Host`, `:authority`).
    public var authority: String
    /// Path and query of the URL.
    public var requestPath: String
    /// How the certificate is judged. Nothing to a route without TLS.
    public var credentials: DialCredentials

    /// A route of its parts.
    public init(
        kind: TransportKind, isSecure: Bool, address: NetworkAddress, serverName: String, authority: String,
        requestPath: String, credentials: DialCredentials
    ) {
        self.kind = kind
        self.isSecure = isSecure || kind.usesDatagrams
        self.address = address
        self.serverName = serverName
        self.authority = authority
        self.requestPath = requestPath
        self.credentials = credentials
    }

    /// The route that a URL names. The scheme decides over what, unless `kind` does: then host, port and path are the
    /// URL's, and a websocket or tcp route has TLS where the URL's scheme is one of TLS over TCP or of HTTPS.
    public init(
        _ url: RelayURL, kind: TransportKind? = nil, address: NetworkAddress, credentials: DialCredentials
    ) {
        self.init(
            kind: kind ?? url.scheme.kind, isSecure: url.scheme.protectsStreams, address: address,
            serverName: url.host, authority: Self.authority(of: url), requestPath: url.requestPath,
            credentials: credentials)
    }

    /// Host and port of a URL as a request names them.
    public static func authority(of url: RelayURL) -> String {
        url.host.contains(":") ? "[\(url.host)]:\(url.port)" : "\(url.host):\(url.port)"
    }

    /// The words of a report: `websocket`, or `websocket with TLS` where a transport can do without.
    public var description: String {
        isSecure && !kind.usesDatagrams ? "\(kind) with TLS" : kind.rawValue
    }
}

extension RelayURL.Scheme {
    /// Whether the byte-stream transports at such a URL are dialled with TLS. `moqt://` says nothing of TCP; the
    /// listeners beside raw QUIC are plain in the running relays.
    public var protectsStreams: Bool {
        switch self {
        case .https, .wss, .tls: true
        case .moqt, .moql, .http, .ws, .tcp: false
        }
    }
}

/// All that it takes to dial once.
public struct DialPlan: Sendable {
    /// Where, over what, and whom to trust.
    public var route: Route
    /// Protocol names to offer, the preferred first.
    public var protocols: [String]
    /// Limits and timeouts; those without a meaning on a byte stream are not looked at there.
    public var settings: QUICTransportSettings
    /// Where TLS secrets go, if anywhere.
    public var keyLog: QUICKeyLog?
    /// All chance of the connection.
    public var random: SeededRandom
    /// Whether the session is to be what lies beneath the transport, for those who write its bytes themselves: the
    /// streams of QUIC under WebTransport, with the protocols as its ALPN, or the one byte stream under WebSocket and
    /// Qmux.
    public var isBeneath = false

    /// A plan of its parts.
    public init(
        route: Route, protocols: [String], settings: QUICTransportSettings = QUICTransportSettings(),
        keyLog: QUICKeyLog? = nil, random: SeededRandom
    ) {
        self.route = route
        self.protocols = protocols
        self.settings = settings
        self.keyLog = keyLog
        self.random = random
    }
}
