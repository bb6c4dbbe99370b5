import MoqBase
import MoqJSON
import Testing

@testable import MoqHang

struct TimelineTests {
    @Test func `the original stack's timeline is read`() throws {
        for name in ["0.avc1.timeline.z", "1.opus.timeline.z"] {
            let group = try #require(try Fixtures.recorded("0.3.19").first { $0.track == name })
            let track = TimelineTrack()
            for frame in group.frames { try track.receive(frame) }
            #expect(track.records.map(\.pts) == [0, 1200, 2400])
            #expect(track.records.map(\.group) == (name.hasPrefix("0") ? [0, 1, 2] : [0, 2, 4]))
        }
    }

    @Test func `records are written at least a second apart`() throws {
        let (writer, track) = (TimelineTrackWriter(), TimelineTrack())
        for group in 0..<10 {
            if let frame = writer.frame(group: UInt64(group), timestamp: group * 400_000) { try track.receive(frame) }
        }
        #expect(track.records.map(\.group) == [0, 3, 6, 9])
        #expect(track.records.map(\.pts) == [0, 1200, 2400, 3600])
    }

    @Test func `a record has a wall time where the reference says how`() {
        let reference = TimelineReference(track: "t", timescale: 1000, wall: 86_400_000)
        #expect(TimelineTrack.seconds(of: TimelineRecord(group: 1, pts: 500), reference) == 1_577_836_800 + 86_400.5)
        #expect(TimelineTrack.seconds(of: TimelineRecord(group: 1, pts: 0), TimelineReference(track: "t")) == nil)
    }

    @Test(arguments: [
        "{}", #"{"group":1}"#, #"{"group":-1,"pts":0}"#, #"{"group":1,"pts":9007199254740992}"#,
        #"{"group":1.5,"pts":0}"#, "[]",
    ])
    func `a record that is none is an error`(text: String) {
        #expect(throws: CatalogError.self) { try TimelineRecord(parsing: Array(text.utf8)) }
    }

    @Test func `what a record has besides is kept`() throws {
        let text = #"{"group":9007199254740991,"pts":7,"scte":{"x":1}}"#
        let record = try TimelineRecord(parsing: Array(text.utf8))
        #expect(String(decoding: record.written, as: UTF8.self) == text)
        #expect(TimelineTrackWriter().frame(group: .max, timestamp: 0) == nil)
        #expect(TimelineTrackWriter(timescale: .max).frame(group: 0, timestamp: .max) == nil)
    }
}
