import MoqBase
import Testing

@testable import MoqTransport

struct WebSocketHandshakeTests {
    private let now = Instant(nanoseconds: 1_000_000)
    private let address = NetworkAddress.loopback(port: 4443)

    /// A client that has asked, and the key of its request.
    private func asked(path: String = "/") throws -> (client: QmuxWebSocketSession, key: String) {
        let client = QmuxWebSocketSession(
            client: address, authority: "relay", path: path, protocols: ["moq-lite-06"], settings: QmuxSettings(),
            random: SeededRandom(seed: 2))
        var parser = HTTPRequestParser()
        guard case .request(let request) = parser.take(client.transmit(at: now) ?? []) else {
            Issue.record("no request")
            return (client, "")
        }
        return (client, try #require(request.headers.first("Sec-WebSocket-Key")))
    }

    private func end(of session: QmuxWebSocketSession) -> SessionClose? {
        while let event = session.poll() {
            if case .closed(let close) = event { return close }
        }
        return nil
    }

    private func answer(_ key: String, _ headers: [String], status: String = "101 Switching Protocols") -> [UInt8] {
        let standard = ["Upgrade: websocket", "Connection: keep-alive, Upgrade", "Sec-WebSocket-Accept: \(key)"]
        return Array((["HTTP/1.1 \(status)"] + standard + headers + ["", ""]).joined(separator: "\r\n").utf8)
    }

    @Test func aGoodAnswerIsTakenAndWhatFollowsItToo() throws {
        let (client, key) = try asked()
        var writer = WebSocketWriter(server: ())
        let head = answer(WebSocketHandshake.accept(key), ["sec-websocket-protocol: qmux-00.moq-lite-06"])
        client.receive(head + writer.close(.goingAway, "restart"), at: now)
        #expect(client.subprotocol == "qmux-00.moq-lite-06")
        let close = try #require(end(of: client))
        #expect(close.cause == .transport(code: 1001))
        #expect(close.initiator == .peer)
        #expect(close.reason == "WebSocket close 1001, going away: restart")
        // The close is answered with its code.
        let reply = try #require(client.transmit(at: now))
        var reader = WebSocketReader(peer: .client, maximumMessage: 100)
        reader.take(reply)
        #expect(try reader.next() == .close(.goingAway, ""))
        #expect(client.isFinished)
    }

    @Test(arguments: [
        ([], HandshakeRefusal.noProtocol), (["Sec-WebSocket-Protocol: chat"], .notOffered("chat")),
        (["Sec-WebSocket-Protocol: moq-lite-06"], .notOffered("moq-lite-06")),
        (["Sec-WebSocket-Protocol: qmux-02"], .notOffered("qmux-02")),
        (
            ["Sec-WebSocket-Protocol: qmux-02.moq-lite-06", "Sec-WebSocket-Protocol: qmux-01.moq-lite-06"],
            .notOffered("qmux-02.moq-lite-06, qmux-01.moq-lite-06")
        ),
        (
            ["Sec-WebSocket-Protocol: qmux-02.moq-lite-06", "Sec-WebSocket-Extensions: permessage-deflate"],
            .extensionNotOffered("permessage-deflate")
        ),
    ])
    func anAnswerThatPicksWrongIsRefused(_ headers: [String], _ refusal: HandshakeRefusal) throws {
        let (client, key) = try asked()
        client.receive(answer(WebSocketHandshake.accept(key), headers), at: now)
        #expect(end(of: client)?.cause == .refused(refusal))
        #expect(client.isFinished)
        #expect(client.transmit(at: now) == nil)
    }

    @Test(arguments: [401, 403, 404, 500, 200, 301])
    func aStatusIsTold(_ status: Int) throws {
        let (client, _) = try asked()
        client.receive(HTTPResponse.text(status, "no").bytes, at: now)
        let close = try #require(end(of: client))
        #expect(close.cause == .refused(.status(status)))
        #expect(close.reason == "no")
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH", "\u{15}\u{3}\u{1}\u{0}", "\u{16}\u{3}\u{1}\n", "HTTP/1.1 101 x\r\n\r\n", "<html>\n",
    ])
    func whatIsNoWebSocketServerIsToldSo(_ text: String) throws {
        let (client, _) = try asked()
        client.receive(Array(text.utf8), at: now)
        guard case .refused(.notSpoken(let words))? = end(of: client)?.cause else {
            Issue.record("\(text) was taken")
            return
        }
        #expect(!words.isEmpty)
    }

    @Test func anotherKeysAcceptIsRefused() throws {
        let (client, _) = try asked()
        client.receive(answer("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", ["Sec-WebSocket-Protocol: qmux-02.moq-lite-06"]), at: now)
        guard case .refused(.notSpoken(let words))? = end(of: client)?.cause else {
            Issue.record("it was taken")
            return
        }
        #expect(words.contains("Sec-WebSocket-Accept"))
    }

