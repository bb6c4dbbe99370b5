import MoqBase
import MoqTransport
import MoqWire
import Testing

@testable import MoqLite

/// The setup exchange of 01 and 02 between two sessions, and against a peer that writes its bytes by hand.
@Suite struct ExchangeTests {
    private static let number01 = "c0000000ff0dad01"
    private static let number02 = "c0000000ff0dad02"

    /// Hexadecimal digits, with `[01]` and `[02]` for the numbers of these versions.
    private static func bytes(_ text: String) -> String {
        text.replacing("[01]", with: number01).replacing("[02]", with: number02).replacing(" ", with: "")
    }

    /// A message of the exchange: its kind, the length of its body, the body.
    private func framed(_ kind: String, _ body: String) -> String {
        let length = String(body.count / 2, radix: 16)
        return kind + String(repeating: "0", count: 4 - length.count) + length + body
    }

    /// A client that waits for SERVER_SETUP, and its peer.
    private func client(
        _ generation: CodeGeneration = .second, versions: [Version] = [.lite02, .lite01]
    ) -> (peer: RawPeer, stream: StreamID) {
        let peer = RawPeer(.lite02, sessionRole: .client, sendsSetup: false, generation: generation) {
            $0.versions = versions
        }
        return (peer, peer.requests.first ?? StreamID(rawValue: .max))
    }

    /// A server that waits for CLIENT_SETUP, and its peer.
    private func server(
        _ generation: CodeGeneration = .second, versions: [Version] = [.lite02, .lite01]
    ) -> RawPeer {
        RawPeer(.lite02, sendsSetup: false, generation: generation) { $0.versions = versions }
    }

    private func pair(
        _ name: String?, client: [Version], server: [Version], clientSays: Bool = true, serverSays: Bool = true
    ) -> (client: LiteSession, server: LiteSession, ends: (client: InMemoryTransport, server: InMemoryTransport)) {
        let ends = InMemoryTransport.pair(negotiatedProtocol: name)
        let left = LiteSession(
            transport: ends.client,
            configuration: LiteConfiguration(versions: client, hopID: 1, sendsSetup: clientSays))
        let right = LiteSession(
            transport: ends.server,
            configuration: LiteConfiguration(versions: server, hopID: 2, sendsSetup: serverSays))
        for _ in 0..<6 {
            left.process(at: .origin)
            right.process(at: .origin)
        }
        return (left, right, ends)
    }

    // MARK: Agreement

    @Test(
        arguments: [
            ([.lite02, .lite01], [.lite01, .lite02], .lite02), ([.lite01, .lite02], [.lite02, .lite01], .lite01),
            ([.lite06, .lite01], [.lite02, .lite01], .lite01), ([.lite02], [.lite05, .lite02], .lite02),
        ] as [([Version], [Version], Version)])
    func theClientsOrderDecides(client: [Version], server: [Version], agreed: Version) {
        let (left, right, _) = pair("moql", client: client, server: server)
        #expect(left.version == agreed && right.version == agreed)
        #expect(left.poll() == .established(agreed))
        #expect(right.poll() == .established(agreed))
        #expect(right.peerClientSetup?.versions == client.filter(\.usesSetupExchange).map(\.setupCode))
        #expect(left.peerServerSetup == ServerSetup(version: agreed.setupCode))
    }

    @Test(arguments: [nil, "", "moql", "webtransport", "qmux-00", "qmux-01", "qmux-02"] as [String?])
    func aNameThatSaysNoVersionMeansTheExchange(name: String?) {
        let (left, right, _) = pair(name, client: Version.byPreference, server: Version.byPreference)
        #expect(left.version == .lite02 && right.version == .lite02)
    }

    @Test func theClientWritesItsOfferAndItsPathFirst() {
        let (peer, stream) = client()
        #expect(peer.bytes(on: stream) == Self.bytes("200012 02 [02] [01] 00"))
        #expect(stream.rawValue == 0)
        #expect(!peer.finished.contains(stream))
        let withPath = RawPeer(.lite01, sessionRole: .client, sendsSetup: false) { $0.requestPath = "/a" }
        #expect(withPath.bytes(on: withPath.requests[0]) == Self.bytes("20000e 01 [01] 01 01022f61"))
    }

    @Test func theServerAnswersOnTheSameStreamAndKeepsItOpen() {
        let peer = server()
        let stream = peer.open(.bidirectional, Self.bytes("200012 02 [01] [02] 00"))
        #expect(peer.bytes(on: stream) == Self.bytes("210009 [01] 00"))
        #expect(peer.session.version == .lite01)
        #expect(!peer.finished.contains(stream) && peer.close == nil)
    }

    @Test func theOfferArrivesByteByByte() {
        let peer = server()
        let stream = peer.open(.bidirectional, "20")
        for byte in ["00", "0a", "01", "c0", "00", "00", "00", "ff", "0d", "ad"] { peer.send(byte, on: stream) }
        #expect(peer.session.version == nil)
        peer.send("02", on: stream)
        peer.send("00", on: stream)
        #expect(peer.session.version == .lite02)
    }

