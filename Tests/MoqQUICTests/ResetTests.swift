import MoqBase
import Testing

@testable import MoqQUIC

@Suite struct ResetTests {
    private static let codes: [UInt64] = [0, 1, 13, 0x52E4_A40F_A8DB, VarInt.maximum]

    @Test(arguments: codes) func aResetArrivesWithItsCodeWhateverWasSentBefore(code: UInt64) throws {
        let link = try Link()
        let server = try #require(link.establish())
        let client = link.client.connection
        let silent = try #require(client.openStream(.unidirectional))
        let spoken = try #require(client.openStream(.bidirectional))
        client.write(pattern(5_000), to: spoken)
        link.pipe.run { server.received[spoken]?.count == 5_000 }
        client.reset(silent, code: code)
        client.reset(spoken, code: code)
        #expect(link.pipe.run { server.has(.reset(silent, code: code)) && server.has(.reset(spoken, code: code)) })
        #expect(Set(server.opened) == [silent, spoken])
        #expect(!client.canWrite(spoken))
        // The other half still works.
        server.connection.write([7], to: spoken)
        server.connection.finish(spoken)
        #expect(link.pipe.run { link.client.finished == [spoken] })
        link.pipe.run(for: .seconds(1))
        #expect(client.streams.isEmpty && server.connection.streams.isEmpty)
    }

    @Test(arguments: codes) func aStopArrivesWithItsCodeAndIsAnsweredByAReset(code: UInt64) throws {
        let link = try Link()
        let server = try #require(link.establish())
        let client = link.client.connection
        for direction in [QUICStreamDirection.unidirectional, .bidirectional] {
            let id = try #require(client.openStream(direction))
            client.write(pattern(100), to: id)
            link.pipe.run { server.received[id]?.count == 100 }
            server.connection.stop(id, code: code)
            #expect(link.pipe.run { link.client.has(.stopped(id, code: code)) })
            #expect(!client.canWrite(id))
            client.write([1], to: id)
            client.finish(id)
            #expect(link.pipe.run { server.has(.reset(id, code: code)) })
            #expect(server.received[id]?.count == 100)
            #expect(!link.client.has(.delivered(id)))
            server.connection.finish(id)
        }
        link.pipe.run(for: .seconds(1))
        #expect(client.streams.isEmpty && server.connection.streams.isEmpty)
    }

    @Test func aStopIsReportedOnceThoughItsPacketIsLostAndRepeated() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            let link = try Link(seed: seed)
            let server = try #require(link.establish())
            let client = link.client.connection
            link.pipe.loss = 0.3
            let ids = (0..<10).compactMap { _ in client.openStream(.unidirectional) }
            for id in ids { client.write(pattern(3_000), to: id) }
            #expect(link.pipe.run { server.opened.count == 10 })
            for (index, id) in ids.enumerated() { server.connection.stop(id, code: UInt64(index)) }
            #expect(link.pipe.run { ids.indices.allSatisfy { link.client.has(.stopped(ids[$0], code: UInt64($0))) } })
            link.pipe.run(for: .seconds(5))
            for (index, id) in ids.enumerated() {
                #expect(link.client.events.filter { $0 == .stopped(id, code: UInt64(index)) }.count == 1)
                #expect(server.events.filter { $0 == .reset(id, code: UInt64(index)) }.count == 1)
            }
            #expect(link.client.close == nil && server.close == nil)
        }
    }

    @Test func aStopOfAStreamWhoseEndHasArrivedIsNotHeardOf() throws {
        let link = try Link()
        let server = try #require(link.establish())
        server.readsEverything = false
        let id = try #require(link.client.connection.openStream(.unidirectional))
        link.client.connection.write([1], to: id)
        link.client.connection.finish(id)
        #expect(link.pipe.run { link.client.has(.delivered(id)) })
        server.connection.stop(id, code: 3)
        link.pipe.run(for: .seconds(1))
        #expect(!link.client.has(.stopped(id, code: 3)))
        #expect(server.connection.read(id, limit: 10) == nil)
    }

    @Test func aResetAfterEverythingArrivedTakesNothingAway() throws {
        let link = try Link()
        let server = try #require(link.establish())
        server.readsEverything = false
        let id = try #require(link.client.connection.openStream(.unidirectional))
        link.client.connection.write([1, 2], to: id)
        link.client.connection.finish(id)
        // The end is on its way, its acknowledgement is not back.
        link.pipe.run(for: .milliseconds(7))
        link.client.connection.reset(id, code: 9)
        link.pipe.run(for: .seconds(1))
        #expect(server.connection.read(id, limit: 10) == QUICStreamRead(bytes: [1, 2], isFinished: true))
        #expect(!server.has(.reset(id, code: 9)))
    }

    @Test func whatIsUnreadIsGoneAfterAReset() throws {
        let link = try Link()
        let server = try #require(link.establish())
        server.readsEverything = false
        let id = try #require(link.client.connection.openStream(.unidirectional))
        link.client.connection.write([1, 2], to: id)
        link.pipe.run(for: .seconds(1))
        link.client.connection.reset(id, code: 9)
        #expect(link.pipe.run { server.has(.reset(id, code: 9)) })
        #expect(server.connection.read(id, limit: 10) == nil)
    }
}

