import Foundation
import MoqBase
import Testing

@testable import MoqQUIC

@Suite struct HandshakeTests {
    @Test func aClientAndAServerAgreeOnTheServersProtocol() throws {
        let link = try Link(
            offers: ["moq-lite-04", "moq-lite-05", "moq-lite-06"], accepts: ["moq-lite-05", "moq-lite-04"])
        let server = try #require(link.establish())
        #expect(link.client.connection.negotiatedProtocol == "moq-lite-05")
        #expect(server.connection.negotiatedProtocol == "moq-lite-05")
        #expect(server.connection.role == .server)
        #expect(server.connection.remoteAddress == Pipe.clientAddress)
        let facts = try #require(link.client.connection.securityFacts)
        #expect(facts.version == "TLS1.3")
        #expect(facts.cipher == "AES-128-GCM")
        #expect(facts.peerFingerprint == (try Link.identity.get().fingerprint))
        let parameters = try #require(link.client.connection.peerParameters)
        #expect(parameters.maximumStreamsUnidirectional == 1024)
        #expect(parameters.idleTimeout == .seconds(30))
        #expect(link.pipe.server.statistics.accepted == 1)
        let estimate = try #require(link.client.connection.pathEstimate)
        #expect(estimate.roundTrip >= .milliseconds(10))
        #expect(estimate.sendRate != nil)
    }

    @Test func theHandshakeTakesTwoRoundTripsAtMost() throws {
        let link = try Link()
        let start = link.pipe.now
        _ = try #require(link.establish())
        #expect(start.duration(to: link.pipe.now) <= .milliseconds(20))
    }

    @Test func withoutACommonProtocolBothSidesCloseWithAlert120() throws {
        let link = try Link(offers: ["moq-lite-03"], accepts: ["moq-lite-06"])
        link.pipe.run { link.client.close != nil }
        let close = try #require(link.client.close)
        #expect(close.initiator == .peer)
        #expect(close.cause == .transport(code: 0x178))
        #expect(close.reason.contains("ALPN"))
        link.pipe.run(for: .seconds(1))
        #expect(link.server == nil)
        #expect(link.pipe.server.statistics.failedHandshakes == 1)
        #expect(link.pipe.server.connections.isEmpty)
    }

    @Test func theRightPinIsAcceptedHoweverItIsWritten() throws {
        let fingerprint = try Link.identity.get().fingerprint
        let pairs = stride(from: 0, to: 64, by: 2).map { String(fingerprint.uppercased().dropFirst($0).prefix(2)) }
        for text in [fingerprint, pairs.joined(separator: ":")] {
            let link = try Link(trust: .pinned([String(repeating: "0", count: 64), text]), serverName: "wrong.example")
            #expect(link.establish() != nil)
        }
    }

    @Test func aWrongPinIsRefusedAndTheFingerprintSeenIsTold() throws {
        let pin = String(repeating: "ab", count: 32)
        let link = try Link(trust: .pinned([pin]))
        link.pipe.run { link.client.close != nil }
        let close = try #require(link.client.close)
        let fingerprint = try Link.identity.get().fingerprint
        #expect(
            close.cause
                == .certificateRefused(
                    CertificateRefusal(problem: .fingerprintMismatch(expected: [pin]), fingerprint: fingerprint)))
        #expect(close.initiator == .local)
        #expect(close.reason.contains(fingerprint))
        #expect(!link.client.has(.established))
        link.pipe.run(for: .seconds(1))
        #expect(link.server == nil)
    }

    @Test func aSelfSignedCertificateIsRefusedByTheSystemsRoots() throws {
        let link = try Link(trust: .systemRoots)
        link.pipe.run { link.client.close != nil }
        guard case .certificateRefused(let refusal) = link.client.close?.cause else {
            Issue.record("closed with \(String(describing: link.client.close))")
            return
        }
        #expect(refusal.problem == .unknownIssuer)
        #expect(refusal.fingerprint == (try Link.identity.get().fingerprint))
    }

    @Test func nobodyAnsweringEndsInAHandshakeTimeout() throws {
        let link = try Link()
        link.pipe.isCut = true
        let start = link.pipe.now
        link.pipe.run { link.client.close != nil }
        #expect(link.client.close?.cause == .handshakeTimeout)
        #expect(start.duration(to: link.pipe.now) == .seconds(10))
        link.pipe.run(for: .seconds(1))
        #expect(link.pipe.client.connections.isEmpty)
        #expect(link.pipe.client.deadline == nil)
    }

    @Test func lostHandshakePacketsAreSentAgain() throws {
        for seed in 1...10 as ClosedRange<UInt64> {
            let link = try Link(seed: seed)
            link.pipe.loss = 0.3
            #expect(link.establish() != nil, "seed \(seed)")
        }
    }

    @Test func unusableSettingsEndTheConnectionWithAReason() throws {
        let link = try Link(offers: [])
        link.pipe.run(for: .seconds(1)) { link.client.close != nil }
        #expect(link.client.close?.cause == .lost)
        #expect(link.client.close?.reason.contains("ALPN") == true)
    }

    @Test func secretsAreLoggedInTheFormatThatOthersRead() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("moqspec-keylog-\(UUID())").path
        defer { unlink(path) }
        let pipe = Pipe(
            server: QUICServerConfiguration(
                protocols: ["x"], credentials: try QUICServerCredentials(identity: Link.identity.get())))
        let client = Peer(
            pipe.client.connect(
                to: Pipe.serverAddress,
                configuration: QUICClientConfiguration(
                    serverName: "localhost", protocols: ["x"], credentials: try QUICClientCredentials(trust: .insecure),
                    keyLog: try QUICKeyLog(path: path))))
        pipe.onStep = { client.turn() }
        #expect(pipe.run { client.has(.established) })
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("CLIENT_TRAFFIC_SECRET_0 ") })
        #expect(lines.contains { $0.hasPrefix("SERVER_HANDSHAKE_TRAFFIC_SECRET ") })
        let parts = try #require(lines.first).split(separator: " ")
        #expect(parts.count == 3 && parts[1].count == 64 && parts[2].count == 64)
        #expect(throws: QUICError.self) { try QUICKeyLog(path: "/nowhere/at/all") }
    }
}
