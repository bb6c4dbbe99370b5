import MoqBase
import MoqJSON
import Testing

@testable import MoqHang

struct CatalogTrackTests {
    private static func text(_ names: String...) -> [UInt8] {
        let renditions = names.map { VideoRendition(name: $0, codec: CodecString(anything: "vp8", kind: .video)) }
        return CatalogWriter().write(Catalog(video: VideoSection(renditions: renditions)))
    }

    private func names(_ event: CatalogTrack.Event?) -> [String]? {
        guard case .catalog(let catalog, _) = event else { return nil }
        return catalog.video?.renditions.map(\.name)
    }

    @Test func `the first snapshot makes it live, wherever it joins`() {
        let track = CatalogTrack()
        #expect(track.state == .waiting)
        #expect(track.next() == nil)
        track.receive(Self.text("a"), group: 41, index: 0)
        #expect(track.state == .live)
        #expect(names(track.next()) == ["a"])
        #expect(track.next() == nil)
    }

    @Test func `a backlog is seen as its newest only, and older groups not at all`() {
        let track = CatalogTrack()
        for group in 0..<300 { track.receive(Self.text("v\(group)"), group: UInt64(group), index: 0) }
        track.receive(Self.text("late"), group: 7, index: 0)
        #expect(names(track.next()) == ["v299"])
        #expect(track.next() == nil)
        #expect(track.updates == 300)
    }

