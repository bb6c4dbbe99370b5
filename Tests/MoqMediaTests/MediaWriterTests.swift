import Foundation
import MoqBase
import MoqMedia
import Testing

@Suite struct MediaWriterTests {
    /// A file of what a player receives of `source`: payloads and times of showing, in the order of decoding.
    private func written(_ source: MediaFile, formats: [TrackFormat]? = nil, skipping: Int = 0) throws -> [UInt8] {
        let writer = try MediaWriter(formats ?? source.tracks.map(\.format))
        var bytes: [UInt8] = []
        for packet in source.packets.dropFirst(skipping) {
            try writer.append(
                track: packet.track, presentation: packet.presentation, isKeyframe: packet.startsGroup,
                payload: packet.payload)
            bytes += writer.take()
        }
        try writer.finish()
        #expect(writer.frameCount + writer.droppedFrameCount == source.packets.count - skipping)
        return bytes + writer.take()
    }

    private func expectSamePackets(_ copy: MediaFile, _ source: MediaFile) {
        #expect(copy.tracks.count == source.tracks.count)
        #expect(copy.damage == nil)
        for track in source.tracks.indices {
            let packets = source.packets.filter { $0.track == track }
            let copies = copy.packets.filter { $0.track == track }
            #expect(copies.map(\.payload) == packets.map(\.payload))
            // Sound's times are samples in the file, rounded from another zero point.
            #expect(zip(copies, packets).allSatisfy { abs($0.presentation - $1.presentation) <= 1 })
            #expect(copies.map(\.isKeyframe) == packets.map(\.isKeyframe))
        }
    }

