import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

/// What a peer that breaks the rules gets. The peer's bytes are written by hand from the reference.
@Suite struct MalformedTests {
    /// The codes of both generations for one condition.
    private func code(_ generation: CodeGeneration, _ first: UInt64, _ second: UInt64) -> StreamCode {
        .code(generation == .first ? first : second)
    }

    // MARK: Stream types

    @Test(arguments: Version.allCases, CodeGeneration.allCases)
    func anUnknownBidirectionalStreamIsRefusedAndTheSessionLives(_ version: Version, _ generation: CodeGeneration) {
        let peer = RawPeer(version, generation: generation)
        for hex in ["3f", "00", "4021 00"] {
            let stream = peer.open(.bidirectional, hex)
            #expect(peer.resets[stream] == code(generation, 0, 1))
            #expect(peer.stops[stream] == code(generation, 0, 1))
        }
        #expect(peer.violations.count == 3)
        #expect(peer.violations.allSatisfy { $0.action == .streamRefused })
        #expect(!peer.session.isClosed)
        #expect(peer.session.openStreams.map(\.purpose) == (version.usesSetupExchange ? [.session] : []))
    }

    @Test(arguments: Version.allCases)
    func anUnknownUnidirectionalStreamIsStopped(_ version: Version) {
        let peer = RawPeer(version)
        let stream = peer.open(.unidirectional, "3f aabb")
        #expect(peer.stops[stream] == .code(1))
        #expect(!peer.session.isClosed)
    }

    @Test(arguments: [Version.lite01, .lite02, .lite03, .lite04])
    func whatOnlyLaterVersionsHaveIsUnknown(_ version: Version) {
        let peer = RawPeer(version)
        let setup = peer.open(.unidirectional, "01 01 00")
        let fetch = peer.open(.bidirectional, "03 06 0161 0162 00 05")
        let track = peer.open(.bidirectional, "06 04 0161 0162")
        #expect(peer.stops[setup] == .code(1))
        #expect(peer.resets[fetch] == .code(1) && peer.resets[track] == .code(1))
        #expect(peer.events.count == 3)
    }

    @Test func aStreamTypeInALongerFormThanNeededIsUnderstood() {
        let peer = RawPeer(.lite06)
        peer.open(.bidirectional, "4006 04 0161 0162")
        #expect(peer.events.count == 1)
        #expect(peer.violations.isEmpty)
    }

    @Test func aStreamThatEndsWithoutATypeIsRefused() {
        let peer = RawPeer(.lite06)
        let stream = peer.open(.bidirectional, "", finish: true)
        #expect(peer.resets[stream] == .code(1))
        #expect(peer.session.openStreamCount == 0)
    }

    // MARK: SETUP

    @Test(
        arguments: [
            ("a second SETUP", "01 01 00", 3), ("a repeated parameter", "01 07 02 01 01 01 01 01 01", 3),
            ("a count beyond the parameters", "01 02 02 01", 3), ("spare bytes", "01 02 00 00", 3),
            ("a path that is not UTF-8", "01 04 01 02 01 ff", 3), ("bytes behind SETUP", "01 01 00 00", 3),
        ] as [(String, String, UInt64)])
    func aBadSetupClosesTheSession(_ what: String, _ hex: String, _ expected: UInt64) {
        let peer = RawPeer(.lite06, sendsSetup: what == "a second SETUP")
        peer.open(.unidirectional, hex, finish: true)
        #expect(peer.closeCode == expected)
        #expect(peer.violations.first?.action == .sessionClosed)
        guard case .closed? = peer.events.last else {
            Issue.record("not told: \(peer.events)")
            return
        }
    }

    @Test func theFirstGenerationHasItsOwnCloseCodes() {
        let second = RawPeer(.lite05, generation: .first)
        second.open(.unidirectional, "01 01 00")
        #expect(second.closeCode == 15)
        let repeated = RawPeer(.lite05, sendsSetup: false, generation: .first)
        repeated.open(.unidirectional, "01 07 02 01 01 01 01 01 01")
        #expect(repeated.closeCode == 12)
    }

