import MoqBase
import Testing

@testable import MoqKit

@Suite struct PipelineTests {
    private func frame(_ time: Int64, key: Bool = false, bytes: Int = 1, epoch: Int = 0) -> MediaFrame {
        MediaFrame(timestamp: time, isKeyframe: key, payload: Array(repeating: 0, count: bytes), epoch: epoch)
    }

    @Test func aStepOfMoreThanHalfASecondIsAGap() {
        var timeline = MediaTimeline()
        let outcome1 = timeline.take(frame(0), at: 0)
        #expect(outcome1 == .accepted)
        let outcome2 = timeline.take(frame(500_000), at: 0)
        #expect(outcome2 == .accepted)
        let outcome3 = timeline.take(frame(1_000_001), at: 0)
        #expect(outcome3 == .gap(500_001))
        let outcome4 = timeline.take(frame(1_000_002, epoch: 1), at: 0)
        #expect(outcome4 == .rewound)
    }

    @Test func aFrameIsStaleWhenItIsMoreThanASecondBehindPlayback() {
        var timeline = MediaTimeline()
        _ = timeline.take(frame(0), at: 0)
        timeline.playPosition = 1_000_000
        let outcome5 = timeline.take(frame(0), at: 0)
        #expect(outcome5 == .accepted)
        timeline.playPosition = 1_000_001
        let outcome6 = timeline.take(frame(0), at: 0)
        #expect(outcome6 == .stale)
    }

    @Test func whatIsTooMuchGoesGroupByGroup() {
        var buffer = FrameBuffer(needsKeyframes: true)
        let outcome7 = buffer.admit(frame(0))
        #expect(outcome7.drops.map(\.why) == [.waitingForKeyframe])
        for index in 0..<1024 {
            let outcome8 = buffer.admit(frame(Int64(index) * 4000, key: index.isMultiple(of: 256)))
            #expect(outcome8.drops.isEmpty)
        }
        let over = buffer.admit(frame(1024 * 4000, key: false))
        #expect(over.drops == [FrameBuffer.Gone(why: .backlogOverflow, count: 256, bytes: 256)])
        let outcome9 = buffer.admit(frame(1024 * 4000, key: false))
        #expect(outcome9.drops.map(\.why) == [.covered])
    }

    @Test func theRingFillsAgainWhenItsTargetChangesAndNotWhenItRunsDry() {
        var ring = SampleRing(capacity: 100_000)
        for index in 0..<5 {
            let outcome10 = ring.write(Int64(index) * 20_000, 20_000)
            #expect(outcome10)
        }
        #expect(ring.state == .running)
        for _ in 0..<10 {
            let outcome11 = ring.read(10_000)
            #expect(outcome11 == 10_000)
        }
        let outcome12 = ring.read(10_000)
        #expect(outcome12 == 0)
        #expect(ring.state == .running)
        let outcome13 = ring.write(0, 20_000)
        #expect(!outcome13)
        ring.resize(to: 300_000)
        #expect(ring.state == .refill)
    }

    @Test func theClockLeavesSmallErrorsAndJumpsOverGreatOnes() {
        var clock = PlayoutClock()
        clock.start(at: 0, now: 0)
        let outcome14 = clock.retarget(20_000, now: 0)
        #expect(outcome14 == .noOp)
        let outcome15 = clock.retarget(500_000, now: 0)
        #expect(outcome15 == .jump(500_000))
        let outcome16 = clock.retarget(980_000, now: 0)
        guard case .nudge(let rate)? = outcome16 else {
            Issue.record("the clock was not nudged: \(String(describing: outcome16))")
            return
        }
        #expect(abs(rate - 1.0479) < 0.0001)
    }

    @Test func zeroPointsUpToTwoSecondsApartAreNotMapped() {
        #expect(DomainMapping.offset(audioEdge: 2_000_000, videoEdge: 0) == 0)
        #expect(DomainMapping.offset(audioEdge: 2_000_001, videoEdge: 0) == 2_000_001)
    }

    @Test func aPipelineHelpsItselfTwiceInTenSeconds() {
        var budget = RecoveryBudget(.android, .video)
        let outcome17 = [0, 1].map { budget.next(now: $0) }
        #expect(outcome17 == [.flush, .rebuild])
        var later = budget
        let forgotten = later.forget(now: 10_000_001)
        #expect(forgotten == 1)
        let outcome18 = later.next(now: 10_000_001)
        #expect(outcome18 == .rebuild)
        // What has given up does not begin again.
        let outcome24 = budget.next(now: 2)
        #expect(outcome24 == .fail && budget.state == .failed)
        let none = budget.forget(now: 20_000_000)
        let outcome25 = budget.next(now: 20_000_000)
        #expect(none == 2 && outcome25 == .fail)
    }

    @Test func aCauseHasToHoldBeforeItIsAStall() {
        var monitor = StallMonitor()
        let outcome19 = monitor.look(.publisherIdle, now: 0)
        #expect(outcome19.isEmpty)
        let outcome20 = monitor.look(.policyStarvation, now: 50_000)
        #expect(outcome20.isEmpty)
        let outcome21 = monitor.look(.policyStarvation, now: 150_000)
        #expect(outcome21 == [.started(.policyStarvation)])
        let outcome22 = monitor.look(nil, now: 250_000)
        #expect(outcome22 == [.ended(.policyStarvation, after: 100_000)])
    }
}
