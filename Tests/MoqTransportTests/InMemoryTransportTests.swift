import MoqTransport
import Testing

@Suite struct InMemoryTransportTests {
    private func events(_ transport: InMemoryTransport) -> [String] {
        var all: [String] = []
        while let event = transport.poll() { all.append("\(event)") }
        return all
    }

    private func pair(_ change: (inout InMemoryLimits) -> Void = { _ in }) -> (InMemoryTransport, InMemoryTransport) {
        var limits = InMemoryLimits()
        change(&limits)
        let pair = InMemoryTransport.pair(
            negotiatedProtocol: "moq-lite-06", clientLimits: limits, serverLimits: limits)
        _ = events(pair.client)
        _ = events(pair.server)
        return pair
    }

    @Test func streamsAreNumberedAsOnQUIC() {
        let (client, server) = pair()
        #expect(client.openStream(.bidirectional)?.rawValue == 0)
        #expect(client.openStream(.bidirectional)?.rawValue == 4)
        #expect(client.openStream(.unidirectional)?.rawValue == 2)
        #expect(server.openStream(.bidirectional)?.rawValue == 1)
        #expect(server.openStream(.unidirectional)?.rawValue == 3)
    }

    @Test func bytesArriveInOrderWithTheirEnd() throws {
        let (client, server) = pair()
        let stream = try #require(client.openStream(.unidirectional))
        #expect(events(server).isEmpty)
        client.write([1, 2], to: stream)
        client.write([3], to: stream)
        client.finish(stream)
        client.write([4], to: stream)
        #expect(events(server) == ["streamOpened(stream 2)", "readable(stream 2)"])
        let read = try #require(server.read(stream, limit: 2))
        #expect(read.bytes == [1, 2] && !read.isFinished)
        let rest = try #require(server.read(stream, limit: 9))
        #expect(rest.bytes == [3] && rest.isFinished)
        #expect(events(client) == ["delivered(stream 2)"])
        #expect(client.openStreamCount == 0 && server.openStreamCount == 0)
    }

    @Test func readableIsSaidAgainOnlyAfterTheStreamWasEmptied() throws {
        let (client, server) = pair()
        let stream = try #require(client.openStream(.bidirectional))
        client.write([1, 2], to: stream)
        client.write([3], to: stream)
        #expect(events(server).count == 2)
        _ = server.read(stream, limit: 1)
        client.write([4], to: stream)
        #expect(events(server).isEmpty)
        _ = server.read(stream, limit: 9)
        client.write([5], to: stream)
        #expect(events(server) == ["readable(stream 0)"])
    }

    @Test func theWindowHoldsTheWriterBack() throws {
        let (client, server) = pair {
            $0.streamWindow = 10
            $0.writeBudget = 5
        }
        let stream = try #require(client.openStream(.unidirectional))
        client.write(Array(repeating: 1, count: 14), to: stream)
        #expect(client.canWrite(stream))
        client.write([1], to: stream)
        #expect(!client.canWrite(stream))
        #expect(server.read(stream, limit: 3)?.bytes.count == 3)
        #expect(events(client) == ["writable(stream 2)"])
        #expect(server.read(stream, limit: 99)?.bytes.count == 10)
        #expect(server.read(stream, limit: 99)?.bytes.count == 2)
        #expect(server.read(stream, limit: 99) == nil)
    }

    @Test func aResetDropsWhatWasNotRead() throws {
        let (client, server) = pair()
        let stream = try #require(client.openStream(.unidirectional))
        client.write([1], to: stream)
        client.reset(stream, code: .code(7))
        #expect(events(server).last == "reset(stream 2, 7)")
        #expect(server.read(stream, limit: 9) == nil)
        #expect(client.openStreamCount == 0 && server.openStreamCount == 0)
    }

    @Test func aStopEndsTheOtherSidesHalf() throws {
        let (client, server) = pair()
        let stream = try #require(client.openStream(.bidirectional))
        client.write([1], to: stream)
        server.stop(stream, code: .unmapped(raw: 0))
        #expect(events(client) == ["stopped(stream 0, unmapped 0x0)"])
        #expect(!client.canWrite(stream))
        server.write([9], to: stream)
        #expect(client.read(stream, limit: 9)?.bytes == [9])
        server.finish(stream)
        #expect(client.read(stream, limit: 9)?.isFinished == true)
        #expect(client.openStreamCount == 0 && server.openStreamCount == 0)
    }

    @Test func theStreamLimitIsKeptAndCreditComesBack() throws {
        let (client, server) = pair { $0.unidirectionalStreams = 1 }
        let stream = try #require(client.openStream(.unidirectional))
        #expect(client.openStream(.unidirectional) == nil)
        #expect(client.openStream(.bidirectional) != nil)
        client.finish(stream)
        _ = events(client)
        #expect(server.read(stream, limit: 9)?.isFinished == true)
        #expect(events(client) == ["streamsAvailable(MoqTransport.StreamDirection.unidirectional)"])
        #expect(client.openStream(.unidirectional)?.rawValue == 6)
    }

    @Test func datagramsAreBounded() {
        let (client, server) = pair {
            $0.datagramSize = 3
            $0.waitingDatagrams = 2
        }
        #expect(client.maximumDatagramSize == 3)
        #expect(!client.sendDatagram([1, 2, 3, 4]))
        #expect(client.sendDatagram([1]) && client.sendDatagram([2]) && !client.sendDatagram([3]))
        #expect(events(server).count == 2)
        #expect(client.sendDatagram([4]))
    }

    @Test func aCloseIsToldToBothAndNothingFollows() throws {
        let (client, server) = pair()
        let stream = try #require(client.openStream(.unidirectional))
        server.close(code: 5, reason: "why")
        client.write([1], to: stream)
        #expect(client.openStream(.bidirectional) == nil)
        #expect(!client.sendDatagram([1]))
        #expect(events(client) == ["closed(closed by the peer with code 5 (why))"])
        #expect(events(server) == ["closed(closed here with code 5 (why))"])
        client.close(code: 6, reason: "")
        #expect(events(client).isEmpty && events(server).isEmpty)
    }
}