    @Test func unknownAndOddParametersAreAccepted() {
        let peer = RawPeer(.lite06, sendsSetup: false)
        peer.open(.unidirectional, "01 0e 04 3f 02 abcd 05 01 2a 01 01 07 03 01 09", finish: true)
        #expect(peer.session.peerSetup?.hop == 42)
        #expect(peer.session.peerSetup?.probe == .increase)
        #expect(peer.session.peerSetup?.role == nil)
        #expect(!peer.session.isClosed)
    }

    // MARK: Announce

    @Test func aBadAnnounceRequestIsRefused() {
        let peer = RawPeer(.lite06)
        let spare = peer.open(.bidirectional, "01 02 00 00")
        #expect(peer.resets[spare] == .code(1) || peer.resets[spare] == .code(0x12))
        let behind = peer.open(.bidirectional, "01 01 00 00")
        #expect(peer.resets[behind] == .code(0x12))
        #expect(!peer.session.isClosed && peer.session.openStreamCount == 0)
        guard case .announceCancelled(_, .malformed)? = peer.events.last else {
            Issue.record("not told: \(peer.events)")
            return
        }
    }

    /// Hand-written answers to an announce request with the empty prefix, each of which closes the session.
    @Test(
        arguments: [
            ("a status that 05 does not have", .lite05, "02 16 00 04 03 01 61 00", 3),
            ("a status that 04 does not have", .lite04, "04 02 01 61 00", 3),
            ("active twice on 03", .lite03, "04 01 01 61 01 04 01 01 61 01", 3),
            ("active twice on 04", .lite04, "05 01 01 61 01 07 05 01 01 61 01 07", 3),
            ("START twice for a live path", .lite06, "02 16 00 00 05 01 61 00 00 00 00 05 01 61 00 00 00", 3),
            ("END of a number never given", .lite06, "02 16 00 01 01 00", 3),
            ("END of a retired number", .lite06, "02 16 00 00 05 01 61 00 00 00 01 01 00 01 01 00", 3),
            ("UPDATE of a number never given", .lite06, "02 16 00 02 04 05 00 00 00", 3),
            ("a hop twice", .lite06, "02 16 00 00 07 01 61 02 05 05 00 00", 3),
            ("START before ANNOUNCE_OK", .lite06, "00 05 01 61 00 00 00", 3),
            ("33 hops", .lite04, "24 01 01 61 21" + String(repeating: "07", count: 33), 3),
            ("a path that is not UTF-8", .lite04, "04 01 01 ff 00", 3),
            ("spare bytes", .lite03, "05 01 01 61 01 00", 3),
            ("an end inside a message", .lite03, "04 01 01", 3),
        ] as [(String, Version, String, UInt64)])
    func badAnnouncementsCloseTheSession(_ what: String, _ version: Version, _ hex: String, _ expected: UInt64) {
        let peer = RawPeer(version, sessionRole: .client)
        let id = peer.session.requestAnnouncements(prefix: .empty)
        peer.run()
        peer.send(hex, on: peer.requests[0], finish: what == "an end inside a message")
        #expect(peer.closeCode == expected, "\(what)")
        #expect(peer.events.contains(.announcementsEnded(id, .sessionClosed)))
    }

    @Test(
        arguments: [
            ("ended for a path not there, 03", .lite03, "04 00 01 61 00"),
            ("ended for a path not there, 05", .lite05, "02 16 00 04 00 01 61 00"),
            ("an unknown type on 06", .lite06, "02 16 00 40 40 03 01 02 03"),
            ("a hop list with this side in it", .lite06, "02 16 00 00 06 01 61 01 16 00 00"),
            ("ANNOUNCE_OK without a hop", .lite06, "02 00 00"),
        ] as [(String, Version, String)])
    func oddAnnouncementsAreBorne(_ what: String, _ version: Version, _ hex: String) {
        let peer = RawPeer(version, sessionRole: .client)
        peer.session.requestAnnouncements(prefix: .empty)
        peer.run()
        peer.send(hex, on: peer.requests[0])
        #expect(!peer.session.isClosed && peer.violations.isEmpty, "\(what)")
    }

