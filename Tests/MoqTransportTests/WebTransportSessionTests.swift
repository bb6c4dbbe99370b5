import MoqBase
import MoqHTTP3
import MoqQUIC
import Testing

@testable import MoqTransport

/// Two sessions of ours with each other.
@Suite struct WebTransportSessionTests {
    @Test func aSessionCarriesStreamsDatagramsAndItsFacts() throws {
        let pipe = try WebTransportPipe()
        pipe.run()
        let client = try #require(pipe.client)
        let server = try #require(pipe.server)
        guard case .established = pipe.clientEvents.first, case .established = pipe.serverEvents.first else {
            Issue.record("not established: \(pipe.clientEvents) \(pipe.serverEvents)")
            return
        }
        // Nothing of HTTP/3's own streams is seen.
        #expect(pipe.clientEvents.count == 1 && pipe.serverEvents.count == 1)
        #expect(client.kind == .webtransport && client.role == .client && server.role == .server)
        #expect(client.negotiatedProtocol == "moq-lite-06" && server.negotiatedProtocol == "moq-lite-06")
        #expect(client.requestPath == "/room?jwt=abc" && server.requestPath == "/room?jwt=abc")
        #expect(client.peerSettings?[0x2B60_3742] == 1 && server.peerSettings?[0x8] == 1)
        #expect(server.remoteAddress == .loopback(port: 2) && client.pathEstimate != nil)

        let up = try #require(client.openStream(.bidirectional))
        let down = try #require(server.openStream(.unidirectional))
        #expect(up.direction == .bidirectional && up.initiator == .client && down.initiator == .server)
        client.setPriority(.control, of: up)
        client.write([1, 2, 3], to: up)
        client.finish(up)
        server.write([4], to: down)
        pipe.run()
        let read = try #require(server.read(up, limit: 10))
        #expect(read.bytes == [1, 2, 3] && read.isFinished)
        #expect(pipe.serverEvents.contains { if case .streamOpened(up) = $0 { true } else { false } })
        #expect(pipe.clientEvents.contains { if case .delivered(up) = $0 { true } else { false } })
        #expect(try #require(client.read(down, limit: 10)).bytes == [4])
        #expect(client.read(down, limit: 10) == nil)
        server.write([5], to: down)
        server.write([9, 9], to: up)
        server.finish(up)
        pipe.run()
        #expect(try #require(client.read(down, limit: 10)).bytes == [5])
        let answer = try #require(client.read(up, limit: 10))
        #expect(answer.bytes == [9, 9] && answer.isFinished)
    }

    @Test func datagramsCarryTheSessionThatNobodySees() throws {
        let pipe = try WebTransportPipe()
        pipe.run()
        let client = try #require(pipe.client)
        let largest = try #require(client.maximumDatagramSize)
        #expect(largest + 1 == client.connection.maximumDatagramSize)
        #expect(client.sendDatagram([7, 8]))
        #expect(client.sendDatagram([UInt8](repeating: 1, count: largest)))
        #expect(!client.sendDatagram([UInt8](repeating: 1, count: largest + 1)))
        #expect(try #require(pipe.server).sendDatagram([]))
        pipe.run()
        let arrived = pipe.serverEvents.compactMap { if case .datagram(let bytes) = $0 { bytes } else { nil } }
        #expect(arrived.map(\.count) == [2, largest] && arrived.first == [7, 8])
        #expect(pipe.clientEvents.contains { if case .datagram([]) = $0 { true } else { false } })
    }

    @Test func anEndRightBehindThePrefixIsAnEnd() throws {
        let pipe = try WebTransportPipe()
        pipe.run()
        let id = try #require(pipe.client?.openStream(.unidirectional))
        pipe.client?.finish(id)
        pipe.run()
        #expect(pipe.serverEvents.contains { if case .readable(id) = $0 { true } else { false } })
        let read = try #require(pipe.server?.read(id, limit: 10))
        #expect(read.bytes.isEmpty && read.isFinished)
        #expect(pipe.server?.read(id, limit: 10) == nil)
    }

