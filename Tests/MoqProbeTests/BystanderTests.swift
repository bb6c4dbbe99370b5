import MoqBase
import MoqDrivers
import MoqLite
import MoqTransport
import MoqWire
import Testing

@testable import MoqProbe

/// What others at the relay notice of a probe: nothing.
@Suite struct BystanderTests {
    @Test func aPublisherAndItsViewerSeeNothingOfAProbe() throws {
        let network = try ProbeNetwork()
        let publisher = try network.join(.quic)
        let viewer = try network.join(.websocket)
        try watchVideo(network, publisher, viewer)
        let before = (publisher.events.count, viewer.events.count)
        let state = network.relay.snapshot()

        let findings = try network.probe(network.request())
        #expect(findings.connections > 40)

        try network.run(for: .seconds(1))
        #expect(Array(publisher.events.dropFirst(before.0)) == [])
        #expect(Array(viewer.events.dropFirst(before.1)) == [])
        #expect(publisher.lite.closeReason == nil && viewer.lite.closeReason == nil)
        // Nothing of the probe's is left at the relay.
        #expect(network.relay.snapshot() == state)
    }

    @Test func theBystandersWouldNoticeAPublisher() throws {
        let network = try ProbeNetwork()
        let publisher = try network.join(.quic)
        let viewer = try network.join(.websocket)
        try watchVideo(network, publisher, viewer)
        let before = viewer.events.count
        try network.join(.tcp).publication.announce(BroadcastPath("other"))
        try network.run(for: .seconds(1))
        #expect(viewer.events.count > before)
    }

    @Test func aRelayOnRealSocketsIsProbedInTheSameWay() throws {
        let network = try ProbeNetwork(
            on: SocketDriver(), unixTime: Int(ProcessClock.secondsSince1970)
        ) { $0.versions = [.lite06, .lite05, .lite02] }
        let publisher = try network.join(.quic)
        publisher.publication.announce(try BroadcastPath("x"))
        try network.run(for: .milliseconds(200))
        let before = publisher.events.count
        let findings = try network.probe(network.request())
        for way in ProbeWay.all {
            #expect(findings.accepted(way.kind, isSecure: way.isSecure) == "06 05 02", "\(way)")
        }
        #expect(findings.generation == .second && findings.tokens == .notWanted)
        #expect(findings.way(ProbeWay(.quic, isSecure: true))?.announcements.first?.count == 1)
        #expect(findings.told == .fingerprint(network.identity.fingerprint))
        try network.run(for: .milliseconds(100))
        #expect(publisher.events.count == before)
        #expect(network.relay.snapshot().sessions == 1)
    }

    @Test func aPortOfNobodyIsFoundOnRealSockets() throws {
        let network = try ProbeNetwork(on: SocketDriver(), unixTime: Int(ProcessClock.secondsSince1970))
        var request = try network.request()
        network.driver.unbind(network.relay)
        network.driver.stopListening(at: network.address)
        request.connectTimeout = .seconds(1)
        let findings = try network.probe(request)
        #expect(!findings.hasAnswer)
        #expect(findings.advice(token: nil)?.contains("nobody listens") == true)
    }

    private func watchVideo(
        _ network: ProbeNetwork, _ publisher: ProbeNetwork.Member, _ viewer: ProbeNetwork.Member
    ) throws {
        let path = try BroadcastPath("x")
        let store = publisher.publication.addTrack("video", of: path)
        publisher.publication.announce(path)
        viewer.lite.requestAnnouncements(prefix: .empty)
        try network.run(for: .seconds(1))
        _ = viewer.lite.subscribe(broadcast: path, track: "video")
        try network.run(for: .seconds(1))
        let group = try store.openGroup(0, at: network.driver.now)
        store.append(Frame(timestamp: 0, payload: [1, 2, 3]), to: group, at: network.driver.now)
        store.finishGroup(group, at: network.driver.now)
        try network.run(for: .seconds(1))
        #expect(viewer.frames == 1)
    }
}