    @Test func anEndInsteadOfAnAnswerIsTold() throws {
        let (client, _) = try asked()
        client.receiveEnd(failure: nil, at: now)
        #expect(end(of: client)?.cause == .lost)
        let (other, _) = try asked()
        other.receiveEnd(failure: "nobody listens there", at: now)
        #expect(end(of: other)?.reason == "nobody listens there")
    }

    @Test(arguments: ["/a b", "/%zz", "x", "/\r\nHost: evil"])
    func aPathThatCannotBeAskedForIsRefusedHere(_ path: String) {
        let client = QmuxWebSocketSession(
            client: address, authority: "relay", path: path, protocols: ["moq-lite-06"], settings: QmuxSettings(),
            random: SeededRandom(seed: 2))
        #expect(client.transmit(at: now) == nil)
        #expect(client.isFinished)
        guard case .refused(.notSpoken)? = end(of: client)?.cause else {
            Issue.record("\(path) was asked for")
            return
        }
    }

    // MARK: The server

    private func serve(_ headers: [String]) -> (session: QmuxWebSocketSession?, answer: String) {
        var parser = HTTPRequestParser()
        let text = (["GET /x HTTP/1.1", "Host: relay"] + headers + ["", ""]).joined(separator: "\r\n")
        guard case .request(let request) = parser.take(Array(text.utf8)) else { return (nil, "") }
        let session = QmuxWebSocketSession(
            server: request, rest: parser.rest, remote: address, protocols: ["moq-lite-06"], settings: QmuxSettings())
        return (session, String(decoding: session?.transmit(at: now) ?? [], as: UTF8.self))
    }

    private static let good = [
        "Upgrade: WebSocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: x, qmux-02.moq-lite-06",
    ]

    @Test func aGoodRequestIsAnswered() throws {
        let (session, answer) = serve(Self.good)
        #expect(answer.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
        #expect(answer.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        #expect(answer.contains("Sec-WebSocket-Protocol: qmux-02.moq-lite-06\r\n\r\n"))
        #expect(try #require(session).isFinished == false)
    }

    @Test(arguments: [
        (0, ""), (1, "Connection: close"), (2, "Sec-WebSocket-Version: 8"), (2, ""), (3, ""),
        (3, "Sec-WebSocket-Key: short"), (4, "Sec-WebSocket-Protocol: chat"), (4, ""),
    ])
    func aWrongRequestIsRefused(_ index: Int, _ replacement: String) throws {
        var headers = Self.good
        headers[index] = replacement
        let (session, answer) = serve(headers.filter { !$0.isEmpty })
        guard index > 0 else {
            #expect(session == nil, "it asks for something else than WebSocket")
            return
        }
        #expect(answer.hasPrefix(index == 2 ? "HTTP/1.1 426 " : "HTTP/1.1 400 "), "\(answer)")
        #expect(index != 2 || answer.contains("Sec-WebSocket-Version: 13\r\n"))
        guard case .refused? = end(of: try #require(session))?.cause else {
            Issue.record("it goes on")
            return
        }
        #expect(session?.isFinished == true)
    }

    // MARK: After the handshake

    @Test(arguments: [
        ("8105 48656c6c6f", 1002), ("c180 00000000", 1002), ("8180 00000000", 1003), ("8380 00000000", 1002),
        ("82ff 0000000010000000", 1009),
    ])
    func aViolationClosesWithItsCode(_ hex: String, _ code: UInt16) throws {
        let (opened, _) = serve(Self.good)
        let session = try #require(opened)
        session.receive(try #require(Hexadecimal.decode(hex.filter { $0 != " " })), at: now)
        let close = try #require(end(of: session))
        #expect(close.cause == .transport(code: UInt64(code)))
        #expect(close.initiator == .local)
        #expect(close.reason.hasPrefix("WebSocket close \(code)"))
        var reader = WebSocketReader(peer: .server, maximumMessage: 100)
        reader.take(try #require(session.transmit(at: now)))
        guard case .close(let sent, let reason)? = try reader.next() else {
            Issue.record("no close frame")
            return
        }
        #expect(sent?.rawValue == code)
        #expect(!reason.isEmpty)
        #expect(session.isFinished)
        #expect(session.transmit(at: now) == nil)
    }

    @Test func aFloodOfPingsIsAnsweredOnceATurn() throws {
        let (opened, _) = serve(Self.good)
        let session = try #require(opened)
        var writer = WebSocketWriter(client: SeededRandom(seed: 1))
        for number in 0..<1000 { session.receive(writer.frame(.ping, [UInt8(number & 255)]), at: now) }
        var reader = WebSocketReader(peer: .server, maximumMessage: 100_000)
        while let bytes = session.transmit(at: now) { reader.take(bytes) }
        var pongs: [WebSocketReader.Item] = []
        while let item = try reader.next() {
            if case .pong = item { pongs.append(item) }
        }
        #expect(pongs == [.pong([UInt8(999 & 255)])])
    }
}
