import MoqBase
import MoqEvents
import MoqJSON

/// A finding as people read it: where, what was expected, what came, and what happened around it.
///
/// The console and the text of a JUnit failure are both made of this.
enum FindingText {
    /// Bytes shown of the evidence from the wire; the rest is in the JSON report.
    static let shownBytes = 64
    /// Characters shown of a line of a scenario file, around the column.
    static let shownSource = 160
    /// Characters shown of what came instead, where a failure has one line.
    static let shownActual = 120
    /// Actor names are aligned up to this width.
    private static let widestActor = 14

    /// The finding's lines. The first is `file:line:column` alone, so that editors and CI systems find it.
    static func lines(of evidence: CaseResult.Evidence, in start: CaseStarted) -> [StyledLine] {
        let finding = evidence.finding
        let place = finding.place ?? start.place
        var lines = [StyledLine(Printable.line(place.description), .strong)]
        lines += source(finding, place)
        lines.append(
            StyledLine("\(label(finding.severity)): ", style(finding.severity)).adding(Printable.line(finding.headline))
        )
        lines += field("expected", expected(finding))
        lines += field("actual", finding.actual)
        lines += field("requires", requirement(finding))
        lines += field("bytes", bytes(finding.bytes))
        lines += timeline(evidence)
        return lines
    }

    /// A severity as a word for people.
    static func label(_ severity: Finding.Severity) -> String {
        switch severity {
        case .fail: "FAIL"
        case .warn: "WARN"
        case .error: "ERROR"
        case .vacuous: "VACUOUS"
        case .notTestable: "NOT TESTABLE"
        case .skip: "SKIP"
        case .note: "NOTE"
        }
    }

    static func style(_ severity: Finding.Severity) -> StyledLine.Style {
        switch severity {
        case .fail, .error, .vacuous: .bad
        case .warn: .warning
        case .notTestable, .skip, .note: .faint
        }
    }

    /// What went wrong in one line: the headline and, since many failures share one, what came instead.
    static func summary(_ finding: Finding) -> String {
        guard let actual = finding.actual.flatMap({ Printable.lines($0).first }), !actual.isEmpty else {
            return Printable.line(finding.headline)
        }
        let short = actual.count > shownActual ? "\(actual.prefix(shownActual - 3))..." : actual
        return "\(Printable.line(finding.headline)); actual: \(short)"
    }

    /// What was expected, unless it only repeats the line of the file that stands above it.
    private static func expected(_ finding: Finding) -> String? {
        guard let expected = finding.expected, let source = finding.sourceLine else { return finding.expected }
        let line = source.trimmingPrefix { $0 == " " }
        return [String(line), "never \(line)"].contains(expected) ? nil : expected
    }

    private static func requirement(_ finding: Finding) -> String? {
        let ids = finding.requirements.joined(separator: ", ")
        switch (ids.isEmpty, finding.basis) {
        case (true, let basis): return basis
        case (false, let basis?): return "\(ids) (\(basis))"
        case (false, nil): return ids
        }
    }

    private static func bytes(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty else { return nil }
        let more = bytes.count > shownBytes ? " ... (\(bytes.count) in all)" : ""
        return Hex.text(bytes.prefix(shownBytes)) + more
    }

    /// The line of the scenario file with a caret below the column.
    private static func source(_ finding: Finding, _ place: FilePlace) -> [StyledLine] {
        guard let source = finding.sourceLine, place.line > 0 else { return [] }
        var characters = Array(Printable.line(source))
        var column = place.column
        let first = max(0, min(column - shownSource / 2, characters.count - shownSource))
        if first > 0 {
            characters = Array("...") + characters[first...].dropFirst(3)
            column -= first
        }
        if characters.count > shownSource { characters = characters.prefix(shownSource - 3) + Array("...") }
        let number = String(place.line)
        let blank = String(repeating: " ", count: number.count)
        var lines = [StyledLine("  \(number) | ", .faint).adding(String(characters))]
        // A line that comes without its indentation is whole enough, but its columns are not those of the file.
        let isIndented = source.first == " " || column == 1
        if isIndented, column > 0, column <= characters.count + 1 {
            let indent = String(repeating: " ", count: column - 1)
            lines.append(StyledLine("  \(blank) | ", .faint).adding("\(indent)^", style(finding.severity)))
        }
        return lines
    }

    private static func field(_ name: String, _ text: String?) -> [StyledLine] {
        guard let text, !text.isEmpty else { return [] }
        return Printable.lines(text).enumerated().map { index, line in
            StyledLine("  " + Printable.padded(index == 0 ? name : "", to: 10), .faint).adding(line)
        }
    }

    private static func timeline(_ evidence: CaseResult.Evidence) -> [StyledLine] {
        guard !evidence.before.isEmpty || !evidence.after.isEmpty else { return [] }
        let earlier = evidence.earlier > 0 ? "(\(evidence.earlier) earlier lines left out)" : ""
        var lines = [
            StyledLine("  " + Printable.padded("timeline", to: earlier.isEmpty ? 0 : 10), .faint).adding(
                earlier, .faint)
        ]
        let width = actorWidth(evidence.before + evidence.after)
        lines += evidence.before.map { line(of: $0, actorWidth: width) }
        lines.append(
            StyledLine("    ---- here: \(Printable.line(evidence.finding.headline))", style(evidence.finding.severity)))
        lines += evidence.after.map { line(of: $0, actorWidth: width) }
        return lines
    }

    /// How wide the column of actors must be for these lines.
    static func actorWidth(_ entries: [TraceEntry]) -> Int {
        min(entries.map { Printable.line($0.actor).count }.max() ?? 0, widestActor)
    }

    /// One line of a timeline with a column of actors of this width.
    static func line(of entry: TraceEntry, actorWidth: Int) -> StyledLine {
        let time = Printable.rightAligned(entry.at.secondsText(decimals: 6), to: 10)
        let actor = Printable.padded(Printable.line(entry.actor), to: actorWidth)
        let category = Printable.padded(entry.category.rawValue, to: 9)
        // A text of several lines would break the columns, and could pass itself off as other lines.
        return StyledLine("  \(time)  ", .faint).adding("\(actor)  ").adding("\(category)  ", .faint)
            .adding(Printable.line(entry.text))
    }
}
