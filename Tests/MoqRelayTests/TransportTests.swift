import MoqBase
import MoqDrivers
import MoqLite
import MoqTransport
import MoqWire
import Testing

@testable import MoqRelay

/// Sessions over every transport through one relay.
struct TransportTests {
    typealias Way = TransportNetwork.Way

    /// Publishes a group on one client and gives what the other one got.
    private func pass(
        _ network: TransportNetwork, from publisher: TransportNetwork.Client, to viewer: TransportNetwork.Client
    ) throws {
        let path = BroadcastPath(test: "x")
        let store = publisher.publication.addTrack("video", of: path)
        publisher.publication.announce(path)
        viewer.lite.requestAnnouncements(prefix: .empty)
        try network.run(1)
        _ = viewer.lite.subscribe(broadcast: path, track: "video")
        try network.run(1)
        let group = try store.openGroup(0, at: network.driver.now)
        for text in ["a", String(repeating: "b", count: 400_000), "c"] {
            store.append(Frame(timestamp: 0, payload: Array(text.utf8)), to: group, at: network.driver.now)
        }
        store.finishGroup(group, at: network.driver.now)
        store.finish(end: 1)
        try network.run(2)
        #expect(viewer.announcements == ["+x"])
        #expect(viewer.texts.map(\.count) == [1, 400_000, 1])
        #expect(viewer.subscriptionEnd == .finished)
    }

    @Test(arguments: Way.ofEachKind, Way.ofEachKind)
    func framesPassFromEveryTransportToEveryOther(_ from: Way, _ to: Way) throws {
        let network = try TransportNetwork()
        let publisher = try network.connect(from)
        let viewer = try network.connect(to)
        try pass(network, from: publisher, to: viewer)
        #expect(publisher.lite.transport.kind == from.kind && viewer.lite.transport.kind == to.kind)
        for client in network.clients { client.lite.close(code: 0, reason: "") }
        try network.run(1)
        #expect(network.relay.snapshot().isEmpty)
        #expect(network.relay.streams.allSatisfy { $0.value?.isFinished ?? true })
    }

    @Test(arguments: [Way.secureWebSocket, .tls])
    func framesPassInsideTLS(_ way: Way) throws {
        let network = try TransportNetwork()
        try pass(network, from: network.connect(way), to: network.connect(way))
    }

    @Test(arguments: Version.allCases, Way.ofEachKind)
    func everyVersionIsSpokenOnEveryTransport(_ version: Version, _ way: Way) throws {
        let network = try TransportNetwork { $0.versions = Version.allCases.reversed() }
        try pass(network, from: network.connect(way, version), to: network.connect(way, version))
        #expect(network.clients.allSatisfy { $0.lite.version == version })
    }

    @Test func aVersionThatIsNotFrozenIsServedOnlyWhereThatIsAskedFor() throws {
        let network = try TransportNetwork()
        let client = try network.connect(.quic, .lite07)
        try network.run(1)
        #expect(client.closed != nil && client.lite.version == nil)
    }

    @Test(arguments: [Way.quic, .webTransport, .tcp])
    func aPathThatIsNotOpenIsRefusedWithACode(_ way: Way) throws {
        let network = try TransportNetwork()
        let client = try network.connect(way, path: "/secret")
        try network.run(1)
        let code = CodeTable.numberToSend(for: .unauthorized, in: .second, on: .close)
        #expect(client.closed?.cause == .application(code: code))
        #expect(client.closed?.initiator == .peer)
        #expect(network.relay.snapshot().isEmpty)
    }

    @Test func overWebSocketItIsRefusedWithAStatus() throws {
        let network = try TransportNetwork()
        let client = try network.connect(.webSocket, path: "/secret")
        try network.run(1)
        #expect(client.closed?.cause == .refused(.status(401)))
        #expect(network.relay.looks == 0)
    }

    @Test(arguments: Way.allCases)
    func whatIsNotServedIsRefused(_ way: Way) throws {
        let network = try TransportNetwork { $0.transports.remove(way.kind) }
        let client = try network.connect(way)
        try network.run(12)
        #expect(client.closed != nil && client.lite.version == nil, "\(String(describing: client.closed))")
        // The others are served as before.
        let others = Way.ofEachKind.filter { $0.kind != way.kind }
        for other in others {
            let client = try network.connect(other)
            try network.run(1)
            #expect(client.lite.version == .lite05)
        }
    }

    @Test(arguments: [Way.webSocket, .tcp])
    func aNameThatTheRelayDoesNotSpeakIsRefused(_ way: Way) throws {
        let network = try TransportNetwork()
        let client = try network.connect(way, names: ["moq-lite-99"])
        try network.run(12)
        #expect(client.closed != nil && client.lite.version == nil)
    }

    @Test(arguments: Way.allCases)
    func aShutdownTellsEverySession(_ way: Way) throws {
        let network = try TransportNetwork()
        let client = try network.connect(way)
        try network.run(1)
        network.relay.shutdown(reason: "stopped", at: network.driver.now)
        try network.run(1)
        #expect(client.closed?.cause == .application(code: 0))
        #expect(client.closed?.reason == "stopped")
        #expect(network.relay.streams.allSatisfy { $0.value?.isFinished ?? true })
        let late = try network.connect(way)
        try network.run(11)
        #expect(late.closed != nil)
        #expect(network.relay.snapshot().isEmpty)
    }

    @Test(arguments: Way.ofEachKind)
    func aClientThatVanishesIsLetGo(_ way: Way) throws {
        let network = try TransportNetwork()
        let path = BroadcastPath(test: "x")
        let viewer = try network.connect(.quic)
        viewer.lite.requestAnnouncements(prefix: .empty)
        let publisher = try network.connect(way)
        publisher.publication.addTrack("video", of: path)
        publisher.publication.announce(path)
        try network.run(1)
        #expect(viewer.announcements == ["+x"])
        var cut = LinkConditions()
        cut.isCut = true
        if let stream = publisher.stream {
            network.driver.setLink(cut, of: stream)
        } else {
            network.cutLastEndpoint(cut)
        }
        try network.run(40)
        #expect(viewer.announcements == ["+x", "-x"])
        #expect(network.relay.snapshot().sessions == 1)
    }

    @Test func aConnectionThatBreaksIsLetGoAtOnce() throws {
        let network = try TransportNetwork()
        let viewer = try network.connect(.tcp)
        viewer.lite.requestAnnouncements(prefix: .empty)
        let publisher = try network.connect(.tcp)
        publisher.publication.announce(BroadcastPath(test: "x"))
        try network.run(1)
        if let stream = publisher.stream { network.driver.unbind(stream) }
        try network.run(0.1)
        #expect(viewer.announcements == ["+x", "-x"])
    }

    @Test func idleSessionsOnStreamsAreNotLookedAtWhileOthersWork() throws {
        let network = try TransportNetwork()
        for _ in 0..<40 { _ = try network.connect(.tcp) }
        let publisher = try network.connect(.tcp)
        let path = BroadcastPath(test: "x")
        let store = publisher.publication.addTrack("video", of: path)
        publisher.publication.announce(path)
        let viewer = try network.connect(.webSocket)
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
        #expect(network.relay.looks - before <= 80)
    }
}
