import MoqBase
import MoqTransport
import MoqWire
import Testing

@testable import MoqLite

/// Frames that are passed on before they are whole.
struct FramePartTests {
    private let payload = Array("twelve bytes".utf8)

    private func part(_ range: Range<Int>, size: Int? = nil) -> FramePart {
        FramePart(
            header: FrameHeader(timestamp: 9, size: size ?? payload.count), offset: range.lowerBound,
            bytes: Array(payload[range]))
    }

    private func extend(_ bench: FeedBench, _ group: CachedGroup, _ range: Range<Int>) {
        bench.store.extend(part(range), in: group, at: bench.now)
        bench.pump()
    }

    @Test func bytesGoOutAsTheyComeAndTheFrameIsWrittenOnce() throws {
        let bench = FeedBench().join()
        let group = try bench.open(0, ["first"], finished: false)
        extend(bench, group, 0..<0)
        #expect(bench.outlet.sent.first?.open == [])
        extend(bench, group, 0..<5)
        #expect(bench.outlet.sent.first?.open == Array("twelv".utf8))
        #expect(bench.outlet.sent.first?.openSize == payload.count)
        extend(bench, group, 5..<11)
        #expect(bench.outlet.sent.first?.open == Array("twelve byte".utf8))
        bench.store.append(Frame(timestamp: 10, payload: payload), to: group, at: bench.now)
        bench.store.finishGroup(group, at: bench.now)
        bench.pump()
        #expect(
            bench.outlet.sent == [
                .init(
                    sequence: 0, frameStart: 0, payloads: [Array("first".utf8), payload], open: nil, openSize: 12,
                    end: .finished)
            ])
        // Whoever comes later gets it with the time that the others were told.
        guard case .frame(let kept) = group.read(1) else {
            Issue.record("the frame is not kept")
            return
        }
        #expect(kept == Frame(timestamp: 9, payload: payload))
    }

    @Test func whatCameAlreadyIsPassedOverWhereASourceBeginsTheFrameAgain() throws {
        let bench = FeedBench().join()
        let group = try bench.open(0, finished: false)
        for range in [0..<5, 0..<3, 3..<7, 5..<8] { extend(bench, group, range) }
        #expect(bench.outlet.sent.first?.open == Array("twelve b".utf8))
    }

    @Test func aGroupWithAFrameOfAnotherLengthThanWasToldIsCut() throws {
        let bench = FeedBench().join()
        let group = try bench.open(0, finished: false)
        extend(bench, group, 0..<5)
        bench.store.append(Frame(timestamp: 9, payload: [1]), to: group, at: bench.now)
        bench.pump()
        #expect(bench.outlet.sent.first?.payloads == [])
        #expect(bench.outlet.sent.first?.end == .reset(FeedPolicy.code(.dropped, .first, on: .reset)))
    }

    @Test func aGroupThatEndsInsideAFrameThatWasBegunIsCut() throws {
        let bench = FeedBench().join()
        let group = try bench.open(0, finished: false)
        extend(bench, group, 0..<5)
        bench.store.finishGroup(group, at: bench.now)
        bench.pump()
        #expect(bench.outlet.sent.first?.end == .reset(FeedPolicy.code(.dropped, .first, on: .reset)))
    }

    @Test func whoHasNoRoomGetsTheRestWhenThereIs() throws {
        let bench = FeedBench()
        bench.outlet.room = 1
        bench.join()
        let group = try bench.open(0, ["first"], finished: false)
        bench.pump()
        extend(bench, group, 0..<5)
        #expect(bench.outlet.sent.first?.open == nil)
        bench.outlet.makeRoom()
        if let id = bench.outlet.id(of: 0) { bench.feed.writable(id) }
        bench.pump()
        #expect(bench.outlet.sent.first?.open == Array("twelv".utf8))
    }
}