@Suite struct FrameWalkTests {
    private func stops(_ bytes: [UInt8]) -> [FrameWalk.Stop] {
        var found: [FrameWalk.Stop] = []
        bytes.withUnsafeBufferPointer { FrameWalk.stops(in: $0) { found.append($0) } }
        return found
    }

    private static let stop: [UInt8] = [0x05, 0x06, 0x41, 0x00]

    @Test func aStopIsFoundBehindEveryKindOfFrame() {
        let frames: [[UInt8]] = [
            [], [0, 0, 0], [0x01], [0x1E],
            [0x02, 0x40, 0x64, 0x00, 0x01, 0x02, 0x00, 0x01],  // ACK with one more range
            [0x03, 0x05, 0x00, 0x00, 0x02, 0x01, 0x01, 0x01],  // ACK with ECN
            [0x04, 0x02, 0x01, 0x05], [0x05, 0x09, 0x09], [0x06, 0x00, 0x02, 0xAA, 0xBB], [0x07, 0x01, 0xCC],
            [0x0A, 0x04, 0x01, 0xFF], [0x0E, 0x04, 0x08, 0x02, 0xFF, 0xFF], [0x0B, 0x04, 0x00],
            [0x10, 0x01], [0x11, 0x01, 0x02], [0x12, 0x01], [0x13, 0x01], [0x14, 0x01], [0x15, 0x01, 0x02],
            [0x16, 0x01], [0x17, 0x01], [0x19, 0x01],
            [0x18, 0x01, 0x00, 0x04] + [UInt8](repeating: 1, count: 20),
            [0x1A] + [UInt8](repeating: 2, count: 8), [0x1B] + [UInt8](repeating: 2, count: 8), [0x31, 0x01, 0x05],
        ]
        for frame in frames {
            #expect(stops(frame + Self.stop).last == FrameWalk.Stop(stream: 6, code: 256), "behind \(frame)")
        }
    }

    @Test func nothingIsReportedFromFramesThatTakeTheRestOrAreUnknown() {
        for frame: [UInt8] in [
            [0x08, 0x04], [0x0D, 0x04, 0x01], [0x30], [0x1C, 0x00], [0x1D, 0x00], [0x40, 0x52], [0x2F],
        ] {
            #expect(stops(frame + Self.stop).isEmpty, "behind \(frame)")
        }
    }

    @Test func theWalkEndsAtTheEndOfTheBytesHoweverTheyAreCut() {
        var random = SeededRandom(seed: 4)
        let whole: [UInt8] = [0x02, 0x05, 0x00, 0xBF, 0xFF, 0xFF, 0xFF, 0x00] + Self.stop
        for count in 0...whole.count { #expect(stops(Array(whole.prefix(count))).isEmpty) }
        for count in 0..<Self.stop.count { #expect(stops(Array(Self.stop.prefix(count))).isEmpty) }
        for _ in 0..<20_000 { _ = stops(random.bytes(Int(random.next() % 40))) }
    }
}
