import MoqBase
import MoqDrivers
import MoqTransport
import Testing

@testable import MoqRelay

/// What the TCP port does with whatever comes.
struct TCPPortTests {
    @Test(arguments: [
        ([], FirstBytes.undecided), ([0x16], .undecided), ([0x16, 0x03], .tls), ([0x16, 0xFF], .other),
        (Array("GE".utf8), .undecided), (Array("GET".utf8), .http), (Array("POST /".utf8), .http),
        ([0x47, 0x45, 0xFF], .other),
        ([0x00], .other), (Array("get".utf8), .other), ([0x0A, 0xFF], .other),
    ])
    func theFirstBytesTellWhatIsSpoken(_ bytes: [UInt8], _ expected: FirstBytes) {
        #expect(FirstBytes(bytes) == expected)
    }

    @Test func httpIsAnsweredHoweverItIsCut() throws {
        let network = try TransportNetwork()
        let request = Array("GET /certificate.sha256 HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        for size in [1, 2, 3, 7, 1000] {
            let pieces = stride(from: 0, to: request.count, by: size).map {
                Array(request[$0..<min($0 + size, request.count)])
            }
            let talker = try network.talk(pieces)
            try network.run(0.1)
            #expect(talker.text.hasSuffix("\r\n\r\n\(network.relay.fingerprint)\n"))
            #expect(talker.end == "")
        }
    }

    @Test(arguments: [
        Array("hello there\r\n\r\n".utf8), [0x00, 0x01, 0x02], [UInt8](repeating: 0xFF, count: 70_000),
        [0x16, 0x03, 0x01, 0x00, 0x05] + Array("hello".utf8), [0x16, 0x03] + [UInt8](repeating: 0, count: 40_000),
        Array("PUT /health HTTP/1.1\r\n\r\n".utf8), Array(("GET /" + String(repeating: "a", count: 70_000)).utf8),
        [0x09, 0xFF, 0x51, 0x53, 0x30, 0x0D, 0x0A, 0x0D, 0x0B, 0x00],
    ])
    func garbageIsClosedAtOnceAndHurtsNobody(_ bytes: [UInt8]) throws {
        let network = try TransportNetwork()
        let client = try network.connect(.tcp)
        try network.run(1)
        let talker = try network.talk([bytes])
        try network.run(2)
        #expect(talker.end != nil, "\(bytes.prefix(8))")
        #expect(talker.heard.count < 2000)
        #expect(client.closed == nil)
        #expect(network.relay.core.sessionCount == 1)
    }

    @Test(arguments: [
        [], [0x16], Array("GE".utf8), [0x16, 0x03, 0x01, 0x02, 0x00], Array("GET /health HTTP/1.1\r\n".utf8),
        [0x40, 0x40, 0xFF, 0x51, 0x53, 0x30],
    ])
    func whoSaysHalfAWordIsGivenUp(_ bytes: [UInt8]) throws {
        let network = try TransportNetwork()
        let talker = try network.talk(bytes.isEmpty ? [] : [bytes])
        try network.run(9.9)
        #expect(talker.end == nil)
        try network.run(5)
        #expect(talker.end != nil)
        talker.isFinished = true
        try network.run(0.1)
        #expect(network.relay.streams.allSatisfy { $0.value?.isFinished ?? true })
        #expect(network.relay.core.sessionCount == 0)
    }

    @Test(arguments: ["GET /anon HTTP/1.1\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}"])
    func aSlowDripIsNoReasonToWait(_ start: String) throws {
        let network = try TransportNetwork()
        let talker = try network.talk([Array(start.utf8)] + (0..<60).map { _ in Array("a".utf8) })
        talker.pause = .seconds(1)
        try network.run(16)
        #expect(talker.end != nil)
    }

    @Test func aHalfClosedRequestIsStillAnswered() throws {
        let network = try TransportNetwork()
        let talker = try network.talk([Array("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".utf8)])
        talker.isFinished = false
        try network.run(0.0001)
        talker.isFinished = true
        try network.run(0.1)
        #expect(talker.text.hasSuffix("ok\n"))
    }

    @Test func connectionsAreBounded() throws {
        let network = try TransportNetwork {
            $0.limits.streams = 5
            $0.limits.httpRequests = 2
        }
        let silent = try (0..<5).map { _ in try network.talk([]) }
        try network.run(0.1)
        let late = try network.talk([])
        try network.run(0.1)
        #expect(late.end != nil && silent.allSatisfy { $0.end == nil })
        try network.run(11)
        #expect(silent.allSatisfy { $0.end != nil })
        for talker in silent { talker.isFinished = true }
        try network.run(0.1)
        let asking = try (0..<3).map { _ in try network.talk([Array("GET /hea".utf8)]) }
        try network.run(0.1)
        #expect(asking.map { $0.end == nil } == [true, true, false])
    }

    @Test func sessionsAreBoundedOnStreamsToo() throws {
        let network = try TransportNetwork { $0.limits.sessions = 1 }
        let first = try network.connect(.tcp)
        try network.run(1)
        let second = try network.connect(.tcp)
        try network.run(1)
        #expect(first.closed == nil)
        #expect(second.closed?.initiator == .peer)
    }

    @Test func aUpgradeWithoutAPathIsAnsweredInWords() throws {
        let network = try TransportNetwork()
        let head = "Host: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        let unknown = try network.talk([
            Array("GET /anon HTTP/1.1\r\n\(head)\(key)Sec-WebSocket-Protocol: chat\r\n\r\n".utf8)
        ])
        let keyless = try network.talk([Array("GET /anon HTTP/1.1\r\n\(head)\r\n".utf8)])
        try network.run(0.1)
        #expect(unknown.text.hasPrefix("HTTP/1.1 400 "))
        #expect(keyless.text.hasPrefix("HTTP/1.1 400 "))
        #expect(network.relay.core.sessionCount == 0)
    }
}
