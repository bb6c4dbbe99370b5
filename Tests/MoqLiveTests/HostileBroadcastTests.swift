import MoqBase
import MoqHang
import MoqKit
import MoqMedia
import MoqPlayback
import MoqTransport
import MoqWire
import Testing

@testable import MoqLive

/// What comes of broadcasts that somebody made to do harm: an end or an event, never a trap, and soon.
@Suite struct HostileBroadcastTests {
    /// Numbers that no catalog should have.
    private static let absurd = [
        "0", "-1", "0.5", "1e300", "-1e300", "5e-324", "1e999", "2147483647", "4294967295", "9223372036854775807",
        "-9223372036854775808", "99999999999999999999999", "null", "[]", "{}",
    ]

    private static let videoNumbers = [
        "codedWidth", "codedHeight", "displayAspectWidth", "displayAspectHeight", "bitrate", "framerate", "jitter",
        "description",
        "optimizeForLatency", "stalled", "timeline", "container", "broadcast",
    ]
    private static let audioNumbers = [
        "sampleRate", "numberOfChannels", "bitrate", "jitter", "description", "container", "broadcast",
    ]

    private static func catalog(video: String = "", audio: String = "") -> String {
        let right = "\"codec\": \"avc1.64000a\""
        let tone = "\"codec\": \"opus\", \"sampleRate\": 48000, \"numberOfChannels\": 2"
        return """
            {"video": {"renditions": {"v": {\(video.isEmpty ? right : right + ", " + video)}}},
             "audio": {"renditions": {"a": {\(audio.isEmpty ? tone : audio)}}}}
            """
    }

    private static var catalogs: [String] {
        var all: [String] = []
        for number in absurd {
            for name in videoNumbers { all.append(catalog(video: "\"\(name)\": \(number)")) }
            for name in audioNumbers {
                var members = ["codec": "\"opus\"", "sampleRate": "48000", "numberOfChannels": "2"]
                members[name] = number
                all.append(
                    catalog(
                        audio: members.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(
                            separator: ", ")))
            }
        }
        return all
    }

    private static let times: [UInt64] = [
        0, 1, 999_999, 1 << 31, 1 << 32, 1 << 53, (1 << 62) - 1, (1 << 62) - 2, 1 << 61, 9_223_372_036_854,
        9_223_372_036_855,
        9_223_372_036_854_775,
    ]

    private func legacy(_ time: UInt64, _ payload: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(capacity: 16)
        writer.varint(time)
        return writer.bytes + payload
    }

    private func loc(_ time: UInt64, scale: UInt64, _ payload: [UInt8]) -> [UInt8] {
        var inner = ByteWriter(capacity: 16)
        inner.varint(8)
        inner.varint(scale)
        inner.varint(8)
        inner.varint(time)
        var writer = ByteWriter(capacity: 16)
        writer.varint(UInt64(inner.bytes.count))
        return writer.bytes + inner.bytes + payload
    }

    @Test(arguments: KitPlatform.allCases)
    func absurdNumbersOfCatalogs(_ platform: KitPlatform) throws {
        let source = try Fixture.file("bars-h264-opus.mp4")
        let pictures = source.packets.filter { source.tracks[$0.track].format.codec == .h264 }.prefix(6).map(\.payload)
        let sounds = source.packets.filter { source.tracks[$0.track].format.codec == .opus }.prefix(6).map(\.payload)
        for (number, text) in Self.catalogs.enumerated() {
            let network = try LiveNetwork(seed: UInt64(number + 1))
            _ = try network.publishByHand([
                "catalog.json": [Array(text.utf8)],
                "v": pictures.enumerated().map { legacy(UInt64($0.offset) * 40_000, $0.element) },
                "a": sounds.enumerated().map { legacy(UInt64($0.offset) * 20_000, $0.element) },
            ])
            let viewer = try network.watch {
                ($0.platform, $0.records, $0.duration) = (platform, true, .seconds(2))
            }
            let isDone = try network.run(for: .seconds(4)) { viewer.watcher.outcome != nil }
            #expect(isDone, "\(text)")
            #expect(try viewer.illegalSteps() == [], "\(text)")
        }
    }

