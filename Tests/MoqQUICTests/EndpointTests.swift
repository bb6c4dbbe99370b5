import MoqBase
import Testing

@testable import MoqQUIC

@Suite struct EndpointTests {
    private func server() throws -> QUICServerConfiguration {
        QUICServerConfiguration(
            protocols: ["x"], credentials: try QUICServerCredentials(identity: Link.identity.get()))
    }

    private func client() throws -> QUICClientConfiguration {
        QUICClientConfiguration(
            serverName: "localhost", protocols: ["x"], credentials: try QUICClientCredentials(trust: .insecure))
    }

    @Test func garbageNeitherMakesNorHarmsConnections() throws {
        let link = try Link()
        let server = try #require(link.establish())
        var random = SeededRandom(seed: 5)
        for _ in 0..<3_000 {
            let bytes = random.bytes(1 + Int(random.next() % 1_500))
            for endpoint in [link.pipe.client, link.pipe.server] {
                let remote = endpoint === link.pipe.client ? Pipe.serverAddress : Pipe.clientAddress
                endpoint.receive(DatagramBatch(remote: remote, datagram: bytes), at: link.pipe.now)
                var long = bytes
                long[0] |= 0xC0
                if long.count >= 5 { long.replaceSubrange(1..<5, with: [0, 0, 0, 1]) }
                endpoint.receive(DatagramBatch(remote: remote, datagram: long), at: link.pipe.now)
                while endpoint.transmit(at: link.pipe.now) != nil {}
            }
        }
        let id = try #require(link.client.connection.openStream(.unidirectional))
        link.client.connection.write([1], to: id)
        link.client.connection.finish(id)
        #expect(link.pipe.run { server.finished == [id] })
        #expect(link.pipe.server.statistics.accepted == 1)
        link.pipe.run(for: .seconds(30))
        #expect(link.pipe.server.connections.count == 1)
    }

    @Test func alteredPacketsOfARealConnectionDoNoHarm() throws {
        let link = try Link()
        let server = try #require(link.establish())
        var random = SeededRandom(seed: 6)
        let id = try #require(link.client.connection.openStream(.unidirectional))
        link.client.connection.write(pattern(200_000), to: id)
        link.client.connection.finish(id)
        let base = link.pipe.onStep
        link.pipe.onStep = { [unowned link] in
            base()
            while let batch = link.pipe.client.transmit(at: link.pipe.now) {
                for segment in batch.segments {
                    var bytes = Array(batch.bytes[segment])
                    link.pipe.send(bytes, toServer: true)
                    bytes[Int(random.next() % UInt64(bytes.count))] ^= 1 << UInt8(random.next() % 8)
                    link.pipe.send(bytes, toServer: true)
                }
            }
        }
        #expect(link.pipe.run { server.finished == [id] })
        #expect(server.received[id] == pattern(200_000))
        #expect(server.close == nil)
    }

    @Test func packetsOfAConnectionFromElsewhereAreDropped() throws {
        let link = try Link()
        let server = try #require(link.establish())
        link.pipe.run(for: .seconds(1))
        let id = try #require(link.client.connection.openStream(.unidirectional))
        link.client.connection.write([1], to: id)
        let packet = try #require(link.pipe.client.transmit(at: link.pipe.now))
        let strays = link.pipe.server.statistics.strayDatagrams
        link.pipe.server.receive(DatagramBatch(remote: .loopback(port: 666), datagram: packet.bytes), at: link.pipe.now)
        server.turn()
        #expect(link.pipe.server.statistics.strayDatagrams == strays + 1)
        #expect(server.opened.isEmpty)
        link.pipe.server.receive(
            DatagramBatch(remote: Pipe.clientAddress, datagram: packet.bytes), at: link.pipe.now)
        server.turn()
        #expect(server.opened == [id])
    }

