import MoqBase
import MoqMedia
import Testing

@Suite struct MediaDecoderTests {
    @Test(arguments: Fixture.good.filter { $0.hasPrefix("bars") })
    func everyPictureCarriesItsNumber(_ name: String) throws {
        let file = try Fixture.file(name)
        let playback = try Playback(file)
        #expect(playback.faults.isEmpty)
        #expect(playback.pictures.map(\.mark) == (0..<40).map { PictureMark(frameNumber: $0) })
        let shown = file.packets.filter { $0.track == 0 }.map(\.presentation).sorted()
        #expect(playback.pictures.map(\.presentation) == shown)
        #expect(playback.pictures.allSatisfy { $0.width == file.tracks[0].format.width })
    }

    @Test func aPictureOfSeveralSlicesIsNoDamage() throws {
        let playback = try Playback(try Fixture.file("bars-h264-slices.mp4"))
        #expect(playback.faults.isEmpty)
        #expect(playback.pictures.map(\.mark) == (0..<40).map { PictureMark(frameNumber: $0) })
    }

    @Test func aPictureThatLacksASliceIsDamage() throws {
        let file = try Fixture.file("bars-h264-slices.mp4")
        let decoder = try MediaDecoder(file.tracks[0].format)
        let faults = file.packets.prefix(10).enumerated().filter { index, packet in
            let payload = index == 5 ? Self.withoutLastUnit(packet.payload) : packet.payload
            return decoder.decode(payload, presentation: packet.presentation).fault != nil
        }
        #expect(faults.map(\.offset) == [5])
    }