    @Test(arguments: KitPlatform.allCases)
    func absurdTimes(_ platform: KitPlatform) throws {
        let source = try Fixture.file("bars-h264-opus.mp4")
        let track = try #require(source.tracks.first { $0.format.codec == .h264 })
        let setup = track.format.setup.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let pictures = source.packets.filter { source.tracks[$0.track].format.codec == .h264 && $0.isKeyframe }.map(
            \.payload)
        let sounds = source.packets.filter { source.tracks[$0.track].format.codec == .opus }.prefix(20).map(\.payload)
        var random = SeededRandom(seed: 5)
        for round in 0..<16 {
            let isLOC = round % 2 == 1
            let container = "\"container\": {\"kind\": \"\(isLOC ? "loc" : "legacy")\"}"
            let text = Self.catalog(
                video: "\"description\": \"\(setup)\", \(container)",
                audio: "\"codec\": \"opus\", \"sampleRate\": 48000, \"numberOfChannels\": 2, \(container)")
            func frames(_ payloads: some Sequence<[UInt8]>) -> [[UInt8]] {
                payloads.map { payload in
                    let time = Self.times[Int(random.next() % UInt64(Self.times.count))]
                    guard isLOC else { return legacy(time, payload) }
                    let scales: [UInt64] = [1, 2, 1000, 1_000_000, 1_000_000_000, (1 << 62) - 1]
                    return loc(time, scale: scales[Int(random.next() % 6)], payload)
                }
            }
            let network = try LiveNetwork(seed: UInt64(round + 1))
            let (video, audio) = (frames(pictures + pictures + pictures), frames(sounds))
            _ = try network.publishByHand(["catalog.json": [Array(text.utf8)], "v": video, "a": audio])
            let viewer = try network.watch {
                ($0.platform, $0.records, $0.duration) = (platform, true, .seconds(3))
                $0.target = round % 4 < 2 ? .milliseconds(100) : .seconds(60)
            }
            #expect(try network.run(for: .seconds(6)) { viewer.watcher.outcome != nil })
            #expect(try viewer.illegalSteps() == [], "\(round)")
        }
    }

    private func look(
        _ tracks: [String: [[UInt8]]], _ platform: KitPlatform, seed: UInt64 = 1,
        _ change: (inout WatchSettings) -> Void = { _ in }
    ) throws -> LiveNetwork.Viewer {
        let network = try LiveNetwork(seed: seed)
        _ = try network.publishByHand(tracks)
        let viewer = try network.watch {
            ($0.platform, $0.records, $0.duration) = (platform, true, .seconds(2))
            change(&$0)
        }
        #expect(try network.run(for: .seconds(4)) { viewer.watcher.outcome != nil })
        #expect(try viewer.illegalSteps() == [])
        return viewer
    }

    private static let names = [
        "", " ", ".", "..", "../v", "/v", "v/", "a//b", "catalog.json", "v\u{0}", "\u{1B}[2J", "é", "\u{202E}v",
        String(repeating: "n", count: 5000), String(repeating: "d/", count: 600),
    ]

    @Test(arguments: KitPlatform.allCases)
    func namesThatNoTrackHas(_ platform: KitPlatform) throws {
        for (number, name) in Self.names.enumerated() {
            let text = JSONText.quoted(name)
            for catalog in [
                "{\"video\": {\"renditions\": {\(text): {\"codec\": \"avc1.64000a\"}}}}",
                "{\"video\": {\"renditions\": {\"v\": {\"codec\": \(text)}}}}",
                "{\"video\": {\"renditions\": {\"v\": {\"codec\": \"avc1.64000a\", \"broadcast\": \(text)}}}}",
                "{\"video\": {\"renditions\": {\"v\": {\"codec\": \"avc1.64000a\", \"container\": {\"kind\": \(text)}}}}}",
            ] {
                _ = try look(
                    ["catalog.json": [Array(catalog.utf8)], "v": [legacy(0, [1, 2, 3])]], platform,
                    seed: UInt64(number + 1))
            }
        }
    }

