import MoqBase
import MoqDial
import MoqDrivers
import MoqLite
import MoqQUIC
import MoqTokens
import MoqTransport
import MoqWire

/// How a relay is met for publishing or watching.
public struct LiveDial: Sendable {
    /// How long connecting may take unless asked otherwise.
    public static let usualConnectTimeout = Duration.seconds(5)

    /// The relay.
    public var url: RelayURL
    /// Where its host may be, in the order in which they are tried.
    public var addresses: [NetworkAddress]
    /// Over what, where that is not what the URL says; several are raced.
    public var kinds: [TransportKind] = []
    /// The versions offered, the most wanted first.
    public var versions = Version.byPreference
    /// How its certificate is judged.
    public var trust = CertificateTrust.systemRoots
    /// The token of the session; nil for what the URL has.
    public var token: String?
    /// How long connecting to one address may take.
    public var connectTimeout = Self.usualConnectTimeout
    /// Where TLS secrets go, if anywhere.
    public var keyLog: QUICKeyLog?
    /// All chance of the session.
    public var seed: UInt64

    /// How long it may go unnoticed that the owner wants to stop.
    private static let attention = Duration.milliseconds(50)
    /// Silence after which the session is over, should the relay vanish.
    private static let idleTimeout = Duration.seconds(15)

    /// A dial with the defaults.
    public init(url: RelayURL, addresses: [NetworkAddress], seed: UInt64) {
        self.url = url
        self.addresses = addresses
        self.seed = seed
    }

    /// Connects, at the first address where somebody answers. Turns the driver's crank; gives the session with what
    /// happened on it so far, its being established among it. Nil when it was cut short.
    public func connect(
        on driver: any Driver, isCutShort: () -> Bool = { false }
    ) throws(LiveError) -> (session: LiveSession, events: [LiteEvent])? {
        var absence: LiveError?
        for address in addresses {
            do throws(Absence) {
                return try connect(to: address, on: driver, isCutShort)
            } catch {
                switch error {
                case .nobody(let text): absence = absence ?? .relay(text)
                case .final(let error): throw error
                }
            }
        }
        throw absence ?? .relay("\(url.host) has no address")
    }

    private enum Absence: Error {
        /// Nobody is there, so another address may be better.
        case nobody(String)
        case final(LiveError)
    }

    private func connect(
        to address: NetworkAddress, on driver: any Driver, _ isCutShort: () -> Bool
    ) throws(Absence) -> (LiveSession, [LiteEvent])? {
        let plans = try plans(at: address, on: driver, isCutShort)
        let live: LiveSession
        do throws(LiveError) {
            live = try LiveSession(
                plans, versions: versions, on: driver, random: SeededRandom(seed: seed).forked("session"))
        } catch {
            throw .final(error)
        }
        let place = plans.map { "\($0.route.address) (\($0.route.description))" }.joined(separator: " and ")
        let end = driver.now.advanced(by: connectTimeout)
        while driver.now < end {
            guard !isCutShort() else {
                try? live.close()
                return nil
            }
            do throws(DriverError) {
                try driver.turn(until: min(end, driver.now.advanced(by: Self.attention)))
            } catch {
                throw .final(.environment("the sockets failed: \(error)"))
            }
            let events = live.process()
            for event in events {
                switch event {
                case .established: return (live, events)
                case .closed(let close): throw refusal(close, place)
                default: continue
                }
            }
            if live.isUnreachable { throw .nobody(closedPort(place)) }
        }
        let standing = live.standing ?? ""
        try? live.close()
        throw .nobody(
            standing.isEmpty
                ? "nobody answered at \(place) within \(connectTimeout.inSeconds) s. Check that the relay runs, and that "
                    + "no firewall is between."
                : "no session came about at \(place) within \(connectTimeout.inSeconds) s: \(standing). Check that it is "
                    + "a MoQ relay, or try another --transport.")
    }

    private func plans(
        at address: NetworkAddress, on driver: any Driver, _ isCutShort: () -> Bool
    ) throws(Absence) -> [DialPlan] {
        var trust = trust
        do throws(DialError) {
            if url.scheme == .http, trust == .systemRoots {
                let digits = try FingerprintFetch.fetch(
                    from: Route.authority(of: url), at: address, on: driver, wait: connectTimeout,
                    isCutShort: isCutShort)
                trust = .pinned([digits])
            }
            let credentials = try DialCredentials(trust: trust)
            var settings = QUICTransportSettings()
            settings.idleTimeout = Self.idleTimeout
            settings.keepAlive = Self.idleTimeout / 4
            settings.handshakeTimeout = connectTimeout
            let random = SeededRandom(seed: seed)
            return (kinds.isEmpty ? [url.scheme.kind] : kinds).map { kind in
                var route = Route(url, kind: kind, address: address, credentials: credentials)
                if let token { route.requestPath = RequestToken.request(url.requestPath, with: token) }
                return DialPlan(
                    route: route, protocols: Version.protocolNames(for: versions), settings: settings, keyLog: keyLog,
                    random: random.forked(kind.rawValue))
            }
        } catch {
            if case .unreachable(let why) = error { throw .nobody(why) }
            throw .final(.relay(error.description))
        }
    }

    private func closedPort(_ place: String) -> String {
        "nobody listens at \(place). Start the relay, or check its address and port."
    }

    private func refusal(_ close: SessionClose, _ place: String) -> Absence {
        switch close.cause {
        case .certificateRefused:
            return .final(
                .relay(
                    "the certificate of the relay at \(place) was refused: \(close.reason). Pin it with --fingerprint, "
                        + "trust its authority with --tls-root FILE, or, to skip the check, use --insecure."))
        case .refused(.status(let status)) where status == 401 || status == 403:
            return .final(
                .relay(
                    "the relay at \(place) denies access with HTTP status \(status). Give a token that allows the path "
                        + "(--token-file FILE), or take another path."))
        case .lost where close.reason.lowercased().contains("refused") || close.reason.contains("nobody listens"):
            return .nobody(closedPort(place))
        case .handshakeTimeout:
            return .nobody("nobody answered at \(place): \(close). Check that the relay runs.")
        default:
            let names = versions.map(\.name).joined(separator: ", ")
            return .final(
                .relay(
                    "what answers at \(place) gave no session of moq-lite \(names): \(close). Check that it is a MoQ relay "
                        + "and that address and path are right, or try another --moq-version or --transport."))
        }
    }
}
