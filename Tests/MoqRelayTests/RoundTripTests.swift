import MoqBase
import MoqDrivers
import MoqLite
import MoqTransport
import MoqWire
import Testing

@testable import MoqRelay

/// How many round trips pass between dialling and the first frame: as few as each protocol allows. The derivations are
/// in docs/benchmarks.md.
struct RoundTripTests {
    private static let roundTrip = Duration.milliseconds(50)

    /// Round trips until the first frame, of a version that is known by its name.
    private static func least(_ way: TransportNetwork.Way) -> Int {
        switch way {
        // The handshake; the request and its answer.
        case .quic: 2
        // The handshake with the server's SETTINGS; the CONNECT and its answer; the request and its answer.
        case .webTransport: 3
        // TCP; the upgrade, with the server's parameters behind its answer; the request and its answer.
        case .webSocket: 3
        // TCP; TLS; the upgrade; the request.
        case .secureWebSocket: 4
        // TCP; the parameters of both sides; the request.
        case .tcp: 3
        // TCP; TLS with the server's parameters behind its part; the request.
        case .tls: 3
        }
    }

    @Test(arguments: TransportNetwork.Way.allCases, Version.allCases)
    func theFirstFrameComesAsSoonAsTheProtocolsAllow(_ way: TransportNetwork.Way, _ version: Version) throws {
        let network = try TransportNetwork { $0.versions = Version.allCases.reversed() }
        let publisher = try network.connect(.quic, version)
        let path = BroadcastPath(test: "x")
        let store = publisher.publication.addTrack("video", of: path)
        publisher.publication.announce(path)
        let group = try store.openGroup(0, at: network.driver.now)
        store.append(Frame(timestamp: 0, payload: [0x61]), to: group, at: network.driver.now)
        try network.run(1)

        let viewer = try network.connect(way, version)
        var link = LinkConditions()
        link.delay = Self.roundTrip / 2
        network.setLastLink(link)
        _ = viewer.lite.subscribe(broadcast: path, track: "video")
        let time = try #require(try network.time { !viewer.texts.isEmpty }, "\(String(describing: viewer.closed))")
        // The versions without a name of their own agree in an exchange, which takes another one.
        let expected = Self.least(way) + (version.usesSetupExchange ? 1 : 0)
        #expect(time >= Self.roundTrip * expected && time < Self.roundTrip * expected + .milliseconds(1), "\(time)")
    }
}
