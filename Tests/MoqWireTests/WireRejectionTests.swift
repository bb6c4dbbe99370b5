import MoqBase
import Testing

@testable import MoqWire

/// What a decoder must refuse, and what it must take, by the rules of the versions.
@Suite struct WireRejectionTests {
    private func raw(_ hex: String, type: UInt64? = nil) throws -> RawMessage {
        RawMessage(type: type, body: try #require(Hexadecimal.decode(hex)))
    }

    @Test func aTextThatIsNotUTF8IsRefusedWithItsField() throws {
        let request = try raw("02fffe")
        #expect(throws: WireError.invalidUTF8(WireField("ANNOUNCE_REQUEST", "prefix"))) {
            try AnnounceRequest.decode(request, version: .lite06)
        }
        let track = try raw("0161" + "01ff")
        #expect(throws: WireError.invalidUTF8(WireField("TRACK", "track"))) {
            try TrackRequest.decode(track, version: .lite06)
        }
        let setup = try raw("01" + "0201ff")
        #expect(throws: WireError.invalidUTF8(WireField("SETUP", "path"))) { try Setup.decode(setup, version: .lite05) }
    }

    @Test func aPathOf33PartsIsRefusedAnd32AreTaken() throws {
        func request(_ parts: Int) -> RawMessage {
            var writer = ByteWriter()
            writer.string(Array(repeating: "a", count: parts).joined(separator: "/"))
            return RawMessage(body: writer.bytes)
        }
        #expect(try AnnounceRequest.decode(request(32), version: .lite06).prefix.partCount == 32)
        #expect(throws: WireError.tooMany(WireField("ANNOUNCE_REQUEST", "prefix"), count: 33, limit: 32)) {
            try AnnounceRequest.decode(request(33), version: .lite06)
        }
    }

    @Test(arguments: Version.allCases.filter(\.hasHops))
    func aListOf33HopsIsRefusedAnd32AreTaken(version: Version) throws {
        func announcement(_ count: Int) -> RawMessage {
            var writer = ByteWriter()
            if !version.hasAnnounceIDs { writer.byte(1) }
            if version.hasBorrowedRoutes { writer.append([0, 0]) }
            writer.string("a")
            // No epoch, and no lender of hops.
            if version.hasEpochs { writer.append([0, 0]) }
            writer.varint(UInt64(count))
            if version.hasHopIDs { for id in 0..<count { writer.varint(UInt64(id)) } }
            if version.hasBorrowedRoutes { writer.byte(0) }
            if version.hasCosts { writer.byte(0) }
            if version.hasColdCost { writer.byte(0) }
            return RawMessage(type: version.hasAnnounceIDs ? 0 : nil, body: writer.bytes)
        }
        _ = try Announcement.decode(announcement(32), version: version)
        #expect(throws: WireError.self) { try Announcement.decode(announcement(33), version: version) }
    }

    @Test func aHopTwiceInOneListIsRefusedOn06Only() throws {
        let start = try raw("0161" + "020707" + "0000", type: 0)
        #expect(throws: WireError.repeated(WireField("ANNOUNCE_START", "hops"), value: 7)) {
            try Announcement.decode(start, version: .lite06)
        }
        let unknownTwice = try raw("0161" + "020000" + "0000", type: 0)
        _ = try Announcement.decode(unknownTwice, version: .lite06)
        _ = try Announcement.decode(try raw("01" + "0161" + "020707"), version: .lite05)
    }

    @Test func aRestartIsReadOn05AndAnUnknownStatusNowhere() throws {
        let restart = try raw("02" + "0161" + "00")
        #expect(try Announcement.decode(restart, version: .lite05) == .restart(BroadcastPath("a"), hops: .empty))
        #expect(throws: WireError.illegal(WireField("ANNOUNCE", "status"), value: 2, rule: "0 or 1")) {
            try Announcement.decode(restart, version: .lite04)
        }
        let unknown = try raw("03" + "0161" + "00")
        #expect(throws: WireError.self) { try Announcement.decode(unknown, version: .lite05) }
    }

    @Test func theHopsOfAnEndedAnnouncementAreNotLookedAt() throws {
        let ended = try raw("00" + "0161" + "020708")
        #expect(try Announcement.decode(ended, version: .lite04) == .ended(BroadcastPath("a")))
    }

    @Test func aRepeatedSetupParameterAndTooManyAreRefused() throws {
        #expect(throws: WireError.repeated(WireField("SETUP", "parameter id"), value: 5)) {
            try Setup.decode(try raw("02" + "050107" + "050108"), version: .lite06)
        }
        #expect(throws: WireError.repeated(WireField("SETUP", "parameter id"), value: 9)) {
            try Setup.decode(try raw("02" + "0900" + "0900"), version: .lite06)
        }
        func setup(_ count: Int) throws -> Setup {
            var writer = ByteWriter()
            writer.varint(UInt64(count))
            for index in 0..<count {
                writer.varint(UInt64(100 + index))
                writer.varint(0)
            }
            return try Setup.decode(RawMessage(body: writer.bytes), version: .lite05)
        }
        #expect(try setup(64).parameters.count == 64)
        #expect(throws: WireError.tooMany(WireField("SETUP", "parameters"), count: 65, limit: 64)) { try setup(65) }
    }

    @Test func aSetupNumberWithSpareBytesIsRefused() throws {
        #expect(throws: WireError.spareBytes(message: "SETUP hop parameter", count: 1)) {
            try Setup.decode(try raw("01" + "05020700"), version: .lite06)
        }
        #expect(throws: WireError.truncated(WireField("SETUP hop parameter", "value"))) {
            try Setup.decode(try raw("01" + "0500"), version: .lite06)
        }
    }

    @Test func setupParametersReadAsTheirMeaning() throws {
        let all = try Setup.decode(try raw("05" + "010109" + "0200" + "030109" + "040100" + "050100"), version: .lite06)
        #expect(all.probe == .increase)
        #expect(all.path == nil)
        #expect(all.role == nil)
        #expect(all.cost == 0)
        #expect(all.hop == nil)
        let none = Setup()
        #expect(none.probe == .none)
        #expect(none.cost == 1)
        let some = Setup(probe: .report, path: "/x", role: .subscriber, cost: 3, hop: 9)
        #expect(try Setup.decode(some.raw(version: .lite05), version: .lite05) == some)
        #expect(some.role == .subscriber)
    }

    @Test func aTimescaleOfZeroIsRefusedBothWays() throws {
        #expect(throws: WireError.illegal(WireField("TRACK_INFO", "timescale"), value: 0, rule: "at least 1")) {
            try TrackInfo.decode(try raw("000000"), version: .lite06)
        }
        #expect(throws: WireError.self) { try TrackInfo(timescale: 0).encode(version: .lite06) }
    }

    @Test func anyByteButZeroMeansOrdered() throws {
        #expect(try TrackInfo.decode(try raw("00" + "ff" + "00" + "01"), version: .lite05).ordered)
    }

    @Test func frameBoundsMustFitTheirGroupBounds() throws {
        // Priority, max age, group start, group end, frame start, frame end.
        #expect(throws: WireError.self) { try SubscribeUpdate.decode(try raw("000000000003"), version: .lite06) }
        let floored = try SubscribeUpdate.decode(try raw("000000000200"), version: .lite06)
        #expect(floored.options.frameStart == 2)
        #expect(throws: WireError.self) { try Fetch.decode(try raw("0161016100" + "05" + "0302"), version: .lite06) }
        let oneFrame = try Fetch.decode(try raw("0161016100" + "05" + "0304"), version: .lite06)
        #expect(oneFrame.frameEnd == 3)
    }

    @Test func anAnswerOfAnUnknownTypeIsRefusedAndAnAnnouncementIsPassedOver() throws {
        #expect(throws: WireError.unknownType(message: "SUBSCRIBE answer", type: 3)) {
            try SubscribeAnswer.decode(try raw("00", type: 3), version: .lite06)
        }
        #expect(throws: WireError.unknownType(message: "SUBSCRIBE answer", type: 2)) {
            try SubscribeAnswer.decode(try raw("000000", type: 2), version: .lite04)
        }
        #expect(try Announcement.decode(try raw("0102", type: 3), version: .lite06) == .unknown(type: 3, body: [1, 2]))
    }

    @Test func aGoawayWithALongURIIsRefused() throws {
        let long = Goaway(uri: String(repeating: "a", count: 8193))
        let expected = WireError.tooLarge(WireField("GOAWAY", "URI"), size: 8193, limit: 8192)
        #expect(throws: expected) { try long.encode(version: .lite06) }
        var writer = ByteWriter()
        writer.string(long.uri)
        #expect(throws: expected) { try Goaway.decode(RawMessage(body: writer.bytes), version: .lite06) }
    }

    @Test func whatAVersionLacksIsNeitherWrittenNorRead() throws {
        #expect(throws: WireError.notInVersion(WireField("TRACK", "the message"), .lite04)) {
            try TrackRequest(broadcast: .empty, track: "t").encodeStream(version: .lite04)
        }
        #expect(throws: WireError.notInVersion(WireField("GOAWAY", "the message"), .lite03)) {
            var decoder = MessageDecoder()
            decoder.feed([1, 0])
            return try decoder.next(Goaway.self, version: .lite03)
        }
        #expect(throws: WireError.notInVersion(WireField("GROUP", "frame start"), .lite05)) {
            try GroupHeader(subscribeID: 0, sequence: 0, frameStart: 1).encode(version: .lite05)
        }
        #expect(throws: WireError.notInVersion(WireField("SUBSCRIBE_UPDATE", "frame end"), .lite05)) {
            try SubscribeUpdate(options: SubscribeOptions(groupEnd: 1, frameEnd: 1)).encode(version: .lite05)
        }
        #expect(throws: WireError.notInVersion(WireField("ANNOUNCE", "end"), .lite05)) {
            try Announcement.end(id: 0).encode(version: .lite05)
        }
        #expect(throws: WireError.notInVersion(WireField("ANNOUNCE", "active"), .lite06)) {
            try Announcement.active(.empty, hops: .empty).encode(version: .lite06)
        }
        #expect(throws: WireError.self) { try SubscribeAnswer.ok(SubscribeOptions()).encode(version: .lite05) }
        #expect(throws: WireError.self) { try SubscribeAnswer.end(group: 1).encode(version: .lite04) }
        #expect(throws: WireError.self) { try Datagram.decode([0, 0, 0], version: .lite04) }
        #expect(throws: WireError.notInVersion(WireField("SUBSCRIBE", "group start"), .lite02)) {
            try Subscribe(id: 0, broadcast: .empty, track: "t", options: SubscribeOptions(groupStart: 4))
                .encode(version: .lite02)
        }
        #expect(throws: WireError.notInVersion(WireField("SUBSCRIBE", "group end"), .lite01)) {
            try Subscribe(id: 0, broadcast: .empty, track: "t", options: SubscribeOptions(groupEnd: 4))
                .encode(version: .lite01)
        }
        #expect(throws: WireError.self) { try SubscribeUpdate(options: .init()).encode(version: .lite02) }
        #expect(throws: WireError.self) {
            try SubscribeAnswer.drop(start: 0, end: 1, code: 0).encode(version: .lite07)
        }
        #expect(throws: WireError.self) { try ClientSetup(versions: []).encode(version: .lite03) }
        #expect(throws: WireError.self) { try SessionInfo(bitrate: 1).encode(version: .lite03) }
        let epoch = Epoch([UInt8](repeating: 1, count: 16))
        #expect(throws: WireError.notInVersion(WireField("TRACK", "epoch"), .lite06)) {
            try TrackRequest(broadcast: .empty, epoch: epoch, track: "t").encode(version: .lite06)
        }
    }

    @Test func numbersThatDoNotFitAreRefusedWhenWriting() throws {
        #expect(throws: WireError.self) { try AnnounceOK(hop: 1 << 62, activeCount: 0).encode(version: .lite05) }
        let last = SubscribeOptions(groupEnd: VarInt.maximum)
        #expect(throws: WireError.self) { try SubscribeUpdate(options: last).encode(version: .lite06) }
    }

    @Test func aDatagramCutInsideItsHeadIsRefusedAndMayBeEmptyBehindIt() throws {
        for bytes: [UInt8] in [[], [7], [7, 42], [7, 42, 0x43]] {
            #expect(throws: WireError.self) { try Datagram.decode(bytes, version: .lite06) }
        }
        #expect(try Datagram.decode([7, 42, 0], version: .lite06).payload.isEmpty)
    }

    @Test func errorsSayWhichFieldAndWhatIsAllowed() {
        #expect(
            WireError.illegal(WireField("TRACK_INFO", "timescale"), value: 0, rule: "at least 1").description
                == "TRACK_INFO: timescale is 0, but must be at least 1")
        #expect(WireError.endedInside(message: "FRAME").condition == .wrongSize)
        #expect(WireError.truncated(WireField("GROUP", "sequence")).condition == .malformed)
    }
}
