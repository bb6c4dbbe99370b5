import MoqJSON
import Testing

@testable import MoqHang

struct MSFCatalogTests {
    @Test(arguments: ["0.4.18", "0.3.19"])
    func `the original stack's mirror says what its catalog says`(release: String) throws {
        let groups = try Fixtures.recorded(release)
        let newest = try #require(groups.last { $0.track == "catalog.json" })
        let mirror = try #require(groups.last { $0.track == "catalog" })
        let catalog = try CatalogReader().read(newest.frames[0])
        let read = try MSFCatalog(parsing: mirror.frames[0])
        #expect(read.differences(from: catalog).isEmpty, "\(read.differences(from: catalog))")
        #expect(read.tracks.count == 4)
        #expect(read.tracks.first?.initialisation == catalog.video?.renditions.first?.description)
    }

    @Test func `our mirror reads back and differs in nothing`() throws {
        let groups = try Fixtures.recorded("0.4.18")
        let newest = try #require(groups.last { $0.track == "catalog.json" })
        let catalog = try CatalogReader().read(newest.frames[0])
        let mirror = MSFCatalog(mirroring: catalog)
        #expect(try MSFCatalog(parsing: mirror.written()) == mirror)
        #expect(mirror.differences(from: catalog).isEmpty)
    }

    @Test func `differences are told, a line each`() throws {
        let text = """
            {"version": 1, "tracks": [
              {"name": "a", "packaging": "loc", "role": "video", "codec": "vp8", "initRef": "i"},
              {"name": "c", "packaging": "legacy", "role": "audio"}],
             "initDataList": [{"id": "i", "type": "inline", "data": "AQI="}]}
            """
        let codec = CodecString(anything: "vp8", kind: .video)
        let catalog = Catalog(
            video: VideoSection(renditions: [
                VideoRendition(name: "a", codec: codec, description: [1, 3]), VideoRendition(name: "b", codec: codec),
            ]))
        #expect(
            try MSFCatalog(parsing: Array(text.utf8)).differences(from: catalog) == [
                "`a` is packed as loc, not legacy", "`a` has another description", "`b` is in the hang catalog only",
                "`c` is in the mirror only",
            ])
    }

    @Test(arguments: [
        "{}", #"{"version":2}"#, #"{"version":"draft-01","tracks":{}}"#,
        #"{"version":"draft-01","tracks":[{"name":"a"}]}"#,
        #"{"version":"draft-01","tracks":[{"name":"a","packaging":"loc","initRef":"gone"}]}"#,
        #"{"version":"draft-01","initDataList":[{"id":"a","type":"inline","data":"!"}]}"#,
    ])
    func `a mirror that is none is an error`(text: String) {
        #expect(throws: CatalogError.self) { try MSFCatalog(parsing: Array(text.utf8)) }
    }
}
