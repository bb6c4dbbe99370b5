import MoqBase
import MoqDrivers
import MoqLite
import MoqQUIC
import MoqTransport
import MoqWire
import Testing

@testable import MoqRelay

/// A relay and its clients over QUIC in simulated time.
private final class Network {
    let driver = SimulatedDriver(seed: 11)
    let relay: EmbeddedRelay
    private let address: NetworkAddress
    private var random = SeededRandom(seed: 12)
    private(set) var clients: [Client] = []

    final class Client {
        let endpoint: QUICEndpoint
        let lite: LiteSession
        let publication: Publication
        var texts: [String] = []
        var announcements: [String] = []
        var subscriptionEnd: StreamEnd?
        var closed: SessionClose?

        init(endpoint: QUICEndpoint, lite: LiteSession) {
            self.endpoint = endpoint
            self.lite = lite
            publication = Publication(session: lite)
        }

        func work(at now: Instant) {
            lite.process(at: now)
            while let event = lite.poll() {
                switch event {
                case .frame(_, _, let frame): texts.append(String(decoding: frame.payload, as: UTF8.self))
                case .announced(_, let announced, _): announcements.append("+\(announced.path)")
                case .unannounced(_, let path): announcements.append("-\(path)")
                case .subscriptionEnded(_, let end): subscriptionEnd = end
                case .closed(let close): closed = close
                default: break
                }
                _ = publication.handle(event, at: now)
            }
            publication.pump(at: now)
        }
    }

    init(idleTimeout: Duration = .seconds(30)) throws {
        let credentials = try QUICServerCredentials(identity: .selfSigned(unixTime: 1_790_000_000))
        var transport = QUICTransportSettings()
        transport.idleTimeout = idleTimeout
        var configuration = RelayConfiguration(hopID: 9)
        configuration.versions = Version.allCases
        relay = EmbeddedRelay(
            configuration: configuration,
            server: QUICServerConfiguration(
                protocols: [], credentials: credentials, transport: transport),
            random: random.forked("relay"))
        address = try driver.bind(relay, to: .loopback(port: 0))
    }

    func connect(_ version: Version) throws -> Client {
        let endpoint = QUICEndpoint(random: random.forked("client \(clients.count)"))
        _ = try driver.bind(endpoint, to: .loopback(port: 0))
        let connection = endpoint.connect(
            to: address,
            configuration: QUICClientConfiguration(
                serverName: "localhost", protocols: [version.alpn],
                credentials: try QUICClientCredentials(trust: .insecure)))
        let lite = LiteSession(
            transport: NativeQUICSession(connection),
            configuration: LiteConfiguration(
                versions: [version], hopID: 100 + UInt64(clients.count), requestPath: "/anon"))
        let client = Client(endpoint: endpoint, lite: lite)
        clients.append(client)
        return client
    }

    func run(_ seconds: Double) throws {
        let end = driver.now.advanced(by: .seconds(seconds))
        while driver.now < end {
            for client in clients { client.work(at: driver.now) }
            try driver.turn(until: end)
        }
    }
}

struct EmbeddedRelayTests {
    @Test(arguments: Version.allCases)
    func framesPassOverQUICAndNothingIsLeftBehind(_ version: Version) throws {
        let network = try Network()
        let path = BroadcastPath(test: "x")
        let publisher = try network.connect(version)
        let store = publisher.publication.addTrack("video", of: path)
        publisher.publication.announce(path)
        let viewers = try (0..<3).map { _ in try network.connect(version) }
        for viewer in viewers { viewer.lite.requestAnnouncements(prefix: .empty) }
        try network.run(1)
        for viewer in viewers { _ = viewer.lite.subscribe(broadcast: path, track: "video") }
        try network.run(1)
        let group = try store.openGroup(0, at: network.driver.now)
        for text in ["a", String(repeating: "b", count: 300_000), "c"] {
            store.append(Frame(timestamp: 0, payload: Array(text.utf8)), to: group, at: network.driver.now)
        }
        store.finishGroup(group, at: network.driver.now)
        store.finish(end: 1)
        try network.run(2)
        for viewer in viewers {
            #expect(viewer.announcements == ["+x"])
            #expect(viewer.texts.map(\.count) == [1, 300_000, 1])
            #expect(viewer.subscriptionEnd == .finished)
        }
        for client in network.clients { client.lite.close(code: 0, reason: "") }
        try network.run(1)
        #expect(network.relay.snapshot().isEmpty)
    }

    @Test func aViewerThatVanishesIsReleasedAtItsIdleTimeout() throws {
        let network = try Network(idleTimeout: .seconds(12))
        let path = BroadcastPath(test: "x")
        let publisher = try network.connect(.lite05)
        publisher.publication.addTrack("video", of: path)
        publisher.publication.announce(path)
        let viewer = try network.connect(.lite05)
        try network.run(1)
        _ = viewer.lite.subscribe(broadcast: path, track: "video")
        try network.run(1)
        #expect(network.relay.snapshot().upstreamSubscriptions == 1)
        network.driver.unbind(viewer.endpoint)
        try network.run(20)
        #expect(network.relay.snapshot().upstreamSubscriptions == 0)
        #expect(network.relay.snapshot().downstreamSubscriptions == 0)
        #expect(publisher.closed == nil)
    }

    @Test func idleSessionsAreNotLookedAtWhileOthersWork() throws {
        let network = try Network()
        let path = BroadcastPath(test: "x")
        for _ in 0..<40 { _ = try network.connect(.lite05) }
        let publisher = try network.connect(.lite05)
        let store = publisher.publication.addTrack("video", of: path)
        publisher.publication.announce(path)
        let viewer = try network.connect(.lite05)
        try network.run(1)
        _ = viewer.lite.subscribe(broadcast: path, track: "video")
        try network.run(1)
        let before = network.relay.looks
        for sequence in UInt64(0)..<10 {
            let group = try store.openGroup(sequence, at: network.driver.now)
            store.append(Frame(timestamp: 0, payload: [1]), to: group, at: network.driver.now)
            store.finishGroup(group, at: network.driver.now)
            try network.run(0.02)
        }
        #expect(viewer.texts.count == 10)
        #expect(network.relay.looks - before <= 60)
    }

    @Test func aShutdownTellsEverySessionAndTakesNoMore() throws {
        let network = try Network()
        let client = try network.connect(.lite06)
        try network.run(1)
        network.relay.shutdown(reason: "stopped", at: network.driver.now)
        try network.run(1)
        #expect(client.closed?.cause == .application(code: 0))
        #expect(client.closed?.reason == "stopped")
        let late = try network.connect(.lite06)
        try network.run(1)
        #expect(late.closed?.initiator == .peer)
        #expect(network.relay.snapshot().isEmpty)
    }
}
