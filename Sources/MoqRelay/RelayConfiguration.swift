import MoqLite
import MoqTokens
import MoqTransport
import MoqWire

/// How a relay is set up.
public struct RelayConfiguration: Sendable {
    /// Which numbers the codes have that the relay itself originates.
    public var generation = CodeGeneration.second
    /// The relay's own id in hop lists, 1 to 2^53 - 1; a list that holds it already is a loop.
    public var hopID: UInt64
    /// The prefix that anyone may use without a token. Empty opens everything, nil nothing.
    public var publicPrefix: BroadcastPath?
    /// The key that verifies tokens. Without one, sessions that bring a token are refused, as relays of the original
    /// stack refuse them.
    public var tokenKey: JSONWebKey?
    /// What had passed since 1970 at `Instant.origin` of the relay's clock: the time by which tokens expire.
    public var epoch = Duration.zero
    /// The request path of sessions that cannot carry one: 01 to 04 on raw QUIC.
    public var defaultPath = "/anon"
    /// How long broadcasts stay announced after their publisher was lost without a word. At most
    /// `RelayLimits.longestLinger`.
    public var linger = Duration.zero
    /// What pulling over a session costs where its SETUP does not say (06).
    public var linkPrice: UInt64 = 1
    /// The versions that are spoken, the most wanted first: on raw QUIC and Qmux the relay's order decides, on
    /// WebTransport the client's. 07 is spoken only where it is listed here.
    public var versions = Version.byPreference
    /// What sessions may be carried by. HTTP/1.1 is answered on TCP in any case.
    public var transports = Set(TransportKind.allCases)
    /// The bounds.
    public var limits = RelayLimits()
    /// What is wrong with it on purpose; nil for nothing.
    public var fault: RelayFault?

    /// The defaults of `moqspec relay`: prefix `anon`, no linger, codes of the second generation.
    public init(hopID: UInt64) {
        self.hopID = hopID
        publicPrefix = RelayConfiguration.anon
    }

    /// The names under which the versions are agreed on, in the relay's order.
    var protocolNames: [String] { Version.protocolNames(for: versions) }

    /// What is offered to QUIC clients: the versions themselves, and HTTP/3 with WebTransport in it.
    var quicProtocols: [String] {
        (transports.contains(.quic) ? protocolNames : [])
            + (transports.contains(.webtransport) ? [EmbeddedRelay.http3Protocol] : [])
    }

    // "anon" has one part, far from the limit of 32 that alone can make this fail.
    private static let anon = (try? BroadcastPath("anon")) ?? .empty
}

/// Decisions that belong to a generation of the original stack.
enum RelayPolicy {
    /// Whether subscriptions end when their broadcast is withdrawn while its publisher stays. Relays up to 0.4.0 cut
    /// them, 0.4.9 and 0.4.18 let them run to their own end (observed).
    static func withdrawalEndsSubscriptions(_ generation: CodeGeneration) -> Bool {
        generation == .first
    }

    /// Whether nothing new is asked of a publisher that said GOAWAY; what runs goes on, and the session is answered as
    /// before. 0.4.18 does so, 0.3.19 passes over the message (observed).
    static func obeysGoaway(_ generation: CodeGeneration) -> Bool {
        generation == .second
    }

    /// The code of a reset or refusal on its way through the relay: unchanged. A number that the binding cannot map
    /// means a failed transport; the raw 0 of a dropped stream means that nobody is interested (observed).
    static func passedOn(_ code: StreamCode, _ generation: CodeGeneration) -> StreamCode {
        switch code {
        case .code: code
        case .unmapped(raw: 0): RelayPolicy.code(.cancelled, generation)
        case .unmapped: RelayPolicy.code(.transport, generation)
        }
    }

    /// The code that a subscriber hears for the way in which something ended upstream.
    static func passedOn(_ end: StreamEnd, _ generation: CodeGeneration) -> StreamCode {
        switch end {
        case .reset(let code), .stopped(let code): passedOn(code, generation)
        case .malformed: code(.malformed, generation)
        case .unsupported: notFetchable(generation)
        case .finished, .cancelled, .sessionClosed: code(.dropped, generation)
        }
    }

    /// What is said when nothing upstream speaks a version with FETCH: `version` where that has a number for streams,
    /// else the newer `not_fetchable`.
    static func notFetchable(_ generation: CodeGeneration) -> StreamCode {
        let expression = CodeTable.expression(of: .version, in: generation, on: .reset)
        return code(expression.numbers.isEmpty ? .notFetchable : .version, generation)
    }

    /// The number under which the relay itself says `condition`.
    static func code(
        _ condition: ErrorCondition, _ generation: CodeGeneration, on signal: CodeSignal = .reset
    ) -> StreamCode {
        .code(CodeTable.numberToSend(for: condition, in: generation, on: signal))
    }
}
