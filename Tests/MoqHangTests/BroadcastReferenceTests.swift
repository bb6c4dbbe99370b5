import Testing

@testable import MoqHang

struct BroadcastReferenceTests {
    @Test(arguments: [
        ("a/b/c", "./source", "a/b/source"), ("a/b", ".", "a"), ("a/b/c", "../source", "a/source"), ("a", ".", ""),
        ("a/b", "", "a/b"), ("a/b", "x/y", "a/x/y"), ("a/b", "..", ""), ("", "x", "x"),
        ("a/b/c", "././x//y/", "a/b/x/y"),
        ("a/b/c", "x/../y", "a/b/y"), ("a/b/c", "../../x", "x"),
    ])
    func `a reference is resolved like a relative URL`(base: String, reference: String, path: String) {
        #expect(BroadcastReference(reference).resolved(against: base) == path)
        #expect(Catalog.broadcast(of: reference, at: base) == path)
    }

    @Test(arguments: [("a/b", "../.."), ("a", ".."), ("", ".."), ("a/b/c", "../../../x"), ("a", "x/../../y")])
    func `a reference that leaves the root is none`(base: String, reference: String) {
        #expect(BroadcastReference(reference).resolved(against: base) == nil)
    }

    @Test func `a catalog tells which renditions leave the root`() throws {
        let codec = CodecString(anything: "vp8", kind: .video)
        let catalog = Catalog(
            video: VideoSection(renditions: [
                VideoRendition(name: "a", codec: codec, broadcast: "../../x"), VideoRendition(name: "b", codec: codec),
            ]))
        #expect(catalog.renditionsLeavingRoot(from: "room/alice") == ["a"])
        #expect(catalog.renditionsLeavingRoot(from: "room/alice/cam").isEmpty)
    }

    @Test func `no reference is the broadcast itself`() {
        #expect(Catalog.broadcast(of: nil, at: "a/b") == "a/b")
        #expect(BroadcastReference("././source/").text == "source")
        #expect(BroadcastReference("./").text == ".")
        #expect(BroadcastReference("").text.isEmpty)
    }
}
