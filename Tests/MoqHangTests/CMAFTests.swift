import MoqBase
import MoqJSON
import Testing

@testable import MoqHang

struct CMAFTests {
    private static func video(_ codec: String = "avc1.64001f", _ description: [UInt8]? = [1, 0x64, 0, 0x1F])
        -> VideoRendition
    {
        VideoRendition(
            name: "v", codec: CodecString(anything: codec, kind: .video), description: description, codedWidth: 1280,
            codedHeight: 720)
    }

    private static func audio(_ codec: String, _ description: [UInt8]?) -> AudioRendition {
        AudioRendition(
            name: "a", codec: CodecString(anything: codec, kind: .audio), sampleRate: 48_000, numberOfChannels: 2,
            bitrate: 128_000, description: description)
    }

    @Test(arguments: [
        "avc1.64001f", "hvc1.1.6.L93.B0", "av01.0.04M.08", "vp09.00.10.08", "avc3.42e01e", "hev1.1.6.L93.B0",
    ])
    func `the initialisation of a video rendition says what it was made of`(codec: String) throws {
        let rendition = Self.video(codec)
        let read = try CMAFInitialisation(parsing: try CMAFInitialisation.make(rendition, timescale: 90_000))
        #expect(read.timescale == 90_000)
        #expect(read.trackID == 1)
        #expect(read.sampleEntry == codec.prefix(4))
        #expect(read.codecRecord == rendition.description)
    }

    @Test func `the initialisation of AAC has its AudioSpecificConfig`() throws {
        let read = try CMAFInitialisation(parsing: try CMAFInitialisation.make(Self.audio("mp4a.40.2", [0x11, 0x90])))
        #expect(read.sampleEntry == "mp4a")
        #expect(read.codecRecord == [0x11, 0x90])
        #expect(read.timescale == 1_000_000)
    }

