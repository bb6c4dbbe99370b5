import Foundation
import MoqBase
import MoqMedia
import Testing

@Suite struct BadFileTests {
    private func error(_ name: String) -> MediaError? {
        do {
            _ = try MediaFile.load(path: Fixture.path(name))
            return nil
        } catch { return error }
    }

    @Test func aFileThatIsNotThereIsNamed() {
        guard case .unreadable(let text) = error("none.mp4") else {
            Issue.record("no error")
            return
        }
        #expect(text.hasSuffix("fixtures/media/none.mp4: No such file or directory"))
    }

    @Test func whatIsNoFileAndWhatIsNoMediaIsRefused() {
        guard case .unreadable(let text) = error(".") else {
            Issue.record("no error")
            return
        }
        #expect(text.contains("no regular file"))
        guard case .notMedia(let text) = error("README.md") else {
            Issue.record("no error")
            return
        }
        #expect(text.contains("README.md") && text.contains("no MP4, MOV, Matroska or WebM file"))
        #expect(throws: MediaError.self) { try MediaFile(bytes: []) }
    }

    @Test func aPipeThatNobodyWritesToIsRefusedAtOnce() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "moqspec-\(UUID()).mp4").path
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let error = #expect(throws: MediaError.self) { try MediaFile.load(path: path) }
        guard case .unreadable(let text) = error else { return }
        #expect(text.hasSuffix("it is no regular file"))
    }

    @Test func aFileWithoutUsableTrackSaysWhatItHasInstead() {
        guard case .noUsableTrack(let text) = error("bad-text-only.mp4") else {
            Issue.record("no error")
            return
        }
        #expect(text.contains("stream 0: neither video nor sound (mov_text)"))
        guard case .noUsableTrack(let text) = error("bad-mpeg4-mp3.mp4") else {
            Issue.record("no error")
            return
        }
        #expect(text.contains("video in mpeg4, which is none of H.264, H.265, AV1, AAC, Opus"))
        #expect(text.contains("sound in mp3"))
    }

    @Test func ofAFileThatIsHalfUsableTheOtherHalfIsNamed() throws {
        let file = try Fixture.file("half-h264-mp3.mp4")
        #expect(file.tracks.map(\.format.codec) == [.h264])
        #expect(file.skippedStreams.map(\.number) == [1])
        #expect(file.packets.count == 10)
    }

    @Test func aTruncatedFileHasWhatIsBeforeTheCut() throws {
        let file = try Fixture.file("bad-truncated.mp4")
        let whole = try Fixture.file("bars-h264-aac.mp4")
        #expect(file.damage?.isEmpty == false)
        #expect(file.packets.count > 100 && file.packets.count < whole.packets.count)
        for track in 0..<2 {
            let packets = file.packets.filter { $0.track == track }
            #expect(packets == Array(whole.packets.filter { $0.track == track }.prefix(packets.count)))
        }
        #expect(try Playback(file).faults.isEmpty)
    }

    @Test func aClockThatJumpsShowsInTheSteps() throws {
        let file = try Fixture.file("bad-clock-jump.mp4")
        #expect(file.tracks.allSatisfy { $0.greatestStep > 5_000_000 })
        #expect(file.tracks[0].format.frameRate == 10)
        #expect(try Fixture.file("bars-h264-aac.mp4").tracks.allSatisfy { $0.greatestStep < 200_000 })
    }

    @Test func aCorruptFrameIsReportedWhereItIs() throws {
        let playback = try Playback(try Fixture.file("bad-corrupt-frame.mp4"))
        let first = try #require(playback.faults.first)
        // Frame 15 at 10 a second, after the epoch.
        #expect(first.presentation == 1_500_000 + 21_333)
        #expect(first.fault.description.contains("H.264 frame at 1.521 s"))
        // The next keyframe repairs it.
        let repaired = playback.pictures.filter { $0.presentation >= 2_000_000 }
        #expect(repaired.map(\.mark) == (20..<40).map { PictureMark(frameNumber: $0) })
        #expect(playback.faults.allSatisfy { $0.presentation < 2_000_000 })
        #expect(playback.sounds.count == 189)
    }

    @Test(arguments: Fixture.good)
    func damagedBytesGiveAnErrorOrAValueButNeverMore(_ name: String) throws {
        let source = try Fixture.bytes(name)
        var random = SeededRandom(seed: StableHash.of(name))
        var valueCount = 0
        for round in 0..<24 {
            var bytes = source
            if round % 3 == 0 { bytes.removeLast(Int(random.next() % UInt64(source.count))) }
            // The head holds the tables: there a flipped bit does most.
            let reach = round % 2 == 0 ? min(bytes.count, 2000) : bytes.count
            for _ in 0..<(1 + Int(random.next() % 12)) where !bytes.isEmpty {
                bytes[Int(random.next() % UInt64(reach))] ^= 1 << UInt8(random.next() % 8)
            }
            guard let file = try? MediaFile(bytes: bytes) else { continue }
            #expect(file.packets.reduce(0) { $0 + $1.payload.count } <= bytes.count)
            #expect(!file.tracks.isEmpty)
            valueCount += 1
            guard round % 4 == 1 else { continue }
            // What decodes is no more than what there is.
            guard let playback = try? Playback(file) else { continue }
            #expect(playback.pictures.count <= file.packets.count)
            _ = try? file.asByteStream()
        }
        #expect(valueCount > 0)
    }
}
