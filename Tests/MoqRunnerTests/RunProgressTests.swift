import MoqBase
import Testing

@testable import MoqRunner

@Suite struct RunProgressTests {
    @Test func aCasePastItsDeadlineIsOverdueUntilItEnds() {
        let progress = RunProgress([4, 7])
        #expect(progress.next() == .play(4))
        progress.caseBegan(4, deadline: Instant(nanoseconds: 100))
        #expect(!progress.isOverdue(at: Instant(nanoseconds: 100)))
        #expect(progress.isOverdue(at: Instant(nanoseconds: 101)))
        #expect(progress.caseEnded(4))
        #expect(!progress.isOverdue(at: Instant(nanoseconds: 101)))
    }

    @Test func whatComesOfACaseThatWasGivenUpCountsNoMore() {
        let progress = RunProgress([1, 2])
        progress.caseBegan(1, deadline: .distantFuture)
        #expect(progress.abandon() == [1])
        #expect(!progress.caseEnded(1))
        progress.caseBegan(2, deadline: .distantFuture)
        #expect(progress.caseEnded(2))
    }

    @Test func aStoppedRunBeginsNothingAndKeepsItsFirstReason() {
        let progress = RunProgress([1, 2])
        #expect(progress.next() == .play(1))
        progress.stop("first")
        progress.stop("second")
        #expect(progress.next() == .done)
        #expect(progress.stopped == "first")
        #expect(progress.remaining == [2])
    }
}