    @Test func aStreamWithNothingButItsPrefixIsOpenedAndNotReadable() throws {
        let pipe = try WebTransportPipe()
        pipe.run()
        let id = try #require(pipe.server?.openStream(.bidirectional))
        pipe.run()
        #expect(pipe.clientEvents.contains { if case .streamOpened(id) = $0 { true } else { false } })
        #expect(!pipe.clientEvents.contains { if case .readable(id) = $0 { true } else { false } })
        pipe.server?.write([1], to: id)
        pipe.run()
        #expect(pipe.clientEvents.contains { if case .readable(id) = $0 { true } else { false } })
    }

    @Test(arguments: [.code(13), .code(30), .code(0xFFFF_FFFF), .unmapped(raw: 0), .unmapped(raw: 24)] as [StreamCode])
    func resetsAndStopsArriveWithTheirCodes(code: StreamCode) throws {
        let pipe = try WebTransportPipe()
        pipe.run()
        let client = try #require(pipe.client)
        let server = try #require(pipe.server)
        let ids = (0..<2).compactMap { _ in client.openStream(.unidirectional) }
        for id in ids { client.write([1], to: id) }
        pipe.run()
        client.reset(ids[0], code: code)
        server.stop(ids[1], code: code)
        pipe.run()
        #expect(pipe.serverEvents.contains { if case .reset(ids[0], code) = $0 { true } else { false } })
        #expect(pipe.clientEvents.contains { if case .stopped(ids[1], code) = $0 { true } else { false } })
        #expect(pipe.serverEvents.contains { if case .reset(ids[1], code) = $0 { true } else { false } })
    }

    @Test func aFullBufferIsToldAndSoIsItsRoom() throws {
        let pipe = try WebTransportPipe()
        pipe.run()
        let client = try #require(pipe.client)
        let id = try #require(client.openStream(.unidirectional))
        #expect(client.canWrite(id))
        client.write([UInt8](repeating: 3, count: 400 << 10), to: id)
        #expect(!client.canWrite(id))
        pipe.run()
        #expect(client.canWrite(id))
        #expect(pipe.clientEvents.contains { if case .writable(id) = $0 { true } else { false } })
        var count = 0
        while let read = pipe.server?.read(id, limit: 1 << 20), !read.bytes.isEmpty { count += read.bytes.count }
        #expect(count == 400 << 10)
    }

