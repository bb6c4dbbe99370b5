import MoqBase
import Testing

@testable import MoqRunner

@Suite struct RunProgressTests {
    @Test func aCasePastItsDeadlineIsOverdueUntilItEnds() {
        let progress = RunProgress([4, 7])
        #expect(progress.next() == .play(4))
        progress.caseBegan(4, Self.watch)
        #expect(!progress.isOverdue(at: Self.moment(10, busy: 10)))
        #expect(progress.isOverdue(at: Self.moment(11, busy: 10)))
        #expect(progress.caseEnded(4))
        #expect(!progress.isOverdue(at: Self.moment(11, busy: 10)))
    }

    /// A machine that hardly lets the process run makes no case hang.
    @Test func aCaseIsNotOverdueWhileItsProcessHardlyRuns() {
        #expect(!Self.watch.isOverdue(at: Self.moment(79, busy: 0)))
        #expect(Self.watch.isOverdue(at: Self.moment(79, busy: 1)))
        #expect(Self.watch.isOverdue(at: Self.moment(81, busy: 0)))
        #expect(!Self.watch.extended(by: .seconds(90)).isOverdue(at: Self.moment(79, busy: 79)))
    }

    private static let watch = CaseWatch(began: moment(0, busy: 0), patience: .seconds(10))

    /// So many seconds later, of which the process used so many.
    private static func moment(_ seconds: Int, busy: Int) -> CaseWatch.Moment {
        CaseWatch.Moment(
            clock: Instant.origin.advanced(by: .seconds(100 + seconds)), processorTime: .seconds(5 + busy))
    }

    @Test func whatComesOfACaseThatWasGivenUpCountsNoMore() {
        let progress = RunProgress([1, 2])
        progress.caseBegan(1, Self.watch)
        #expect(progress.abandon() == [1])
        #expect(!progress.caseEnded(1))
        progress.caseBegan(2, Self.watch)
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