    @Test func requestsWaitForTheAnswer() {
        let (peer, stream) = client()
        peer.session.requestAnnouncements(prefix: .empty)
        peer.run()
        #expect(peer.requests == [stream])
        peer.send(Self.bytes("210009 [02] 00"), on: stream)
        #expect(peer.requests.map { peer.bytes(on: $0) }.last == "010100")
    }

    @Test func theOfferWaitsForAStream() {
        var limits = InMemoryLimits()
        limits.bidirectionalStreams = 0
        let ends = InMemoryTransport.pair(negotiatedProtocol: "moql", serverLimits: limits)
        let session = LiteSession(
            transport: ends.client, configuration: LiteConfiguration(versions: [.lite02], hopID: 1))
        session.process(at: .origin)
        #expect(session.openStreamCount == 0 && !session.isClosed)
        session.process(at: Instant.origin.advanced(by: .seconds(10)))
        #expect(session.closeReason?.cause == .application(code: 0x11))
    }

    @Test func whatComesBeforeTheVersionIsKnownIsHeldAndServed() {
        let peer = server()
        let group = peer.open(.unidirectional, "00 02 00 00")
        #expect(peer.events.isEmpty && peer.stops.isEmpty)
        peer.open(.bidirectional, Self.bytes("20000a 01 [02] 00"))
        // A group for a subscription that was never made.
        #expect(peer.stops[group] == .code(1))
    }

    @Test func aTestCanLeaveTheExchangeOut() {
        let (left, right, _) = pair("moql", client: [.lite01], server: [.lite01], clientSays: false)
        #expect(left.version == .lite01 && left.openStreamCount == 0)
        #expect(right.version == nil && !right.isClosed)
        let (asking, silent, _) = pair("moql", client: [.lite01], server: [.lite01], serverSays: false)
        #expect(asking.version == nil && silent.version == .lite01)
    }

    // MARK: The session's stream

    @Test func sessionInfoIsToldAndEndsNothing() {
        let (left, right, _) = pair("moql", client: [.lite02], server: [.lite02])
        #expect(left.sendSessionInfo(bitrate: 1_000_000) && right.sendSessionInfo(bitrate: nil))
        left.process(at: .origin)
        right.process(at: .origin)
        _ = (left.poll(), right.poll())
        #expect(right.poll() == .sessionInfo(SessionInfo(bitrate: 1_000_000)))
        #expect(left.poll() == .sessionInfo(SessionInfo(bitrate: nil)))
        let later = SessionPair.established(.lite03)
        #expect(!later.client.sendSessionInfo(bitrate: 1))
    }

    /// As 0.2.33, 0.3.19 and 0.4.18 do.
    @Test(arguments: [false, true])
    func theEndOfTheStreamEndsTheSession(isReset: Bool) throws {
        let peer = RawPeer(.lite02)
        let stream = try #require(peer.sessionStream)
        if isReset { peer.transport.reset(stream, code: .code(1)) } else { peer.transport.finish(stream) }
        peer.run()
        #expect(peer.closeCode == 0)
        #expect(peer.close?.reason == "the peer ended the session's stream")
    }

