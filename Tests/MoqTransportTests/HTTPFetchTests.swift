import MoqBase
import Testing

@testable import MoqTransport

struct HTTPFetchTests {
    private let now = Instant(nanoseconds: 1_000_000)
    private let digits = String(repeating: "0123456789abcdef", count: 4)

    private func fetch() -> HTTPFetch {
        HTTPFetch(authority: "relay:4443", path: HTTPFetch.fingerprintPath + "?jwt=secret", at: now)
    }

    private func failure(of fetch: HTTPFetch) -> String {
        do throws(HTTPFetchError) {
            return "a fingerprint: \(try fetch.fingerprint())"
        } catch {
            return "\(error)"
        }
    }

    @Test func oneRequestIsSentAndTheFingerprintIsRead() throws {
        let fetch = fetch()
        let request = String(decoding: try #require(fetch.transmit(at: now)), as: UTF8.self)
        #expect(request.hasPrefix("GET /certificate.sha256?jwt=secret HTTP/1.1\r\nHost: relay:4443\r\n"))
        #expect(request.hasSuffix("\r\n\r\n"))
        #expect(fetch.transmit(at: now) == nil)
        #expect(!fetch.isFinished)
        fetch.receive(HTTPResponse.text(200, " " + digits.uppercased()).bytes, at: now)
        #expect(fetch.isFinished)
        #expect(fetch.deadline == nil)
        #expect(try fetch.fingerprint() == digits)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>", "`<html>`"),
        ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "tells no fingerprint"),
        ("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", "HTTP status 500"),
        ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\n", "scheme with TLS"), ("", "without an answer"),
    ])
    func nonsenseIsToldInWordsWithoutTheToken(_ answer: String, _ word: String) {
        let fetch = fetch()
        fetch.receive(Array(answer.utf8), at: now)
        fetch.receiveEnd(failure: nil, at: now)
        let told = failure(of: fetch)
        #expect(told.contains(word), "\(told)")
        #expect(told.contains("relay:4443/certificate.sha256"))
        #expect(!told.contains("secret"))
    }

    @Test func aConnectionThatBreaksIsToldInItsWords() {
        let fetch = fetch()
        fetch.receiveEnd(failure: "nobody listens there", at: now)
        #expect(failure(of: fetch).hasSuffix("nobody listens there"))
    }

    @Test func theDeadlineEndsIt() throws {
        let fetch = fetch()
        let deadline = try #require(fetch.deadline)
        #expect(deadline == now.advanced(by: HTTPFetch.defaultWait))
        fetch.advance(to: now)
        #expect(!fetch.isFinished)
        fetch.advance(to: deadline)
        #expect(fetch.isFinished)
        #expect(failure(of: fetch).contains("within 10.0 seconds"))
    }
}
