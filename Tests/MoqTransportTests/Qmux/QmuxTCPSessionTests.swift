import MoqBase
import MoqTransport
import Testing

@Suite struct QmuxTCPSessionTests {
    private let now = Instant(nanoseconds: 1_000_000)
    private let address = NetworkAddress.loopback(port: 4443)

    private func pair(
        client: [String] = ["moq-lite-06", "moq-lite-05"], server: [String] = ["moq-lite-05", "moq-lite-06"],
        settings: QmuxSettings = QmuxSettings()
    ) -> (client: QmuxTCPSession, server: QmuxTCPSession) {
        (
            QmuxTCPSession(client: address, protocols: client, settings: settings),
            QmuxTCPSession(server: address, protocols: server, settings: settings)
        )
    }

    /// Lets bytes cross in pieces of random size until neither end has any.
    private func settle(
        _ pair: (client: QmuxTCPSession, server: QmuxTCPSession), _ random: inout SeededRandom, _ most: Int
    ) {
        for _ in 0..<100_000 {
            var moved = false
            for (from, to) in [(pair.client, pair.server), (pair.server, pair.client)] {
                guard let bytes = from.transmit(at: now) else { continue }
                moved = true
                var position = 0
                while position < bytes.count {
                    let end = min(bytes.count, position + 1 + Int(random.next() % UInt64(most)))
                    to.receive(Array(bytes[position..<end]), at: now)
                    position = end
                }
            }
            guard moved else { return }
        }
    }

    private func words(_ session: QmuxTCPSession) -> [String] {
        QmuxPair.events(session.engine)
    }

    @Test func theSessionIsTheSameHoweverTheBytesAreCut() throws {
        for seed in UInt64(1)...8 {
            var random = SeededRandom(seed: seed)
            let pair = pair()
            let most = [1, 2, 7, 100, 5000, 100_000][Int(seed % 6)]
            settle(pair, &random, most)
            #expect(words(pair.client) == ["established"] && words(pair.server) == ["established"])
            let content = random.bytes(60_000)
            let stream = try #require(pair.client.openStream(.unidirectional))
            pair.client.write(content, to: stream)
            pair.client.finish(stream)
            settle(pair, &random, most)
            #expect(words(pair.client) == ["delivered(stream 2)"])
            #expect(QmuxPair.readAll(pair.server.engine, stream) == (content, true))
            pair.server.close(code: 7, reason: "bye")
            settle(pair, &random, most)
            #expect(pair.client.engine.closed?.cause == .application(code: 7))
            #expect(pair.client.isFinished && pair.server.isFinished)
        }
    }

