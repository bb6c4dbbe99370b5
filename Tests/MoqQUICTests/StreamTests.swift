import MoqBase
import Testing

@testable import MoqQUIC

@Suite struct StreamTests {
    @Test func aMegabyteCrossesInBothDirectionsOnAllKindsOfStreams() throws {
        let link = try Link()
        let server = try #require(link.establish())
        let client = link.client
        let data = pattern(1 << 20)
        let up = try #require(client.connection.openStream(.unidirectional))
        let down = try #require(server.connection.openStream(.unidirectional))
        let both = try #require(client.connection.openStream(.bidirectional))
        #expect([up.rawValue, down.rawValue, both.rawValue] == [2, 3, 0])
        for (peer, id) in [(client, up), (server, down), (client, both)] {
            peer.connection.write(data, to: id)
            peer.connection.finish(id)
        }
        link.pipe.run { server.finished == [up, both] && client.finished == [down] }
        server.connection.write(data, to: both)
        server.connection.finish(both)
        #expect(link.pipe.run { client.finished.contains(both) })
        #expect(server.received == [up: data, both: data])
        #expect(client.received == [down: data, both: data])
        link.pipe.run(for: .seconds(1))
        for (peer, id) in [(client, up), (server, down), (client, both), (server, both)] {
            #expect(peer.has(.delivered(id)))
        }
        #expect(Set(server.opened) == [up, both])
        #expect(client.connection.streams.isEmpty)
        #expect(server.connection.streams.isEmpty)
    }

