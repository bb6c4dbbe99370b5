import MoqBase
import MoqKit
import MoqScenario
import Testing

@testable import MoqRunner

/// What leaves an encoder that is told to spoil frames.
struct EncoderRunTests {
    /// Groups of four frames, ten milliseconds apart, each a single byte until it is spoiled.
    private final class Source: CaptureSource {
        let configuration = EncoderConfiguration(
            kind: .video, codec: "avc1.64001f", width: 2, height: 2, frameRate: 100)
        private var index = 0

        var nextDue: Int64? { Int64(index) * 10_000 }

        func next() -> EncodedFrame? {
            defer { index += 1 }
            return EncodedFrame(time: Int64(index) * 10_000, isKeyframe: index % 4 == 0, payload: [1])
        }

        func restart() {}

        func spoiled(_ payload: [UInt8]) -> [UInt8] { [0] }
    }

    /// Which of the first twelve frames are spoiled when it is told so before the frame `place`.
    private func spoiled(_ kind: DamageAction.Kind, _ count: Int, before place: Int) -> [Int] {
        let start = Instant(nanoseconds: 0)
        let encoder = EncoderRun("camera", .video, Source(), clockStart: nil)
        encoder.start(at: start)
        var frames = place == 0 ? [] : encoder.take(at: start.advanced(by: .milliseconds(10 * (place - 1))))
        encoder.damage(kind, count: count)
        frames += encoder.take(at: start.advanced(by: .milliseconds(110)))
        return frames.indices.filter { frames[$0].payload == [0] }
    }

    @Test func deltasAreSpoiledFromTheFirstOfAGroupOnWheneverItIsTold() {
        #expect(spoiled(.delta, 1, before: 1) == [1])
        for place in 2...5 { #expect(spoiled(.delta, 1, before: place) == [5]) }
        #expect(spoiled(.delta, 5, before: 2) == [5, 6, 7, 9, 10])
    }

    @Test func otherFramesAreSpoiledAsTheyCome() {
        #expect(spoiled(.any, 2, before: 3) == [3, 4])
        #expect(spoiled(.keyframe, 2, before: 1) == [4, 8])
        #expect(spoiled(.keyframe, 1, before: 0) == [0])
    }
}
