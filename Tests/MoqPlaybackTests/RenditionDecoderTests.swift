import Foundation
import MoqKit
import MoqMedia
import Testing

@testable import MoqPlayback

@Suite struct RenditionDecoderTests {
    private func file(_ name: String) throws -> MediaFile {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try MediaFile.load(path: folder.appendingPathComponent("fixtures/media/\(name)").path)
    }

    private func rendition(of file: MediaFile, _ kind: MediaCodec.Kind) throws -> (
        MoqKit.Rendition, [MoqKit.MediaFrame]
    ) {
        let index = try #require(file.tracks.firstIndex { $0.format.codec.kind == kind })
        let format = file.tracks[index].format
        let rendition = Rendition(
            kind: kind == .video ? .video : .audio, name: "track", codec: format.codecString,
            description: format.setup, width: format.width, height: format.height, frameRate: format.frameRate,
            sampleRate: format.sampleRate, channels: format.channelCount)
        let frames = file.packets.filter { $0.track == index }.map {
            MoqKit.MediaFrame(timestamp: $0.presentation, isKeyframe: $0.isKeyframe, payload: $0.payload)
        }
        return (rendition, frames)
    }

    @Test(arguments: ["bars-h264-aac.mp4", "bars-h264-reordered-aac.mp4", "bars-hevc-aac.mp4", "bars-av1-opus.mp4"])
    func picturesOutOfOrderDecodeThoughThePlayerTakesThemByTime(_ name: String) throws {
        for kind in [MediaCodec.Kind.video, .audio] {
            let (rendition, frames) = try rendition(of: try file(name), kind)
            let decoder = RenditionDecoder()
            var pictures: [Int] = []
            var sounds = 0
            decoder.onDecoded = {
                pictures += $1.pictures.compactMap { $0.mark?.frameNumber }
                sounds += $1.sounds.count
            }
            for frame in frames { decoder.received(frame, of: rendition) }
            for frame in frames.sorted(by: { $0.timestamp < $1.timestamp }) {
                #expect(decoder.decode(frame, of: rendition) == nil)
            }
            #expect(decoder.faults == 0 && decoder.decoded == frames.count)
            if kind == .video { #expect(pictures == Array(0..<pictures.count) && pictures.count > 30) }
            if kind == .audio { #expect(sounds > 100) }
        }
    }

    @Test func aFrameThatDoesNotDecodeIsToldOnceAndAfterAKeyframeItGoesOn() throws {
        let (rendition, frames) = try rendition(of: try file("bad-corrupt-frame.mp4"), .video)
        let decoder = RenditionDecoder()
        var told: [Int] = []
        for (index, frame) in frames.enumerated() {
            decoder.received(frame, of: rendition)
            if decoder.decode(frame, of: rendition) != nil {
                told.append(index)
                decoder.flush(rendition)
            }
        }
        // Frame 15 is damaged; up to the keyframe 20 nothing is decoded.
        #expect(told == [15] && decoder.faults == 1)
        #expect(decoder.decoded == frames.count - 5)
    }

    @Test func aCodecWithoutDecoderIsAFaultOfEveryFrame() throws {
        let rendition = Rendition(kind: .video, name: "track", codec: "avc9x")
        let decoder = RenditionDecoder()
        let frame = MoqKit.MediaFrame(timestamp: 0, isKeyframe: true, payload: [1])
        decoder.received(frame, of: rendition)
        #expect(decoder.decode(frame, of: rendition)?.contains("avc9x") == true)
        #expect(RenditionDecoder.problem(with: rendition)?.contains("avc9x") == true)
    }

    private func faults(of rendition: MoqKit.Rendition, _ frames: [MoqKit.MediaFrame]) -> [DecodeFault] {
        let decoder = RenditionDecoder()
        var first: [DecodeFault] = []
        decoder.onFirstFault = { first.append($0) }
        for frame in frames { decoder.received(frame, of: rendition) }
        let entries = decoder.reasons.entries
        #expect(entries.reduce(0) { $0 + $1.frames } == decoder.faults)
        #expect(first.map(\.cause) == entries.map(\.cause) && first.allSatisfy { $0.frames == 1 })
        return entries
    }

    @Test func aGroupWithoutItsKeyframeIsToldAsSuch() throws {
        var (rendition, frames) = try rendition(of: try file("bars-h264-aac.mp4"), .video)
        frames.removeFirst()
        frames[0].isKeyframe = true
        let faults = faults(of: rendition, Array(frames.prefix(3)))
        #expect(faults.map(\.cause) == [.noKeyframe], "\(faults)")
        #expect(faults.first?.timestamp == frames[0].timestamp)
    }

    @Test func aFrameThatIsCutIsToldWithWhatIsMissing() throws {
        var (rendition, frames) = try rendition(of: try file("bars-h264-aac.mp4"), .video)
        frames[1].payload.removeLast(9)
        let faults = faults(of: rendition, Array(frames.prefix(2)))
        #expect(faults.map(\.cause) == [.truncated], "\(faults)")
        #expect(faults.first?.text.contains("bytes is to come, and") == true)
        #expect(faults.first?.summary.hasPrefix("video `track`: 1 × truncated frame (first: a unit of ") == true)
    }

    @Test func anotherCodecThanThatOfTheCatalogIsTold() throws {
        let (rendition, frames) = try rendition(of: try file("bars-h264-aac.mp4"), .video)
        let (other, others) = try self.rendition(of: try file("bars-hevc-aac.mp4"), .video)
        #expect(faults(of: rendition, Array(others.prefix(1))).map(\.cause) == [.otherCodec])
        #expect(faults(of: other, Array(frames.prefix(1))).map(\.cause) == [.otherCodec])
    }

    @Test func framesWithoutAConfigurationAreToldAsSuch() throws {
        var (rendition, frames) = try rendition(of: try file("bars-h264-aac.mp4"), .video)
        rendition.description = nil
        #expect(faults(of: rendition, Array(frames.prefix(1))).map(\.cause) == [.noConfiguration])
        rendition.description = [1, 0x64, 0]
        #expect(faults(of: rendition, Array(frames.prefix(1))).map(\.cause) == [.badConfiguration])
        frames[0].payload = []
        rendition.codec = "avc9x"
        #expect(faults(of: rendition, Array(frames.prefix(2))).map(\.cause) == [.noDecoder])
    }

    @Test func bitsThatMeanNothingAreDamageAndACutSoundToo() throws {
        let (rendition, frames) = try rendition(of: try file("bad-corrupt-frame.mp4"), .video)
        #expect(faults(of: rendition, Array(frames.prefix(16))).map(\.cause) == [.damaged])
        var (sound, sounds) = try self.rendition(of: try file("bars-h264-aac.mp4"), .audio)
        sounds[2].payload = [UInt8](repeating: 0xA5, count: 40)
        sounds[3].payload = []
        let faults = faults(of: sound, Array(sounds.prefix(5)))
        #expect(faults.map(\.cause).contains(.empty), "\(faults)")
        #expect(faults.map(\.cause).first == .damaged, "\(faults)")
        sound.name = "other"
    }
}