    @Test func theLimitOnStreamsIsToldAndLifted() throws {
        let pipe = try WebTransportPipe(streams: 3)
        pipe.run()
        let client = try #require(pipe.client)
        let ids = (0..<3).compactMap { _ in client.openStream(.bidirectional) }
        // The CONNECT is one of the three.
        #expect(ids.count == 2)
        for id in ids {
            client.finish(id)
            client.stop(id, code: .code(0))
        }
        pipe.run()
        for id in ids {
            _ = pipe.server?.read(id, limit: 10)
            pipe.server?.finish(id)
        }
        pipe.run()
        #expect(
            pipe.clientEvents.contains { if case .streamsAvailable(.bidirectional) = $0 { true } else { false } })
        #expect(client.openStream(.bidirectional) != nil)
    }

    @Test func theStreamsOfHTTPCannotBeTouched() throws {
        let pipe = try WebTransportPipe()
        pipe.run()
        let client = try #require(pipe.client)
        for number in [0, 2, 3] as [UInt64] {
            let id = StreamID(rawValue: number)
            client.write([1, 2, 3], to: id)
            client.finish(id)
            client.reset(id, code: .code(1))
            client.stop(id, code: .code(1))
            #expect(!client.canWrite(id) && client.read(id, limit: 10) == nil)
        }
        pipe.run()
        #expect(pipe.clientClose == nil && pipe.serverClose == nil)
    }

    @Test func theSameSeedGivesTheSameEvents() throws {
        func trace() throws -> String {
            let pipe = try WebTransportPipe()
            pipe.run()
            for _ in 0..<20 {
                guard let id = pipe.client?.openStream(.unidirectional) else { continue }
                pipe.client?.write([1], to: id)
                if id.rawValue % 8 == 6 { pipe.client?.finish(id) }
            }
            pipe.run()
            pipe.server?.close(code: 1, reason: "over")
            pipe.run()
            return "\(pipe.clientEvents) \(pipe.serverEvents)"
        }
        #expect(try trace() == trace())
    }

    // MARK: Choosing a protocol

    @Test(
        arguments: [
            (["moq-lite-06", "moq-lite-05"], ["moq-lite-05", "moq-lite-06"], "moq-lite-06"),
            (["moq-lite-05", "moq-lite-06"], ["moq-lite-06", "moq-lite-05"], "moq-lite-05"),
            (["bogus", "moql"], ["moql"], "moql"),
            (["bogus", "moql"], ["moq-lite-06"], nil),
            ([], ["moq-lite-06"], nil),
        ] as [([String], [String], String?)])
    func theClientsOrderDecides(offered: [String], served: [String], chosen: String?) throws {
        let pipe = try WebTransportPipe(offering: offered, serving: served)
        pipe.run()
        #expect(pipe.client?.negotiatedProtocol == chosen)
        #expect(pipe.server?.negotiatedProtocol == chosen)
        #expect(pipe.clientClose == nil && pipe.serverClose == nil)
        #expect(pipe.client?.openStream(.bidirectional) != nil)
    }

    @Test func aClientThatNeedsANameRefusesASessionWithoutOne() throws {
        let pipe = try WebTransportPipe(offering: ["moq-lite-04"], serving: ["moq-lite-06"])
        pipe.run()
        #expect(pipe.clientClose?.cause == .refused(.noProtocol))
        #expect(pipe.serverClose?.cause == .application(code: 0))
        #expect(pipe.clientEvents.count == 1)
    }

    // MARK: Closing

    @Test(arguments: [true, false]) func aCloseArrivesWithItsCodeAndItsWords(fromClient: Bool) throws {
        let pipe = try WebTransportPipe()
        pipe.run()
        let closer = try #require(fromClient ? pipe.client : pipe.server)
        let id = try #require(closer.openStream(.unidirectional))
        closer.close(code: 2, reason: "unauthorized")
        closer.close(code: 3, reason: "again")
        pipe.run()
        let there = fromClient ? pipe.serverClose : pipe.clientClose
        let here = fromClient ? pipe.clientClose : pipe.serverClose
        #expect(there == SessionClose(initiator: .peer, cause: .application(code: 2), reason: "unauthorized"))
        #expect(here == SessionClose(initiator: .local, cause: .application(code: 2), reason: "unauthorized"))
        closer.write([1], to: id)
        #expect(!closer.canWrite(id) && closer.openStream(.bidirectional) == nil && !closer.sendDatagram([1]))
        for events in [pipe.clientEvents, pipe.serverEvents] {
            guard case .closed = events.last else {
                Issue.record("something follows the close: \(events)")
                continue
            }
        }
    }

    @Test func theCloseIsAPlainCapsuleAndAMappedCloseOfQUIC() throws {
        let pipe = try WebTransportPipe(offering: nil)
        pipe.run()
        PlainStep.uni(Plain.control).perform(on: pipe.clientConnection)
        PlainStep.bidi(Plain.connect()).perform(on: pipe.clientConnection)
        pipe.run()
        pipe.server?.close(code: 42, reason: "bye")
        pipe.run()
        let read = try #require(pipe.clientConnection.read(QUICStreamID(rawValue: 0), limit: 1000))
        // DATA of 10 bytes: type 0x2843, length 7, code, reason.
        let capsule: [UInt8] = [0x00, 0x0A, 0x68, 0x43, 0x07, 0, 0, 0, 42] + Array("bye".utf8)
        #expect(read.bytes.suffix(capsule.count) == capsule[...] && read.isFinished)
        #expect(
            pipe.quicClose
                == QUICClose(initiator: .peer, cause: .application(code: 0x52E4_A40F_A8DB + 43), reason: "bye"))
    }

    @Test func aLongReasonIsCutBetweenCharacters() throws {
        let pipe = try WebTransportPipe()
        pipe.run()
        pipe.server?.close(code: 1, reason: "a" + String(repeating: "é", count: 600))
        pipe.run()
        #expect(pipe.clientClose?.reason == "a" + String(repeating: "é", count: 255))
    }

    @Test func closingBeforeThereIsASessionEndsTheConnection() throws {
        let pipe = try WebTransportPipe(serving: nil)
        pipe.run()
        pipe.client?.close(code: 5, reason: "enough")
        pipe.run()
        #expect(pipe.clientClose?.cause == .application(code: 5))
        #expect(pipe.quicClose?.cause == .application(code: HTTP3Code.noError.rawValue))
    }
}
