import MoqBase

/// Which rule decides how much may be in flight.
public enum QUICCongestionControl: Int32, Hashable, Sendable {
    case cubic = 0
    case newReno = 1
    /// Keeps its rate on links that lose packets.
    case bbr = 2
}

/// How large packets may be.
public enum QUICPathMTU: Hashable, Sendable {
    /// The full `maximumUDPPayload` at once to loopback addresses, discovery elsewhere.
    case automatic
    /// Start at 1200 bytes and probe upwards (RFC 8899).
    case discover
    /// The full `maximumUDPPayload` at once.
    case assume
}

/// What one side of a connection announces, and how it behaves.
public struct QUICTransportSettings: Hashable, Sendable {
    /// Silence after which the connection is over.
    public var idleTimeout: Duration = .seconds(30)
    /// Silence after which a PING is sent, nil for never. Below the 10 s that the original Rust stack announces as
    /// its idle timeout.
    public var keepAlive: Duration? = .seconds(5)
    /// How long a handshake may take.
    public var handshakeTimeout: Duration = .seconds(10)
    /// The round trip assumed before one is measured. RFC 9002 recommends 333 ms; a harness mostly meets near peers.
    public var initialRoundTrip: Duration = .milliseconds(100)
    /// How many bidirectional streams the peer may have open at once.
    public var maximumStreamsBidirectional: UInt64 = 1024
    /// How many unidirectional streams the peer may have open at once.
    public var maximumStreamsUnidirectional: UInt64 = 1024
    /// Unread bytes that a stream may hold.
    public var streamWindow: UInt64 = 1_250_000
    /// Unread bytes that all streams of a connection may hold together.
    public var connectionWindow: UInt64 = 16 << 20
    /// Unsent bytes of a stream above which `canWrite` is false.
    public var writeBudget = 256 << 10
    /// The largest DATAGRAM frame that is taken, 0 for none.
    public var maximumDatagramFrame: UInt64 = 65_535
    /// The largest UDP payload that is sent: 1500 less an IPv6 and a UDP header.
    public var maximumUDPPayload = 1_452
    /// How large packets may become.
    public var pathMTU = QUICPathMTU.automatic
    /// What decides how much is under way.
    public var congestionControl = QUICCongestionControl.cubic

    /// The defaults.
    public init() {}
}

/// How to connect to a server.
public struct QUICClientConfiguration: Sendable {
    /// The host name, for SNI (unless it is an IP literal) and for the check of the certificate.
    public var serverName: String
    /// ALPN protocol names, the preferred first: 1 to 8 names of at most 32 bytes.
    public var protocols: [String]
    /// Whom to trust.
    public var credentials: QUICClientCredentials
    /// The settings of the connection.
    public var transport: QUICTransportSettings
    /// Where TLS secrets are logged, if anywhere.
    public var keyLog: QUICKeyLog?

    /// A configuration of its parts.
    public init(
        serverName: String, protocols: [String], credentials: QUICClientCredentials,
        transport: QUICTransportSettings = QUICTransportSettings(), keyLog: QUICKeyLog? = nil
    ) {
        self.serverName = serverName
        self.protocols = protocols
        self.credentials = credentials
        self.transport = transport
        self.keyLog = keyLog
    }
}

/// How to serve clients.
public struct QUICServerConfiguration: Sendable {
    /// ALPN protocol names, the preferred first: 1 to 8 names of at most 32 bytes. The server's order decides.
    public var protocols: [String]
    /// Who the server is.
    public var credentials: QUICServerCredentials
    /// The settings of every connection.
    public var transport: QUICTransportSettings
    /// Where TLS secrets are logged, if anywhere.
    public var keyLog: QUICKeyLog?
    /// By protocol: how a unidirectional stream of the server's own begins that goes out with its first flight, before
    /// the client's handshake is complete (0.5-RTT data, RFC 9001 section 5.7). Whoever may have sent the client's
    /// first packet can read it. The stream is `QUICConnection.earlyStream`.
    public var earlyStreams: [String: [UInt8]] = [:]

    /// A configuration of its parts.
    public init(
        protocols: [String], credentials: QUICServerCredentials,
        transport: QUICTransportSettings = QUICTransportSettings(), keyLog: QUICKeyLog? = nil
    ) {
        self.protocols = protocols
        self.credentials = credentials
        self.transport = transport
        self.keyLog = keyLog
    }
}

/// What an endpoint takes on.
public struct QUICEndpointLimits: Hashable, Sendable {
    /// Connections, both ways. More are answered with CONNECTION_REFUSED.
    public var connections = 4_096
    /// Accepted connections whose handshake is not complete. First packets beyond that are dropped, so that the client
    /// tries again.
    public var halfOpenConnections = 512

    /// The defaults.
    public init() {}
}