    @Test func recordsAreInTheirSizeAndPiecesAreBounded() throws {
        var random = SeededRandom(seed: 1)
        let pair = pair()
        let first = try #require(pair.client.transmit(at: now))
        var reader = ByteReader(first)
        #expect(try reader.varint() == UInt64(reader.remaining))
        #expect(first[reader.position..<reader.position + 4].elementsEqual([0xFF, 0x51, 0x53, 0x30]))
        pair.server.receive(first, at: now)
        settle(pair, &random, 9000)
        let stream = try #require(pair.client.openStream(.unidirectional))
        pair.client.write(Array(repeating: 1, count: 1 << 20), to: stream)
        var total = 0
        while let piece = pair.client.transmit(at: now) {
            #expect(piece.count <= 80 << 10)
            total += piece.count
            var reader = ByteReader(piece)
            while !reader.isAtEnd { #expect(try reader.counted().count <= 16_382) }
        }
        #expect(total > 1 << 20)
    }

    @Test func theServersOrderDecidesOnTheProtocol() {
        var random = SeededRandom(seed: 1)
        let pair = pair()
        settle(pair, &random, 50)
        #expect(pair.client.negotiatedProtocol == "moq-lite-05" && pair.server.negotiatedProtocol == "moq-lite-05")
        #expect(pair.client.kind == .tcp && pair.client.requestPath == nil && pair.client.role == .client)
        #expect(pair.client.maximumDatagramSize == nil && !pair.client.sendDatagram([1]))
    }

    @Test func listsWithNothingInCommonAreRefusedAtBothEnds() {
        var random = SeededRandom(seed: 1)
        let pair = pair(client: ["moq-lite-03"], server: ["moq-lite-06", "moq-lite-05"])
        settle(pair, &random, 50)
        #expect(pair.client.engine.closed?.cause == .refused(.noProtocol))
        #expect(pair.client.engine.closed?.reason == "the peer speaks moq-lite-06, moq-lite-05, of which we speak none")
        #expect(pair.server.engine.closed?.cause == .refused(.noProtocol))
        #expect(pair.client.isFinished && pair.server.isFinished)
        #expect(words(pair.client).count == 1)
    }

    @Test func aClientThatNamesNothingLeavesItToTheSetup() {
        var random = SeededRandom(seed: 1)
        let pair = pair(client: [])
        settle(pair, &random, 50)
        #expect(words(pair.client) == ["established"] && words(pair.server) == ["established"])
        #expect(pair.client.negotiatedProtocol == nil && pair.server.negotiatedProtocol == nil)
    }

    @Test func aServerThatNamesNothingIsRefused() {
        var random = SeededRandom(seed: 1)
        let pair = pair(server: [])
        settle(pair, &random, 50)
        #expect(pair.client.engine.closed?.cause == .refused(.noProtocol))
        #expect(pair.server.engine.closed?.cause == .transport(code: 0x178))
    }

    @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "\u{15}\u{3}\u{3}", "SSH-2.0-x\r\n", "\u{1}\u{1}", "\u{0}a"])
    func aPeerThatSpeaksSomethingElseIsToldFromItsFirstBytes(_ greeting: String) {
        let session = QmuxTCPSession(client: address, protocols: ["moq-lite-06"], settings: QmuxSettings())
        _ = session.transmit(at: now)
        for byte in greeting.utf8 { session.receive([byte], at: now) }
        #expect(session.engine.closed?.cause == .refused(.notSpoken("the peer does not begin as Qmux does")))
    }

    @Test func aRecordThatIsTooLargeEndsTheConnectionBeforeItHasCome() {
        var random = SeededRandom(seed: 1)
        let pair = pair()
        settle(pair, &random, 50)
        pair.server.receive([0x7F, 0xFF], at: now)
        #expect(pair.server.engine.closed?.cause == .transport(code: 0x7))
        var reader = ByteReader(pair.server.transmit(at: now) ?? [])
        _ = try? reader.varint()
        #expect((try? reader.byte()) == 0x1C)
    }

    @Test func theEndInTheMiddleIsALoss() {
        var random = SeededRandom(seed: 1)
        let pair = pair()
        settle(pair, &random, 50)
        pair.server.receive([20, 0x0A, 2], at: now)
        pair.server.receiveEnd(failure: nil, at: now)
        #expect(pair.server.engine.closed?.cause == .lost)
        let early = QmuxTCPSession(client: address, protocols: ["a"], settings: QmuxSettings())
        early.receiveEnd(failure: "cannot connect to 127.0.0.1:1: refused", at: now)
        #expect(early.engine.closed?.reason == "cannot connect to 127.0.0.1:1: refused")
    }

    @Test func overTLSTheNameOfALPNDecidesAndNothingIsLostBeforeItIsTold() throws {
        var random = SeededRandom(seed: 3)
        let client = QmuxTCPSession(role: .client, overTLSTo: address, settings: QmuxSettings())
        let server = QmuxTCPSession(role: .server, overTLSTo: address, settings: QmuxSettings())
        #expect(client.transmit(at: now) == nil)
        client.begin(alpn: "qmux-02.moq-lite-06", at: now)
        server.receive(try #require(client.transmit(at: now)), at: now)
        #expect(server.transmit(at: now) == nil)
        server.begin(alpn: "qmux-02.moq-lite-06", at: now)
        settle((client, server), &random, 40)
        #expect(words(client) == ["established"] && words(server) == ["established"])
        #expect(client.negotiatedProtocol == "moq-lite-06" && server.negotiatedProtocol == "moq-lite-06")
    }

    @Test func overTLSANameThatIsNoQmuxIsRefused() {
        for (name, refusal) in [
            (nil, HandshakeRefusal.noProtocol), ("h2", .notOffered("h2")), ("qmux-00.a", .notOffered("qmux-00.a")),
        ] {
            let session = QmuxTCPSession(role: .client, overTLSTo: address, settings: QmuxSettings())
            session.begin(alpn: name, at: now)
            #expect(session.engine.closed?.cause == .refused(refusal))
            #expect(session.isFinished)
        }
        let flooded = QmuxTCPSession(role: .server, overTLSTo: address, settings: QmuxSettings())
        for _ in 0..<5 { flooded.receive(Array(repeating: 1, count: 60_000), at: now) }
        #expect(flooded.isFinished)
    }
}
