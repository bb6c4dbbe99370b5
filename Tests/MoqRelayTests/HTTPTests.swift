import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

@testable import MoqRelay

struct HTTPTests {
    private let world = World()

    /// The whole answer to a request that comes in pieces of `size` bytes.
    private func ask(_ text: String, pieces size: Int = .max, of world: World) -> String {
        let http = RelayHTTP(core: world.core, fingerprint: "abc123", at: world.now)
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: min(size, max(bytes.count, 1))) {
            http.receive(Array(bytes[start..<min(start + min(size, bytes.count), bytes.count)]), at: world.now)
        }
        world.settle()
        let answer = http.transmit(at: world.now) ?? []
        #expect(answer.isEmpty || http.isFinished)
        return String(decoding: answer, as: UTF8.self)
    }

    private func get(_ target: String) -> String {
        ask("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n", of: world)
    }

    private func body(_ answer: String) -> String {
        answer.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
    }

    @Test func theFingerprintIsOneLine() {
        let answer = get("/certificate.sha256")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("Content-Length: 7\r\n"))
        #expect(body(answer) == "abc123\n")
    }

    @Test func aRequestMayBeCutAnywhere() {
        let request = "GET /health?x=%20y HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n"
        let whole = ask(request, of: world)
        #expect(body(whole) == "ok\n")
        for size in 1..<request.utf8.count { #expect(ask(request, pieces: size, of: world) == whole) }
    }

    @Test(arguments: [
        ("\u{0}\u{1}\u{2}\r\n\r\n", 400), ("POST /health HTTP/1.1\r\n\r\n", 405), ("GET health HTTP/1.1\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\n\r\n", 400), ("GET /health HTTP/2\r\n\r\n", 400), ("GET /%zz HTTP/1.1\r\n\r\n", 400),
        ("GET /%ff HTTP/1.1\r\n\r\n", 400),
        ("GET /health\r\n\r\n", 400), ("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n", 404),
        ("GET /fetch/x HTTP/1.1\r\nHost: a\r\n\r\n", 404),
        ("GET /fetch/anon/x/video?group=-1 HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET / HTTP/1.1\nHost: a\n\n", 404),
    ])
    func whatCannotBeServedIsRefusedInWords(_ request: String, _ status: Int) {
        let answer = ask(request, of: world)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        #expect(body(answer).hasSuffix("\n"))
    }

    @Test func anEndlessHeadIsRefused() {
        let answer = ask("GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 20_000), pieces: 1000, of: world)
        #expect(answer.hasPrefix("HTTP/1.1 431 "))
        #expect(ask(String(repeating: "\r\n", count: 20_000), of: world).isEmpty)
    }

    @Test func aSlowRequestIsGivenUp() throws {
        let http = RelayHTTP(core: world.core, fingerprint: nil, at: world.now)
        http.receive(Array("GET /hea".utf8), at: world.now)
        let deadline = try #require(http.deadline)
        #expect(deadline == world.now.advanced(by: RelayHTTP.requestWait))
        http.advance(to: deadline)
        #expect(String(decoding: http.transmit(at: deadline) ?? [], as: UTF8.self).hasPrefix("HTTP/1.1 408 "))
        #expect(http.isFinished)
    }

    @Test func aClientThatLeavesBeforeItsRequestIsDone() {
        let http = RelayHTTP(core: world.core, fingerprint: nil, at: world.now)
        http.receiveEnd(failure: nil, at: world.now)
        #expect(http.isFinished)
        #expect(http.transmit(at: world.now) == nil)
    }

    @Test func broadcastsAreListedBelowTheirPrefix() {
        let publisher = world.connect()
        for path in ["room/a", "room/b", "other"] { publisher.publication.announce(world.path(path)) }
        world.settle()
        #expect(body(get("/announced")) == "anon/other\nanon/room/a\nanon/room/b\n")
        #expect(body(get("/announced/anon/room")) == "a\nb\n")
        #expect(body(get("/announced/anon/r%6Fom/a")) == "\n")
        #expect(body(get("/announced/anon/nowhere")).isEmpty)
        #expect(get("/announced/secret").hasPrefix("HTTP/1.1 404 "))
    }

    @Test func aGroupIsFetchedByNumberOrAsTheLatest() throws {
        let publisher = world.connect(.lite06)
        let store = publisher.publication.addTrack("video", of: world.path("x"))
        publisher.publication.announce(world.path("x"))
        for sequence in UInt64(0)..<3 { try publisher.write(store, sequence, ["a\(sequence)", "b"], at: world.now) }
        world.settle()
        #expect(body(get("/fetch/anon/x/video?group=1")) == "a1b")
        #expect(body(get("/fetch/anon/x/video?group=latest")) == "a2b")
        #expect(body(get("/fetch/anon/x/video")) == "a2b")
        #expect(get("/fetch/anon/x/video?group=9").hasPrefix("HTTP/1.1 404 "))
        #expect(get("/fetch/anon/x/nope").hasPrefix("HTTP/1.1 404 "))
        #expect(get("/fetch/anon/y/video").hasPrefix("HTTP/1.1 404 "))
        world.settle()
        #expect(publisher.askedOpen.isEmpty)
        #expect(world.core.snapshot().upstreamFetches == 0)
        world.advance(6)
        #expect(world.core.snapshot().tracks == 0)
    }

    @Test func aGroupThatIsNotCompleteIsWaitedForAndThenGivenUp() throws {
        let publisher = world.connect(.lite06)
        let store = publisher.publication.addTrack("video", of: world.path("x"))
        publisher.publication.announce(world.path("x"))
        let group = try publisher.write(store, 0, ["a"], finished: false, at: world.now)
        world.settle()
        let request = Array("GET /fetch/anon/x/video HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        let patient = RelayHTTP(core: world.core, fingerprint: nil, at: world.now)
        patient.receive(request, at: world.now)
        world.settle()
        #expect(patient.transmit(at: world.now) == nil)
        let late = RelayHTTP(core: world.core, fingerprint: nil, at: world.now)
        late.receive(request, at: world.now)
        world.advance(29)
        store.finishGroup(group, at: world.now)
        world.settle()
        #expect(body(String(decoding: patient.transmit(at: world.now) ?? [], as: UTF8.self)) == "a")

        let open = try publisher.write(store, 1, ["b"], finished: false, at: world.now)
        let hopeless = RelayHTTP(core: world.core, fingerprint: nil, at: world.now)
        hopeless.receive(Array("GET /fetch/anon/x/video?group=1 HTTP/1.1\r\nHost: a\r\n\r\n".utf8), at: world.now)
        world.advance(31)
        hopeless.advance(to: world.now)
        world.settle()
        #expect(String(decoding: hopeless.transmit(at: world.now) ?? [], as: UTF8.self).hasPrefix("HTTP/1.1 504 "))
        #expect(open.state == .open)
        #expect(world.core.snapshot().upstreamFetches == 0)
        late.receiveEnd(failure: "reset", at: world.now)
        world.settle()
        #expect(publisher.askedOpen.isEmpty)
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}

extension Sequence where Element == Substring {
    fileprivate func joined(separator: String) -> String {
        var result = ""
        for (index, part) in enumerated() { result += (index == 0 ? "" : separator) + part }
        return result
    }
}
