import MoqKit
import Testing

@testable import MoqPlayback

/// The forms in which a catalog travels, and the containers: what is written is what is read.
@Suite struct FormTests {
    private let catalog = """
        {"video":{"renditions":{"0.avc1":{"codec":"avc1.64000a","description":"0164000a","codedWidth":160,"codedHeight":120,"framerate":10,"container":{"kind":"legacy"}}}},
        "audio":{"renditions":{"0.aac":{"codec":"mp4a.40.2","sampleRate":48000,"numberOfChannels":1,"container":{"kind":"loc"}}}}}
        """

    @Test func everyFormSaysTheSame() throws {
        let text = Array(catalog.utf8)
        let plain = try CatalogFollower(.json).receive(text, group: 3, index: 0).get()
        let compressed = try #require(PublishedCompanions.compressed(text))
        #expect(compressed != text)
        #expect(try CatalogFollower(.compressed).receive(compressed, group: 0, index: 0).get() == plain)
        let mirrored = try #require(PublishedCompanions.mirrored(text))
        #expect(try CatalogFollower(.msf).receive(mirrored, group: 0, index: 0).get() == plain)
        #expect(plain?.renditions.map(\.name) == ["0.aac", "0.avc1"])
    }

    @Test func aPatchChangesWhatWasThere() throws {
        let follower = CatalogFollower(.json)
        _ = try follower.receive(Array(catalog.utf8), group: 0, index: 0).get()
        let patch = Array(#"{"audio":{"renditions":{"0.aac":null}}}"#.utf8)
        #expect(try follower.receive(patch, group: 0, index: 1).get()?.renditions.map(\.name) == ["0.avc1"])
    }

    @Test(arguments: CatalogFollower.Form.allCases)
    func whatCannotBeReadIsAProblem(_ form: CatalogFollower.Form) {
        #expect(throws: CatalogProblem.self) {
            try CatalogFollower(form).receive(Array("nothing".utf8), group: 0, index: 0).get()
        }
    }

    @Test func whatIsNoCatalogHasNoOtherForm() {
        #expect(PublishedCompanions.compressed(Array("nothing".utf8)) == nil)
        #expect(PublishedCompanions.mirrored(Array(#"{"video":17}"#.utf8)) == nil)
    }

    @Test func packedFramesComeOutAsTheyWentIn() throws {
        let configuration = EncoderConfiguration(
            kind: .video, codec: "avc1.64000a", description: [1, 0x64, 0, 10], width: 160, height: 120)
        let cmaf = try RenditionContainer.cmaf(initializationOf: configuration)
        for container in [cmaf, .loc] {
            let rendition = Rendition(kind: .video, name: "0.avc1", codec: "avc1.64000a", container: container)
            let packer = RenditionPacker()
            let frame = EncodedFrame(time: 0, isKeyframe: true, payload: [1, 2, 3])
            let wire = try #require(packer.pack(rendition, at: 1_234_567, frame))
            let frames = try RenditionUnpacker().unpack(rendition, wire).get()
            #expect(frames.map(\.timestamp) == [1_234_567])
            #expect(frames.map(\.payload) == [[1, 2, 3]])
        }
    }

    @Test func anInitialisationNeedsADescription() {
        #expect(throws: CatalogProblem.self) {
            try RenditionContainer.cmaf(
                initializationOf: EncoderConfiguration(kind: .video, codec: "avc1.64000a", width: 160, height: 120))
        }
    }

    @Test func aTimelineHasARecordASecond() {
        var companions = PublishedCompanions()
        #expect(companions.record(of: "a", group: 0, at: 0) != nil)
        #expect(companions.record(of: "a", group: 1, at: 500_000) == nil)
        #expect(companions.record(of: "b", group: 0, at: 500_000) != nil)
        #expect(companions.record(of: "a", group: 2, at: 1_000_000) != nil)
    }
}
