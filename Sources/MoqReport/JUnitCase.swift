import MoqBase
import MoqEvents

/// One `testcase` of a JUnit document.
struct JUnitCase {
    /// Which of JUnit's four outcomes a verdict is.
    enum Outcome {
        case passed
        case failure
        case error
        case skipped

        init(_ verdict: Verdict) {
            switch verdict {
            case .pass, .warn: self = .passed
            case .fail: self = .failure
            // A case that did not reach what it had to must not look green, nor like a fault of the relay.
            case .error, .vacuous: self = .error
            case .skip, .blocked, .notTestable, .known: self = .skipped
            }
        }
    }

    let result: CaseResult
    let properties: [(String, String?)]
    let rerun: String?

    func write(to writer: inout XMLWriter) {
        let start = result.start
        let attributes: [(String, String?)] = [
            ("name", start.caseID.isEmpty ? "case" : start.caseID),
            ("classname", start.suite.isEmpty ? "moqspec" : start.suite),
            ("time", JUnitReport.seconds(result.end?.duration ?? .zero)),
            ("file", start.place.file.isEmpty ? nil : start.place.file),
            ("line", start.place.line > 0 ? String(start.place.line) : nil),
        ]
        writer.element("testcase", attributes) { writer in
            Self.writeProperties(properties, to: &writer)
            writeOutcome(to: &writer)
            let output = output
            if !output.isEmpty { writer.element("system-out", text: output.cut(toBytes: JUnitReport.outputLimit)) }
        }
    }

    static func writeProperties(_ properties: [(String, String?)], to writer: inout XMLWriter) {
        writer.element("properties") { writer in
            for case (let name, let value?) in properties {
                writer.element("property", [("name", name), ("value", value.cut(toBytes: JUnitReport.messageLimit))])
            }
        }
    }

    private func writeOutcome(to writer: inout XMLWriter) {
        let type = result.verdict.rawValue
        let reason = Self.first(result.reason, result.verdict.label)
        let attributes = [("type", type), ("message", message.cut(toBytes: JUnitReport.messageLimit))]
        switch Outcome(result.verdict) {
        case .passed: break
        case .failure: writer.element("failure", attributes, text: evidence)
        case .error: writer.element("error", attributes, text: evidence)
        case .skipped:
            let message = result.verdict == .skip ? reason : "\(skippedLabel): \(reason)"
            writer.element("skipped", [("type", type), ("message", message.cut(toBytes: JUnitReport.messageLimit))])
        }
    }

    private var skippedLabel: String {
        result.verdict == .known ? "known failure" : result.verdict.label
    }

    /// The failure in one line.
    private var message: String {
        if let finding = result.deciding?.finding, !finding.headline.isEmpty { return FindingText.summary(finding) }
        return Printable.line(Self.first(result.reason, result.verdict.label))
    }

    /// The first text that says something: readers take an empty message for none.
    private static func first(_ texts: String?...) -> String {
        texts.compactMap { $0 }.first { !$0.isEmpty } ?? ""
    }

    /// The text of a failure: the deciding finding first, then the others, then the command that runs it again.
    private var evidence: String {
        let deciding = result.deciding
        let others = result.weighing.filter { $0 != deciding }
        let all = (deciding.map { [$0] } ?? []) + others
        var blocks = all.prefix(JUnitReport.findingLimit).map { evidence in
            FindingText.lines(of: evidence, in: result.start).map(\.text).joined(separator: "\n")
        }
        if blocks.isEmpty { blocks = ["\(Printable.line(result.start.place.description))\n\(message)"] }
        let left = all.count - min(all.count, JUnitReport.findingLimit) + result.droppedFindings
        if left > 0 { blocks.append("\(left) more findings are left out") }
        let tail = rerun.map { "\n\nagain  \(Printable.line($0))" } ?? ""
        // The command is what the reader needs most, so the rest is cut before it.
        return blocks.joined(separator: "\n\n").cut(toBytes: JUnitReport.textLimit - tail.utf8.count) + tail
    }

    /// Warnings and notes, the legal outcomes that were seen, and for a case that did not pass the timeline.
    private var output: String {
        var lines: [String] = []
        if Outcome(result.verdict) == .passed || result.verdict == .known {
            for evidence in result.findings.prefix(JUnitReport.findingLimit) {
                lines += FindingText.lines(of: evidence, in: result.start).map(\.text) + [""]
            }
        }
        for step in result.notableSteps where step.outcome == .passed || step.outcome == .notTestable {
            let outcome = step.outcome == .passed ? "saw" : "not testable:"
            lines.append("\(Printable.line(step.text)): \(outcome) \(Printable.line(step.detail ?? ""))")
        }
        let shown = result.deciding.map { $0.before.count + $0.after.count } ?? 0
        // A short timeline stands whole in the failure already.
        if result.timelineLines > shown, !result.timeline.isEmpty {
            let cut = result.timelineLines - result.timeline.count
            lines.append(cut > 0 ? "timeline (\(cut) earlier lines left out)" : "timeline")
            let width = FindingText.actorWidth(result.timeline)
            lines += result.timeline.map { FindingText.line(of: $0, actorWidth: width).text }
        }
        return lines.joined(separator: "\n")
    }
}
