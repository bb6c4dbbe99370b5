import Testing

@testable import MoqTransport

struct HTTPParserTests {
    private func request(_ text: String, pieces size: Int = .max) -> (HTTPRequestParser.Outcome, [UInt8]) {
        var parser = HTTPRequestParser()
        var outcome = HTTPRequestParser.Outcome.incomplete
        for piece in pieces(of: Array(text.utf8), size: size) {
            outcome = parser.take(piece)
        }
        return (outcome, parser.rest)
    }

    private func answer(
        _ text: String, limit: Int = 100, pieces size: Int = .max, ends: Bool = false
    ) -> HTTPResponseParser.Outcome {
        var parser = HTTPResponseParser(bodyLimit: limit)
        for piece in pieces(of: Array(text.utf8), size: size) {
            let outcome = parser.take(piece)
            if outcome != .incomplete { return outcome }
        }
        return ends ? parser.takeEnd() : .incomplete
    }

    @Test func aRequestIsReadHoweverItIsCutAndWhatFollowsIsKept() throws {
        let text = "GET /a%20b?jwt=x.y&z HTTP/1.1\r\nHost: relay\r\nX-List: a, b\r\nx-list:c \r\n\r\n\u{1}\u{2}rest"
        for size in [1, 2, 3, 7, 1000] {
            let (outcome, rest) = request(text, pieces: size)
            guard case .request(let request) = outcome else {
                Issue.record("\(outcome) in pieces of \(size)")
                continue
            }
            #expect(request.target == "/a%20b?jwt=x.y&z")
            #expect(request.path == "/a b")
            #expect(request.value(of: "jwt") == "x.y")
            #expect(request.value(of: "z") == "")
            #expect(request.headers.first("host") == "relay")
            #expect(request.headers.members("X-List") == ["a", "b", "c"])
            #expect(rest == Array("\u{1}\u{2}rest".utf8))
        }
    }

    @Test func onlyHTTPOneZeroMayLeaveOutTheHost() {
        guard case .request = request("GET /a HTTP/1.0\r\n\r\n").0 else {
            Issue.record("HTTP/1.0 has no Host")
            return
        }
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nA: x\r\n folded\r\n\r\n", 400), ("GET / HTTP/1.1\r\n: x\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nA: b\rc\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA: b\u{0}\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", 400),
        ("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("PUT / HTTP/1.1\r\n\r\n", 405), ("GET http://x/ HTTP/1.1\r\n\r\n", 400), ("GET /%f HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nA: " + String(repeating: "x", count: 17_000), 431),
    ])
    func aMalformedRequestIsRefused(_ text: String, _ status: Int) {
        guard case .refused(status, let reason) = request(text).0 else {
            Issue.record("\(text.prefix(40)) was not refused with \(status)")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200\r\ncontent-length: 5\r\n\r\nhello and more",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nTrailer: x\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.0 200 OK\n\nhello",
    ])
    func aBodyIsDelimitedInEveryWay(_ text: String) {
        for size in [1, 2, 5, 1000] {
            guard case .answer(let answer) = answer(text, pieces: size, ends: true) else {
                Issue.record("\(text) in pieces of \(size): \(answer(text, pieces: size, ends: true))")
                continue
            }
            #expect(answer.status == 200)
            #expect(String(decoding: answer.body, as: UTF8.self) == "hello")
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n", "over 100 bytes"),
        ("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 101), "over 100 bytes"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\n", "over 100 bytes"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", "chunks"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", "chunks"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\n", "chunks"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", "Content-Length"),
        ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello", "Content-Length"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", "cut short"), ("HTTP/1.1 200 OK\r\n", "cut short"),
        ("", "without an answer"), ("SSH-2.0-OpenSSH_9.2\r\n", "no status line"),
        ("HTTP/1.1 20 OK\r\n\r\n", "no status line"), ("HTTP/2 200 OK\r\n\r\n", "no status line"),
        ("HTML", "no status line"),
        ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}F", "is TLS"), ("HTTP/1.1 20", "cut short"),
        ("HTTP/1.1 200 OK\r\n" + String(repeating: "x: y\r\n", count: 4000), "head of the answer"),
    ])
    func whatIsNoAnswerIsRefusedInWords(_ text: String, _ word: String) {
        for size in [1, 1000] {
            guard case .refused(let reason) = answer(text, pieces: size, ends: true) else {
                Issue.record("\(text.prefix(60)) was taken")
                continue
            }
            #expect(reason.contains(word), "\(text.prefix(60)): \(reason)")
        }
    }
}

/// `bytes` in pieces of `size`; one empty piece when there are none.
func pieces(of bytes: [UInt8], size: Int) -> [[UInt8]] {
    let size = min(size, max(bytes.count, 1))
    return stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
}
