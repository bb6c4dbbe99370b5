import MoqBase
import Testing

@testable import MoqKit

@Suite struct PipelineTests {
    private func frame(_ time: Int64, key: Bool = false, bytes: Int = 1, epoch: Int = 0) -> MediaFrame {
        MediaFrame(timestamp: time, isKeyframe: key, payload: Array(repeating: 0, count: bytes), epoch: epoch)
    }

    @Test func aStepOfMoreThanHalfASecondIsAGap() {
        var timeline = MediaTimeline()
        #expect(timeline.take(frame(0), at: 0) == .accepted)
        #expect(timeline.take(frame(500_000), at: 0) == .accepted)
        #expect(timeline.take(frame(1_000_001), at: 0) == .gap(500_001))
        #expect(timeline.take(frame(1_000_002, epoch: 1), at: 0) == .rewound)
    }

    @Test func aFrameIsStaleWhenItIsMoreThanASecondBehindPlayback() {
        var timeline = MediaTimeline()
        _ = timeline.take(frame(0), at: 0)
        timeline.playPosition = 1_000_000
        #expect(timeline.take(frame(0), at: 0) == .accepted)
        timeline.playPosition = 1_000_001
        #expect(timeline.take(frame(0), at: 0) == .stale)
    }

    @Test func whatIsTooMuchGoesGroupByGroup() {
        var buffer = FrameBuffer(needsKeyframes: true)
        #expect(buffer.admit(frame(0)).drops.map(\.why) == [.waitingForKeyframe])
        for index in 0..<1024 {
            #expect(buffer.admit(frame(Int64(index) * 4000, key: index.isMultiple(of: 256))).drops.isEmpty)
        }
        let over = buffer.admit(frame(1024 * 4000, key: false))
        #expect(over.drops == [FrameBuffer.Gone(why: .backlogOverflow, count: 256, bytes: 256)])
        #expect(buffer.admit(frame(1024 * 4000, key: false)).drops.map(\.why) == [.covered])
    }

    @Test func theRingFillsAgainWhenItsTargetChangesAndNotWhenItRunsDry() {
        var ring = SampleRing(capacity: 100_000)
        for index in 0..<5 { #expect(ring.write(Int64(index) * 20_000, 20_000)) }
        #expect(ring.state == .running)
        for _ in 0..<10 { #expect(ring.read(10_000) == 10_000) }
        #expect(ring.read(10_000) == 0)
        #expect(ring.state == .running)
        #expect(!ring.write(0, 20_000))
        ring.resize(to: 300_000)
        #expect(ring.state == .refill)
    }

    @Test func theClockLeavesSmallErrorsAndJumpsOverGreatOnes() {
        var clock = PlayoutClock()
        clock.start(at: 0, now: 0)
        #expect(clock.retarget(20_000, now: 0) == .noOp)
        #expect(clock.retarget(500_000, now: 0) == .jump(500_000))
        #expect(clock.retarget(980_000, now: 0) == .nudge(1 + 0.05 * (480_000 - 20_000) / 480_000))
    }

    @Test func zeroPointsUpToTwoSecondsApartAreNotMapped() {
        #expect(DomainMapping.offset(audioEdge: 2_000_000, videoEdge: 0) == 0)
        #expect(DomainMapping.offset(audioEdge: 2_000_001, videoEdge: 0) == 2_000_001)
    }

    @Test func aPipelineHelpsItselfTwiceInTenSeconds() {
        var budget = RecoveryBudget(.android, .video)
        #expect([0, 1, 2].map { budget.next(now: $0) } == [.flush, .rebuild, .fail])
        #expect(budget.next(now: 10_000_002) == .flush)
    }

    @Test func aCauseHasToHoldBeforeItIsAStall() {
        var monitor = StallMonitor()
        #expect(monitor.look(.publisherIdle, now: 0).isEmpty)
        #expect(monitor.look(.policyStarvation, now: 50_000).isEmpty)
        #expect(monitor.look(.policyStarvation, now: 150_000) == [.started(.policyStarvation)])
        #expect(monitor.look(nil, now: 250_000) == [.ended(.policyStarvation, after: 100_000)])
    }
}
