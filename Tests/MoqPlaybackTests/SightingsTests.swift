import Foundation
import MoqKit
import MoqMedia
import Testing

@testable import MoqPlayback

/// A file of `fixtures/media`, given to a decoder frame by frame as a player would.
private struct Feed {
    let file: MediaFile
    private(set) var video: Rendition?
    private(set) var audio: Rendition?

    init(_ name: String) throws {
        let path = URL(filePath: #filePath).appending(path: "../../../fixtures/media/\(name)").standardized.path
        file = try MediaFile.load(path: path)
        func rendition(_ kind: TrackKind) -> Rendition? {
            let wanted: MediaCodec.Kind = kind == .video ? .video : .audio
            return file.tracks.first { $0.format.codec.kind == wanted }.map { track in
                Rendition(
                    kind: kind, name: kind.rawValue, codec: track.format.codecString, description: track.format.setup,
                    sampleRate: track.format.sampleRate, channels: track.format.channelCount)
            }
        }
        video = rendition(.video)
        audio = rendition(.audio)
    }

    /// Gives all frames in the order of decoding, and then shows and plays what decoded, each at its time; the faults.
    func play(
        into decoder: RenditionDecoder, soundLate: Int64 = 0,
        change: (Int, MoqKit.MediaFrame) -> MoqKit.MediaFrame? = { $1 }
    ) -> [String] {
        var faults: [String] = []
        var index = 0
        var outputs: [(at: Int64, frame: MoqKit.MediaFrame, rendition: Rendition, duration: Int64)] = []
        for packet in file.packets {
            let isVideo = file.tracks[packet.track].format.codec.kind == .video
            guard let rendition = isVideo ? video : audio else { continue }
            let frame = MoqKit.MediaFrame(
                timestamp: packet.presentation, isKeyframe: packet.isKeyframe, payload: packet.payload)
            if isVideo { index += 1 }
            guard let frame = isVideo ? change(index - 1, frame) : frame else { continue }
            decoder.received(frame, of: rendition)
            if let fault = decoder.decode(frame, of: rendition) {
                faults.append(fault)
            } else {
                outputs.append((frame.timestamp + (isVideo ? 0 : soundLate), frame, rendition, packet.duration))
            }
        }
        for output in outputs.sorted(by: { $0.at < $1.at }) {
            if output.rendition.kind == .video {
                decoder.shown(output.frame, of: output.rendition, at: output.at)
            } else {
                decoder.heard(
                    output.rendition, from: output.frame.timestamp, to: output.frame.timestamp + output.duration,
                    at: output.at)
            }
        }
        return faults
    }
}

@Suite struct SightingsTests {
    @Test(arguments: ["bars-h264-aac.mp4", "bars-h264-opus.mp4", "bars-av1-opus.mp4"])
    func everyPictureAndEveryToneIsRecognisedInOrder(_ name: String) throws {
        let decoder = RenditionDecoder()
        decoder.sightings = Sightings()
        #expect(try Feed(name).play(into: decoder) == [])
        let seen = try #require(decoder.sightings)
        #expect(seen.pictures == PictureMark.lap)
        #expect((seen.decodedPictures, seen.missingFrames, seen.disorderedFrames) == (PictureMark.lap, 0, 0))
        #expect(seen.firstPicture?.number == 0)
        #expect((seen.missingPictures, seen.disorderedPictures, seen.unreadableFrames) == (0, 0, 0))
        #expect(seen.tones == ToneMark.frequencies.count)
        #expect(seen.missingTones == 0)
        let offset = try #require(seen.greatestOffset)
        #expect(offset < 50_000)
    }

    @Test func soundThatComesLateIsMeasured() throws {
        let decoder = RenditionDecoder()
        decoder.sightings = Sightings()
        _ = try Feed("bars-h264-aac.mp4").play(into: decoder, soundLate: 200_000)
        // The picture that stands there by then is the one of 200 ms later.
        let offset = try #require(decoder.sightings?.offset)
        #expect((150_000...250_000).contains(offset))
    }

    @Test func aFrameThatIsLeftOutIsMissing() throws {
        let decoder = RenditionDecoder()
        decoder.sightings = Sightings()
        let faults = try Feed("bars-h264-aac.mp4").play(into: decoder) { index, frame in
            (20..<30).contains(index) ? nil : frame
        }
        #expect(faults == [])
        #expect(decoder.sightings?.missingPictures == 10)
        #expect(decoder.sightings?.missingFrames == 10)
    }

    @Test func aDamagedFrameIsNamedAndNotShown() throws {
        let decoder = RenditionDecoder()
        decoder.sightings = Sightings()
        let faults = try Feed("bars-h264-aac.mp4").play(into: decoder) { index, frame in
            guard index == 20 else { return frame }
            var frame = frame
            frame.payload = Array(repeating: 0xA5, count: frame.payload.count)
            return frame
        }
        #expect(!faults.isEmpty)
        #expect(decoder.faults == faults.count)
    }

    @Test func picturesInAnotherOrderThanThatOfShowingArePutInOrder() throws {
        let decoder = RenditionDecoder()
        decoder.sightings = Sightings()
        #expect(try Feed("bars-h264-reordered-aac.mp4").play(into: decoder) == [])
        let seen = try #require(decoder.sightings)
        // The decoder puts them in order; the last ones it still holds back.
        #expect((seen.missingPictures, seen.disorderedPictures) == (0, 0))
        #expect((PictureMark.lap - 4..<PictureMark.lap).contains(seen.pictures))
        #expect(seen.unreadableFrames == 0)
    }
}
