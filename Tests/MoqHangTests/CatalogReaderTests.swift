import MoqBase
import MoqJSON
import Testing

@testable import MoqHang

struct CatalogReaderTests {
    private func read(_ text: String, _ profile: CatalogReader.Profile = .rust) throws -> Catalog {
        try CatalogReader(profile: profile).read(Array(text.utf8))
    }

    @Test func `a rendition is read with all its fields`() throws {
        let text = """
            {"video": {"renditions": {"hd": {"broadcast": "./s", "codec": "avc1.64001F", "description": "01FF",
            "codedWidth": 1920, "codedHeight": 1080, "displayAspectWidth": 16, "displayAspectHeight": 9,
            "bitrate": 6000000, "framerate": 29.97, "stalled": true, "optimizeForLatency": false,
            "container": {"kind": "cmaf", "init": "AAEC"}, "jitter": 33,
            "timeline": {"track": "hd.timeline.z", "wall": 5}, "label": "Main"}},
            "display": {"width": 1280, "height": 720}, "rotation": 90, "flip": true}}
            """
        let video = try #require(try read(text).video)
        #expect(video.display == VideoSection.Size(width: 1280, height: 720))
        #expect(video.rotation == 90)
        #expect(video.flip == true)
        #expect(
            video.renditions == [
                VideoRendition(
                    name: "hd", codec: try CodecString("avc1.64001F", kind: .video), description: [1, 255],
                    codedWidth: 1920, codedHeight: 1080, displayAspectWidth: 16, displayAspectHeight: 9,
                    bitrate: 6_000_000, framerate: 29.97, stalled: true, optimizeForLatency: false,
                    container: .cmaf(initialisation: [0, 1, 2]), jitter: 33,
                    timeline: TimelineReference(track: "hd.timeline.z", timescale: 1000, wall: 5), broadcast: "./s",
                    other: [.init(name: "label", value: .string("Main"))])
            ])
    }

    @Test func `an error says what is wrong, at which path, line and column`() throws {
        let text = "{\n  \"audio\": {\"renditions\": {\n    \"a.b\": {\"codec\": 7}}}}"
        let error = try #require(throws: CatalogError.self) { try read(text) }
        #expect(
            error.description
                == "$.audio.renditions[\"a.b\"].codec (line 3, column 22): expected a text, not an integer")
    }

    @Test func `bad JSON is told with line and column`() throws {
        let error = try #require(throws: CatalogError.self) { try read("{\n  \"video\": {,}\n}") }
        #expect(error.fault == .notJSON)
        #expect(error.place?.line == 2)
        #expect(error.description.hasPrefix("$ (line 2, column "))
    }

    @Test func `base64 where hex belongs is told as such`() throws {
        let text = #"{"video": {"renditions": {"v": {"codec": "vp8", "description": "AULACv/hABU="}}}}"#
        let error = try #require(throws: CatalogError.self) { try read(text) }
        #expect(error.fault == .notHex)
        #expect(error.problem.contains("base64"))
    }

    @Test func `what is longer than is read is refused before it is parsed`() throws {
        let bytes = [UInt8](repeating: 0x20, count: HangLimits.documentBytes + 1)
        let error = try #require(throws: CatalogError.self) { try CatalogReader().read(bytes) }
        #expect(error.fault == .tooLong)
    }

    @Test func `lists keep what belongs to all, and unknown fields`() throws {
        let text = """
            {"video": [{"track": {"name": "v", "priority": 60}, "config": {"codec": "vp8", "rotation": 180, "flip": true,
            "displayRatioWidth": 4, "displayRatioHeight": 3}}], "location": {"x": 1}}
            """
        let catalog = try read(text, .archive)
        #expect(catalog.video?.rotation == 180)
        #expect(catalog.video?.flip == true)
        #expect(catalog.video?.display == VideoSection.Size(width: 4, height: 3))
        #expect(catalog.video("v")?.displayAspect == VideoSection.Size(width: 4, height: 3))
        #expect(catalog.section("location")?["x"] == .integer(1))
    }

    @Test func `half an aspect is none`() throws {
        let text = #"{"video": {"renditions": {"v": {"codec": "vp8", "displayAspectWidth": 4, "codedHeight": 3}}}}"#
        let rendition = try #require(try read(text).video("v"))
        #expect(rendition.displayAspect == nil)
        #expect(rendition.codedSize == nil)
    }

    @Test func `any catalog comes back from its document`() throws {
        var random = SeededRandom(seed: 11)
        for _ in 0..<300 {
            let catalog = Catalog.arbitrary(&random)
            for indented in [false, true] {
                let bytes = CatalogWriter(indented: indented).write(catalog)
                #expect(try CatalogReader(profile: .rust).read(bytes) == catalog)
                #expect(try CatalogReader(profile: .archive).read(bytes) == catalog)
            }
        }
    }

    @Test func `any catalog is written in every shape, and read by who reads all`() throws {
        var random = SeededRandom(seed: 12)
        for _ in 0..<100 {
            let catalog = Catalog.arbitrary(&random)
            for generation in CatalogGeneration.allCases {
                let again = try CatalogReader(profile: .archive).read(
                    CatalogWriter(generation: generation).write(catalog))
                #expect(
                    (again.video?.renditions ?? []).map(\.name) == (catalog.video?.renditions ?? []).map(\.name),
                    "\(generation)")
                let (ours, theirs) = (catalog.audio?.renditions ?? [], again.audio?.renditions ?? [])
                #expect(theirs.map(\.codec) == ours.map(\.codec), "\(generation)")
                #expect(theirs.map(\.jitter) == ours.map(\.jitter), "\(generation)")
            }
        }
    }

    @Test func `a name that is there twice is written once`() throws {
        let (vp8, vp9) = (
            CodecString(anything: "vp8", kind: .video), CodecString(anything: "vp09.00.10.08", kind: .video)
        )
        let renditions = [
            VideoRendition(name: "a", codec: vp8), VideoRendition(name: "b", codec: vp8),
            VideoRendition(name: "a", codec: vp9, other: [.init(name: "codec", value: .null)]),
        ]
        let catalog = Catalog(
            video: VideoSection(renditions: renditions), sections: [.init(name: "video", value: .null)])
        for generation in CatalogGeneration.allCases {
            let bytes = CatalogWriter(generation: generation).write(catalog)
            let again = try CatalogReader(profile: .archive).read(bytes)
            #expect(again.video("a")?.codec == vp9, "\(generation)")
            #expect(again.video?.renditions.count == 2, "\(generation)")
        }
    }
}