    @Test func `the initialisation of Opus has the numbers of its OpusHead`() throws {
        let head = Array("OpusHead".utf8) + [UInt8](hex: "01 02 3801 80bb0000 0000 00")
        let expected = [UInt8](hex: "00 02 0138 0000bb80 0000 00")
        #expect(
            try CMAFInitialisation(parsing: try CMAFInitialisation.make(Self.audio("opus", head))).codecRecord
                == expected)
        let without = try CMAFInitialisation(parsing: try CMAFInitialisation.make(Self.audio("opus", nil)))
        #expect(without.sampleEntry == "Opus")
        #expect(without.codecRecord == [UInt8](hex: "00 02 0000 0000bb80 0000 00"))
    }

    @Test func `what has no sample entry is told`() {
        #expect(throws: ContainerError.self) { try CMAFInitialisation.make(Self.video("vp8")) }
        #expect(throws: ContainerError.self) { try CMAFInitialisation.make(Self.video("avc1.64001f", nil)) }
        #expect(throws: ContainerError.self) { try CMAFInitialisation.make(Self.audio("mp4a.40.2", nil)) }
        #expect(throws: ContainerError.self) { try CMAFInitialisation.make(Self.audio("opus", [1, 2])) }
        var sizeless = Self.video()
        sizeless.codedWidth = nil
        #expect(throws: ContainerError.self) { try CMAFInitialisation.make(sizeless) }
    }

    @Test func `a frame that is shown later than it is decoded keeps both times`() throws {
        let initialisation = try CMAFInitialisation(parsing: try CMAFInitialisation.make(Self.video()))
        for timestamp in [0, 40_000, 200_000] {
            let frame = MediaFrame(
                timestamp: timestamp, isKeyframe: false, payload: [9], duration: 33_333, decodeTimestamp: 80_000)
            let bytes = try CMAFFragment.encode(frame, initialisation, sequence: 7)
            #expect(try CMAFFragment.decode(bytes, initialisation) == [frame])
        }
    }

    @Test func `a fragment of many samples gives their times, one after the other`() throws {
        var initialisation = try CMAFInitialisation(parsing: try CMAFInitialisation.make(Self.video(), timescale: 1000))
        initialisation.defaultSize = 2
        func fragment(duration: Int?) -> [UInt8] {
            var writer = MP4Writer()
            writer.box("styp") { $0.append(Array("msdh".utf8)) }
            writer.box("moof") { writer in
                writer.box("traf") { writer in
                    writer.fullBox("tfhd", flags: duration == nil ? 0 : 8) { writer in
                        writer.number(9, 4)
                        if let duration { writer.number(duration, 4) }
                    }
                    writer.fullBox("tfdt") { $0.number(5000, 4) }
                    // Version 1: the first sample's flags, and signed offsets.
                    writer.fullBox("trun", version: 1, flags: TrackFragment.hasFirstFlags | TrackFragment.hasOffset) {
                        writer in
                        writer.number(3, 4)
                        writer.number(0x0200_0000, 4)
                        for offset in [0, 40, -20] { writer.number(offset, 4) }
                    }
                }
            }
            writer.box("mdat") { $0.append([1, 2, 3, 4, 5, 6]) }
            return writer.bytes
        }
        let frames = try CMAFFragment.decode(fragment(duration: 20), initialisation)
        #expect(frames.map(\.timestamp) == [5_000_000, 5_060_000, 5_020_000])
        #expect(frames.map(\.decodeTimestamp) == [nil, 5_020_000, 5_040_000])
        #expect(frames.map(\.isKeyframe) == [true, false, false])
        #expect(frames.map(\.payload) == [[1, 2], [3, 4], [5, 6]])
        #expect(throws: ContainerError.malformed("sample 0 does not say how long it lasts, and is not the last")) {
            try CMAFFragment.decode(fragment(duration: nil), initialisation)
        }
    }

    @Test func `a count of samples that cannot be is refused at once`() throws {
        let initialisation = try CMAFInitialisation(parsing: try CMAFInitialisation.make(Self.video()))
        let frame = MediaFrame(timestamp: 0, isKeyframe: true, payload: [1])
        var bytes = try CMAFFragment.encode(frame, initialisation, sequence: 1)
        let run = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("trun".utf8)) })
        for index in 8..<12 { bytes[run + index] = 0xFF }
        #expect(throws: ContainerError.malformed("the fragment says that it has 4294967295 samples")) {
            try CMAFFragment.decode(bytes, initialisation)
        }
    }

    @Test(arguments: ["0.4.18", "0.3.19"])
    func `what the original stack made of a file is read`(release: String) throws {
        let groups = try Fixtures.recorded(release)
        let newest = try #require(groups.last { $0.track == "catalog.json" })
        let catalog = try CatalogReader().read(newest.frames[0])
        let video = try #require(catalog.video("2.m4s"))
        let decoder = try ContainerDecoder(video.container)
        guard case .cmaf(let bytes) = video.container else { return #expect(Bool(false), "2.m4s is no cmaf") }
        let initialisation = try CMAFInitialisation(parsing: bytes)
        #expect(initialisation.sampleEntry == "avc1")
        #expect(initialisation.codecRecord == video.description)
        var frames: [MediaFrame] = []
        for group in groups where group.track == "2.m4s" {
            for (index, frame) in group.frames.enumerated() { frames += try decoder.decode(frame, index: index) }
        }
        // Five frames a second, of which the first lasts longer by what AAC has in front; a keyframe every three. Of
        // 0.3.19 only the last group was recorded.
        let expected = [0, 264_062, 464_062, 664_062, 864_062]
        #expect(frames.map(\.timestamp) == (release == "0.4.18" ? expected : Array(expected[3...])))
        #expect(frames.map(\.isKeyframe) == (release == "0.4.18" ? [true, false, false, true, false] : [true, false]))
        #expect(frames.allSatisfy { $0.payload.starts(with: [0, 0]) && ($0.duration ?? 0) >= 200_000 })

        let audio = try #require(catalog.audio("3.m4s"))
        let audioDecoder = try ContainerDecoder(audio.container)
        var packets: [MediaFrame] = []
        for group in groups where group.track == "3.m4s" {
            for (index, frame) in group.frames.enumerated() { packets += try audioDecoder.decode(frame, index: index) }
        }
        #expect(packets.count >= 6)
        #expect(zip(packets, packets.dropFirst()).allSatisfy { $1.timestamp - $0.timestamp == 64_000 })
    }
}