    @Test(arguments: Fixture.good)
    func aWrittenFileHasThePacketsOfItsSource(_ name: String) throws {
        let source = try Fixture.file(name)
        let copy = try MediaFile(bytes: try written(source))
        expectSamePackets(copy, source)
        for (format, original) in zip(copy.tracks.map(\.format), source.tracks.map(\.format)) {
            #expect(format.codecString == original.codecString)
            #expect(format.width == original.width && format.sampleRate == original.sampleRate)
            if format.codec != .aac { #expect(format.setup == original.setup) }
        }
        let playback = try Playback(copy)
        #expect(playback.faults.isEmpty)
        #expect(playback.pictures.map(\.mark) == (0..<playback.pictures.count).map { PictureMark(frameNumber: $0) })
    }

    @Test(arguments: ["bars-h264-aac.mp4", "bars-h264-reordered-aac.mp4", "bars-hevc-aac.mp4"])
    func theByteStreamFormIsWrittenToo(_ name: String) throws {
        let source = try Fixture.file(name).asByteStream()
        var formats = source.tracks.map(\.format)
        formats[0].width = nil
        formats[0].height = nil
        let copy = try MediaFile(bytes: try written(source, formats: formats))
        #expect(copy.tracks[0].format.width == 160 && copy.tracks[0].format.height == 120)
        #expect(copy.packets.count == source.packets.count)
        let playback = try Playback(copy)
        #expect(playback.faults.isEmpty)
        #expect(playback.pictures.map(\.mark) == (0..<40).map { PictureMark(frameNumber: $0) })
    }

    @Test func av1AndSoundAreWrittenWithoutDescriptions() throws {
        for name in ["bars-av1-opus.mp4", "tone-aac.mp4"] {
            let source = try Fixture.file(name)
            let formats = source.tracks.map { track in
                var format = track.format
                format.setup = []
                return format
            }
            let copy = try MediaFile(bytes: try written(source, formats: formats))
            expectSamePackets(copy, source)
        }
    }

    @Test func whatIsBeforeTheFirstKeyframeIsLeftOut() throws {
        let source = try Fixture.file("bars-480p-h264.mp4")
        let copy = try MediaFile(bytes: try written(source, skipping: 3))
        #expect(copy.packets.map(\.payload) == source.packets.dropFirst(10).map(\.payload))
    }

    @Test func aClockThatJumpsForwardIsKeptAndOneThatJumpsBackIsLeftOut() throws {
        let source = try Fixture.file("bad-clock-jump.mp4")
        expectSamePackets(try MediaFile(bytes: try written(source)), source)
        let writer = try MediaWriter([source.tracks[0].format])
        let group = source.packets.filter { $0.track == 0 }.prefix(10)
        for _ in 0..<2 {
            for packet in group {
                try writer.append(
                    track: 0, presentation: packet.presentation, isKeyframe: packet.isKeyframe, payload: packet.payload)
            }
        }
        try writer.finish()
        #expect(writer.frameCount == 10 && writer.droppedFrameCount == 10)
    }

    /// libavformat ends the process when it is given a frame that lasts longer than 32 bits of microseconds.
    @Test func aClockThatJumpsByAnHourIsLeftOut() throws {
        let source = try Fixture.file("bars-h264-aac.mp4")
        for track in 0..<2 {
            let writer = try MediaWriter([source.tracks[track].format])
            let packets = Array(source.packets.filter { $0.track == track }.prefix(30))
            for (index, packet) in packets.enumerated() {
                let jump: Int64 = index == 7 || index >= 20 ? 3_600_000_000 : 0
                try writer.append(
                    track: 0, presentation: packet.presentation + jump, isKeyframe: packet.isKeyframe,
                    payload: packet.payload)
            }
            try writer.finish()
            #expect(writer.frameCount == 19 && writer.droppedFrameCount == 11)
            let copy = try MediaFile(bytes: writer.take())
            let kept = packets.enumerated().filter { $0.offset < 20 && $0.offset != 7 }
            #expect(copy.packets.map(\.payload) == kept.map(\.element.payload))
        }
    }

    @Test func aTrackThatNeverCameIsNotInTheFile() throws {
        let source = try Fixture.file("bars-h264-aac.mp4")
        let writer = try MediaWriter(source.tracks.map(\.format))
        for packet in source.packets where packet.track == 1 {
            try writer.append(
                track: 1, presentation: packet.presentation, isKeyframe: true, payload: packet.payload)
        }
        try writer.finish()
        let copy = try MediaFile(bytes: writer.take())
        #expect(copy.tracks.map(\.format.codec) == [.aac])
        #expect(copy.packets.map(\.payload) == source.packets.filter { $0.track == 1 }.map(\.payload))
    }

    /// Whatever order and times frames come in, what is written is a file with as many frames as are counted.
    @Test(arguments: 0..<12)
    func framesInAnyOrderMakeAFile(_ seed: UInt64) throws {
        let source = try Fixture.file(seed % 2 == 0 ? "bars-h264-reordered-aac.mp4" : "bars-av1-opus.mp4")
        var random = SeededRandom(seed: seed)
        let writer = try MediaWriter(source.tracks.map(\.format))
        var bytes: [UInt8] = []
        for packet in source.packets where random.chance(0.9) {
            var presentation = packet.presentation
            if random.chance(0.05) { presentation += Int64(random.next() % 20_000_000) - 10_000_000 }
            try writer.append(
                track: packet.track, presentation: presentation, isKeyframe: packet.isKeyframe && random.chance(0.9),
                payload: packet.payload)
            bytes += writer.take()
        }
        try writer.finish()
        let copy = try MediaFile(bytes: bytes + writer.take())
        #expect(copy.packets.count + copy.undecodablePacketCount == writer.frameCount)
        #expect(copy.damage == nil)
    }

    @Test func whatCannotBeWrittenIsSaid() throws {
        #expect(throws: MediaError.self) { try MediaWriter([]) }
        let writer = try MediaWriter([TrackFormat(codec: .h264, codecString: "avc1.64000b")])
        #expect(throws: MediaError.self) {
            try writer.append(track: 1, presentation: 0, isKeyframe: true, payload: [1])
        }
        #expect(throws: MediaError.self) { try writer.append(track: 0, presentation: 0, isKeyframe: true, payload: []) }
        try writer.append(track: 0, presentation: 0, isKeyframe: true, payload: [0, 0, 0, 1, 2])
        #expect(throws: MediaError.unwritable("no frame was received that a file could begin with")) {
            try writer.finish()
        }
        #expect(throws: MediaError.self) {
            try writer.append(track: 0, presentation: 0, isKeyframe: true, payload: [1])
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffprobe")), arguments: Fixture.good)
    func ffprobeSeesTheSamePackets(_ name: String) throws {
        let copy = FileManager.default.temporaryDirectory.appending(path: "moqspec-\(UUID().uuidString).mp4")
        defer { try? FileManager.default.removeItem(at: copy) }
        try Data(try written(try Fixture.file(name))).write(to: copy)
        for kind in ["v", "a"] {
            #expect(try probe(copy.path, kind) == probe(Fixture.path(name), kind))
        }
    }

    /// The size and the hash of every packet of a kind.
    private func probe(_ path: String, _ kind: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/ffprobe")
        process.arguments = [
            "-v", "error", "-select_streams", kind, "-show_data_hash", "md5",
            "-show_entries", "packet=size,data_hash", "-of", "csv=p=0", path,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map {
            $0.split(separator: ",").prefix(2).joined(separator: ",")
        }
    }
}
