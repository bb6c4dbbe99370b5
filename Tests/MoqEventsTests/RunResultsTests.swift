import MoqBase
import Testing

@testable import MoqEvents

struct RunResultsTests {
    static func begin(_ caseID: String) -> RunEvent {
        .caseStarted(
            CaseStarted(
                caseID: caseID, suite: "s", scenario: caseID, title: "t", place: FilePlace(file: "s.yaml", line: 3)))
    }

    static func end(_ caseID: String, _ verdict: Verdict) -> RunEvent {
        .caseFinished(CaseFinished(caseID: caseID, verdict: verdict))
    }

    static func trace(_ caseID: String, _ number: Int) -> RunEvent {
        .trace(
            TraceEntry(caseID: caseID, at: .milliseconds(number), actor: "a", category: .frame, text: "line \(number)"))
    }

    static func failure(_ caseID: String, _ headline: String = "wrong") -> RunEvent {
        .finding(Finding(caseID: caseID, severity: .fail, headline: headline))
    }

    @Test func `a stream that stops in the middle loses nothing that finished, and the rest is an error`() {
        var started = EventSamples.started
        started.selectedCases = 4
        let results = RunResults(of: [
            .runStarted(started), Self.begin("a"), Self.begin("b"), Self.trace("b", 7), Self.end("a", .pass),
            Self.begin("c"),
        ])
        #expect(results.cases.map(\.verdict) == [.pass, .error, .error])
        #expect(results.cases[1].end?.reason == "the run ended before this case did")
        #expect(results.cases[1].deciding?.finding.severity == .error)
        #expect(results.cases[1].deciding?.before.map(\.text) == ["line 7"])
        #expect(results.cases[1].end?.duration == .milliseconds(7))
        #expect(results.ledger.description == "4 cases = 1 passed + 2 errors + 1 not started")
        #expect(!results.isComplete)
    }

    @Test func `the fold of any prefix adds up, and every prefix agrees with the whole on what had finished`() {
        let events = Self.randomRun(seed: 5, cases: 30)
        let whole = RunResults(of: events)
        for length in events.indices {
            let results = RunResults(of: events.prefix(length))
            #expect(results.ledger.all == max(results.cases.count, results.run?.selectedCases ?? 0))
            for (left, right) in zip(results.cases, whole.cases) where left.end?.reason == nil {
                #expect(left == right)
            }
        }
    }

    @Test func `the ledger adds up for random runs and agrees with the runner's count`() {
        for seed in UInt64(0)..<50 {
            let results = RunResults(of: Self.randomRun(seed: seed, cases: Int(seed) + 1))
            #expect(results.ledger.all == Int(seed) + 1)
            #expect(results.disagreement == nil)
            let sum = Verdict.allCases.reduce(0) { $0 + results.ledger[$1] }
            #expect(sum + results.ledger.notStarted == results.ledger.all)
        }
    }

