import MoqBase
import Testing

@testable import MoqKit

@Suite struct PublisherModelTests {
    private let camera = EncoderConfiguration(kind: .video, codec: "avc1.64001f")
    private let microphone = EncoderConfiguration(kind: .audio, codec: "opus", sampleRate: 48_000, channels: 1)

    private func live(_ bench: Bench) throws -> (SessionModel, PublisherModel) {
        let session = try bench.session()
        let publisher = PublisherModel("publisher 1", as: bench.platform, port: bench.port)
        try publisher.addMedia("camera", camera)
        try publisher.addMedia("microphone", microphone)
        try session.publish("live", publisher)
        try publisher.start()
        bench.settle()
        return (session, publisher)
    }

    @Test(arguments: KitPlatform.allCases)
    func theFirstFrameOfAnyTrackIsZeroAndNothingIsBefore(_ platform: KitPlatform) throws {
        let bench = Bench(platform)
        let (_, publisher) = try live(bench)
        publisher.encoded("microphone", .audio, EncodedFrame(time: 5_000_000, isKeyframe: true, payload: [1]))
        publisher.encoded("camera", .video, EncodedFrame(time: 5_040_000, isKeyframe: true, payload: [2]))
        publisher.encoded("camera", .video, EncodedFrame(time: 4_900_000, isKeyframe: false, payload: [3]))
        bench.settle()
        let written = bench.requests.compactMap { request -> UInt64? in
            if case .write(_, _, let frames, _, _) = request { frames.first?.timestamp } else { nil }
        }
        #expect(written == [0, 40_000, 0])
    }

    @Test(arguments: KitPlatform.allCases)
    func nothingIsWrittenBeforeAKeyframe(_ platform: KitPlatform) throws {
        let bench = Bench(platform)
        let (_, publisher) = try live(bench)
        publisher.encoded("camera", .video, EncodedFrame(time: 0, isKeyframe: false, payload: [1]))
        bench.settle()
        #expect(publisher.tracks[0].state == .starting)
        publisher.encoded("camera", .video, EncodedFrame(time: 33, isKeyframe: true, payload: [1]))
        bench.settle()
        #expect(publisher.tracks[0].state == .active)
        #expect(publisher.tracks[0].wireName == "0.avc1")
    }

    @Test(arguments: KitPlatform.allCases)
    func wrongOrdersAreTurnedDownAndChangeNothing(_ platform: KitPlatform) throws {
        let bench = Bench(platform)
        let session = try bench.session()
        let publisher = PublisherModel("publisher 1", as: platform, port: bench.port)
        _ = try publisher.addData("chat")
        #expect(reason { try publisher.start() } == .notRegistered)
        try session.publish("live", publisher)
        #expect(reason { try session.publish("other", publisher) } == .alreadyRegistered)
        try publisher.start()
        #expect(reason { try publisher.start() } == .alreadyStarted)
        publisher.stop()
        #expect(reason { try publisher.start() } == .alreadyStarted)
        bench.settle()
        #expect(publisher.state == .stopped)
    }

    @Test(arguments: KitPlatform.allCases)
    func theLastTrackStoppedByItsHandleLeavesTheBroadcast(_ platform: KitPlatform) throws {
        let bench = Bench(platform)
        let session = try bench.session()
        let publisher = PublisherModel("publisher 1", as: platform, port: bench.port)
        let emitter = try publisher.addData("chat")
        try session.publish("live", publisher)
        emitter.send([1])
        try publisher.start()
        emitter.send([2])
        publisher.stopTrack("chat")
        emitter.send([3])
        publisher.stop()
        bench.settle()
        #expect(publisher.state == .stopped)
        #expect((emitter.sent, emitter.dropped) == (1, 2))
        #expect(!bench.requests.contains(.withdraw(path: "live")))
        let end: TransportRequest =
            platform == .ios ? .dropTrack(path: "live", name: "chat") : .finishTrack(path: "live", name: "chat")
        #expect(bench.requests.contains(end))
    }

    @Test func timestampsOfTheLegacyContainerHaveTheWidthsOfVectors() {
        #expect(LegacyContainer.pack(timestamp: 20_000, [0xaa, 0xbb]) == [0x80, 0, 0x4e, 0x20, 0xaa, 0xbb])
        #expect(LegacyContainer.pack(timestamp: 63, []) == [0x3f])
        #expect(LegacyContainer.pack(timestamp: 64, []) == [0x40, 0x40])
        for timestamp in [0, 63, 64, 16_383, 16_384, 1_073_741_823, 1_073_741_824] as [Int64] {
            let read = LegacyContainer.unpack(LegacyContainer.pack(timestamp: timestamp, [7]))
            #expect(read?.timestamp == timestamp)
            #expect(read.map { Array($0.payload) } == [7])
        }
    }
}