    /// A frame of units with lengths of four bytes before them, less the last.
    private static func withoutLastUnit(_ payload: [UInt8]) -> [UInt8] {
        var (start, next) = (0, 0)
        while next + 4 <= payload.count {
            start = next
            next += 4 + payload[next..<next + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        return Array(payload[..<start])
    }

    @Test(arguments: Fixture.good.filter { !$0.contains("480p") })
    func everySoundIsInItsStep(_ name: String) throws {
        let file = try Fixture.file(name)
        let playback = try Playback(file)
        let track = try #require(file.tracks.firstIndex { $0.format.codec.kind == .audio })
        #expect(playback.sounds.map(\.presentation) == file.packets.filter { $0.track == track }.map(\.presentation))
        var recognised = 0
        for sound in playback.sounds {
            let time = sound.presentation + file.fileTimeOfEpoch
            let length = Int64(sound.samples.count) * 1_000_000 / Int64(sound.sampleRate)
            // A frame that straddles two steps, and those with which the coder begins and ends, may be in neither.
            let margin: Int64 = 25_000
            guard time >= margin, time + length < 4_000_000 - margin else { continue }
            let step = ToneMark.step(at: time - margin)
            guard step == ToneMark.step(at: time + length + margin) else { continue }
            #expect(sound.mark?.step == step, "at \(time)")
            recognised += 1
        }
        #expect(recognised > 140)
    }

    @Test func theByteStreamFormDecodesWithoutDescription() throws {
        for name in ["bars-h264-aac.mp4", "bars-h264-reordered-aac.mp4", "bars-hevc-aac.mp4"] {
            let playback = try Playback(try Fixture.file(name).asByteStream())
            #expect(playback.faults.isEmpty)
            #expect(playback.pictures.map(\.mark) == (0..<40).map { PictureMark(frameNumber: $0) })
        }
    }

    @Test func soundDecodesWithoutDescription() throws {
        for name in ["tone-aac.mp4", "tone-opus.mp4"] {
            let file = try Fixture.file(name)
            var format = file.tracks[0].format
            format.setup = []
            let decoder = try MediaDecoder(format)
            let marks = file.packets.compactMap {
                decoder.decode($0.payload, presentation: $0.presentation).sounds.first?.mark
            }
            #expect(marks.count > 160)
        }
    }

    @Test func aGroupWhoseFirstFramesAreMissingIsAFault() throws {
        let file = try Fixture.file("bars-h264-aac.mp4")
        let decoder = try MediaDecoder(file.tracks[0].format)
        let pictures = file.packets.filter { $0.track == 0 }
        let result = decoder.decode(pictures[3].payload, presentation: pictures[3].presentation)
        #expect(result.fault != nil || result.pictures.allSatisfy { $0.mark == nil })
        decoder.reset()
        let next = decoder.decode(pictures[10].payload, presentation: pictures[10].presentation)
        #expect(next.fault == nil)
        #expect((next.pictures + decoder.finish().pictures).first?.mark == PictureMark(frameNumber: 10))
    }

    @Test func aWrongDescriptionIsRefusedOrAFault() throws {
        let file = try Fixture.file("bars-h264-aac.mp4")
        var format = file.tracks[0].format
        format.setup = [1, 2, 3]
        let fault: MediaError?
        do {
            let decoder = try MediaDecoder(format)
            fault = decoder.decode(file.packets[1].payload, presentation: 0).fault
        } catch { fault = error }
        #expect(fault != nil)
    }

    @Test func anEmptyFrameAndNonsenseAreFaultsAndTheDecoderGoesOn() throws {
        let file = try Fixture.file("bars-480p-h264.mp4")
        let decoder = try MediaDecoder(file.tracks[0].format)
        #expect(decoder.decode([], presentation: 0).fault != nil)
        #expect(decoder.decode([UInt8](repeating: 0x55, count: 500), presentation: 0).fault != nil)
        var pictures: [DecodedPicture] = []
        for packet in file.packets {
            let result = decoder.decode(packet.payload, presentation: packet.presentation)
            #expect(result.fault == nil)
            pictures += result.pictures
        }
        pictures += decoder.finish().pictures
        #expect(pictures.map(\.mark) == (0..<40).map { PictureMark(frameNumber: $0) })
    }

    /// Frames with flipped bits, cut or swapped: some decode to something, some are faults, and all end.
    @Test(arguments: ["bars-h264-opus.mp4", "bars-hevc-aac.mp4", "bars-av1-opus.mp4"])
    func damagedFramesAreFaultsOrPictures(_ name: String) throws {
        let file = try Fixture.file(name)
        var random = SeededRandom(seed: StableHash.of(name) ^ 1)
        let decoders = try file.tracks.map { try MediaDecoder($0.format) }
        var faultCount = 0
        for packet in file.packets {
            var payload = packet.payload
            for _ in 0..<Int(random.next() % 4) where !payload.isEmpty {
                payload[Int(random.next() % UInt64(payload.count))] ^= 1 << UInt8(random.next() % 8)
            }
            if random.chance(0.1) { payload.removeLast(Int(random.next() % UInt64(payload.count))) }
            if decoders[packet.track].decode(payload, presentation: packet.presentation).fault != nil {
                faultCount += 1
            }
        }
        #expect(faultCount > 0)
    }

    @Test(arguments: Fixture.good)
    func damagedDescriptionsAreRefusedOrFaults(_ name: String) throws {
        let file = try Fixture.file(name)
        var random = SeededRandom(seed: StableHash.of(name) ^ 2)
        for (number, track) in file.tracks.enumerated() {
            for _ in 0..<12 {
                var format = track.format
                if random.chance(0.3) { format.setup.removeLast(Int(random.next() % UInt64(format.setup.count))) }
                if !format.setup.isEmpty {
                    format.setup[Int(random.next() % UInt64(format.setup.count))] ^= UInt8(
                        truncatingIfNeeded: random.next())
                }
                guard let decoder = try? MediaDecoder(format) else { continue }
                for packet in file.packets.lazy.filter({ $0.track == number }).prefix(3) {
                    _ = decoder.decode(packet.payload, presentation: packet.presentation)
                }
                _ = decoder.finish()
            }
        }
    }

    @Test func aFormatIsThatOfItsCodecString() throws {
        let format = try TrackFormat(codecString: "hev1.1.6.L93.B0", width: 1280, height: 720)
        #expect(format.codec == .h265 && format.isByteStream)
        #expect(throws: MediaError.unsupportedCodec("the codec 'vp8' is none of H.264, H.265, AV1, AAC, Opus")) {
            try TrackFormat(codecString: "vp8")
        }
    }

    @Test func codecStringsNameTheirFamily() {
        #expect(MediaCodec(codecString: "avc3.42e01e") == .h264)
        #expect(MediaCodec(codecString: "hev1.1.6.L93.B0") == .h265)
        #expect(MediaCodec(codecString: "av01.0.04M.08") == .av1)
        #expect(MediaCodec(codecString: "mp4a.40.2") == .aac)
        #expect(MediaCodec(codecString: "opus") == .opus)
        #expect(MediaCodec(codecString: "vp09.00.10.08") == nil)
        #expect(MediaCodec(codecString: "") == nil)
    }
}
