import MoqBase
import MoqEvents
import MoqJSON

/// JUnit XML, in the form that Jenkins, GitLab and the common GitHub reporters take (fixtures/junit.xsd).
///
/// One `testsuite` for each scenario file, one `testcase` for each case. A failure of the relay is a `failure`; an
/// error of the harness and a vacuous case are an `error`; skipped, blocked, not testable and known cases are
/// `skipped` with their reason; a warning is a pass with the warning in `system-out`. A run that says more than its
/// cases do (it was cut short, nothing could be reached) has a `testcase` of its own, so that it never looks green.
public struct JUnitReport {
    /// Bytes of a message: reporters show it in one line.
    static let messageLimit = 1 << 10
    /// Bytes of the text of a failure.
    static let textLimit = 16 << 10
    /// Bytes of `system-out` of one case.
    static let outputLimit = 32 << 10
    /// Findings written out for a case.
    static let findingLimit = 10

    private let results: RunResults
    private let rerun: Rerun?

    /// The report of results; those of a run that has not ended are concluded.
    public init(_ results: RunResults, rerun: Rerun? = nil) {
        var concluded = results
        concluded.conclude()
        self.results = concluded
        self.rerun = rerun
    }

    /// The document.
    public func text() -> String {
        var suites: [(file: String, cases: [CaseResult])] = []
        for result in results.casesInFileOrder {
            if suites.last?.file != result.start.place.file { suites.append((result.start.place.file, [])) }
            suites[suites.count - 1].cases.append(result)
        }
        let verdicts = results.cases.map(\.verdict)
        let trouble = runTrouble
        var writer = XMLWriter()
        let whole = Counts(verdicts, extraErrors: trouble == nil ? 0 : 1)
        let time = results.end?.duration ?? Self.time(results.cases)
        writer.element("testsuites", [("name", "moqspec")] + whole.attributes + [("time", Self.seconds(time))]) {
            writer in
            if let trouble { write(trouble, to: &writer) }
            for suite in suites { write(suite.file, suite.cases, to: &writer) }
        }
        return writer.text
    }

    /// What is wrong with the run as a whole and is not already an error or a failure of a case.
    private var runTrouble: String? {
        if let disagreement = results.disagreement { return disagreement }
        guard let end = results.end else {
            return "the stream of events stops before the run's end: moqspec died or was killed"
        }
        let ledger = results.ledger
        let casesSayIt = ledger.fail + ledger.error + ledger.vacuous > 0
        guard end.interruption != nil || (end.exitCode != 0 && !casesSayIt) || ledger.all == 0 else { return nil }
        return end.reasons.isEmpty
            ? "the run ended with exit code \(end.exitCode)" : end.reasons.joined(separator: "; ")
    }

    private func write(_ trouble: String, to writer: inout XMLWriter) {
        let counts = Counts([], extraErrors: 1)
        let attributes = [("name", "moqspec")] + counts.attributes + [("time", "0.000000"), ("timestamp", timestamp)]
        writer.element("testsuite", attributes) { writer in
            writeProperties(suiteProperties([]), to: &writer)
            writer.element(
                "testcase", [("name", "the run as a whole"), ("classname", "moqspec"), ("time", "0.000000")]
            ) {
                writer in
                let type = results.end?.interruption.map { "run-\($0.rawValue)" } ?? "run"
                writer.element(
                    "error", [("type", type), ("message", trouble.cut(toBytes: Self.messageLimit))],
                    text: "\(trouble)\n\(results.ledger)")
            }
        }
    }

