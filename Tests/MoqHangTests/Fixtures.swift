import Foundation
import MoqBase
import MoqJSON
import Testing

@testable import MoqHang

/// The catalogs of `fixtures/catalogs`, with what readers make of them.
enum Fixtures {
    struct Entry {
        var file: String
        var bytes: [UInt8]
        /// `accepted`, or the fault, by reader.
        var readers: [CatalogReader.Profile: String]
        var video: [String]?
        var audio: [String]?
        /// The renditions that a player can play, by player.
        var playable: [PlayerProfile: [String]]
        var sections: [String]?
        var path: String?
    }

    /// What the original stack wrote: a group of a track.
    struct Group {
        var track: String
        var sequence: UInt64
        var frames: [[UInt8]]
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let folder = root.appending(path: "fixtures/catalogs")

    static func entries() throws -> [Entry] {
        let index = try JSONValue(parsing: Array(Data(contentsOf: folder.appending(path: "index.json"))))
        return try (index["entries"]?.elements ?? []).map { value in
            let file = try #require(value["file"]?.string)
            var readers: [CatalogReader.Profile: String] = [:]
            for profile in CatalogReader.Profile.allCases {
                readers[profile] = try #require(value["readers"]?[profile.rawValue]?.string, "\(file)")
            }
            var playable: [PlayerProfile: [String]] = [:]
            for player in PlayerProfile.allCases { playable[player] = texts(value[player.rawValue]) }
            return Entry(
                file: file, bytes: Array(try Data(contentsOf: folder.appending(path: file))), readers: readers,
                video: texts(value["video"]), audio: texts(value["audio"]), playable: playable,
                sections: texts(value["sections"]), path: value["path"]?.string)
        }
    }

    static func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter {
            $0.hasSuffix(".json") && $0 != "index.json"
        }
    }

    /// What a release wrote on its tracks, in the order of groups.
    static func recorded(_ release: String) throws -> [Group] {
        let text = try String(contentsOf: folder.appending(path: "recorded/\(release).jsonl"), encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            let value = try JSONValue(parsing: Array(line.utf8))
            let frames = try (texts(value["frames"]) ?? []).map { try #require(Hexadecimal.decode($0)) }
            return Group(
                track: try #require(value["track"]?.string), sequence: UInt64(value["sequence"]?.integer ?? 0),
                frames: frames)
        }
    }

    private static func texts(_ value: JSONValue?) -> [String]? {
        value?.elements?.compactMap(\.string)
    }
}

extension [UInt8] {
    init(hex text: String) {
        self = Hexadecimal.decode(text.filter { $0 != " " }) ?? []
    }
}

extension Catalog {
    /// A catalog of any content, for tests of round trips.
    static func arbitrary(_ random: inout SeededRandom) -> Catalog {
        let codecs = ["avc1.64001f", "avc3.42e01e", "hvc1.1.6.L93.B0", "av01.0.04M.08", "vp8", "vp09.00.10.08", "x.y"]
        func maybe<Value>(_ value: @autoclosure () -> Value) -> Value? { random.chance(0.5) ? value() : nil }
        func number(_ limit: UInt64) -> Int { Int(random.next() % limit) }
        func container() -> Container {
            switch number(4) {
            case 0: .legacy
            case 1: .loc
            case 2: .cmaf(initialisation: random.bytes(number(40)))
            default: .unknown(.object([.init(name: "kind", value: .string("future")), .init(name: "n", value: .null)]))
            }
        }
        func other() -> [JSONValue.Member] {
            random.chance(0.3) ? [.init(name: "extra\(number(9))", value: JSONValue.arbitrary(&random, depth: 3))] : []
        }
        func timeline() -> TimelineReference {
            TimelineReference(track: "t.timeline.z", timescale: 1 + number(90_000), wall: maybe(Int64(number(1 << 50))))
        }
        var catalog = Catalog(video: VideoSection(), audio: AudioSection())
        for index in 0..<number(4) {
            let codec = CodecString(anything: codecs[number(UInt64(codecs.count))], kind: .video)
            catalog.video?.renditions.append(
                VideoRendition(
                    name: "\(index).v\"é/", codec: codec, description: maybe(random.bytes(number(30))),
                    codedWidth: maybe(number(5000)), codedHeight: maybe(number(5000)),
                    displayAspectWidth: maybe(number(50)), displayAspectHeight: maybe(number(50)),
                    bitrate: maybe(Int64(number(1 << 40))), framerate: maybe(Double(number(120_000)) / 1000),
                    stalled: maybe(random.chance(0.5)), optimizeForLatency: maybe(random.chance(0.5)),
                    container: container(), jitter: maybe(Int64(number(5000))), timeline: maybe(timeline()),
                    broadcast: maybe("../b"), other: other()))
        }
        for index in 0..<number(3) {
            catalog.audio?.renditions.append(
                AudioRendition(
                    name: "\(index).a",
                    codec: CodecString(anything: ["opus", "mp4a.40.2", "zz"][number(3)], kind: .audio),
                    sampleRate: number(96_000), numberOfChannels: number(8), bitrate: maybe(Int64(number(1 << 40))),
                    description: maybe(random.bytes(number(30))), container: container(),
                    jitter: maybe(Int64(number(5000))), timeline: maybe(timeline()), broadcast: maybe("./s"),
                    other: other()))
        }
        catalog.video?.rotation = maybe(Double(number(4) * 90))
        catalog.video?.flip = maybe(random.chance(0.5))
        catalog.video?.display = maybe(VideoSection.Size(width: number(4000), height: number(4000)))
        catalog.audio?.other = other()
        catalog.sections = other()
        return catalog
    }
}

extension JSONValue {
    /// A document of any content.
    static func arbitrary(_ random: inout SeededRandom, depth: Int) -> JSONValue {
        switch random.next() % (depth > 0 ? 8 : 6) {
        case 0: return .null
        case 1: return .bool(random.chance(0.5))
        case 2: return .integer(Int64(bitPattern: random.next()) >> Int64(random.next() % 64))
        case 3: return .real(Double(random.next() % 1_000_000) / 64)
        case 4, 5: return .string(String("aé\u{0}\"\\🎥\n".prefix(Int(random.next() % 8))))
        case 6:
            var elements: [JSONValue] = []
            for _ in 0..<random.next() % 4 { elements.append(.arbitrary(&random, depth: depth - 1)) }
            return .array(elements)
        default:
            var members: [Member] = []
            for name in ["a", "b", "c", "d"] where random.chance(0.5) {
                members.append(.init(name: name, value: .arbitrary(&random, depth: depth - 1)))
            }
            return .object(members)
        }
    }
}
