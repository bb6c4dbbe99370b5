/// What an actor is.
public enum ActorKind: String, CaseIterable, Equatable, Sendable {
    /// Speaks the protocol itself, and may break it.
    case session
    /// Writes bytes, and nothing else: at the level of a session's streams, or beneath it.
    case raw
    /// The relay under test.
    case relay
    /// The link between the actors and the relay.
    case network
    /// The publisher model of a client kit.
    case publisher
    /// The player model of a client kit.
    case player
    /// The session model of the room kit.
    case moqom
    /// An outside program, whose command is given with the run.
    case program
    /// A program that speaks the adapter protocol.
    case external

    /// The kinds that this release can run.
    public static let available: [ActorKind] = [
        .session, .raw, .relay, .network, .publisher, .player, .moqom, .program,
    ]

    /// Whether it is a client kit: a model that speaks through a session of its own.
    public var isClient: Bool { self == .publisher || self == .player || self == .moqom }
}

/// Where a raw actor writes.
public enum RawLevel: String, CaseIterable, Equatable, Sendable {
    /// Streams of a session's transport: what it writes stands in the place of moq-lite's messages.
    case lite
    /// Streams of a raw QUIC connection, codes being numbers of the wire.
    case quic
    /// Streams of a QUIC connection with the ALPN `h3`, codes being numbers of the wire.
    case http3
    /// The TCP connection beneath WebSocket.
    case websocket
    /// The TCP connection beneath Qmux.
    case tcp

    /// The transport whose address it is; nil for that of the actor.
    public var transport: String? {
        switch self {
        case .lite: nil
        case .quic: "quic"
        case .http3: "webtransport"
        case .websocket: "websocket"
        case .tcp: "tcp"
        }
    }

    /// Whether it writes on one TCP connection.
    public var isConnection: Bool { self == .websocket || self == .tcp }
}

/// Which announcements a session asks for when it connects.
public enum AnnouncePrefix: Equatable, Sendable {
    /// Everything under the case's own path.
    case wholeCase
    /// Everything under a path relative to the case's own; asked with that prefix.
    case prefix(String)
    /// Nothing, until a step asks.
    case none
}

/// One actor of a scenario.
public struct ActorDefinition: Equatable, Sendable {
    /// Its name in steps.
    public var name: String
    /// What it is.
    public var kind: ActorKind
    /// Where it is declared.
    public var location: SourceLocation
    /// The path given to the relay at connect, instead of the one of the relay's URL. `/` is the root.
    public var path: String?
    /// The further relay at which it is, instead of the one under test.
    public var relay: String?
    /// The one version that it offers, instead of the case's.
    public var version: String?
    /// The transport that it dials, instead of the case's.
    public var transport: String?
    /// The protocol names that it offers, in this order, instead of those of its version.
    public var protocols: [String]?
    /// The name that it sends as SNI; `none` for no name, as a client does that dials by address.
    public var serverName: String?
    /// Host and port as its request names them; `address` for the address that is dialled.
    public var authority: String?
    /// Whether it dials WebSocket or Qmux inside TLS; nil for what the run says.
    public var tls: Bool?
    /// Where a raw actor writes.
    public var level: RawLevel?
    /// Whether a raw actor sends an empty SETUP by itself, in the versions that have one.
    public var sendsSetup = false
    /// What it asks to be told at connect.
    public var announce: AnnouncePrefix
    /// What it means to do, as it says in its SETUP (05 and later); nil for nothing said, which means both.
    public var role: SessionRole?
    /// What its SETUP says that the link costs (06); nil for nothing said, which counts as 1.
    public var cost: UInt64?
    /// Whether it keeps its connection alive by itself.
    public var keepsAlive = true
    /// Its own hop id, 0 for none; nil for one of its own that stays the same over reconnects.
    public var hop: UInt64?
    /// Whether it leaves the relay's requests for announcements to the steps, which answer with `send_raw`.
    public var announcesByHand = false
    /// As which published kit a client behaves.
    public var profile: ClientProfile?
    /// How much a player holds before it plays; nil for the kits' own 100 ms.
    public var targetBuffering: Duration?
    /// What the application behind a MoqomKit session sets; nil for any other actor.
    public var moqom: MoqomSettings?
    /// Whether a player decodes what it plays, so that it can be said what was seen and heard.
    public var decodes = false
    /// The token that it brings; nil for what the run gives to all.
    public var token: ActorToken?
    /// Its own link, instead of the case's `network`.
    public var link: NetworkConditions?
    /// By which name a run gives the command of an outside program; nil for the actor's own.
    public var program: String?

    /// By which name a run gives its command, where it is an outside program.
    public var programName: String { program ?? name }
}

/// How a link treats datagrams, in each direction.
public struct NetworkConditions: Equatable, Sendable {
    /// One-way delay.
    public var delay: Duration = .zero
    /// Added to the delay, up to this much.
    public var jitter: Duration = .zero
    /// Probability that a datagram is lost, 0 to 1.
    public var loss: Double = 0
    /// Probability that a datagram arrives twice, 0 to 1.
    public var duplicate: Double = 0
    /// Probability that a datagram is overtaken by later ones, 0 to 1.
    public var reorder: Double = 0
    /// Bytes a second, nil for no limit.
    public var rate: UInt64?

    /// A link that does nothing to what passes.
    public init() {}
}
