import Foundation
import MoqKit
import MoqMedia
import Testing

@testable import MoqPlayback

@Suite struct SampleDecoderTests {
    private func track(_ name: String) throws -> (MoqKit.Rendition, [MoqKit.MediaFrame]) {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = try MediaFile.load(path: folder.appendingPathComponent("fixtures/media/\(name)").path)
        let index = try #require(file.tracks.firstIndex { $0.format.codec.kind == .audio })
        let format = file.tracks[index].format
        let rendition = Rendition(
            kind: .audio, name: "track", codec: format.codecString, description: format.setup,
            sampleRate: format.sampleRate, channels: format.channelCount)
        let frames = file.packets.filter { $0.track == index }.map {
            MoqKit.MediaFrame(timestamp: $0.presentation, isKeyframe: $0.isKeyframe, payload: $0.payload)
        }
        return (rendition, frames)
    }

    private func hear(
        _ name: String, as output: AudioConverter.Output = .init(), leavingOut skipped: Range<Int> = 0..<0
    ) throws -> SampleHearing {
        let (rendition, frames) = try track(name)
        let decoder = SampleDecoder()
        var converter = AudioConverter(to: output)
        var hearing = SampleHearing()
        for (index, frame) in frames.enumerated() where !skipped.contains(index) {
            let result = decoder.decode(frame, of: rendition)
            #expect(result.problem == nil)
            for samples in result.samples { hearing.take(converter.convert(samples)) }
        }
        return hearing
    }

    @Test(arguments: [("bars-h264-aac.mp4", 1024), ("bars-h264-opus.mp4", 960), ("tone-aac.mp4", 1024)])
    func theSamplesOfAFileAreWholeAndItsTonesAreHeard(_ name: String, _ size: Int) throws {
        let hearing = try hear(name)
        #expect(hearing.gaps == 0 && hearing.overlaps == 0 && hearing.malformed == 0)
        #expect(hearing.tones >= 6 && hearing.missingTones == 0)
        #expect(hearing.sampleRate == 48_000 && hearing.sampleFormat == .float32)
        #expect(hearing.sizes?.upperBound == size)
        let frames = try track(name).1.count
        #expect(hearing.samples > (frames - 1) * size && hearing.samples <= frames * size)
    }

    @Test(arguments: [8000, 16_000, 44_100, 96_000], AudioSampleFormat.allCases)
    func theToneIsTheSameInEveryForm(_ rate: Int, _ format: AudioSampleFormat) throws {
        let whole = try hear("bars-h264-aac.mp4")
        for channels in 1...3 {
            let output = AudioConverter.Output(sampleFormat: format, sampleRate: rate, channelCount: channels)
            let hearing = try hear("bars-h264-aac.mp4", as: output)
            #expect(hearing.sampleRate == rate && hearing.channelCount == channels)
            #expect(hearing.sampleFormat == format && hearing.malformed == 0)
            #expect(hearing.gaps == 0 && hearing.overlaps == 0 && hearing.missingTones == 0)
            // Three channels of a track of two have a silent one: a tone at two thirds is the same tone.
            #expect(hearing.tones == whole.tones)
            let expected = Double(whole.samples) * Double(rate) / 48_000
            #expect(abs(Double(hearing.samples) - expected) <= 4)
        }
    }

    @Test func whatIsLeftOutIsAGapAndAMissingTone() throws {
        // 70 frames of 1024 samples are three steps of half a second.
        let hearing = try hear("bars-h264-aac.mp4", leavingOut: 30..<100)
        #expect(hearing.gaps == 1 && hearing.overlaps == 0 && hearing.missingTones >= 1)
    }

    @Test func aFrameThatDoesNotDecodeIsTold() throws {
        let (rendition, frames) = try track("bars-h264-aac.mp4")
        let decoder = SampleDecoder()
        #expect(decoder.decode(frames[0], of: rendition).problem == nil)
        var bad = frames[1]
        bad.payload = Array(repeating: 0xA5, count: bad.payload.count)
        #expect(decoder.decode(bad, of: rendition).problem != nil)
        #expect(decoder.problem(with: rendition) == nil)
        #expect(decoder.problem(with: Rendition(kind: .audio, name: "track", codec: "mp4b.40.2")) != nil)
    }

    @Test func bytesThatDoNotFitTheirCountAreMalformed() {
        var hearing = SampleHearing()
        hearing.take(
            AudioChunk(
                bytes: [0, 0, 0], timestamp: 0, sampleRate: 48_000, channelCount: 1, sampleFormat: .int16, frameCount: 2
            )
        )
        #expect(hearing.malformed == 1)
    }
}
