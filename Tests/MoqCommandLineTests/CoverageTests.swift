import MoqEvents
import MoqJSON
import MoqScenario
import Testing

@testable import MoqCommandLine

/// What becomes of requirements by what cases say.
@Suite struct CoverageTests {
    private static let registry = RequirementSamples.registry()

    private func evidence(
        _ verdict: Verdict, _ requirements: [String] = ["a.b"], version: String = "moq-lite-06",
        transport: String = "quic", findings: [Finding] = [], checked: [RequirementTally] = [], reason: String? = nil
    ) -> CaseEvidence {
        CaseEvidence(
            caseID: "errors.not-found[version=06]", scenario: "errors.not-found", verdict: verdict, reason: reason,
            version: version, transport: transport, requirements: requirements, checked: checked, findings: findings,
            place: FilePlace(file: "scenarios/errors.yaml", line: 5, column: 3))
    }

    private func finding(_ severity: Finding.Severity, _ requirements: String...) -> Finding {
        Finding(
            caseID: "c", severity: severity, headline: "viewer: something else happened",
            place: FilePlace(file: "scenarios/errors.yaml", line: 9, column: 5), actual: "a reset\nand more",
            requirements: requirements)
    }

    private func coverage(
        _ cases: CaseEvidence..., profile: RequirementProfile = .deployed
    ) -> Coverage {
        var run = RunEvidence(RunResults(), source: "r.json")
        run.cases = cases
        run.isComplete = true
        return Coverage([run], registry: Self.registry, suites: Samples.loaded().suites, profile: profile)
    }

    private func status(_ id: String, _ coverage: Coverage) -> CoverageRow.Status? {
        coverage.rows.first { $0.requirement.id == id }?.status
    }

    @Test func aCaseThatPassedHoldsWhatItNames() {
        let all = coverage(evidence(.pass))
        #expect(status("a.b", all) == .held)
        #expect(all.exitCode(isStrict: false) == 0)
        #expect(all.totals.all == 4)
        #expect(all.totals[.held] == 1 && all.totals[.notTestable] == 1 && all.totals[.notReached] == 2)
    }

    @Test(arguments: [Verdict.skip, .blocked, .known, .vacuous, .notTestable, .error])
    func whatDidNotRunToItsEndHoldsNothing(verdict: Verdict) {
        let counted = RequirementTally(requirement: "a.b", held: 3, broken: 0)
        let all = coverage(evidence(verdict, checked: [counted], reason: "because"))
        #expect(status("a.b", all) == .notReached)
        #expect(all.rows.first { $0.requirement.id == "a.b" }?.reason?.contains("(because)") == true)
        #expect(all.exitCode(isStrict: false) == 5)
    }

    @Test func oneFailureBreaksWhateverElsePassed() {
        let all = coverage(evidence(.pass), evidence(.fail, findings: [finding(.fail, "a.b")]), evidence(.pass))
        #expect(status("a.b", all) == .broken)
        #expect(all.exitCode(isStrict: false) == 1)
        let witness = all.rows.first { $0.requirement.id == "a.b" }?.witnesses.first
        #expect(witness?.place.line == 9)
        #expect(witness?.line == "viewer: something else happened; actual: a reset")
    }

