import MoqBase
import MoqDrivers
import MoqQUIC
import MoqTLS
import MoqTransport

/// One plan being carried out: the machine that the driver turns, and the session on it.
final class Attempt {
    let plan: DialPlan
    let transport: any TransportSession
    fileprivate let machine: Machine
    private var driver: (any Driver)?
    private(set) var isAttached = false

    fileprivate enum Machine {
        case datagrams(WakeableEndpoint, QUICConnection)
        case stream(any ByteStreamMachine)
    }

    init(_ plan: DialPlan) throws(DialError) {
        self.plan = plan
        let route = plan.route
        switch route.kind {
        case .quic,
            .webtransport where plan.isBeneath:
            let (endpoint, connection) = Self.dial(plan, protocols: plan.protocols)
            machine = .datagrams(endpoint, connection)
            transport = NativeQUICSession(connection)
        case .tcp where plan.isBeneath, .websocket where plan.isBeneath:
            let session = ByteStreamSession(kind: route.kind, remote: route.address)
            machine = .stream(route.isSecure ? try Self.protect(session, plan, protocols: plan.protocols) : session)
            transport = session
        case .webtransport:
            let (endpoint, connection) = Self.dial(plan, protocols: ["h3"])
            machine = .datagrams(endpoint, connection)
            transport = WebTransportSession(
                client: connection, authority: route.authority, path: route.requestPath, protocols: plan.protocols)
        case .tcp where route.isSecure:
            let session = QmuxTCPSession(
                role: .client, overTLSTo: route.address, settings: QmuxSettings(plan.settings))
            let offers = QmuxSubprotocol.offers(
                for: plan.protocols, versions: [.draft02, .draft01], requiresProtocol: true)
            let stream = try Self.protect(session, plan, protocols: offers.map(\.name)) { [weak session] alpn, now in
                session?.begin(alpn: alpn, at: now)
            }
            machine = .stream(stream)
            transport = session
        case .tcp:
            let session = QmuxTCPSession(
                client: route.address, protocols: plan.protocols, settings: QmuxSettings(plan.settings))
            machine = .stream(session)
            transport = session
        case .websocket:
            let session = QmuxWebSocketSession(
                client: route.address, authority: route.authority, path: route.requestPath, protocols: plan.protocols,
                settings: QmuxSettings(plan.settings), random: plan.random)
            machine = .stream(route.isSecure ? try Self.protect(session, plan, protocols: ["http/1.1"]) : session)
            transport = session
        }
    }

    /// TLS around a session over a byte stream.
    private static func protect(
        _ session: any ByteStreamMachine, _ plan: DialPlan, protocols: [String],
        onEstablished: ((String?, Instant) -> Void)? = nil
    ) throws(DialError) -> TLSStream {
        do {
            return try TLSStream(
                client: session, serverName: plan.route.serverName, protocols: protocols,
                credentials: plan.route.credentials.streams, shownServerName: plan.route.shownServerName,
                handshakeTimeout: plan.settings.handshakeTimeout, keyLog: plan.keyLog, onEstablished: onEstablished)
        } catch {
            throw .unusable("\(error)")
        }
    }

    private static func dial(_ plan: DialPlan, protocols: [String]) -> (WakeableEndpoint, QUICConnection) {
        let endpoint = QUICEndpoint(random: plan.random)
        var configuration = QUICClientConfiguration(
            serverName: plan.route.serverName, protocols: protocols, credentials: plan.route.credentials.quic,
            transport: plan.settings, keyLog: plan.keyLog)
        configuration.shownServerName = plan.route.shownServerName
        let connection = endpoint.connect(to: plan.route.address, configuration: configuration)
        return (WakeableEndpoint(endpoint), connection)
    }

    // MARK: On a driver

    /// Gives the machine its socket, and begins.
    func attach(to driver: any Driver) throws(DialError) {
        guard !isAttached else { return }
        do {
            switch machine {
            case .datagrams(let endpoint, _):
                _ = try driver.bind(endpoint, to: .any(like: plan.route.address))
            case .stream(let stream):
                try driver.connect(stream, to: plan.route.address)
            }
        } catch {
            throw .socket("\(error)")
        }
        self.driver = driver
        isAttached = true
    }

    /// Gives the socket back. What is still to be said is said in the turns that follow.
    func detach() {
        guard isAttached, let driver else { return }
        isAttached = false
        switch machine {
        case .datagrams(let endpoint, _): driver.unbind(endpoint)
        case .stream(let stream): driver.unbind(stream)
        }
    }

    func setLink(_ conditions: LinkConditions) {
        guard let driver else { return }
        switch machine {
        case .datagrams(let endpoint, _): driver.setLink(conditions, of: endpoint)
        case .stream(let stream): driver.setLink(conditions, of: stream)
        }
    }

    var linkStatistics: LinkStatistics {
        guard let driver else { return LinkStatistics() }
        switch machine {
        case .datagrams(let endpoint, _): return driver.linkStatistics(of: endpoint)
        case .stream(let stream): return driver.linkStatistics(of: stream)
        }
    }