    @Test func connectionIDsFollowFromTheSeed() throws {
        func firstIDs(seed: UInt64) throws -> [UInt8] {
            let endpoint = QUICEndpoint(random: SeededRandom(seed: seed))
            _ = endpoint.connect(to: Pipe.serverAddress, configuration: try client())
            // Flags and version, then both IDs of 8 bytes with their lengths.
            return Array(try #require(endpoint.transmit(at: .origin)).bytes[5..<23])
        }
        #expect(try firstIDs(seed: 1) == firstIDs(seed: 1))
        #expect(try firstIDs(seed: 1) != firstIDs(seed: 2))
    }

    @Test func anUnknownVersionIsAnsweredWithTheKnownOne() throws {
        let endpoint = QUICEndpoint(random: SeededRandom(seed: 1), server: try server())
        var packet: [UInt8] = [0xC0, 0x1A, 0x2A, 0x3A, 0x4A, 8] + pattern(8) + [4] + pattern(4, from: 90)
        packet += [UInt8](repeating: 0, count: 1_200 - packet.count)
        endpoint.receive(DatagramBatch(remote: Pipe.clientAddress, datagram: packet), at: .origin)
        let answer = try #require(endpoint.transmit(at: .origin))
        #expect(Array(answer.bytes[1..<5]) == [0, 0, 0, 0])
        let connectionIDs: [UInt8] = [4] + pattern(4, from: 90) + [8] + pattern(8)
        #expect(Array(answer.bytes[5..<19]) == connectionIDs)
        #expect(Array(answer.bytes.suffix(4)) == [0, 0, 0, 1])
        #expect(endpoint.connections.isEmpty)
        // Too short to be a first packet: no answer, so that nobody is sent more than was received.
        endpoint.receive(DatagramBatch(remote: Pipe.clientAddress, datagram: Array(packet.prefix(600))), at: .origin)
        #expect(endpoint.transmit(at: .origin) == nil)
    }

    @Test func aServerThatForgotItsConnectionsSaysSo() throws {
        let link = try Link()
        _ = try #require(link.establish())
        link.pipe.run(for: .seconds(1))
        // A server with the same secret, as after a restart with the same seed, but without the connection.
        let restarted = QUICEndpoint(
            random: SeededRandom(seed: 1).forked("server"), server: try server())
        let id = try #require(link.client.connection.openStream(.unidirectional))
        link.client.connection.write(pattern(100), to: id)
        let packet = try #require(link.pipe.client.transmit(at: link.pipe.now))
        restarted.receive(DatagramBatch(remote: Pipe.clientAddress, datagram: packet.bytes), at: link.pipe.now)
        let answer = try #require(restarted.transmit(at: link.pipe.now))
        #expect(answer.bytes.count < packet.bytes.count)
        link.pipe.client.receive(
            DatagramBatch(remote: Pipe.serverAddress, datagram: answer.bytes), at: link.pipe.now)
        link.client.turn()
        #expect(link.client.close?.cause == .lost)
        #expect(link.client.close?.reason.contains("stateless reset") == true)
    }

    @Test func answersToStraysAreLimited() throws {
        let endpoint = QUICEndpoint(random: SeededRandom(seed: 1), server: try server())
        var random = SeededRandom(seed: 2)
        for _ in 0..<1_000 {
            var bytes = random.bytes(60)
            bytes[0] = 0x40
            endpoint.receive(DatagramBatch(remote: Pipe.clientAddress, datagram: bytes), at: .origin)
        }
        var answers = 0
        while endpoint.transmit(at: .origin) != nil { answers += 1 }
        #expect(answers == QUICEndpoint.maximumStrayAnswers)
    }

    @Test func connectionsBeyondTheLimitAreRefused() throws {
        var limits = QUICEndpointLimits()
        limits.connections = 3
        let pipe = Pipe(server: try server(), limits: limits)
        let peers = try (0..<5).map { _ in
            Peer(pipe.client.connect(to: Pipe.serverAddress, configuration: try client()))
        }
        pipe.onStep = { for peer in peers { peer.turn() } }
        #expect(pipe.run { peers.filter { $0.close != nil }.count == 2 })
        #expect(peers.prefix(3).allSatisfy { $0.has(.established) })
        #expect(peers.last?.close?.cause == .transport(code: 2))
        #expect(pipe.server.statistics.refused == 2)
    }

    @Test func halfOpenConnectionsAreBounded() throws {
        var limits = QUICEndpointLimits()
        limits.halfOpenConnections = 4
        let pipe = Pipe(server: try server(), limits: limits)
        let configuration = try client()
        // First packets of clients that never speak again.
        for index in 0..<50 {
            let attacker = QUICEndpoint(random: SeededRandom(seed: UInt64(index)))
            _ = attacker.connect(to: Pipe.serverAddress, configuration: configuration)
            while let batch = attacker.transmit(at: pipe.now) { pipe.send(batch.bytes, toServer: true) }
        }
        pipe.run(for: .milliseconds(100))
        #expect(pipe.server.connections.count == 4)
        #expect(pipe.server.halfOpen == 4)
        pipe.run(for: .seconds(30))
        #expect(pipe.server.connections.isEmpty)
        #expect(pipe.server.halfOpen == 0)
        let peer = Peer(pipe.client.connect(to: Pipe.serverAddress, configuration: configuration))
        pipe.onStep = { peer.turn() }
        #expect(pipe.run { peer.has(.established) })
    }

    @Test func twoHundredConnectionsShareOneEndpointAndCostNothingWhileIdle() throws {
        let pipe = Pipe(server: try server())
        let configuration = try client()
        let peers = (0..<200).map { _ in
            Peer(pipe.client.connect(to: Pipe.serverAddress, configuration: configuration))
        }
        var accepted: [Peer] = []
        pipe.onStep = { [unowned pipe] in
            while let connection = pipe.server.pollAccepted() { accepted.append(Peer(connection)) }
            for peer in peers + accepted { peer.turn() }
        }
        #expect(pipe.run { accepted.count == 200 && peers.allSatisfy { $0.has(.established) } })
        pipe.run(for: .seconds(1))
        #expect(pipe.client.transmit(at: pipe.now) == nil)
        let before = pipe.trace.count
        pipe.run(for: .seconds(3))
        #expect(pipe.trace.count == before)
        for (index, peer) in peers.enumerated() {
            let id = try #require(peer.connection.openStream(.unidirectional))
            peer.connection.write([UInt8(index)], to: id)
            peer.connection.finish(id)
        }
        #expect(pipe.run { accepted.allSatisfy { $0.finished.count == 1 } })
        #expect(Set(accepted.flatMap { $0.received.values }.map { $0[0] }).count == 200)
        for peer in peers { peer.connection.close(code: 1) }
        #expect(pipe.run { pipe.server.connections.isEmpty })
    }

    @Test func connectionsWithNewsAreNamedOnceUntilThereIsMore() throws {
        let link = try Link()
        let server = try #require(link.establish())
        link.pipe.server.tellsNews = true
        #expect(link.pipe.server.pollNews() == nil)
        for _ in 0..<2 {
            for _ in 0..<3 {
                let id = try #require(link.client.connection.openStream(.unidirectional))
                link.client.connection.write([1], to: id)
            }
            link.pipe.run(for: .seconds(1))
            #expect(link.pipe.server.pollNews() === server.connection)
            #expect(link.pipe.server.pollNews() == nil)
        }
    }

    @Test func batchesHoldSegmentsOfOneSize() throws {
        let link = try Link()
        let server = try #require(link.establish())
        let id = try #require(link.client.connection.openStream(.unidirectional))
        link.client.connection.write(pattern(1 << 20), to: id)
        link.pipe.run { server.received[id]?.count == 1 << 20 }
        link.client.connection.write(pattern(1 << 20), to: id)
        let batch = try #require(link.pipe.client.transmit(at: link.pipe.now))
        #expect(batch.segmentSize == 1_452)
        #expect(batch.segments.count == 45)
        #expect(batch.bytes.count <= 65_507)
    }

    @Test func aDroppedEndpointTakesItsConnectionsAlong() throws {
        var endpoint: QUICEndpoint? = QUICEndpoint(random: SeededRandom(seed: 1))
        let connection = try #require(endpoint?.connect(to: Pipe.serverAddress, configuration: try client()))
        _ = endpoint?.transmit(at: .origin)
        weak let gone = endpoint
        endpoint = nil
        #expect(gone == nil)
        connection.close(code: 0)
        #expect(connection.poll() != nil)
    }
}
