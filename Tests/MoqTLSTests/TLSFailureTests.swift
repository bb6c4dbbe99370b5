import Foundation
import MoqBase
import MoqQUIC
import Testing

@testable import MoqTLS

/// What breaks, and how it is told.
struct TLSFailureTests {
    private let now = Instant(nanoseconds: 1_000_000_000)
    private static let identity = try? ServerIdentity.selfSigned(unixTime: Int(Date().timeIntervalSince1970))

    private func pair() throws -> (client: TLSStream, server: TLSStream, inside: Talker, within: Talker) {
        let inside = Talker()
        let within = Talker()
        let client = try TLSStream(client: inside, serverName: "localhost", protocols: [], trust: .insecure)
        let identity = try #require(Self.identity)
        let server = try TLSStream(server: within, identity: identity, protocols: [])
        return (client, server, inside, within)
    }

    @Test(arguments: [
        "HTTP/1.1 400 Bad Request\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n",
        "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}",
    ])
    func whatIsNoTLSIsToldSo(_ text: String) throws {
        for side in ["client", "server"] {
            let ends = try pair()
            let end = side == "client" ? ends.client : ends.server
            _ = end.transmit(at: now)
            end.receive(Array(text.utf8), at: now)
            end.receiveEnd(failure: nil, at: now)
            let failure = try #require(end.failure, "\(side)")
            #expect([.notTLS, .endedInHandshake].contains(failure), "\(side): \(failure)")
            if side == "client" { #expect(ends.inside.end == failure.description) }
            while end.transmit(at: now) != nil {}
            #expect(end.isFinished)
        }
    }

    @Test func garbageNeverCrashes() throws {
        var random = SeededRandom(seed: 5)
        for round in 0..<200 {
            let ends = try pair()
            let pipe = Pipe(ends.client, ends.server)
            if round % 2 == 0 { #expect(pipe.settle()) }
            var garbage = random.bytes(Int.random(in: 1...200, using: &random))
            if random.chance(0.7) {
                garbage.replaceSubrange(0..<min(3, garbage.count), with: [0x16, 3, 3].prefix(garbage.count))
            }
            ends.server.receive(garbage, at: now)
            ends.server.receiveEnd(failure: nil, at: now)
            #expect(ends.server.failure != nil)
            for _ in 0..<10 where ends.server.transmit(at: now) == nil { break }
            #expect(ends.server.deadline == nil)
        }
    }

    @Test func everyBitFlippedInTheHandshakeEndsIt() throws {
        let ends = try pair()
        let hello = try #require(ends.client.transmit(at: now))
        for index in stride(from: 0, to: hello.count, by: 7) {
            var broken = hello
            broken[index] ^= 0x40
            let other = try pair()
            other.server.receive(broken, at: now)
            let answer = other.server.transmit(at: now) ?? []
            ends.client.receiveEnd(failure: nil, at: now)
            let client = try pair().client
            _ = client.transmit(at: now)
            client.receive(answer, at: now)
            #expect(!client.isEstablished)
        }
    }

    @Test func aRecordThatWasTamperedWithIsRefused() throws {
        let ends = try pair()
        let pipe = Pipe(ends.client, ends.server)
        #expect(pipe.settle())
        ends.inside.toSay = [Array("hello".utf8)]
        var record = try #require(ends.client.transmit(at: now))
        record[record.count - 1] ^= 1
        ends.server.receive(record, at: now)
        guard case .violation(let why)? = ends.server.failure else {
            Issue.record("\(String(describing: ends.server.failure))")
            return
        }
        #expect(!why.isEmpty)
        #expect(ends.within.heard.isEmpty)
        #expect(ends.within.end?.contains("rules of TLS") == true)
        let alert = try #require(ends.server.transmit(at: now))
        ends.client.receive(alert, at: now)
        #expect(ends.client.failure == .alertReceived(20))
    }

    @Test func anEndWithoutTheClosingMessageIsAFailure() throws {
        let ends = try pair()
        let pipe = Pipe(ends.client, ends.server)
        #expect(pipe.settle())
        ends.server.receiveEnd(failure: nil, at: now)
        #expect(ends.server.failure == .truncated)
        #expect(ends.within.end?.isEmpty == false)
        ends.client.receiveEnd(failure: "the cable was cut", at: now)
        #expect(ends.client.failure == .broken("the cable was cut"))
        #expect(ends.inside.end == "the cable was cut")
    }

    @Test func theHandshakeHasADeadline() throws {
        let ends = try pair()
        _ = ends.client.transmit(at: now)
        let deadline = try #require(ends.client.deadline)
        #expect(deadline == now.advanced(by: TLSStream.defaultHandshakeTimeout))
        ends.client.advance(to: deadline)
        #expect(ends.client.failure == .handshakeTimeout)
        #expect(ends.client.isFinished)
        #expect(ends.client.deadline == nil)
    }

    @Test func aMachineThatGivesUpBeforeTheHandshakeEndsTheStream() throws {
        let client = try TLSStream(
            client: Talker(hangsUp: true), serverName: "localhost", protocols: [], trust: .insecure)
        #expect(client.transmit(at: now) == nil)
        #expect(client.isFinished)
    }

    @Test func secretsAreLoggedInTheFormatOfTools() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("moqspec-\(UUID().uuidString).log")
        defer { try? FileManager.default.removeItem(at: file) }
        let log = try QUICKeyLog(path: file.path)
        let client = try TLSStream(
            client: Talker(), serverName: "localhost", credentials: TLSClientCredentials(trust: .insecure),
            keyLog: log)
        let server = try TLSStream(server: Talker(), identity: try #require(Self.identity), protocols: [])
        let pipe = Pipe(client, server)
        #expect(pipe.settle())
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.split(separator: "\n").contains { $0.hasPrefix("CLIENT_TRAFFIC_SECRET_0 ") })
        #expect(text.split(separator: "\n").allSatisfy { $0.split(separator: " ").count == 3 })
    }
}
