import MoqMedia
import Testing

@Suite struct MediaFileTests {
    @Test(arguments: [
        ("bars-h264-aac.mp4", ["avc1.64000a", "mp4a.40.2"], [40, 189]),
        ("bars-h264-opus.mp4", ["avc1.64000a", "opus"], [40, 201]),
        ("bars-h264-reordered-aac.mp4", ["avc1.64000a", "mp4a.40.2"], [40, 189]),
        ("bars-hevc-aac.mp4", ["hvc1.1.6.L30.90", "mp4a.40.2"], [40, 189]),
        ("bars-av1-opus.mp4", ["av01.0.00M.08", "opus"], [40, 201]),
        ("bars-480p-h264.mp4", ["avc1.64000b"], [40]),
        ("tone-aac.mp4", ["mp4a.40.2"], [189]),
        ("tone-opus.mp4", ["opus"], [201]),
        ("bars-h264-aac-progressive.mp4", ["avc1.64000a", "mp4a.40.2"], [40, 189]),
        ("bars-h264-aac.mkv", ["avc1.64000a", "mp4a.40.2"], [40, 189]),
    ])
    func fixturesAreTheTracksThatTheyWereMadeAs(_ name: String, _ codecs: [String], _ counts: [Int]) throws {
        let file = try Fixture.file(name)
        #expect(file.tracks.map(\.format.codecString) == codecs)
        #expect(file.tracks.map(\.packetCount) == counts)
        #expect(file.packets.count == counts.reduce(0, +))
        #expect(file.skippedStreams.isEmpty)
        #expect(file.damage == nil)
        #expect(file.undecodablePacketCount == 0)
        for track in file.tracks {
            switch track.format.codec.kind {
            case .video:
                #expect(track.format.width == (name.contains("480p") ? 320 : 160))
                #expect(track.format.height == (name.contains("480p") ? 240 : 120))
                #expect(track.format.frameRate == 10)
            case .audio:
                #expect(track.format.sampleRate == 48_000)
                #expect(track.format.channelCount == 1)
            }
            #expect((track.format.bitrate ?? 0) > 1000)
        }
    }

    @Test func descriptionsAreThoseOfTheCatalog() throws {
        let avc = try Fixture.file("bars-h264-opus.mp4").tracks
        #expect(avc[0].format.setup.prefix(4) == [1, 0x64, 0, 0x0A])
        #expect(avc[1].format.setup.count == 19)
        #expect(avc[1].format.setup.prefix(10) == [UInt8]("OpusHead".utf8)[...] + [1, 1])
        // AAC-LC, 48 kHz, one channel.
        #expect(try Fixture.file("tone-aac.mp4").tracks[0].format.setup.prefix(2) == [0x11, 0x88])
        #expect(try Fixture.file("bars-av1-opus.mp4").tracks[0].format.setup.first == 0x81)
        #expect(try Fixture.file("bars-hevc-aac.mp4").tracks[0].format.setup.first == 1)
    }

    @Test(arguments: Fixture.good)
    func packetsAreOnOneEpochAndInOrder(_ name: String) throws {
        let file = try Fixture.file(name)
        #expect(file.packets.map(\.presentation).min() == 0)
        #expect(zip(file.packets, file.packets.dropFirst()).allSatisfy { $0.decode <= $1.decode })
        for (number, track) in file.tracks.enumerated() {
            let packets = file.packets.filter { $0.track == number }
            #expect(packets.allSatisfy { $0.decode <= $0.presentation && $0.duration > 0 })
            #expect(zip(packets, packets.dropFirst()).allSatisfy { $0.decode < $1.decode })
            let groups = packets.count { $0.startsGroup }
            #expect(groups == (track.format.codec.kind == .audio ? packets.count : 4))
            #expect(packets.first?.startsGroup == true)
            #expect(track.greatestStep <= 101_000)
            #expect(abs(track.end - 4_000_000) < 60_000)
        }
        #expect(file.duration == file.tracks.map(\.end).max())
    }

    @Test func soundBeginsBeforePicturesByWhatItsCoderNeeds() throws {
        let file = try Fixture.file("bars-h264-aac.mp4")
        #expect(file.fileTimeOfEpoch == -21_333)
        #expect(file.packets.first { $0.track == 0 }?.presentation == 21_333)
        #expect(file.packets.first { $0.track == 1 }?.presentation == 0)
    }

    @Test func bothFormsOfMP4AndMatroskaHoldTheSamePackets() throws {
        let file = try Fixture.file("bars-h264-aac.mp4")
        let progressive = try Fixture.file("bars-h264-aac-progressive.mp4")
        #expect(
            file.packets.filter { $0.track == 0 }.map(\.payload)
                == progressive.packets.filter { $0.track == 0 }.map(\.payload))
        #expect(
            file.packets.filter { $0.track == 1 }.map(\.payload)
                == progressive.packets.filter { $0.track == 1 }.map(\.payload))
        let matroska = try Fixture.file("bars-h264-aac.mkv").packets.filter { $0.track == 0 }
        let reordered = try Fixture.file("bars-h264-reordered-aac.mp4").packets.filter { $0.track == 0 }
        #expect(matroska.map(\.payload) == reordered.map(\.payload))
        // Matroska rounds to milliseconds, and gives no times of decoding.
        #expect(zip(matroska, reordered).allSatisfy { abs($0.presentation - $1.presentation) <= 1000 })
    }

    @Test func reorderedPicturesAreInTheOrderOfDecoding() throws {
        let file = try Fixture.file("bars-h264-reordered-aac.mp4")
        let shown = file.packets.filter { $0.track == 0 }.map(\.presentation)
        #expect(shown != shown.sorted())
        #expect(Set(shown).count == 40)
    }

    @Test func theByteStreamFormHasParameterSetsAtKeyframes() throws {
        for name in ["bars-h264-aac.mp4", "bars-hevc-aac.mp4"] {
            let file = try Fixture.file(name)
            let converted = try file.asByteStream()
            let format = converted.tracks[0].format
            #expect(["avc3.64000a", "hev1.1.6.L30.90"].contains(format.codecString))
            #expect(format.isByteStream && format.setup.isEmpty)
            #expect(converted.tracks[1] == file.tracks[1])
            for (packet, source) in zip(converted.packets, file.packets) {
                guard packet.track == 0 else {
                    #expect(packet == source)
                    continue
                }
                #expect(packet.payload.prefix(4) == [0, 0, 0, 1])
                if packet.isKeyframe {
                    let first = packet.payload[4]
                    #expect(name.contains("h264") ? first & 0x1F == 7 : first >> 1 == 32)
                } else {
                    #expect(packet.payload.count == source.payload.count)
                }
            }
        }
    }
}