    private func write(_ file: String, _ cases: [CaseResult], to writer: inout XMLWriter) {
        let suite = cases.first?.start.suite ?? ""
        let attributes =
            [("name", [suite, file, "moqspec"].first { !$0.isEmpty }), ("file", file.isEmpty ? nil : file)]
            + Counts(cases.map(\.verdict)).attributes
            + [("time", Self.seconds(Self.time(cases))), ("timestamp", timestamp)]
        writer.element("testsuite", attributes) { writer in
            writeProperties(suiteProperties(cases), to: &writer)
            for result in cases {
                JUnitCase(result: result, properties: caseProperties(result), rerun: rerun?.command(for: result.start))
                    .write(to: &writer)
            }
        }
    }

    private func suiteProperties(_ cases: [CaseResult]) -> [(String, String?)] {
        [
            ("relay", results.run?.target.description), ("address", results.run?.target.address),
            ("version", Self.distinct(cases.map { $0.end?.version } + (cases.isEmpty ? [results.probe?.version] : []))),
            (
                "transport",
                Self.distinct(cases.map { $0.end?.transport } + (cases.isEmpty ? [results.probe?.transport] : []))
            ),
            ("generation", generation), ("generation.evidence", results.probe?.evidence),
            ("seed", results.run.map { String($0.seed) }), ("world", results.run?.world.rawValue),
            ("moqspec", results.run?.moqspecVersion),
        ]
    }

    private func caseProperties(_ result: CaseResult) -> [(String, String?)] {
        var properties: [(String, String?)] = [
            ("relay", results.run?.target.description), ("version", result.end?.version),
            ("transport", result.end?.transport), ("generation", generation), ("seed", String(result.start.seed)),
            ("verdict", result.verdict.label), ("title", result.start.title),
        ]
        for session in result.end?.sessions ?? [:] { properties.append(("session.\(session.name)", session.value)) }
        for variable in result.start.variables { properties.append(("variable.\(variable.name)", variable.value)) }
        properties += result.start.requirements.map { ("requirement", $0) }
        properties += result.start.tags.map { ("tag", $0) }
        return properties
    }

    private var generation: String {
        results.probe?.generation.rawValue ?? TargetProbed.Generation.unknown.rawValue
    }

    private func writeProperties(_ properties: [(String, String?)], to writer: inout XMLWriter) {
        JUnitCase.writeProperties(properties, to: &writer)
    }

    /// When the run began, without a zone when it is UTC: that is how the older schemas want it. Nil for what is no
    /// such time: a parser that checks would refuse the whole document.
    private var timestamp: String? {
        guard let started = results.run?.started.utf8.map({ $0 }), started.last == UInt8(ascii: "Z") else { return nil }
        let form = Array("0000-00-00T00:00:00".utf8)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let fits = zip(started, form).allSatisfy { digits.contains($1) ? digits.contains($0) : $0 == $1 }
        guard fits, started.count > form.count else { return nil }
        return String(decoding: started.prefix(form.count), as: UTF8.self)
    }

    private static func distinct(_ texts: [String?]) -> String? {
        let present = Set(texts.compactMap { $0 }).sorted()
        return present.isEmpty ? nil : present.joined(separator: " ")
    }

    private static func time(_ cases: [CaseResult]) -> Duration {
        cases.reduce(.zero) { $0 + ($1.end?.duration ?? .zero) }
    }

    static func seconds(_ duration: Duration) -> String {
        max(duration, .zero).secondsText(decimals: 6)
    }

    /// The four counts of a suite.
    private struct Counts {
        private let tests: Int
        private let failures: Int
        private let errors: Int
        private let skipped: Int

        init(_ verdicts: [Verdict], extraErrors: Int = 0) {
            let outcomes = verdicts.map(JUnitCase.Outcome.init)
            tests = verdicts.count + extraErrors
            failures = outcomes.filter { $0 == .failure }.count
            errors = outcomes.filter { $0 == .error }.count + extraErrors
            skipped = outcomes.filter { $0 == .skipped }.count
        }

        var attributes: [(String, String?)] {
            [
                ("tests", String(tests)), ("failures", String(failures)), ("errors", String(errors)),
                ("skipped", String(skipped)),
            ]
        }
    }
}