    @Test func nothingIsLostOnALinkThatLosesPackets() throws {
        let link = try Link(seed: 3)
        let server = try #require(link.establish())
        link.pipe.loss = 0.05
        let ids = (0..<20).compactMap { _ in link.client.connection.openStream(.unidirectional) }
        for (index, id) in ids.enumerated() {
            link.client.connection.write(pattern(10_000, from: index), to: id)
            link.client.connection.finish(id)
        }
        #expect(link.pipe.run { server.finished.count == 20 })
        for (index, id) in ids.enumerated() { #expect(server.received[id] == pattern(10_000, from: index)) }
        #expect(link.pipe.run { ids.allSatisfy { link.client.has(.delivered($0)) } })
    }

    @Test func anEmptyStreamArrivesAndIsDelivered() throws {
        let link = try Link()
        let server = try #require(link.establish())
        let id = try #require(link.client.connection.openStream(.unidirectional))
        link.client.connection.finish(id)
        #expect(link.pipe.run { link.client.has(.delivered(id)) })
        #expect(server.finished == [id])
    }

    @Test func anEndBehindBytesAlreadySentIsDeliveredOnlyOnceTheEndIsAcknowledged() throws {
        let link = try Link()
        let server = try #require(link.establish())
        let id = try #require(link.client.connection.openStream(.bidirectional))
        link.client.connection.write([1, 2, 3], to: id)
        link.pipe.run { server.received[id] == [1, 2, 3] }
        link.client.connection.finish(id)
        link.pipe.run(for: .milliseconds(7))
        #expect(!link.client.has(.delivered(id)))
        #expect(link.pipe.run { link.client.has(.delivered(id)) })
        #expect(server.finished == [id])
    }

    @Test func readableIsAnnouncedAgainOnlyAfterTheStreamWasEmptied() throws {
        let link = try Link()
        let server = try #require(link.establish())
        server.readsEverything = false
        let id = try #require(link.client.connection.openStream(.unidirectional))
        for step in 0..<3 {
            link.client.connection.write([UInt8(step)], to: id)
            link.pipe.run(for: .milliseconds(100))
        }
        #expect(server.events.filter { $0 == .readable(id) }.count == 1)
        #expect(server.connection.read(id, limit: 2) == QUICStreamRead(bytes: [0, 1], isFinished: false))
        #expect(server.connection.read(id, limit: 2) == QUICStreamRead(bytes: [2], isFinished: false))
        #expect(server.connection.read(id, limit: 2) == nil)
        link.client.connection.finish(id)
        link.pipe.run(for: .milliseconds(100))
        #expect(server.events.filter { $0 == .readable(id) }.count == 2)
        #expect(server.connection.read(id, limit: 2) == QUICStreamRead(bytes: [], isFinished: true))
        #expect(server.connection.read(id, limit: 2) == nil)
    }

    @Test func anUnreadStreamHoldsItsWriterBackButNoOtherStream() throws {
        var settings = QUICTransportSettings()
        settings.streamWindow = 20_000
        let link = try Link(serverSettings: settings)
        let server = try #require(link.establish())
        let client = link.client.connection
        let held = try #require(client.openStream(.unidirectional))
        let free = try #require(client.openStream(.unidirectional))
        server.unread = [held]
        let data = pattern(400_000)
        for id in [held, free] {
            client.write(data, to: id)
            client.finish(id)
        }
        #expect(link.pipe.run { server.finished == [free] })
        link.pipe.run(for: .seconds(2))
        #expect(client.unsentBytes(of: held) == data.count - 20_000)
        #expect(!client.canWrite(held))
        server.unread = []
        server.drain(held)
        #expect(link.pipe.run { server.finished == [held, free] })
        #expect(server.received[held] == data)
    }

    @Test func unreadStreamsTogetherStayWithinTheConnectionsWindow() throws {
        var settings = QUICTransportSettings()
        settings.connectionWindow = 50_000
        let link = try Link(serverSettings: settings)
        let server = try #require(link.establish())
        server.readsEverything = false
        let ids = (0..<10).compactMap { _ in link.client.connection.openStream(.unidirectional) }
        for id in ids {
            link.client.connection.write(pattern(20_000), to: id)
            link.client.connection.finish(id)
        }
        link.pipe.run(for: .seconds(2))
        let unsent = ids.map { link.client.connection.unsentBytes(of: $0) }.reduce(0, +)
        #expect(unsent == 200_000 - 50_000)
        // Stopping, resetting and reading each give the window back.
        server.readsEverything = true
        server.connection.stop(ids[0], code: 1)
        for id in server.opened.dropFirst() { server.drain(id) }
        #expect(link.pipe.run { server.finished.count == 9 })
    }

    @Test func streamsThatAreStoppedOrResetUnreadGiveTheConnectionsWindowBack() throws {
        var settings = QUICTransportSettings()
        settings.connectionWindow = 50_000
        let link = try Link(serverSettings: settings)
        let server = try #require(link.establish())
        server.readsEverything = false
        for step in 0..<20 {
            let id = try #require(link.client.connection.openStream(.unidirectional))
            link.client.connection.write(pattern(20_000), to: id)
            #expect(link.pipe.run { server.opened.contains(id) && link.client.connection.unsentBytes(of: id) == 0 })
            link.pipe.run(for: .milliseconds(100))
            if step.isMultiple(of: 2) {
                server.connection.stop(id, code: 1)
            } else {
                link.client.connection.reset(id, code: 1)
            }
            #expect(link.pipe.run { server.has(.reset(id, code: 1)) })
        }
    }

    @Test func whatIsUnreadOutlivesTheStreamOnTheWire() throws {
        let link = try Link()
        let server = try #require(link.establish())
        server.readsEverything = false
        let id = try #require(link.client.connection.openStream(.bidirectional))
        link.client.connection.write([1, 2, 3], to: id)
        link.client.connection.finish(id)
        link.pipe.run { server.opened == [id] }
        server.connection.finish(id)
        #expect(link.pipe.run { server.has(.delivered(id)) && link.client.has(.delivered(id)) })
        link.pipe.run(for: .seconds(1))
        #expect(server.connection.read(id, limit: 2) == QUICStreamRead(bytes: [1, 2], isFinished: false))
        #expect(server.connection.read(id, limit: 2) == QUICStreamRead(bytes: [3], isFinished: true))
        #expect(server.connection.streams.isEmpty)
    }

    @Test func aFullWriteBufferSaysSoAndSaysWhenItHasRoom() throws {
        var settings = QUICTransportSettings()
        settings.writeBudget = 10_000
        let link = try Link(clientSettings: settings)
        _ = try #require(link.establish())
        let client = link.client.connection
        let id = try #require(client.openStream(.unidirectional))
        client.write(pattern(9_999), to: id)
        #expect(client.canWrite(id))
        client.write([1], to: id)
        #expect(!client.canWrite(id))
        #expect(link.pipe.run { link.client.has(.writable(id)) })
        #expect(client.canWrite(id))
        link.pipe.run(for: .seconds(1))
        #expect(link.client.events.filter { $0 == .writable(id) }.count == 1)
    }

    @Test func moreStreamsThanTheLimitCrossOneAfterAnother() throws {
        var settings = QUICTransportSettings()
        settings.maximumStreamsUnidirectional = 100
        settings.maximumStreamsBidirectional = 10
        let link = try Link(serverSettings: settings)
        let server = try #require(link.establish())
        let client = link.client.connection
        var uni = 0
        var bidi = 0
        var uniBlocked = false
        let base = link.pipe.onStep
        link.pipe.onStep = {
            base()
            while uni < 2_500, let id = client.openStream(.unidirectional) {
                client.write(pattern(10), to: id)
                // Some end in a reset, some before they were heard of, and some are stopped by the reader.
                if uni % 7 == 3 { client.reset(id, code: 5) } else { client.finish(id) }
                uni += 1
            }
            uniBlocked = uniBlocked || uni == 100
            while bidi < 200, let id = client.openStream(.bidirectional) {
                client.finish(id)
                bidi += 1
            }
            for id in server.opened {
                if id.direction == .bidirectional { server.connection.finish(id) }
                if id.rawValue % 11 == 2 { server.connection.stop(id, code: 6) }
            }
        }
        #expect(link.pipe.run(for: .seconds(120)) { server.opened.count == 2_700 })
        #expect(uniBlocked)
        #expect(link.client.has(.streamsAvailable(.unidirectional)))
        #expect(link.client.has(.streamsAvailable(.bidirectional)))
        link.pipe.run(for: .seconds(5))
        #expect(client.streams.isEmpty)
        #expect(server.connection.streams.isEmpty)
        #expect(link.client.close == nil)
    }

    @Test func streamsThatNobodyReadsAreNotReplacedByOthers() throws {
        var settings = QUICTransportSettings()
        settings.maximumStreamsUnidirectional = 5
        let link = try Link(serverSettings: settings)
        let server = try #require(link.establish())
        server.readsEverything = false
        var opened: [QUICStreamID] = []
        let base = link.pipe.onStep
        link.pipe.onStep = { [unowned link] in
            base()
            while let id = link.client.connection.openStream(.unidirectional) {
                link.client.connection.finish(id)
                opened.append(id)
            }
        }
        link.pipe.run(for: .seconds(2))
        #expect(opened.count == 5)
        server.drain(opened[0])
        server.connection.stop(opened[1], code: 0)
        link.pipe.run(for: .seconds(2))
        #expect(opened.count == 7)
    }

    @Test func theMoreUrgentStreamGoesFirstAndEqualsTakeTurns() throws {
        let link = try Link()
        let server = try #require(link.establish())
        let client = link.client.connection
        let ids = (0..<4).compactMap { _ in client.openStream(.unidirectional) }
        let data = pattern(200_000)
        client.setPriority(QUICStreamPriority(urgency: 1, sequence: 7), of: ids[2])
        client.setPriority(QUICStreamPriority(urgency: 1, sequence: 8), of: ids[3])
        for id in ids {
            client.write(data, to: id)
            client.finish(id)
        }
        var order: [QUICStreamID] = []
        var halfway: [QUICStreamID: Int] = [:]
        let base = link.pipe.onStep
        link.pipe.onStep = {
            base()
            for id in ids where server.finished.contains(id) && !order.contains(id) { order.append(id) }
            if order.count == 2, halfway.isEmpty, (server.received[ids[0]]?.count ?? 0) > 100_000 {
                halfway = server.received.mapValues(\.count)
            }
        }
        #expect(link.pipe.run { order.count == 4 })
        #expect(order.prefix(2) == [ids[3], ids[2]])
        let difference = (halfway[ids[0]] ?? 0) - (halfway[ids[1]] ?? 0)
        #expect(abs(difference) < 20_000)
    }
}