    /// Whether the network says that nobody listens at the address. A refused byte stream says so by its close.
    var isUnreachable: Bool {
        guard isAttached, let driver, case .datagrams(let endpoint, _) = machine else { return false }
        return driver.unreachable(endpoint)
    }

    /// Makes the driver return at an instant at the latest, where the machine can.
    var wakeAt: Instant? {
        get { if case .datagrams(let endpoint, _) = machine { endpoint.wakeAt } else { nil } }
        set { if case .datagrams(let endpoint, _) = machine { endpoint.wakeAt = newValue } }
    }

    // MARK: What was agreed on

    /// How far a handshake came that does not go on, as one clause for people; nil where nobody answered.
    var standing: String? {
        if case .stream(let stream) = machine, let tls = stream as? TLSStream, !tls.isEstablished {
            return tls.handshakeStanding
        }
        return transport.handshakeStanding
    }

    var facts: ConnectionFacts {
        var facts = terms
        switch machine {
        case .datagrams(_, let connection):
            facts.peerCertificate = connection.peerCertificate
            facts.certificateFingerprint = facts.peerCertificate?.fingerprint
        case .stream(let stream):
            guard let tls = stream as? TLSStream else { break }
            facts.certificateFingerprint = tls.facts?.peerFingerprint
            facts.peerCertificate = tls.peerCertificate
        }
        return facts
    }

    /// The facts without those of the certificate, which is read anew for each connection.
    var terms: ConnectionFacts {
        var facts = ConnectionFacts(kind: plan.route.kind, isSecure: plan.route.isSecure)
        facts.negotiatedProtocol = transport.negotiatedProtocol
        switch machine {
        case .datagrams(_, let connection):
            let protection = connection.protectionFacts
            facts.alpn = connection.negotiatedProtocol
            facts.tlsVersion = protection?.version
            facts.cipher = protection?.cipher
            facts.peerParameters = connection.peerParameters
            facts.peerSettings = (transport as? WebTransportSession)?.peerSettings
        case .stream(let stream):
            if let tls = stream as? TLSStream {
                facts.alpn = tls.negotiatedProtocol
                facts.tlsVersion = tls.facts?.version.replacing("TLSv", with: "TLS")
                facts.cipher = tls.facts?.cipher
            }
            facts.qmuxVersion = (transport as? any QmuxSession)?.engine.version
            facts.qmuxParameters = (transport as? any QmuxSession)?.engine.peerParameters
        }
        return facts
    }
}

extension Attempt {
    /// The close as the layers beneath explain it: the session over TLS only hears that its stream broke.
    func explained(_ close: SessionClose) -> SessionClose {
        var close = reasoned(close)
        guard case .handshakeTimeout = close.cause else { return close }
        close.reason = standing ?? ""
        return close
    }

    private func reasoned(_ close: SessionClose) -> SessionClose {
        guard case .stream(let stream) = machine, let failure = (stream as? TLSStream)?.failure else { return close }
        var close = close
        switch failure {
        case .certificateRefused: close.cause = .certificateRefused
        case .handshakeTimeout: close.cause = .handshakeTimeout
        case .notTLS, .endedInHandshake: close.cause = .refused(.notSpoken(failure.description))
        case .noProtocol: close.cause = .refused(.noProtocol)
        case .alertReceived, .violation, .broken, .truncated: return close
        }
        close.initiator = .local
        close.reason = failure.description
        return close
    }
}

extension QmuxSettings {
    /// The settings of a byte stream as those of a QUIC connection have them.
    init(_ settings: QUICTransportSettings) {
        self.init()
        idleTimeout = settings.idleTimeout
        keepAlive = settings.keepAlive
        handshakeTimeout = settings.handshakeTimeout
        maximumStreamsBidirectional = settings.maximumStreamsBidirectional
        maximumStreamsUnidirectional = settings.maximumStreamsUnidirectional
        streamWindow = settings.streamWindow
        connectionWindow = settings.connectionWindow
        writeBudget = settings.writeBudget
    }
}

/// An endpoint that also wants to be woken at an instant that is none of its own.
final class WakeableEndpoint: DatagramMachine {
    let endpoint: QUICEndpoint
    /// When the driver is to return at the latest, once.
    var wakeAt: Instant?

    init(_ endpoint: QUICEndpoint) {
        self.endpoint = endpoint
    }

    func receive(_ batch: DatagramBatch, at now: Instant) { endpoint.receive(batch, at: now) }
    func transmit(at now: Instant) -> DatagramBatch? { endpoint.transmit(at: now) }
    var deadline: Instant? { .earlier(endpoint.deadline, wakeAt) }

    func advance(to now: Instant) {
        if let wakeAt, wakeAt <= now { self.wakeAt = nil }
        endpoint.advance(to: now)
    }
}

extension NetworkAddress {
    /// The address from which a peer at `remote` is reached: loopback where the peer is, else any.
    public static func any(like remote: NetworkAddress) -> NetworkAddress {
        switch remote.host {
        case .v4: NetworkAddress(host: remote.isLoopback ? .v4(0x7F00_0001) : .v4(0), port: 0)
        case .v6: NetworkAddress(host: .v6(high: 0, low: remote.isLoopback ? 1 : 0), port: 0)
        }
    }
}