    @Test(arguments: KitPlatform.allCases)
    func fragmentsOutOfShape(_ platform: KitPlatform) throws {
        let source = try Fixture.file("bars-h264-opus.mp4")
        let track = try #require(source.tracks.first { $0.format.codec == .h264 })
        let rendition = VideoRendition(
            name: "v", codec: CodecString(anything: "avc1.64000a", kind: .video), description: track.format.setup,
            codedWidth: 160, codedHeight: 90)
        let head = try CMAFInitialisation.make(rendition)
        let initialisation = try CMAFInitialisation(parsing: head)
        let packets = source.packets.filter { source.tracks[$0.track].format.codec == .h264 }.prefix(10)
        let fragments = try packets.enumerated().map { index, packet in
            try CMAFFragment.encode(
                MediaFrame(
                    timestamp: Int(packet.presentation), isKeyframe: packet.isKeyframe, payload: packet.payload,
                    duration: 40_000, decodeTimestamp: Int(max(0, packet.decode))), initialisation, sequence: index + 1)
        }
        var random = SeededRandom(seed: 9)
        for round in 0..<60 {
            let spoilt = round % 3 == 0 ? mangled(head, &random) : head
            let text =
                "{\"video\": {\"renditions\": {\"v\": {\"codec\": \"avc1.64000a\", \"container\": {\"kind\": \"cmaf\", \"init\": \"\(Base64.encode(spoilt))\"}}}}}"
            _ = try look(
                [
                    "catalog.json": [Array(text.utf8)],
                    "v": fragments.map { random.next() % 2 == 0 ? mangled($0, &random) : $0 },
                ],
                platform, seed: UInt64(round + 1))
        }
    }

    private func mangled(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<1 + random.next() % 3 where bytes.count > 8 {
            let place = Int(random.next() % UInt64(min(bytes.count, 700)))
            switch random.next() % 5 {
            case 0: bytes[place] ^= UInt8(1) << UInt8(random.next() % 8)
            case 1: bytes.removeSubrange(place...)
            case 2: bytes.remove(at: place)
            default:
                let edges: [UInt8] = [0, 0x7F, 0x80, 0xFF]
                bytes.replaceSubrange(
                    place..<min(place + 4, bytes.count),
                    with: [edges[Int(random.next() % 4)], 0xFF, 0xFF, edges[Int(random.next() % 4)]])
            }
        }
        return bytes
    }

    private func unplayable(_ viewer: LiveNetwork.Viewer) -> String {
        if case .unplayable(let text)? = viewer.watcher.outcome?.reason { text } else { "" }
    }

    @Test func catalogsBeyondAllMeasure() throws {
        let many = (0..<20_000).map { "\"v\($0)\": {\"codec\": \"avc1.64000a\"}" }.joined(separator: ",")
        let viewer = try look(["catalog.json": [Array("{\"video\": {\"renditions\": {\(many)}}}".utf8)]], .ios)
        #expect(viewer.told.contains("track.subscribe.error"))
        let deep = String(repeating: "{\"a\":", count: 100_000)
        let lost = try look(["catalog.json": [Array(deep.utf8)]], .ios)
        #expect(unplayable(lost).contains("line 1, column "), "\(unplayable(lost))")
    }

    @Test(arguments: KitPlatform.allCases)
    func compressedCatalogsThatAreNone(_ platform: KitPlatform) throws {
        let bomb = GroupDeflater().deflate([UInt8](repeating: 0x20, count: 60 << 20))
        let words = [
            (bomb, "inflates to more than 8388608 bytes"), (Array(bomb.prefix(100)), "does not inflate"),
            ([0xFF, 0xFF], "does not inflate"), ([], "there is nothing"), ([0x03, 0x00], "there is nothing"),
        ]
        for (frame, word) in words {
            let viewer = try look(["catalog.json.z": [frame]], platform) { $0.catalog = .compressed }
            #expect(unplayable(viewer).contains(word), "\(unplayable(viewer))")
        }
    }
}

/// Texts as JSON has them.
private enum JSONText {
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            let digits = String(scalar.value, radix: 16)
            return scalar.value < 0x20
                ? "\\u" + String(repeating: "0", count: 4 - digits.count) + digits : String(scalar)
        }
        return "\"\(scalars.joined())\""
    }
}
