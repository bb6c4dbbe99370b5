import MoqBase
import MoqDial
import MoqQUIC
import MoqTransport
import MoqWire

/// What a probe found out.
public struct ProbeFindings: Sendable {
    /// The relay, without the query of its URL.
    public var url: String
    /// The host that was dialled.
    public var host: String
    /// Where it was looked for.
    public var address: NetworkAddress
    /// The path that sessions asked for, without its query.
    public var path: String
    /// The versions asked for, the newest first.
    public var versions: [Version]
    /// What came of each way, in the order in which they were tried.
    public var ways: [WayFindings] = []
    /// What the relay tells about its certificate over HTTP.
    public var told = ToldFingerprint.notTried("nothing was asked over TCP")
    /// The certificates that were shown, each once.
    public var certificates: [CertificateFindings] = []
    /// Of which generation its codes are; nil when that could not be found out.
    public var generation: CodeGeneration?
    /// How the generation was found out, or why not.
    public var generationEvidence = "no session came about"
    /// What is known of tokens.
    public var tokens = TokenFindings.unknown("no session came about")
    /// What was not tried, and why.
    public var omissions: [Omission] = []
    /// Whether any session heard anything of moq-lite.
    public var hasHeard = false
    /// How many connections were made, the fetch over HTTP among them.
    public var connections = 0
    /// How long it took.
    public var duration = Duration.zero

    /// Something that was not tried.
    public struct Omission: Hashable, Sendable {
        /// What.
        public var what: String
        /// Why.
        public var reason: String
    }

    /// Whether anything at all answered, a relay or not.
    public var hasAnswer: Bool {
        if case .fingerprint = told { return true }
        if case .otherAnswer = told { return true }
        return ways.contains { $0.state.isAnswer }
    }

    /// Whether a relay answered: it accepted a version, or wants other permission than was shown.
    public var isRelay: Bool {
        ways.contains { way in
            if case .denied = way.state { return true }
            return way.answers.contains { $0.answer.isOfRelay }
        } && !isMute
    }

    /// Whether sessions were accepted and nothing was ever said on them: no SETUP, no answer to a subscription, no close.
    public var isMute: Bool {
        let answers = ways.flatMap(\.answers).map(\.answer)
        return !hasHeard && answers.contains(.accepted)
            && !answers.contains { if case .closed = $0 { true } else { false } }
    }

    func way(_ way: ProbeWay) -> WayFindings? { ways.first { $0.way == way } }
}

/// What `GET /certificate.sha256` was answered with.
public enum ToldFingerprint: Hashable, Sendable {
    /// SHA-256 of a certificate, in hexadecimal digits.
    case fingerprint(String)
    /// Something else came; the text says what.
    case otherAnswer(String)
    /// Nothing came; the text says why.
    case noAnswer(String)
    case notTried(String)
}

/// What came of one way to meet the relay.
public struct WayFindings: Sendable {
    /// What the door looked like.
    public enum State: Hashable, Sendable {
        /// A session came about, or would with another version.
        case open
        /// The relay is there and wants other permission (HTTP status 401 or 403, or the session's close).
        case denied(SessionClose)
        /// Something answered and refused, or is no relay.
        case refused(SessionClose)
        /// Nobody answered in time.
        case silent(String)
        /// The network says that nobody listens.
        case closed(String)
        case notTried(String)

        /// Whether something answered.
        var isAnswer: Bool {
            switch self {
            case .open, .denied, .refused: true
            case .silent, .closed, .notTried: false
            }
        }
    }

    /// What one version alone led to.
    public enum Answer: Hashable, Sendable {
        case accepted
        /// Accepted, and then the session was closed.
        case closed(SessionClose)
        case refused(String)
        case notTried(String)

        var isOfRelay: Bool {
            switch self {
            case .accepted, .closed: true
            case .refused, .notTried: false
            }
        }
    }

    /// Several versions offered at once.
    public struct Offer: Hashable, Sendable {
        /// In this order.
        public var offered: [Version]
        /// What the relay picked; nil when the session did not come about.
        public var picked: Version?
    }

    /// Whose order decides between versions that both sides speak.
    public enum Order: Hashable, Sendable {
        case relay(prefers: Version)
        case client
        case unclear(String)
    }

    /// Which way.
    public var way: ProbeWay
    /// What the door looked like.
    public var state: State
    /// One for each version asked for, the newest first; empty where the way is not open.
    public var answers: [(version: Version, answer: Answer)] = []
    /// The offers of all versions at once.
    public var offers: [Offer] = []
    /// Whose order decides; nil where fewer than two versions are accepted, or that was not found out.
    public var order: Order?
    /// What was agreed on beneath the session, and the limits that the relay announced.
    public var facts: ConnectionFacts?
    /// The relay's SETUP, by version (05 and later).
    public var setups: [(version: Version, setup: Setup)] = []
    /// The parameters of the relay's SERVER_SETUP, where the setup exchange was used (01 and 02).
    public var exchange: [ExchangeParameter]?
    /// ANNOUNCE_OK or ANNOUNCE_INIT, by version.
    public var announcements: [(version: Version, hop: UInt64?, count: UInt64)] = []
    /// The largest datagram of moq-lite that can be sent at first, in bytes; nil where there are none.
    public var datagramSize: Int?
    /// The shortest round trip of a session, where the transport measures one.
    public var roundTrip: Duration?

    init(_ way: ProbeWay, _ state: State) {
        self.way = way
        self.state = state
    }

    /// The versions that are accepted, the newest first.
    public var accepted: [Version] {
        answers.compactMap { entry in entry.answer == .accepted ? entry.version : nil }
    }
}

/// A certificate that the relay showed.
public struct CertificateFindings: Hashable, Sendable {
    /// What stands in it.
    public var facts: CertificateFacts
    /// On which ways it was shown.
    public var ways: [ProbeWay]
    /// Whether it was accepted.
    public var isAccepted: Bool
    /// How it was judged.
    public var judgement: String
    /// Whether it verifies for the host by the system's authorities, and why not; nil where that was not looked at.
    public var verification: Verification?

    /// A second judgement, which nothing depended on.
    public struct Verification: Hashable, Sendable {
        /// Whether it would have been accepted.
        public var isGood: Bool
        /// In words.
        public var words: String
    }
}

/// Whether sessions need a token at the path.
public enum TokenFindings: Hashable, Sendable {
    /// Sessions without one are accepted.
    case notWanted
    /// Sessions without one are denied; the text says where and how.
    case wanted(String)
    /// The token that was given is accepted; what happens without it.
    case accepted(without: String)
    /// The token that was given is denied; the text says where and how.
    case refused(String)
    case unknown(String)
}
