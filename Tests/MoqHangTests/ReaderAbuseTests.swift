import MoqBase
import MoqJSON
import Testing

@testable import MoqHang

/// Whatever the bytes: an error or a value. A trap would end the test process.
struct ReaderAbuseTests {
    private static func mangled(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<1 + random.next() % 4 where !bytes.isEmpty {
            let place = Int(random.next() % UInt64(bytes.count))
            switch random.next() % 6 {
            case 0: bytes[place] ^= UInt8(1) << UInt8(random.next() % 8)
            case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
            case 2: bytes.removeSubrange(place...)
            case 3: bytes.remove(at: place)
            case 4: bytes.insert(contentsOf: Array("9999999999999999999".utf8), at: place)
            default: bytes.replaceSubrange(place..<min(place + 4, bytes.count), with: [0xFF, 0xFF, 0xFF, 0xFF])
            }
        }
        return bytes
    }

    @Test func `catalogs, mangled`() throws {
        var random = SeededRandom(seed: 101)
        let documents = try Fixtures.entries().map(\.bytes).filter { $0.count < 4000 }
        for _ in 0..<4000 {
            let bytes = Self.mangled(documents[Int(random.next() % UInt64(documents.count))], &random)
            for profile in CatalogReader.Profile.allCases { _ = try? CatalogReader(profile: profile).read(bytes) }
            _ = try? MSFCatalog(parsing: bytes)
            _ = try? TimelineRecord(parsing: bytes)
        }
    }

    @Test func `frames and initialisations, mangled`() throws {
        var random = SeededRandom(seed: 102)
        let groups = try Fixtures.recorded("0.4.18")
        let newest = try #require(groups.last { $0.track == "catalog.json" })
        let catalog = try CatalogReader().read(newest.frames[0])
        guard case .cmaf(let bytes)? = catalog.video("2.m4s")?.container else { return #expect(Bool(false)) }
        let initialisation = try CMAFInitialisation(parsing: bytes)
        let fragments = groups.filter { $0.track.hasSuffix(".m4s") }.flatMap(\.frames)
        for _ in 0..<3000 {
            let head = Self.mangled(bytes, &random)
            let fragment = Self.mangled(fragments[Int(random.next() % UInt64(fragments.count))], &random)
            let other = (try? CMAFInitialisation(parsing: head)) ?? initialisation
            _ = try? CMAFFragment.decode(fragment, other)
            let frame = random.bytes(Int(random.next() % 40))
            _ = try? LOCFrame.decode(frame, isFirstOfGroup: true)
            _ = try? LegacyFrame.decode(frame, isFirstOfGroup: true)
            _ = try? CMAFFragment.decode(frame, initialisation)
            _ = try? CMAFInitialisation(parsing: frame)
        }
    }

    @Test func `numbers at every edge in the boxes`() throws {
        let video = VideoRendition(
            name: "v", codec: CodecString(anything: "avc1.64001f", kind: .video), description: [1], codedWidth: 1,
            codedHeight: 1)
        let head = try CMAFInitialisation.make(video)
        let initialisation = try CMAFInitialisation(parsing: head)
        let frame = MediaFrame(timestamp: 1, isKeyframe: true, payload: [1, 2], duration: 5, decodeTimestamp: 0)
        let fragment = try CMAFFragment.encode(frame, initialisation, sequence: 1)
        for edge in [0, 1, 7, 8, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] {
            for (bytes, isHead) in [(head, true), (fragment, false)] {
                for place in 0..<bytes.count - 3 {
                    var bytes = bytes
                    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: edge >> (24 - 8 * index)) }
                    if isHead {
                        guard let other = try? CMAFInitialisation(parsing: bytes) else { continue }
                        _ = try? CMAFFragment.decode(fragment, other)
                        _ = try? CMAFFragment.encode(frame, other, sequence: 1)
                    } else {
                        _ = try? CMAFFragment.decode(bytes, initialisation)
                    }
                }
            }
        }
    }

    @Test func `deep nesting is refused at every place`() throws {
        for depth in [100, 200, 100_000] {
            let nested = String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
            for text in [nested, "{\"x\":\(nested)}", "{\"video\":{\"renditions\":{\"v\":\(nested)}}}"] {
                _ = try? CatalogReader(profile: .archive).read(Array(text.utf8))
            }
            let track = CatalogTrack()
            track.receive(Array("{}".utf8), group: 0, index: 0)
            track.receive(Array(nested.utf8), group: 0, index: 1)
            if depth > 128 { #expect(track.state != .live) }
        }
    }
}
