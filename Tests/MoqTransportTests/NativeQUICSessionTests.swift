import MoqBase
import MoqQUIC
import Testing

@testable import MoqTransport

@Suite struct StreamCodeMappingTests {
    @Test(
        arguments: [
            (0, 0x52E4_A40F_A8DB), (1, 0x52E4_A40F_A8DC), (29, 0x52E4_A40F_A8F8), (30, 0x52E4_A40F_A8FA),
            (0xFFFF_FFFF, 0x52E5_AC98_3162),
        ] as [(UInt64, UInt64)])
    func aCodeBecomesItsNumberAndBack(code: UInt64, wire: UInt64) {
        #expect(StreamCodeMapping.wire(.code(code)) == wire)
        #expect(StreamCodeMapping.code(wire) == .code(code))
    }

    @Test func everyCodeComesBackAndEveryHoleIsNone() {
        var expected = StreamCodeMapping.first
        for code in 0..<5_000 as Range<UInt64> {
            if (expected - StreamCodeMapping.first) % 31 == 30 {
                #expect(StreamCodeMapping.code(expected) == .unmapped(raw: expected))
                expected += 1
            }
            #expect(StreamCodeMapping.wire(.code(code)) == expected)
            #expect(StreamCodeMapping.code(expected) == .code(code))
            expected += 1
        }
    }

    @Test(arguments: [0, 24, 0x52E4_A40F_A8DA, 0x52E5_AC98_3163, VarInt.maximum] as [UInt64])
    func whatLiesOutsideTheRangeIsToldAsItIs(raw: UInt64) {
        #expect(StreamCodeMapping.code(raw) == .unmapped(raw: raw))
        #expect(StreamCodeMapping.wire(.unmapped(raw: raw)) == raw)
    }
}

/// A client's and a server's session with nothing between them.
private final class Pair {
    let clientEndpoint: QUICEndpoint
    let serverEndpoint: QUICEndpoint
    let client: NativeQUICSession
    private(set) var server: NativeQUICSession?
    private(set) var clientEvents: [TransportEvent] = []
    private(set) var serverEvents: [TransportEvent] = []
    private var now = Instant.origin

    init(trust: CertificateTrust = .insecure) throws {
        let credentials = try QUICServerCredentials(identity: .selfSigned(unixTime: 1_790_000_000))
        let root = SeededRandom(seed: 9)
        clientEndpoint = QUICEndpoint(random: root.forked("client"))
        serverEndpoint = QUICEndpoint(
            random: root.forked("server"),
            server: QUICServerConfiguration(protocols: ["moq-lite-06"], credentials: credentials))
        client = NativeQUICSession(
            clientEndpoint.connect(
                to: .loopback(port: 1),
                configuration: QUICClientConfiguration(
                    serverName: "localhost", protocols: ["moq-lite-06"],
                    credentials: try QUICClientCredentials(trust: trust))))
    }

    /// Passes everything on, in steps of a millisecond.
    func run(steps: Int = 100) {
        for _ in 0..<steps {
            now = now.advanced(by: .milliseconds(1))
            for (from, to, remote) in [
                (clientEndpoint, serverEndpoint, NetworkAddress.loopback(port: 2)),
                (serverEndpoint, clientEndpoint, NetworkAddress.loopback(port: 1)),
            ] {
                while var batch = from.transmit(at: now) {
                    batch.remote = remote
                    to.receive(batch, at: now)
                }
                if let deadline = from.deadline, deadline <= now { from.advance(to: now) }
            }
            if server == nil, let accepted = serverEndpoint.pollAccepted() { server = NativeQUICSession(accepted) }
            while let event = client.poll() { clientEvents.append(event) }
            while let event = server?.poll() { serverEvents.append(event) }
        }
    }
}

@Suite struct NativeQUICSessionTests {
    @Test func aSessionCarriesStreamsDatagramsAndItsFacts() throws {
        let pair = try Pair()
        pair.run()
        let server = try #require(pair.server)
        #expect(pair.client.role == .client && server.role == .server)
        #expect(pair.client.negotiatedProtocol == "moq-lite-06")
        #expect(pair.client.kind == .quic && pair.client.requestPath == nil)
        #expect(server.remoteAddress == .loopback(port: 2))
        #expect(pair.client.pathEstimate != nil)
        let id = try #require(pair.client.openStream(.bidirectional))
        #expect(id.direction == .bidirectional && id.initiator == .client)
        pair.client.setPriority(.control, of: id)
        pair.client.write([1, 2, 3], to: id)
        pair.client.finish(id)
        #expect(pair.client.sendDatagram([9]))
        pair.run()
        let read = try #require(server.read(id, limit: 10))
        #expect(read.bytes == [1, 2, 3] && read.isFinished)
        #expect(pair.serverEvents.contains { if case .datagram([9]) = $0 { true } else { false } })
        #expect(pair.serverEvents.contains { if case .streamOpened(id) = $0 { true } else { false } })
        #expect(pair.clientEvents.contains { if case .delivered(id) = $0 { true } else { false } })
    }

    @Test(arguments: [.code(13), .code(24), .code(0xFFFF_FFFF), .unmapped(raw: 0), .unmapped(raw: 24)] as [StreamCode])
    func resetsAndStopsArriveWithTheirCodes(code: StreamCode) throws {
        let pair = try Pair()
        pair.run()
        let server = try #require(pair.server)
        let ids = (0..<2).compactMap { _ in pair.client.openStream(.unidirectional) }
        for id in ids { pair.client.write([1], to: id) }
        pair.run()
        pair.client.reset(ids[0], code: code)
        server.stop(ids[1], code: code)
        pair.run()
        #expect(pair.serverEvents.contains { if case .reset(ids[0], code) = $0 { true } else { false } })
        #expect(pair.clientEvents.contains { if case .stopped(ids[1], code) = $0 { true } else { false } })
        #expect(pair.serverEvents.contains { if case .reset(ids[1], code) = $0 { true } else { false } })
    }

    @Test func theCodeOfACloseIsNotMapped() throws {
        let pair = try Pair()
        pair.run()
        try #require(pair.server).close(code: 6, reason: "unauthorized")
        pair.run()
        guard case .closed(let close) = pair.clientEvents.last else {
            Issue.record("not closed")
            return
        }
        #expect(close == SessionClose(initiator: .peer, cause: .application(code: 6), reason: "unauthorized"))
        #expect(pair.client.connection.closed?.cause == .application(code: 6))
    }

    @Test func aRefusedCertificateIsToldWithItsFingerprint() throws {
        let pair = try Pair(trust: .pinned([String(repeating: "0", count: 64)]))
        pair.run()
        guard case .closed(let close) = pair.clientEvents.last else {
            Issue.record("not closed")
            return
        }
        #expect(close.cause == .certificateRefused)
        #expect(close.reason.contains("fingerprint"))
        #expect(pair.server == nil)
    }
}
