import MoqBase
import MoqDial
import MoqDrivers
import MoqLite
import MoqQUIC
import MoqRelay
import MoqTransport
import MoqWire

@testable import MoqProbe

/// A relay on one port of both kinds, on a driver of either sort, and probes of it.
final class ProbeNetwork {
    let driver: any Driver
    let relay: EmbeddedRelay
    let address: NetworkAddress
    let identity: ServerIdentity
    private(set) var members: [Member] = []

    /// A session of a bystander, and all that it was told.
    final class Member {
        let connection: Connection
        let lite: LiteSession
        let publication: Publication
        var events: [String] = []
        var frames = 0

        init(_ connection: Connection, _ lite: LiteSession) {
            self.connection = connection
            self.lite = lite
            publication = Publication(session: lite)
        }

        func work(at now: Instant) {
            connection.advance(to: now)
            lite.process(at: now)
            while let event = lite.poll() {
                if case .frame = event { frames += 1 }
                events.append("\(event)")
                _ = publication.handle(event, at: now)
            }
            publication.pump(at: now)
        }
    }

    init(
        on driver: any Driver = SimulatedDriver(seed: 5), unixTime: Int = 1_790_000_000,
        _ change: (inout RelayConfiguration) -> Void = { _ in }
    ) throws {
        self.driver = driver
        identity = try .selfSigned(unixTime: unixTime)
        var configuration = RelayConfiguration(hopID: 9)
        change(&configuration)
        let relay = EmbeddedRelay(
            configuration: configuration,
            server: QUICServerConfiguration(protocols: [], credentials: try QUICServerCredentials(identity: identity)),
            random: SeededRandom(seed: 6))
        self.relay = relay
        address = try driver.bind(relay, on: [NetworkAddress.loopback(port: 0).host], port: 0) {
            [unowned driver] in relay.makeStream(from: $0, at: driver.now)
        }[0]
    }

    /// A request for a probe of it, whose certificate is pinned.
    func request(_ path: String = "/anon", trust: CertificateTrust? = nil) throws -> ProbeRequest {
        var request = ProbeRequest(
            url: try RelayURL("https://localhost:\(address.port)\(path)"), address: address,
            credentials: try DialCredentials(trust: trust ?? .pinned([identity.fingerprint])), seed: 7)
        request.connectTimeout = .seconds(2)
        return request
    }

    func probe(_ request: ProbeRequest) throws -> ProbeFindings {
        try RelayProbe(request, on: driver).run()
    }

    /// A session that has nothing to do with the probe.
    func join(_ kind: TransportKind, _ version: Version = .lite06) throws -> Member {
        let number = UInt64(members.count)
        let route = Route(
            kind: kind, isSecure: false, address: address, serverName: "localhost",
            authority: "localhost:\(address.port)", requestPath: "/anon",
            credentials: try DialCredentials(trust: .pinned([identity.fingerprint])))
        let connection = try Connection(
            DialPlan(route: route, protocols: [version.alpn], random: SeededRandom(seed: 100 + number)))
        try connection.attach(to: driver)
        let lite = LiteSession(
            transport: connection.transport,
            configuration: LiteConfiguration(versions: [version], hopID: 50 + number, requestPath: "/anon"))
        let member = Member(connection, lite)
        members.append(member)
        return member
    }

    func run(for duration: Duration) throws {
        let end = driver.now.advanced(by: duration)
        while driver.now < end {
            for member in members { member.work(at: driver.now) }
            try driver.turn(until: end)
        }
        for member in members { member.work(at: driver.now) }
    }
}

extension ProbeFindings {
    /// `06 05 04` of what a way accepts; nil where it is not open.
    func accepted(_ kind: TransportKind, isSecure: Bool = false) -> String? {
        guard let found = way(ProbeWay(kind, isSecure: isSecure)), case .open = found.state else { return nil }
        return found.accepted.map(\.name).joined(separator: " ")
    }

    func order(_ kind: TransportKind, isSecure: Bool = false) -> WayFindings.Order? {
        way(ProbeWay(kind, isSecure: isSecure))?.order
    }
}
