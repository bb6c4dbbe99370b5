import MoqBase
import MoqDrivers
import MoqLite
import MoqQUIC
import MoqTransport
import MoqWire
import Testing

@testable import MoqRelay

struct EmbeddedRelayTests {
    @Test(arguments: Version.allCases)
    func framesPassOverQUICAndNothingIsLeftBehind(_ version: Version) throws {
        let network = try TransportNetwork { $0.versions = Version.allCases }
        let path = BroadcastPath(test: "x")
        let publisher = try network.connect(.quic, version)
        let store = publisher.publication.addTrack("video", of: path)
        publisher.publication.announce(path)
        let viewers = try (0..<3).map { _ in try network.connect(.quic, version) }
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
        let network = try TransportNetwork(idleTimeout: .seconds(12))
        let path = BroadcastPath(test: "x")
        let publisher = try network.connect(.quic, .lite05)
        publisher.publication.addTrack("video", of: path)
        publisher.publication.announce(path)
        let viewer = try network.connect(.quic, .lite05)
        try network.run(1)
        _ = viewer.lite.subscribe(broadcast: path, track: "video")
        try network.run(1)
        #expect(network.relay.snapshot().upstreamSubscriptions == 1)
        var gone = LinkConditions.perfect
        gone.isCut = true
        network.setLastLink(gone)
        try network.run(20)
        #expect(network.relay.snapshot().upstreamSubscriptions == 0)
        #expect(network.relay.snapshot().downstreamSubscriptions == 0)
        #expect(publisher.closed == nil)
    }

    @Test func idleSessionsAreNotLookedAtWhileOthersWork() throws {
        let network = try TransportNetwork { $0.versions = Version.allCases }
        let path = BroadcastPath(test: "x")
        for _ in 0..<40 { _ = try network.connect(.quic, .lite05) }
        let publisher = try network.connect(.quic, .lite05)
        let store = publisher.publication.addTrack("video", of: path)
        publisher.publication.announce(path)
        let viewer = try network.connect(.quic, .lite05)
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
        let network = try TransportNetwork { $0.versions = Version.allCases }
        let client = try network.connect(.quic, .lite06)
        try network.run(1)
        network.relay.shutdown(reason: "stopped", at: network.driver.now)
        try network.run(1)
        #expect(client.closed?.cause == .application(code: 0))
        #expect(client.closed?.reason == "stopped")
        let late = try network.connect(.quic, .lite06)
        try network.run(1)
        #expect(late.closed?.initiator == .peer)
        #expect(network.relay.snapshot().isEmpty)
    }
}
