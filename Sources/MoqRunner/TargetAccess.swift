import MoqBase
import MoqDial
import MoqQUIC
import MoqTransport
import MoqWire

/// Where the relay under test is, and what is shown to it.
struct TargetAccess {
    /// One route for each transport over which it may be met.
    var routes: [Route]
    /// The transports that a race (`auto`) runs over, in the order in which they start.
    var raced: [TransportKind] = [.webtransport, .websocket]
    /// Where TLS secrets go.
    var keyLog: QUICKeyLog?
    /// The deadline of a handshake.
    var connectTimeout: Duration
    /// How many times as long as usual the relay may take for whatever has to happen, at least 1.
    var patience = 1
    /// The SHA-256 by which the certificate is accepted, where there is one.
    var certificate: String?
    /// Mixed into the chance of sessions, connection ids among it. Over sockets it differs from run to run: a relay that
    /// still remembers a connection takes a new one with the same ids for the old one. In simulated time it is 0.
    var nonce: UInt64
    /// What token a session brings.
    var tokens = TokenMint()

    /// The path that sessions are at unless a scenario says otherwise; nil where it is none that is known.
    var usualRoot: BroadcastPath? {
        routes.first.flatMap { try? BroadcastPath($0.requestPath.prefix { $0 != "?" }) }
    }

    /// The routes of a choice; empty when the relay cannot be met that way.
    func routes(for choice: TransportChoice) -> [Route] {
        switch choice {
        case .one(let kind): routes.filter { $0.kind == kind }
        case .race: raced.compactMap { kind in routes.first { $0.kind == kind } }
        }
    }

    /// Where sessions of a choice are dialled, in words.
    func place(_ choice: TransportChoice) -> String {
        let places = routes(for: choice).map { "\($0.address) (\($0.medium))" }
        return places.isEmpty ? "no address" : places.joined(separator: " and ")
    }

    /// What a session says of whom it dials, instead of what its route says.
    struct Guise: Hashable {
        /// The name in SNI, `none` for no name.
        var serverName: String?
        /// Host and port of the request, `address` for the address that is dialled.
        var authority: String?
        /// Whether there is TLS where the transport does not say it: over WebSocket and Qmux.
        var isSecure: Bool?

        func wear(_ route: inout Route) {
            if let serverName { route.shownServerName = serverName == "none" ? "" : serverName }
            if let isSecure, !route.kind.usesDatagrams { route.isSecure = isSecure }
            if let authority { route.authority = authority == "address" ? route.address.description : authority }
        }
    }

    /// A connection that is yet to be attached. `path` is the request path where that is not the route's, `token` what
    /// goes into it at `now`.
    func connection(
        over choice: TransportChoice, protocols: [String], path: String?, token: TokenWish, at now: Instant,
        settings: QUICTransportSettings, seed: UInt64, guise: Guise = Guise(), isBeneath: Bool = false
    ) throws(RunnerError) -> Connection {
        var routes = routes(for: choice)
        guard !routes.isEmpty else {
            throw .unusable("the relay's URL names no way to meet it over \(choice)")
        }
        let random = SeededRandom(seed: seed ^ nonce)
        for index in routes.indices {
            guise.wear(&routes[index])
            routes[index].requestPath = try tokens.request(
                path ?? routes[index].requestPath, for: token, isOfScenario: path != nil, at: now)
        }
        let plans = routes.map { route in
            var plan = DialPlan(
                route: route, protocols: protocols, settings: settings, keyLog: keyLog,
                random: routes.count == 1 ? random : random.forked(route.kind.rawValue))
            plan.isBeneath = isBeneath
            return plan
        }
        do {
            return try Connection(racing: plans)
        } catch {
            throw .environment(error.description)
        }
    }
}

extension Route {
    /// A URL by which others dial it, with this path and query.
    func url(_ request: String) -> String {
        let scheme =
            switch kind {
            case .quic: "moqt"
            case .webtransport: "https"
            case .websocket: isSecure ? "wss" : "ws"
            case .tcp: isSecure ? "tls" : "tcp"
            }
        // That name is one address of two, and a relay may be at one only.
        let isNamed = !authority.hasPrefix("localhost:") && shownServerName == nil
        return "\(scheme)://\(isNamed ? authority : address.description)\(request)"
    }

    /// What is spoken at its address, for people.
    var medium: String {
        switch kind {
        case .quic: "raw QUIC over UDP"
        case .webtransport: "WebTransport over UDP"
        case .websocket: isSecure ? "WebSocket with TLS over TCP" : "WebSocket over TCP"
        case .tcp: isSecure ? "Qmux with TLS over TCP" : "Qmux over TCP"
        }
    }
}
