import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

/// What SETUP of 05 and later must not say.
@Suite struct SetupRuleTests {
    private static let versions = Version.allCases.filter(\.hasSetup)

    @Test(arguments: versions)
    func aServerThatSaysAPathOrARoleIsRefused(_ version: Version) {
        for (hex, words) in [("01 04 01 0201 2f", "has a path"), ("01 04 01 0301 01", "has a role")] {
            let peer = RawPeer(version, sessionRole: .client, sendsSetup: false)
            peer.open(.unidirectional, hex, finish: true)
            #expect(peer.closeCode == 3, "\(words)")
            #expect(peer.close?.reason.contains(words) == true)
        }
    }

    @Test func aPathIsRefusedWhereTheRequestHadOne() {
        let ends = InMemoryTransport.pair(negotiatedProtocol: "moq-lite-06", requestPath: "/anon")
        let session = LiteSession(transport: ends.server, configuration: LiteConfiguration(hopID: 1))
        let stream = ends.client.openStream(.unidirectional) ?? StreamID(rawValue: 2)
        ends.client.write([0x01, 0x04, 0x01, 0x02, 0x01, 0x2F], to: stream)
        ends.client.finish(stream)
        session.process(at: .origin)
        #expect(session.closeReason?.cause == .application(code: 3))
        #expect(session.closeReason?.reason == "SETUP has a path, and the request had one before")
    }

    @Test(arguments: versions)
    func aClientMaySayBothAndWhatNobodyKnows(_ version: Version) {
        let peer = RawPeer(version, sendsSetup: false)
        peer.open(.unidirectional, "01 0b 03 0201 2f 0301 01 4041 01 00", finish: true)
        #expect(!peer.session.isClosed)
        #expect(peer.session.peerSetup?.path == "/")
        #expect(peer.session.peerSetup?.role == .publisher)
    }

    @Test(arguments: versions)
    func aSecondSetupAndAParameterTwiceCloseTheSession(_ version: Version) {
        let again = RawPeer(version)
        again.open(.unidirectional, "01 01 00", finish: true)
        #expect(again.closeCode == 3)
        let twice = RawPeer(version, sendsSetup: false)
        twice.open(.unidirectional, "01 07 02 0501 01 0501 02", finish: true)
        #expect(twice.closeCode == 3)
    }
}
