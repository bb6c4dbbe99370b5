import MoqBase
import Testing

@testable import MoqQUIC

@Suite struct ConnectionTests {
    @Test(arguments: [0, 99, VarInt.maximum] as [UInt64])
    func aCloseArrivesWithCodeAndReason(code: UInt64) throws {
        let link = try Link()
        let server = try #require(link.establish())
        server.connection.close(code: code, reason: "so long")
        #expect(link.pipe.run(for: .seconds(1)) { link.client.close != nil && server.close != nil })
        #expect(link.client.close == QUICClose(initiator: .peer, cause: .application(code: code), reason: "so long"))
        #expect(server.close == QUICClose(initiator: .local, cause: .application(code: code), reason: "so long"))
        link.pipe.run(for: .seconds(1))
        #expect(link.pipe.client.connections.isEmpty && link.pipe.server.connections.isEmpty)
        #expect(link.pipe.client.deadline == nil && link.pipe.server.deadline == nil)
        #expect(link.client.connection.openStream(.unidirectional) == nil)
        #expect(link.client.connection.sendDatagram([1]) == false)
    }

    @Test func aCloseThatIsLostIsRepeatedWhenThePeerGoesOn() throws {
        let link = try Link()
        let server = try #require(link.establish())
        link.pipe.run(for: .seconds(1))
        link.pipe.isCut = true
        server.connection.close(code: 4)
        link.pipe.run(for: .milliseconds(1))
        link.pipe.isCut = false
        let id = try #require(link.client.connection.openStream(.unidirectional))
        link.client.connection.write([1], to: id)
        #expect(link.pipe.run(for: .seconds(1)) { link.client.close?.cause == .application(code: 4) })
    }

    @Test func whatHadArrivedCanBeReadAfterThePeersClose() throws {
        let link = try Link()
        let server = try #require(link.establish())
        server.readsEverything = false
        let id = try #require(link.client.connection.openStream(.unidirectional))
        link.client.connection.write([1, 2, 3], to: id)
        link.pipe.run(for: .milliseconds(50))
        link.client.connection.close(code: 0)
        #expect(link.pipe.run(for: .seconds(1)) { server.close != nil })
        #expect(server.connection.read(id, limit: 10) == QUICStreamRead(bytes: [1, 2, 3], isFinished: false))
    }

    @Test func silenceEndsTheConnectionAfterTheIdleTimeout() throws {
        var settings = QUICTransportSettings()
        settings.keepAlive = nil
        settings.idleTimeout = .seconds(7)
        let link = try Link(clientSettings: settings, serverSettings: settings)
        let server = try #require(link.establish())
        link.pipe.run(for: .seconds(1))
        let start = link.pipe.now
        link.pipe.run { link.client.close != nil && server.close != nil }
        #expect(link.client.close?.cause == .idleTimeout)
        #expect(server.close?.cause == .idleTimeout)
        #expect(start.duration(to: link.pipe.now) <= .seconds(7))
        #expect(start.duration(to: link.pipe.now) > .seconds(5))
    }

    @Test func keepAliveHoldsAnIdleConnectionForHours() throws {
        var silent = QUICTransportSettings()
        silent.keepAlive = nil
        let link = try Link(serverSettings: silent)
        let server = try #require(link.establish())
        link.pipe.run(for: .seconds(7_200))
        #expect(link.client.close == nil && server.close == nil)
        // A PING every five seconds and its acknowledgement, and hardly more.
        #expect(link.pipe.trace.count < 3 * 7_200 / 5)
    }

    @Test func aVanishedPeerIsNoticed() throws {
        let link = try Link()
        _ = try #require(link.establish())
        link.pipe.isCut = true
        let start = link.pipe.now
        #expect(link.pipe.run(for: .seconds(120)) { link.client.close?.cause == .idleTimeout })
        #expect(start.duration(to: link.pipe.now) <= .seconds(61))
    }

