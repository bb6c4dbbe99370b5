import MoqBase
import MoqJSON
import Testing

@testable import MoqHang

/// Every catalog of `fixtures/catalogs`, read as its index says.
struct CatalogFixtureTests {
    @Test func `the index names every file, once`() throws {
        let names = try Fixtures.entries().map(\.file)
        #expect(names.sorted() == (try Fixtures.files()))
        #expect(names.count > 45)
    }

    @Test(arguments: CatalogReader.Profile.allCases)
    func `each reader takes and refuses what the index says`(profile: CatalogReader.Profile) throws {
        for entry in try Fixtures.entries() {
            var outcome = "accepted"
            do throws(CatalogError) {
                let catalog = try CatalogReader(profile: profile).read(entry.bytes)
                if let video = entry.video {
                    #expect(catalog.video?.renditions.map(\.name) ?? [] == video, "\(entry.file)")
                }
                if let audio = entry.audio {
                    #expect(catalog.audio?.renditions.map(\.name) ?? [] == audio, "\(entry.file)")
                }
                if let sections = entry.sections { #expect(catalog.sections.map(\.name) == sections, "\(entry.file)") }
            } catch {
                outcome = error.fault.rawValue
                #expect(error.place != nil, "\(entry.file): \(error)")
                if let path = entry.path { #expect(error.path.description == path, "\(entry.file)") }
            }
            #expect(outcome == entry.readers[profile], "\(entry.file) by \(profile.rawValue)")
        }
    }

    @Test(arguments: PlayerProfile.allCases)
    func `each player can play what the index says`(player: PlayerProfile) throws {
        var count = 0
        for entry in try Fixtures.entries() {
            guard let expected = entry.playable[player] else { continue }
            let catalog = try CatalogReader(profile: .archive).read(entry.bytes)
            let names = catalog.playableVideo(on: player).map(\.name) + catalog.playableAudio(on: player).map(\.name)
            #expect(names == expected, "\(entry.file)")
            count += 1
        }
        #expect(count > 0)
    }

    /// Whatever shape it came in, what is written today is read today and says the same.
    @Test func `what was read is written in today's shape and stays what it is`() throws {
        for entry in try Fixtures.entries() where entry.readers[.archive] == "accepted" {
            let catalog = try CatalogReader(profile: .archive).read(entry.bytes)
            let written = CatalogWriter().write(catalog)
            let again = try CatalogReader(profile: .archive).read(written)
            #expect(again.video?.renditions ?? [] == catalog.video?.renditions ?? [], "\(entry.file)")
            #expect(again.audio?.renditions ?? [] == catalog.audio?.renditions ?? [], "\(entry.file)")
            #expect(again.sections == catalog.sections, "\(entry.file)")
            guard entry.readers[.rust] == "accepted" else { continue }
            let document = try JSONValue(parsing: entry.bytes)
            for section in catalog.sections { #expect(document[section.name] == section.value, "\(entry.file)") }
        }
    }

    @Test(arguments: [
        (CatalogGeneration.lists, "2025-06-02-lists.json"), (.maps, "2025-11-05-without-ai.json"),
        (.containerObjects, "2026-01-29-min-buffer.json"), (.jitter, "2026-02-04-without-priority.json"),
        (.current, "2026-08-14-stalled.json"), (.current, "0.4.18.json"),
    ])
    func `a shape is written as it was`(generation: CatalogGeneration, file: String) throws {
        let entry = try #require(try Fixtures.entries().first { $0.file == file })
        let catalog = try CatalogReader(profile: .archive).read(entry.bytes)
        let written = CatalogWriter(generation: generation).document(catalog)
        let original = try JSONValue(parsing: entry.bytes)
        // Where the original left out an empty section, or a track's usual container, the writer has it.
        for section in original.members ?? [] {
            let ours = try #require(written[section.name])
            #expect(
                ours.isEquivalent(to: section.value),
                "\(section.name) of \(file): \(String(decoding: ours.written(), as: UTF8.self))")
        }
    }

    @Test func `today's document of the original stack comes out as it went in, byte for byte`() throws {
        let groups = try Fixtures.recorded("0.4.18").filter { $0.track == "catalog.json" }
        #expect(groups.count >= 5)
        for group in groups {
            let catalog = try CatalogReader().read(group.frames[0])
            let known = catalog.video?.renditions.contains { !$0.other.isEmpty } == false
            guard known else { continue }
            #expect(CatalogWriter().write(catalog) == group.frames[0])
        }
        for group in try Fixtures.recorded("0.3.19") where group.track == "catalog.json" {
            #expect(CatalogWriter().write(try CatalogReader().read(group.frames[0])) == group.frames[0])
        }
    }
}