    @Test func `deltas change the snapshot of their group`() {
        let track = CatalogTrack()
        track.receive(Self.text("a"), group: 0, index: 0)
        let patch = Array(#"{"video":{"renditions":{"b":{"codec":"vp8"},"a":null}},"x":1}"#.utf8)
        track.receive(patch, group: 0, index: 1)
        #expect(names(track.next()) == ["b"])
        #expect(track.document?["x"] == .integer(1))
        track.receive(Self.text("c"), group: 1, index: 0)
        #expect(names(track.next()) == ["c"])
        #expect(track.document?["x"] == nil)
    }

    @Test func `changes do not add up without end`() throws {
        let track = CatalogTrack()
        track.receive(Array("{}".utf8), group: 0, index: 0)
        let long = String(repeating: "x", count: HangLimits.documentBytes / 2 - 100)
        for index in 1...2 {
            track.receive(Array("{\"part\(index)\":\"\(long)\"}".utf8), group: 0, index: index)
            #expect(track.state == .live)
        }
        track.receive(Array("{\"part3\":\"\(long)\"}".utf8), group: 0, index: 3)
        guard case .ended(.undecodable(let error)) = track.state else { return #expect(Bool(false)) }
        #expect(error.fault == .tooLong)
        #expect(error.description.contains("the changes of group 0 have"))
    }

    @Test func `a delta behind a newer group is passed over`() {
        let track = CatalogTrack()
        track.receive(Self.text("a"), group: 0, index: 0)
        track.receive(Self.text("b"), group: 1, index: 0)
        track.receive(Array("{broken".utf8), group: 0, index: 1)
        #expect(names(track.next()) == ["b"])
        #expect(track.state == .live)
    }

    @Test func `a catalog that cannot be read ends it, after what was good`() throws {
        let track = CatalogTrack()
        track.receive(Self.text("a"), group: 0, index: 0)
        track.receive(Array("{\"video\":7}".utf8), group: 1, index: 0)
        track.receive(Self.text("b"), group: 2, index: 0)
        #expect(names(track.next()) == ["a"])
        guard case .ended(.undecodable(let error)) = track.next() else { return #expect(Bool(false), "it goes on") }
        #expect(error.description == "$.video (line 1, column 10): expected an object, not an integer")
        #expect(track.next() == nil)
        #expect(track.state == .ended(.undecodable(error)))
    }

    @Test func `frames out of their order are an error`() {
        let track = CatalogTrack()
        track.receive(Self.text("a"), group: 3, index: 1)
        guard case .ended(.undecodable(let error)) = track.next() else { return #expect(Bool(false), "it goes on") }
        #expect(error.fault == .noSnapshot)
    }

    @Test(arguments: [CatalogTrack.End.finished, .remote(code: 24), .cancelled])
    func `it ends once, and stays as it ended`(end: CatalogTrack.End) {
        let track = CatalogTrack()
        track.finish(end)
        track.finish(.remote(code: 13))
        track.receive(Self.text("a"), group: 0, index: 0)
        #expect(track.next() == .ended(end))
        #expect(track.next() == nil)
        #expect(track.state == .ended(end))
    }

    @Test(arguments: ["0.4.18", "0.3.19"], [false, true])
    func `the original stack's track is followed to its last catalog`(release: String, compressed: Bool) throws {
        let groups = try Fixtures.recorded(release)
        let track = CatalogTrack(compressed: compressed)
        for group in groups where group.track == (compressed ? "catalog.json.z" : "catalog.json") {
            for (index, frame) in group.frames.enumerated() {
                track.receive(frame, group: group.sequence, index: index)
            }
        }
        guard case .catalog(let catalog, _) = track.next() else { return #expect(Bool(false), "\(track.state)") }
        #expect(catalog.video?.renditions.map(\.name) == ["0.avc1", "2.m4s"])
        #expect(catalog.audio?.renditions.map(\.name) == ["1.opus", "3.m4s"])
        #expect(catalog.audio("1.opus")?.codec.family == .opus)
    }

    @Test func `the original stack's snapshots with deltas are followed`() throws {
        let group = try #require(try Fixtures.recorded("0.4.18").first { $0.track == "state.json.z" })
        let track = SnapshotTrack(compressed: true)
        var documents: [String] = []
        for (index, frame) in group.frames.enumerated() {
            try track.receive(frame, group: group.sequence, index: index)
            documents.append(String(decoding: track.document?.written() ?? [], as: UTF8.self))
        }
        // The fourth value was the third again, and wrote nothing.
        #expect(documents == [#"{"a":1,"b":{"c":2}}"#, #"{"a":2,"b":{"c":2}}"#, #"{"b":{"c":2}}"#])
    }

    @Test func `a value that is there already writes nothing`() {
        let writer = CatalogTrackWriter()
        let catalog = Catalog(video: VideoSection(renditions: []))
        #expect(writer.update(catalog)?.opensGroup == true)
        #expect(writer.update(catalog) == nil)
        #expect(writer.update(Catalog(sections: [.init(name: "x", value: .integer(1))]))?.opensGroup == true)
    }

    @Test func `deltas are written while they are worth it`() {
        let writer = SnapshotTrackWriter(deltaRatio: 2)
        func value(_ number: Int64) -> JSONValue {
            .object([.init(name: "n", value: .integer(number)), .init(name: "text", value: .string("0123456789"))])
        }
        let opens = (0..<20).map { writer.update(value(Int64($0)))?.opensGroup }
        // The snapshot has 27 bytes and a delta 7: behind the eighth they have more than twice the snapshot's.
        #expect(opens.prefix(12) == [true] + Array(repeating: false, count: 8) + [true, false, false])
        #expect(writer.update(.object([.init(name: "n", value: .null)]))?.opensGroup == true)
    }

    @Test(arguments: [false, true], [0, 3])
    func `any sequence of catalogs arrives`(compressed: Bool, ratio: Int) {
        var random = SeededRandom(seed: 77)
        let writer = CatalogTrackWriter(compressed: compressed, deltaRatio: ratio)
        let track = CatalogTrack(compressed: compressed)
        var (group, index) = (UInt64(0), 0)
        var deltas = 0
        for _ in 0..<200 {
            var catalog = Catalog.arbitrary(&random)
            if random.chance(0.5), let document = writer.document, let last = try? CatalogReader().read(document) {
                catalog = last
                catalog.video?.renditions.append(
                    VideoRendition(name: "more\(track.updates)", codec: CodecString(anything: "vp8", kind: .video)))
            }
            guard let frame = writer.update(catalog) else { continue }
            (group, index) = frame.opensGroup ? (group + 1, 0) : (group, index + 1)
            deltas += frame.opensGroup ? 0 : 1
            track.receive(frame.bytes, group: group, index: index)
            guard case .catalog(let seen, _) = track.next() else { return #expect(Bool(false), "\(track.state)") }
            #expect(CatalogWriter().document(seen).isEquivalent(to: CatalogWriter().document(catalog)))
        }
        #expect((deltas > 10) == (ratio > 0))
    }
}