    @Test func datagramsCrossUpToTheirLargestSize() throws {
        let link = try Link()
        let server = try #require(link.establish())
        let limit = try #require(link.client.connection.maximumDatagramSize)
        #expect(limit > 1_200)
        #expect(!link.client.connection.sendDatagram(pattern(limit + 1)))
        for size in [0, 1, limit / 2, limit] { #expect(link.client.connection.sendDatagram(pattern(size))) }
        let id = try #require(link.client.connection.openStream(.unidirectional))
        link.client.connection.write(pattern(100_000), to: id)
        link.client.connection.finish(id)
        #expect(link.pipe.run { server.finished == [id] })
        for size in [0, 1, limit / 2, limit] { #expect(server.has(.datagram(pattern(size)))) }
    }

    @Test func tooManyDatagramsAreNotQueued() throws {
        let link = try Link()
        let server = try #require(link.establish())
        var taken = 0
        for _ in 0..<1_000 where link.client.connection.sendDatagram(pattern(1_000)) { taken += 1 }
        #expect(taken == QUICConnection.maximumQueuedDatagrams)
        link.pipe.run(for: .seconds(5))
        #expect(server.events.filter { $0 == .datagram(pattern(1_000)) }.count == taken)
    }

    @Test func datagramsThatNobodyPollsAreBounded() throws {
        let link = try Link()
        let server = try #require(link.establish())
        link.pipe.onStep = { [unowned link] in
            link.client.turn()
            while link.client.connection.sendDatagram([1]) {}
        }
        link.pipe.run(for: .seconds(1))
        server.turn()
        let arrived = server.events.filter { $0 == .datagram([1]) }.count
        #expect(arrived == QUICConnection.maximumUnpolledDatagrams)
        link.pipe.run(for: .milliseconds(100))
        server.turn()
        #expect(server.events.filter { $0 == .datagram([1]) }.count > arrived)
    }

    @Test func aPeerWithoutDatagramsGetsNone() throws {
        var settings = QUICTransportSettings()
        settings.maximumDatagramFrame = 0
        let link = try Link(serverSettings: settings)
        _ = try #require(link.establish())
        #expect(link.client.connection.maximumDatagramSize == nil)
        #expect(!link.client.connection.sendDatagram([1]))
    }

    @Test func thePathIsProbedWhereItsSizeIsNotKnown() throws {
        var settings = QUICTransportSettings()
        settings.pathMTU = .discover
        let link = try Link(clientSettings: settings)
        let server = try #require(link.establish())
        let before = try #require(link.client.connection.maximumDatagramSize)
        #expect(before < 1_200)
        for _ in 0..<20 {
            #expect(link.client.connection.sendDatagram([1]))
            link.pipe.run(for: .seconds(1))
        }
        #expect(server.close == nil)
        let after = try #require(link.client.connection.maximumDatagramSize)
        #expect(after > 1_300)
    }

    @Test func theSameSeedGivesTheSamePacketsAndAnotherSeedDoesNot() throws {
        func trace(seed: UInt64) throws -> [String] {
            let link = try Link(seed: seed)
            link.pipe.loss = 0.05
            let server = try #require(link.establish())
            var started = 0
            let base = link.pipe.onStep
            link.pipe.onStep = { [unowned link] in
                base()
                while started < 50, let id = link.client.connection.openStream(.unidirectional) {
                    link.client.connection.write(pattern(started * 1_000), to: id)
                    link.client.connection.finish(id)
                    started += 1
                }
            }
            #expect(link.pipe.run { server.finished.count == 50 })
            link.client.connection.close(code: 0)
            link.pipe.run(for: .seconds(1))
            return link.pipe.trace
        }
        let first = try trace(seed: 11)
        #expect(first.count > 900)
        #expect(first.contains { $0.hasSuffix("lost") })
        #expect(try trace(seed: 11) == first)
        #expect(try trace(seed: 12) != first)
    }
}
