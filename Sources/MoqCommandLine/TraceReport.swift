import MoqEvents
import MoqKit
import MoqReport

/// What `moqspec trace check` says about a trace.
public struct TraceReport: Sendable {
    private let check: TraceCheck
    private let file: String
    private let hasCoverage: Bool
    /// Legal steps named of one place; the rest is counted.
    private static let legalLimit = 24
    /// Objects shown; the rest is counted.
    private static let objectLimit = 100

    /// A report about a file.
    public init(_ check: TraceCheck, file: String, hasCoverage: Bool = false) {
        self.check = check
        self.file = file
        self.hasCoverage = hasCoverage
    }

    /// The exit code: 1 when an object took an illegal step, 5 when there was nothing to check.
    public var exitCode: Int32 {
        if check.objects.isEmpty { return 5 }
        return check.first == nil ? 0 : 1
    }

    /// For people. The last line adds up.
    public var text: String {
        var lines: [String] = []
        for object in check.objects.prefix(Self.objectLimit) {
            let head = "\(object.object)  \(object.machine) (\(object.profile.rawValue))"
            guard object.refusal != nil else {
                let states = object.states.joined(separator: " or ")
                lines.append("accepted  \(head)  \(LoadedScenarios.plural(object.accepted, "line")), then in \(states)")
                continue
            }
            lines += ["", "illegal   \(head)"] + Self.refusal(object, file).map { "  \($0)" } + [""]
        }
        if check.objects.count > Self.objectLimit { lines.append("and \(check.objects.count - Self.objectLimit) more") }
        if hasCoverage { lines += coverage }
        let illegal = check.objects.count { $0.refusal != nil }
        var sum = "\(LoadedScenarios.plural(check.objects.count, "object")) = "
        sum += "\(check.objects.count - illegal) accepted + \(illegal) with an illegal step"
        if check.otherLines > 0 { sum += "; \(LoadedScenarios.plural(check.otherLines, "line")) about other machines" }
        return (lines + ["", sum]).map(Printable.line).joined(separator: "\n")
    }

    private var coverage: [String] {
        let rows = check.coverage.rows.map { "  \($0.machine) (\($0.profile.rawValue))  \($0.key)  \($0.taken)" }
        return ["", "transitions taken"] + check.coverage.lines().map { "  \($0)" } + [""] + rows
    }

    private static func refusal(_ object: TraceCheck.ObjectResult, _ file: String) -> [String] {
        guard let refusal = object.refusal else { return [] }
        let states = object.states.map { "`\($0)`" }.joined(separator: " or ")
        let what = refusal.came.map { "\($0)" } ?? "the trace ends"
        var lines = ["\(file):\(refusal.line): \(what)", "in \(states)"]
        if let order = refusal.order { lines.append("against the order: \(order)") }
        lines.append("legal there:")
        lines += refusal.legal.prefix(legalLimit).map { "  \($0)" }
        if refusal.legal.isEmpty { lines.append("  nothing") }
        if refusal.legal.count > legalLimit { lines.append("  and \(refusal.legal.count - legalLimit) more") }
        if refusal.isUncertain { lines.append("so much was possible that not all of it was looked at") }
        return lines
    }

    /// The same as results of a run, a case for each object: what JUnit and JSON are made of.
    public func results(moqspecVersion: String, startedAt: String) -> RunResults {
        var results = RunResults()
        results.apply(
            .runStarted(
                RunStarted(
                    moqspecVersion: moqspecVersion, seed: 0,
                    target: RunStarted.Target(description: "the trace \(file)", kind: .url, address: file),
                    world: .sockets, started: startedAt, selectedCases: check.objects.count)))
        for object in check.objects {
            let id = "\(object.machine).\(object.object)"
            results.apply(
                .caseStarted(
                    CaseStarted(
                        caseID: id, suite: object.machine, scenario: id,
                        title: "\(object.object) keeps to the machine \(object.machine) (\(object.profile.rawValue))",
                        place: FilePlace(file: file), variables: ["profile": object.profile.rawValue])))
            if let refusal = object.refusal {
                let legal = refusal.legal.prefix(Self.legalLimit).joined(separator: "; ")
                results.apply(
                    .finding(
                        Finding(
                            caseID: id, severity: refusal.isUncertain ? .error : .fail,
                            headline: refusal.came == nil
                                ? "the trace ends where something has to follow"
                                : refusal.order.map { "out of order: \($0)" } ?? "an illegal step",
                            place: FilePlace(file: file, line: refusal.line), expected: legal,
                            actual: refusal.came ?? "the end of the trace")))
            }
            let verdict: Verdict = object.refusal.map { $0.isUncertain ? .error : .fail } ?? .pass
            results.apply(
                .caseFinished(CaseFinished(caseID: id, verdict: verdict, transitions: object.coverage.tallies)))
        }
        results.apply(.runFinished(RunFinished(ledger: results.ledger, exitCode: exitCode)))
        return results
    }
}
