import MoqBase
import Testing

@testable import MoqTransport

struct WebSocketSessionTests {
    private let address = NetworkAddress.loopback(port: 4443)

    private func client(
        _ protocols: [String] = ["moq-lite-06", "moql"], path: String = "/anon?jwt=x", offers: [String]? = nil
    ) -> QmuxWebSocketSession {
        let random = SeededRandom(seed: 4)
        guard let offers else {
            return QmuxWebSocketSession(
                client: address, authority: "relay:4443", path: path, protocols: protocols, settings: QmuxSettings(),
                random: random)
        }
        return QmuxWebSocketSession(
            client: address, authority: "relay:4443", path: path, offers: offers, settings: QmuxSettings(),
            random: random)
    }

    private func pair(
        client: QmuxWebSocketSession, serving protocols: [String], pieces: Int = .max
    ) throws -> WebSocketPipe {
        let pipe = try #require(WebSocketPipe(client: client, serving: protocols, pieces: pieces))
        #expect(pipe.settle())
        return pipe
    }

    @Test func theOffersAreThoseOfTheReferenceInItsOrder() {
        #expect(
            client(["moq-lite-06", "moql"]).offers == [
                "qmux-02.moq-lite-06", "qmux-01.moq-lite-06", "qmux-00.moq-lite-06", "qmux-02.moql", "qmux-01.moql",
                "qmux-00.moql", "qmux-02", "qmux-01", "qmux-00", "webtransport",
            ])
        // Without `moql`, a bare name would agree on nothing that could be spoken.
        #expect(client(["moq-lite-06"]).offers.last == "qmux-00.moq-lite-06")
    }

    @Test(arguments: [1, 7, Int.max])
    func aSessionCarriesStreamsAndItsClose(_ pieces: Int) throws {
        let pipe = try pair(client: client(), serving: ["moq-lite-05", "moq-lite-06"], pieces: pieces)
        for end in [pipe.client, pipe.server] {
            #expect(end.kind == .websocket)
            #expect(end.negotiatedProtocol == "moq-lite-06")
            #expect(end.subprotocol == "qmux-02.moq-lite-06")
            #expect(end.requestPath == "/anon?jwt=x")
            guard case .established? = end.poll() else {
                Issue.record("\(end.role) is not established")
                return
            }
        }
        let stream = try #require(pipe.client.openStream(.bidirectional))
        var random = SeededRandom(seed: 1)
        let long = random.bytes(100_000)
        pipe.client.write(long, to: stream)
        pipe.client.finish(stream)
        #expect(pipe.settle())
        guard case .streamOpened(stream)? = pipe.server.poll(), case .readable(stream)? = pipe.server.poll() else {
            Issue.record("the stream did not arrive")
            return
        }
        var heard: [UInt8] = []
        var isFinished = false
        while let read = pipe.server.read(stream, limit: .max), !isFinished {
            heard += read.bytes
            isFinished = read.isFinished
        }
        // Compared outside of the macro, which would work for minutes on how long arrays differ.
        let isSame = heard == long
        #expect(isSame)
        #expect(isFinished)
        pipe.server.close(code: 6, reason: "unauthorized")
        #expect(pipe.settle())
        let close = try #require(pipe.close(of: pipe.client))
        #expect(close.cause == .application(code: 6))
        #expect(close.initiator == .peer)
        #expect(close.reason == "unauthorized")
        #expect(pipe.client.isFinished)
        #expect(pipe.server.isFinished)
        #expect(pipe.client.closeCodeReceived == .normal)
    }

    @Test(
        arguments: [
            (["qmux-00.moq-lite-05"], "moq-lite-05", QmuxVersion.draft00),
            (["qmux-01.moq-lite-04", "qmux-02.moq-lite-05"], "moq-lite-05", .draft02),
            (["nonsense", "qmux-01", "qmux-02.moq-lite-05"], nil, .draft01), (["webtransport"], nil, .webTransport),
            ([], nil, .webTransport),
        ] as [([String], String?, QmuxVersion)])
    func theFirstOfTheClientsOffersThatIsSpokenDecides(
        _ offers: [String], _ name: String?, _ version: QmuxVersion
    ) throws {
        let pipe = try pair(client: client(offers: offers), serving: ["moq-lite-05", "moql"])
        for end in [pipe.client, pipe.server] {
            #expect(end.engine.version == version)
            #expect(end.negotiatedProtocol == name)
            guard case .established? = end.poll() else {
                Issue.record("\(end.role) is not established")
                return
            }
        }
        let stream = try #require(pipe.server.openStream(.unidirectional))
        pipe.server.write([1, 2, 3], to: stream)
        #expect(pipe.settle())
        _ = pipe.client.poll()
        #expect(pipe.client.read(stream, limit: 10)?.bytes == [1, 2, 3])
    }

    @Test(arguments: [["qmux-01.moq-lite-09"], ["moq-lite-05"], ["qmux-02"], []])
    func offersOfWhichNoneIsSpokenAreRefused(_ offers: [String]) throws {
        let pipe = try pair(client: client(offers: offers), serving: ["moq-lite-05"])
        #expect(pipe.close(of: pipe.client)?.cause == .refused(.status(400)))
        #expect(pipe.close(of: pipe.client)?.reason.contains("qmux-02.moq-lite-05") == true)
        #expect(pipe.close(of: pipe.server)?.cause == .refused(.noProtocol))
        #expect(pipe.client.isFinished)
        #expect(pipe.server.isFinished)
    }

    @Test(arguments: [401, 403, 404])
    func aServerMayRefuseWithAStatus(_ status: Int) throws {
        let client = client()
        let pipe = try #require(WebSocketPipe(client: client, serving: ["moq-lite-06"]))
        #expect(pipe.server.refuse(status: status, reason: "the token is not good"))
        #expect(pipe.settle())
        #expect(pipe.close(of: client)?.cause == .refused(.status(status)))
        #expect(pipe.close(of: client)?.reason == "the token is not good")
        #expect(client.isFinished)
        #expect(!pipe.server.refuse(status: status, reason: "again"))
    }

    @Test func afterTheAnswerItIsTooLateForAStatus() throws {
        let pipe = try pair(client: client(), serving: ["moq-lite-06"])
        #expect(!pipe.server.refuse(status: 401, reason: "late"))
        #expect(pipe.close(of: pipe.client) == nil)
    }

    // MARK: Versions without pings of their own

    @Test func theOldestFormatsArePingedByWebSocket() throws {
        let pipe = try pair(client: client(offers: ["webtransport"]), serving: ["moql"])
        let start = pipe.now
        let due = try #require(pipe.client.deadline)
        #expect(due == start.advanced(by: .seconds(5)))
        pipe.now = due
        pipe.client.advance(to: due)
        pipe.delay = .milliseconds(20)
        #expect(pipe.settle())
        #expect(pipe.client.pathEstimate?.roundTrip == .milliseconds(40))
        #expect(try #require(pipe.client.deadline) > due)
    }

    @Test func silenceEndsTheOldestFormats() throws {
        let pipe = try pair(client: client(offers: ["qmux-00"]), serving: ["moql"])
        let end = pipe.now.advanced(by: .seconds(30))
        pipe.client.advance(to: end)
        #expect(pipe.close(of: pipe.client)?.cause == .idleTimeout)
    }

    @Test func aHandshakeThatIsNotAnsweredTimesOut() throws {
        let client = client()
        let now = Instant(nanoseconds: 1_000_000)
        _ = client.transmit(at: now)
        let deadline = try #require(client.deadline)
        #expect(deadline == now.advanced(by: .seconds(10)))
        client.advance(to: deadline)
        guard case .closed(let close)? = client.poll() else {
            Issue.record("it goes on")
            return
        }
        #expect(close.cause == .handshakeTimeout)
        #expect(client.isFinished)
        #expect(client.transmit(at: deadline) == nil)
    }

    @Test func aPeerThatReadsNothingDoesNotKeepTheCloseFrame() throws {
        let pipe = try pair(client: client(offers: ["qmux-02.moq-lite-06"]), serving: ["moq-lite-06"])
        #expect(pipe.settle())
        for close in [
            { pipe.client.close(code: 1, reason: "") }, { pipe.client.receiveEnd(failure: nil, at: pipe.now) },
        ] {
            close()
        }
        // Nothing is taken from it any more, as when the kernel has no room.
        var now = pipe.now
        let limit = now.advanced(by: QmuxLimits.closing * 2 + .seconds(1))
        for _ in 0..<100 where !pipe.client.isFinished {
            let deadline = try #require(pipe.client.deadline)
            now = max(now, deadline)
            pipe.client.advance(to: now)
        }
        #expect(pipe.client.isFinished && now <= limit)
        #expect(pipe.client.transmit(at: now) == nil)
    }
}
