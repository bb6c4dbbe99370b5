import MoqBase
import Testing

@testable import MoqKit

@Suite struct AudioDataStreamTests {
    private func open(
        _ bench: Bench, isRead: Bool, format: AudioConverter.Output = .init(), rate: Int = 48_000,
        onChunk: @escaping (AudioChunk) -> Void = { _ in }
    ) throws -> (SessionModel, AudioDataStream) {
        let session = try bench.session()
        let hubs = session.openHubs(of: FoundBroadcast(path: "a", fullPath: "a", number: 1)) { _, bytes in
            .success([MediaFrame(timestamp: Int64(bytes.count), isKeyframe: true, payload: bytes)])
        }
        let rendition = Rendition(kind: .audio, name: "sound", codec: "opus", sampleRate: 48_000, channels: 2)
        let stream = try session.readAudio(
            rendition, hubs: hubs, isRead: isRead, object: "audio 1", decoder: Bytes(rate: rate), format: format,
            onChunk: onChunk)
        // Hubs live as long as the broadcast that the application holds.
        kept.append(hubs)
        return (session, stream)
    }
    private let kept = Kept()

    private final class Kept {
        private var hubs: [MediaHubs] = []
        func append(_ more: MediaHubs) { hubs.append(more) }
    }

    /// Every byte of a frame is a moment of two channels; a 0 does not decode.
    private final class Bytes: AudioDecoding {
        private let rate: Int
        init(rate: Int) { self.rate = rate }
        func problem(with rendition: Rendition) -> String? { nil }
        func decode(_ frame: MediaFrame, of rendition: Rendition) -> (samples: [AudioSamples], problem: String?) {
            guard !frame.payload.contains(0) else { return ([], "zero") }
            let samples = frame.payload.flatMap { [Float($0) / 100, -Float($0) / 100] }
            return (
                [AudioSamples(timestamp: frame.timestamp, sampleRate: rate, channelCount: 2, interleaved: samples)],
                nil
            )
        }
    }

    @Test(arguments: KitPlatform.allCases)
    func theFirstFrameThatDoesNotDecodeEndsItAndItsSubscription(_ platform: KitPlatform) throws {
        let bench = Bench(platform)
        var chunks: [AudioChunk] = []
        let (session, stream) = try open(bench, isRead: true) { chunks.append($0) }
        session.groupOpened(1, 0)
        for (index, payload) in [[1, 2], [0], [3]].enumerated() {
            session.frame(1, 0, index: UInt64(index), payload.map { UInt8($0) })
        }
        bench.settle()
        #expect(chunks.map(\.frameCount) == [2] && chunks[0].bytes.count == 16 && chunks[0].timestamp == 2)
        #expect(stream.state == .failed && stream.failure?.cause == .decode)
        let type = platform == .ios ? "audioDecoderFailed" : "IllegalStateException"
        #expect(stream.failure?.text == "\(type): zero")
        stream.close()
        #expect(stream.state == .failed)
    }

    @Test func whatWaitsWhenItFailsCanStillBeRead() throws {
        let bench = Bench(.ios)
        let (session, stream) = try open(bench, isRead: false)
        session.groupOpened(1, 0)
        for (index, payload) in [[1, 2], [0]].enumerated() {
            session.frame(1, 0, index: UInt64(index), payload.map { UInt8($0) })
        }
        bench.settle()
        #expect(stream.state == .failed && stream.waiting.map(\.timestamp) == [2])
    }

    @Test func samplesThatAreTooSlowToConvertEndIt() throws {
        let bench = Bench(.ios)
        let (session, stream) = try open(bench, isRead: true, format: .init(sampleRate: 192_000), rate: 999) { _ in
            Issue.record("nothing can be converted")
        }
        session.groupOpened(1, 0)
        session.frame(1, 0, index: 0, [1])
        bench.settle()
        #expect(stream.failure?.text == "audioDecoderFailed: 999 samples a second cannot be converted to 192000")
        let slow = AudioSamples(timestamp: 0, sampleRate: 999, channelCount: 1, interleaved: [0])
        #expect(AudioConverter(to: .init()).problem(with: slow) == nil)
    }

    @Test func nobodyWhoReadsHasTheNewestThree() throws {
        let bench = Bench(.ios)
        let (session, stream) = try open(bench, isRead: false) { _ in Issue.record("nobody reads") }
        session.groupOpened(1, 0)
        for index in 0..<5 { session.frame(1, 0, index: UInt64(index), Array(repeating: 1, count: index + 1)) }
        bench.settle()
        #expect(stream.waiting.map(\.timestamp) == [3, 4, 5] && stream.lost == 2 && stream.decoded == 5)
    }

    @Test func whatIsBeyondTheScaleIsClamped() {
        var converter = AudioConverter(to: .init(sampleFormat: .int16))
        let samples = AudioSamples(
            timestamp: 7, sampleRate: 48_000, channelCount: 1, interleaved: [0, 0.5, 2, -2, .nan, .infinity])
        let chunk = converter.convert(samples)
        #expect(chunk.bytes == [0, 0, 0, 0x40, 0xFF, 0x7F, 0, 0x80, 0, 0, 0xFF, 0x7F])
        #expect(chunk.frameCount == 6 && chunk.timestamp == 7)
    }

    @Test func halfTheRateTakesEveryOtherMomentFromChunkToChunk() {
        var converter = AudioConverter(to: .init(sampleFormat: .int16, sampleRate: 24_000, channelCount: 1))
        let chunks = [[0, 1, 2], [3, 4, 5, 6], [7]].map { values in
            converter.convert(
                AudioSamples(
                    timestamp: 1_000_000, sampleRate: 48_000, channelCount: 2,
                    interleaved: values.flatMap { [Float($0) / 32_768, Float($0) / 32_768] }))
        }
        let heard = chunks.flatMap(\.bytes).enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        #expect(heard == [0, 2, 4, 6])
        #expect(chunks.map(\.frameCount) == [1, 2, 1])
        // The second chunk begins with the last moment of the first input.
        #expect(chunks[1].timestamp == 1_000_000 - 21)
    }
}