    @Test func unknownAnnounceTypesTakeNoNumber() {
        let peer = RawPeer(.lite06, sessionRole: .client)
        let id = peer.session.requestAnnouncements(prefix: .empty)
        peer.run()
        peer.send("02 16 01  07 02 aabb  00 05 01 61 00 00 00  01 01 00", on: peer.requests[0])
        #expect(peer.events.last == .unannounced(id, path("a")))
    }

    // MARK: Subscribe

    @Test func aBadSubscribeIsRefusedAsIfCancelled() {
        let peer = RawPeer(.lite05)
        // Spare byte; not UTF-8; ended inside.
        let bodies = [
            ("02 0b 00 0161 0162 00 00 00 00 00 00", false), ("02 0a 00 01ff 0162 00 00 00 00 00", false),
            ("02 0a 00 0161", true),
        ]
        for (hex, finish) in bodies {
            let stream = peer.open(.bidirectional, hex, finish: finish)
            #expect(peer.resets[stream] == .code(1), "\(hex)")
        }
        #expect(peer.violations.count == 3 && peer.events.count == 3)
        #expect(peer.session.openStreamCount == 0)
    }

    @Test func frameBoundsWithoutTheirGroupBoundAreRefused() {
        let peer = RawPeer(.lite06)
        let stream = peer.open(.bidirectional, "02 0b 00 0161 0162 00 00 00 00 00 05")
        #expect(peer.resets[stream] == .code(1))
    }

    @Test func aSubscribeIDThatIsInUseIsRefused() {
        let peer = RawPeer(.lite05)
        peer.open(.bidirectional, "02 0a 00 0161 0162 00 00 00 00 00")
        let again = peer.open(.bidirectional, "02 0a 00 0161 0163 00 00 00 00 00")
        #expect(peer.resets[again] != nil)
        #expect(peer.events.count == 2 && peer.violations.count == 1)
        #expect(peer.session.openStreamCount == 1)
    }

    @Test func aBadUpdateEndsTheSubscription() {
        let peer = RawPeer(.lite05)
        let stream = peer.open(.bidirectional, "02 0a 00 0161 0162 00 00 00 00 00")
        peer.send("06 00 00 00 00 00 00", on: stream)
        #expect(peer.resets[stream] == .code(0x12))
        guard case .subscribeCancelled(_, .malformed)? = peer.events.last else {
            Issue.record("not told: \(peer.events)")
            return
        }
    }

    @Test(
        arguments: [
            ("a first answer that is not OK", .lite04, "01 03 00 00 00", false),
            ("an end before OK", .lite04, "", true),
            ("OK twice", .lite04, "00 05 00 00 00 00 00 00 05 00 00 00 00 00", false),
            ("an unknown type", .lite06, "09 01 00", false),
            ("spare bytes", .lite06, "00 02 00 00", false),
            ("an end inside a message", .lite06, "00 01", true),
        ] as [(String, Version, String, Bool)])
    func aBadAnswerFailsTheSubscriptionAlone(_ what: String, _ version: Version, _ hex: String, _ finish: Bool) {
        let peer = RawPeer(version, sessionRole: .client)
        let id = peer.session.subscribe(broadcast: path("a"), track: "b")
        peer.run()
        peer.send(hex, on: peer.requests[0], finish: finish)
        guard case .subscriptionEnded(id, .malformed)? = peer.events.last else {
            Issue.record("\(what): \(peer.events)")
            return
        }
        #expect(peer.resets[peer.requests[0]] != nil)
        #expect(!peer.session.isClosed && peer.session.openStreamCount == 0)
    }
}