    @Test func whatIsNoSessionInfoClosesTheSession() throws {
        for hex in ["02 ffff", "03 01 02 03"] {
            let peer = RawPeer(.lite02)
            peer.send(hex, on: try #require(peer.sessionStream))
            #expect(peer.closeCode == 3, "\(hex)")
        }
    }

    @Test func aSecondOfferIsAnUnknownStream() {
        let peer = RawPeer(.lite02)
        let second = peer.open(.bidirectional, Self.bytes("20000a 01 [02] 00"))
        #expect(peer.resets[second] == .code(1))
        #expect(!peer.session.isClosed)
    }

    // MARK: Refusals

    private static let wrongChoices: [(number: String, words: String)] = [
        ("[01]", "the relay picked the version 0xff0dad01 in SERVER_SETUP, which was not offered"),
        ("c0000000ff0dad06", "0xff0dad06"), ("c0000000ff00000e", "0xff00000e"), ("05", "0x5"),
    ]

    @Test func aVersionThatWasNotOfferedClosesTheSessionInWords() {
        for (number, words) in Self.wrongChoices {
            for (generation, code) in [(CodeGeneration.first, UInt64(9)), (.second, 0x15)] {
                let (peer, stream) = client(generation, versions: [.lite02])
                peer.send(framed("21", Self.bytes(number) + "00"), on: stream)
                #expect(peer.closeCode == code)
                #expect(peer.session.closeReason?.description.contains(words) == true)
                #expect(peer.violations.map(\.action) == [.sessionClosed])
                #expect(peer.session.version == nil)
            }
        }
    }

    @Test func aNameThatWasNotOfferedClosesTheSessionInWords() {
        let table: [(String?, String)] = [
            (
                "moql",
                "the protocol `moql` was agreed on, which means moq-lite-01 or -02; only moq-lite-06 may be spoken"
            ),
            (nil, "no protocol was agreed on"),
            ("moq-lite-05", "the protocol `moq-lite-05` was agreed on, which is not spoken here (moq-lite-06)"),
            ("h3", "the protocol `h3` was agreed on"),
        ]
        for (name, words) in table {
            let (left, _, _) = pair(name, client: [.lite06], server: [.lite06])
            #expect(left.closeReason?.cause == .application(code: 0x15))
            #expect(left.closeReason?.description.contains(words) == true, "\(words)")
        }
    }

    @Test func anOfferWithoutACommonVersionClosesTheSession() {
        for versions in ["00", "01c0000000ff0dad63", "01c0000000ff0dad03", "01[01]"] {
            let peer = server(versions: [.lite02])
            peer.open(.bidirectional, framed("20", Self.bytes(versions) + "00"))
            #expect(peer.closeCode == 0x15, "\(versions)")
            #expect(peer.close?.reason.contains("CLIENT_SETUP offers no version that is spoken here") == true)
        }
    }

    /// What a client may write first, and the code with which it is refused; nil where it is let be.
    private static let offers: [(what: String, hex: String, code: UInt64?)] = [
        ("a request", "01 01 00", 3), ("the server's half", "210009 [02] 00", 3), ("another kind", "40", 3),
        ("a count beyond the body", "20000a 05 [02] 00", 3), ("too many versions", "200002 4041", 3),
        ("a body of nothing", "200000", 3), ("more than an offer has", "20ffff 01", 3),
        ("a beginning that waits", "203fff 01", nil), ("the kind alone", "20", nil),
        // Servers of the original stack look at the versions only (0.2.33, 0.3.19 and 0.4.18, observed).
        ("no parameters", "200009 01 [02]", nil), ("a spare byte", "20000b 01 [02] 00 ff", nil),
        ("a parameter twice", "20000e 01 [02] 02 0201 0202", nil),
        ("unknown parameters", "200012 01 [02] 02 7d5a01 7d5b02abcd", nil),
    ]

    @Test func whatAClientMayWriteFirst() {
        for (what, hex, code) in Self.offers {
            let peer = server()
            peer.open(.bidirectional, Self.bytes(hex))
            #expect(peer.closeCode == code, "\(what)")
            #expect(peer.session.isClosed == (code != nil), "\(what)")
        }
    }

    @Test func whatIsOddInAnOfferIsSaid() {
        let peer = server()
        peer.open(.bidirectional, Self.bytes("20000b 01 [02] 00 ff"))
        #expect(peer.session.version == .lite02)
        #expect(peer.violations.map(\.action) == [.ignored])
        let clean = server()
        clean.open(.bidirectional, Self.bytes("20000a 01 [02] 00"))
        #expect(clean.violations.isEmpty)
    }

    private static let wrongAnswers: [(what: String, hex: String)] = [
        ("the client's half", "20000a 01 [01] 00"), ("a request", "01 01 00"), ("a body of nothing", "210000"),
        ("a version cut short", "210004 c0000000"), ("no parameters", "210008 [02]"),
        ("a spare byte", "21000a [02] 00 ff"), ("a parameter twice", "21000d [02] 02 0201 0202"),
    ]

    @Test func whatAServerMustNotAnswer() {
        for (what, hex) in Self.wrongAnswers {
            let (peer, stream) = client()
            peer.send(Self.bytes(hex), on: stream)
            #expect(peer.closeCode == 3, "\(what)")
            #expect(peer.close?.reason.isEmpty == false)
        }
    }

    @Test func anEndInsteadOfAnAnswerClosesTheSession() {
        let (peer, stream) = client()
        peer.transport.finish(stream)
        peer.run()
        #expect(peer.closeCode == 3)
        #expect(peer.close?.reason == "the session's stream ended before SERVER_SETUP")
        let cut = server()
        cut.open(.bidirectional, "2000", finish: true)
        #expect(cut.closeCode == 3)
    }

    @Test func aPeerThatLeavesTheExchangeUnansweredIsGivenUp() {
        for role in [EndpointRole.client, .server] {
            let peer = RawPeer(.lite02, sessionRole: role, sendsSetup: false)
            #expect(peer.session.deadline == Instant.origin.advanced(by: .seconds(10)))
            peer.now = peer.now.advanced(by: .milliseconds(9999))
            peer.run()
            #expect(!peer.session.isClosed)
            peer.now = peer.now.advanced(by: .milliseconds(1))
            peer.run()
            #expect(peer.closeCode == 0x11)
            #expect(peer.close?.reason.contains("SETUP within") == true)
        }
    }
}