    @Test func aFailureBreaksOnlyWhatItsFindingNames() {
        let all = coverage(
            evidence(
                .fail, ["a.b", "fetch.answer", "fetch.late"], findings: [finding(.fail, "fetch.answer")],
                checked: [RequirementTally(requirement: "a.b", held: 1, broken: 0)]))
        #expect(status("fetch.answer", all) == .broken)
        #expect(status("a.b", all) == .held)
        #expect(status("fetch.late", all) == .notReached)
        #expect(
            all.rows.first { $0.requirement.id == "fetch.late" }?.reason == "1 case failed before it was looked at")
    }

    @Test func aWarningBreaksAndWeighsOnlyWhenStrict() {
        let all = coverage(evidence(.warn, findings: [finding(.warn, "a.b")]))
        #expect(status("a.b", all) == .broken)
        #expect(all.exitCode(isStrict: false) == 0)
        #expect(all.exitCode(isStrict: true) == 1)
    }

    @Test func whatFailedAsIsKnownIsKnown() {
        let all = coverage(evidence(.known, findings: [finding(.fail, "a.b")]))
        #expect(status("a.b", all) == .known)
        #expect(all.exitCode(isStrict: false) == 0)
    }

    @Test func aRowOfTheOtherProfileInforms() {
        let broken = evidence(.fail, ["fetch.early"], findings: [finding(.fail, "fetch.early")])
        #expect(status("fetch.early", coverage(broken)) == .informational)
        #expect(coverage(broken).exitCode(isStrict: false) == 0)
        #expect(status("fetch.early", coverage(broken, profile: .draft)) == .broken)
        let noted = evidence(.skip, ["fetch.early"], findings: [finding(.skip, "fetch.early")])
        #expect(status("fetch.early", coverage(noted)) == .informational)
        #expect(status("fetch.early", coverage(evidence(.pass, ["fetch.early"]))) == .held)
    }

    @Test func theMonitorCounts() {
        let held = RequirementTally(requirement: "fetch.answer", held: 2, broken: 0)
        let broken = RequirementTally(requirement: "fetch.answer", held: 2, broken: 1)
        #expect(status("fetch.answer", coverage(evidence(.pass, checked: [held]))) == .held)
        #expect(status("fetch.answer", coverage(evidence(.fail, checked: [broken]))) == .broken)
    }

    @Test func whatIsOnlyObservedGatesByAFailureAndNotByACount() {
        func broken(_ id: String) -> [RequirementTally] { [RequirementTally(requirement: id, held: 0, broken: 1)] }
        let counted = coverage(evidence(.pass, checked: broken("fetch.late")))
        #expect(status("fetch.late", counted) == .broken)
        #expect(counted.exitCode(isStrict: false) == 0)
        #expect(counted.exitCode(isStrict: true) == 1)
        let failed = coverage(evidence(.fail, ["fetch.late"], findings: [finding(.fail, "fetch.late")]))
        #expect(failed.exitCode(isStrict: false) == 1)
        #expect(coverage(evidence(.pass, checked: broken("fetch.answer"))).exitCode(isStrict: false) == 1)
    }

    @Test func aCaseOfAnotherVersionOrTransportSaysNothing() {
        #expect(
            status("fetch.answer", coverage(evidence(.pass, ["fetch.answer"], version: "moq-lite-04"))) == .notReached)
        #expect(status("fetch.answer", coverage(evidence(.pass, ["fetch.answer"], transport: "tcp"))) == .notReached)
        #expect(status("fetch.answer", coverage(evidence(.pass, ["fetch.answer"], transport: "auto"))) == .held)
        #expect(
            status("fetch.answer", coverage(evidence(.pass, ["fetch.answer"], transport: "compared"))) == .notReached)
    }

    @Test func aFailureThatNamesNothingCountsAllTheSame() {
        let all = coverage(evidence(.fail, [], findings: [finding(.fail)]), evidence(.pass))
        #expect(all.unattributed.count == 1)
        #expect(all.exitCode(isStrict: false) == 1)
        #expect(CoverageText(all).text.contains("failures that name no requirement"))
    }

    @Test func whatNothingNamesSaysSo() {
        let reasons = coverage().rows.map { $0.reason ?? "" }
        #expect(
            reasons == [
                "no case of errors.not-found and 2 more was in the run", "no scenario names it", "no scenario names it",
                "nobody can tell",
            ])
    }

    @Test func theTableAddsUpAndTheReportsSayTheSame() throws {
        let all = coverage(
            evidence(.pass), evidence(.fail, ["fetch.answer"], findings: [finding(.fail, "fetch.answer")]))
        let text = CoverageText(all).text
        #expect(
            text.hasSuffix(
                "4 requirements = 1 held + 1 broken + 1 not reached + 1 not testable, profile deployed"), "\(text)")
        #expect(text.contains("scenarios/errors.yaml:9  viewer: something else happened; actual: a reset"))
        let page = CoverageMarkdown(all).text
        #expect(page.contains("| [fetch](#fetch) | 3 | 0 | 1 | 0 | 0 | 1 | 1 |"), "\(page)")
        let document = try JSONValue(parsing: CoverageJSON(all).bytes())
        #expect(document["totals"]?["broken"]?.integer == 1)
        #expect(document["areas"]?[1]?["requirements"]?[0]?["status"]?.string == "broken")
        let detail = CoverageText(all, hasDetail: true).text
        #expect(detail.contains("It holds.") && detail.contains("nobody can tell"))
    }

    @Test func patternsAndStatusesSelectRows() throws {
        let all = coverage(evidence(.pass))
        #expect(try all.selecting([CasePattern("fetch.*")], []).rows.count == 3)
        #expect(try all.selecting([CasePattern("level:must")], [.held]).rows.map(\.requirement.id) == ["a.b"])
        #expect(Samples.message { _ = try all.selecting([CasePattern("nope")], []) } != nil)
    }

    @Test func whatIsNoResultIsRefused() {
        func message(_ text: String) -> String? {
            Samples.message { _ = try RunEvidence(parsing: Array(text.utf8), path: "x.json") }
        }
        #expect(message("{")?.hasPrefix("x.json: line 1") == true)
        #expect(message("{}")?.contains("no results of a run") == true)
        #expect(message(#"{"format":"moqspec-results","schema":2,"cases":[]}"#)?.contains("newer") == true)
        #expect(message(#"{"format":"moqspec-results","schema":1,"cases":[{}]}"#)?.contains("case 1") == true)
    }

    @Test func aFileThatIsNamedTwiceIsRefused() {
        #expect(
            Samples.message { _ = try CoverageArguments(Samples.parsed(.coverage, ["a.json", "b.json", "a.json"])) }
                == "a.json is named twice, and its cases would count twice")
    }
}
