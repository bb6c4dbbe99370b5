import MoqBase
import MoqDial
import MoqQUIC
import MoqTokens
import MoqTransport
import MoqWire

/// What a probe is asked for.
public struct ProbeRequest: Sendable {
    /// How long one connection may take unless asked otherwise: ten round trips of a slow path.
    public static let usualConnectTimeout = Duration.seconds(3)
    /// How long the whole probe may take unless asked otherwise: some fifty connections of half a second each.
    public static let usualTimeout = Duration.seconds(30)

    /// The relay; its scheme says nothing about what is tried, but for an `http://` URL the fingerprint that the relay
    /// tells is trusted where `trustsToldFingerprint` says so.
    public var url: RelayURL
    /// Where it is.
    public var address: NetworkAddress
    /// The ways to try, in order.
    public var ways = ProbeWay.all
    /// The versions to ask for, the newest first.
    public var versions = Version.byPreference
    /// The token that sessions bring; nil for what the URL has.
    public var token: String?
    /// How certificates are judged.
    public var credentials: DialCredentials
    /// By which a certificate that is pinned, or not judged, is judged besides; nil to leave that out.
    public var verifier: DialCredentials?
    /// Whether the fingerprint that the relay tells over HTTP is pinned, as clients of `http://` URLs do.
    public var trustsToldFingerprint = false
    /// How long one connection may take until its session is there.
    public var connectTimeout = Self.usualConnectTimeout
    /// How long the whole probe may take.
    public var timeout = Self.usualTimeout
    /// Where TLS secrets go, if anywhere.
    public var keyLog: QUICKeyLog?
    /// All chance of the probe.
    public var seed: UInt64

    /// A request with the defaults.
    public init(url: RelayURL, address: NetworkAddress, credentials: DialCredentials, seed: UInt64) {
        self.url = url
        self.address = address
        self.credentials = credentials
        self.seed = seed
    }

    /// The request path of sessions, with the token in it.
    var requestPath: String {
        token.map { RequestToken.request(url.requestPath, with: $0) } ?? url.requestPath
    }

    /// The same without any token.
    var tokenlessPath: String { RequestToken.request(url.requestPath, with: nil) }

    /// Whether sessions bring a token.
    var hasToken: Bool { RequestToken.token(of: requestPath) != nil }
}