    @Test func `a runner that counts wrongly is contradicted`() {
        var ledger = Ledger()
        ledger.pass = 2
        let results = RunResults(of: [
            Self.begin("a"), Self.end("a", .pass), .runFinished(RunFinished(ledger: ledger, exitCode: 0)),
        ])
        #expect(
            results.disagreement == "the runner counted 2 cases = 2 passed, and its events say 1 case = 1 passed; "
                + "this is a defect of moqspec")
    }

    @Test func `a finding keeps the timeline around it, whatever else the case says`() throws {
        var events = [Self.begin("a"), Self.begin("b")]
        events += (0..<1000).flatMap { [Self.trace("a", $0), Self.trace("b", -1)] }
        events.append(Self.failure("a"))
        events += (1000..<3000).map { Self.trace("a", $0) }
        events.append(Self.end("a", .fail))
        let result = RunResults(of: events).cases[0]
        let evidence = try #require(result.deciding)
        #expect(evidence.before.map(\.text) == (980..<1000).map { "line \($0)" })
        #expect(evidence.earlier == 980)
        #expect(evidence.after.map(\.text) == (1000..<1005).map { "line \($0)" })
        #expect(result.timeline.map(\.text) == (2600..<3000).map { "line \($0)" })
        #expect(result.timelineLines == 3000)
    }

    @Test func `a case that floods findings and steps stays within its bounds`() {
        var results = RunResults()
        results.apply(Self.begin("a"))
        for number in 0..<500 {
            results.apply(Self.failure("a", "number \(number)"))
            results.apply(.step(StepEnded(caseID: "a", indexPath: [number], text: "s", outcome: .failed)))
        }
        #expect(results.cases[0].findings.count == RunResults.findingLimit)
        #expect(results.cases[0].droppedFindings == 500 - RunResults.findingLimit)
        #expect(results.cases[0].notableSteps.count == RunResults.stepLimit)
        #expect(results.cases[0].steps == 500)
    }

    @Test func `the timeline of a pass is dropped unless it is asked for`() {
        let events = [Self.begin("a"), Self.trace("a", 1), Self.end("a", .pass)]
        #expect(RunResults(of: events).cases[0].timeline.isEmpty)
        #expect(RunResults(of: events, keepsTimelinesOfPasses: true).cases[0].timeline.count == 1)
    }

    @Test func `steps are lines of the timeline, and those that saw one of several outcomes are kept`() {
        let events: [RunEvent] = [
            Self.begin("a"),
            .step(StepEnded(caseID: "a", indexPath: [0], text: "x.connect", outcome: .passed)),
            .step(StepEnded(caseID: "a", indexPath: [1, 2], text: "x.expect", outcome: .passed, detail: "old")),
            .step(StepEnded(caseID: "a", indexPath: [2], text: "x.expect", outcome: .notTestable)),
            Self.end("a", .warn),
        ]
        let result = RunResults(of: events).cases[0]
        #expect(
            result.timeline.map(\.text) == ["x.connect: passed", "x.expect: passed (old)", "x.expect: not testable"])
        #expect(result.timeline.map(\.actor) == ["step 1", "step 2.3", "step 3"])
        #expect(result.notableSteps.map(\.indexPath) == [[1, 2], [2]])
    }

    @Test func `events of cases that never began or have ended are counted and change nothing`() {
        let results = RunResults(of: [
            Self.trace("ghost", 1), Self.begin("a"), Self.end("a", .pass), Self.failure("a"), Self.end("a", .fail),
            .unknown(kind: "weather"),
        ])
        #expect(results.strayEvents == 3)
        #expect(results.unknownEvents == 1)
        #expect(results.ledger.description == "1 case = 1 passed")
    }

    @Test func `the finding that decides has the severity of the verdict`() {
        for (verdict, severity) in [
            (Verdict.fail, Finding.Severity.fail), (.warn, .warn), (.vacuous, .vacuous), (.known, .fail),
            (.skip, .skip),
            (.notTestable, .notTestable), (.error, .error),
        ] {
            let findings = Finding.Severity.allCases.reversed().map {
                RunEvent.finding(Finding(caseID: "a", severity: $0, headline: $0.rawValue))
            }
            let result = RunResults(of: [Self.begin("a")] + findings + [Self.end("a", verdict)]).cases[0]
            #expect(result.deciding?.finding.severity == severity)
        }
    }

    /// A run with cases side by side and random verdicts, and the runner's own count at its end.
    private static func randomRun(seed: UInt64, cases: Int) -> [RunEvent] {
        var random = SeededRandom(seed: seed)
        var started = EventSamples.started
        started.selectedCases = cases
        var events: [RunEvent] = [.runStarted(started)]
        var running: [String] = []
        var ledger = Ledger()
        var next = 0
        while next < cases || !running.isEmpty {
            if next < cases, running.count < 4, running.isEmpty || random.chance(0.5) {
                running.append("case \(next)")
                events.append(begin("case \(next)"))
                next += 1
                continue
            }
            let caseID = running[Int(random.next() % UInt64(running.count))]
            switch random.next() % 3 {
            case 0: events.append(trace(caseID, next))
            case 1: events.append(failure(caseID))
            default:
                let verdict = Verdict.allCases[Int(random.next() % UInt64(Verdict.allCases.count))]
                ledger.count(verdict)
                events.append(end(caseID, verdict))
                running.removeAll { $0 == caseID }
            }
        }
        return events + [.runFinished(RunFinished(ledger: ledger, exitCode: 1))]
    }
}
