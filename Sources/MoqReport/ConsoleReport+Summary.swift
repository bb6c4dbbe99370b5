import MoqBase
import MoqEvents

extension ConsoleReport {
    /// Cases named in each list of the summary; the rest is counted.
    private static let listLimit = 20
    /// How many of the slowest cases are named.
    private static let slowestCount = 10
    /// With fewer cases the tree above shows as much.
    private static let fewestForSlowest = 6

    /// The end of the output. Its first line is the ledger.
    func summary() -> [StyledLine] {
        let ledger = results.ledger
        var lines = [StyledLine(), StyledLine(ledger.description, .strong)]
        if let disagreement = results.disagreement { lines.append(StyledLine("ERROR: \(disagreement)", .bad)) }
        for verdict in [Verdict.fail, .error, .vacuous] { lines += list(verdict) }
        lines += varied()
        if options.verbosity > .quiet {
            lines += list(.warn)
            for verdict in [Verdict.known, .skip, .blocked, .notTestable] { lines += reasons(verdict) }
            lines += slowest()
            if let run = results.run { lines.append(relayLine(run)) }
            if let probe = probeLine() { lines.append(probe) }
            lines.append(time())
        }
        return lines + exit()
    }

    /// The cases of a verdict, each with its place and its headline.
    private func list(_ verdict: Verdict) -> [StyledLine] {
        let cases = results.casesInFileOrder.filter { $0.verdict == verdict }
        guard !cases.isEmpty else { return [] }
        var lines = [StyledLine(verdict == .warn ? "warnings" : Self.heading(verdict), Self.style(verdict))]
        for result in cases.prefix(Self.listLimit) {
            let place = (result.deciding?.finding.place ?? result.start.place).fileAndLine
            let reason = result.deciding.map { FindingText.summary($0.finding) } ?? result.reason ?? ""
            lines.append(
                StyledLine(Printable.line("  \(place)  \(result.start.caseID)"))
                    .adding(reason.isEmpty ? "" : Printable.line("  \(reason)"), .faint))
        }
        if cases.count > Self.listLimit { lines.append(StyledLine("  and \(cases.count - Self.listLimit) more")) }
        return lines
    }

    /// The cases that did not end in the same way in every round.
    private func varied() -> [StyledLine] {
        guard let run = results.run, run.rounds > 1 else { return [] }
        let varied = results.rounds.varied
        guard !varied.isEmpty else {
            return [StyledLine("rounds  every case ended in the same way in all of them", .faint)]
        }
        let heading = StyledLine("varied from round to round", .bad)
        let lines = varied.prefix(Self.listLimit).map { StyledLine(Printable.line("  \($0.description)")) }
        let left = varied.count - lines.count
        return [heading] + lines + (left > 0 ? [StyledLine("  and \(left) more")] : [])
    }

    /// Why cases have no verdict about the target: every reason once, with the number of cases.
    private func reasons(_ verdict: Verdict) -> [StyledLine] {
        var counts: [(reason: String, count: Int)] = []
        for result in results.casesInFileOrder where result.verdict == verdict {
            let reason = result.reason ?? "no reason given"
            if let index = counts.firstIndex(where: { $0.reason == reason }) {
                counts[index].count += 1
            } else {
                counts.append((reason, 1))
            }
        }
        guard !counts.isEmpty else { return [] }
        var lines = [StyledLine(Self.heading(verdict), Self.style(verdict))]
        for entry in counts.prefix(Self.listLimit) {
            lines.append(StyledLine("  \(entry.count)  \(Printable.line(entry.reason))"))
        }
        if counts.count > Self.listLimit {
            lines.append(StyledLine("  and \(counts.count - Self.listLimit) more reasons"))
        }
        return lines
    }

    private static func heading(_ verdict: Verdict) -> String {
        switch verdict {
        case .pass: "passed"
        case .fail: "failed"
        case .warn: "warnings"
        case .error: "errors"
        case .skip: "skipped"
        case .blocked: "blocked"
        case .notTestable: "not testable"
        case .vacuous: "vacuous"
        case .known: "known failures"
        }
    }

    private func slowest() -> [StyledLine] {
        guard results.cases.count >= Self.fewestForSlowest else { return [] }
        let sorted = results.casesInFileOrder.enumerated().sorted { left, right in
            let (a, b) = (left.element.end?.duration ?? .zero, right.element.end?.duration ?? .zero)
            return a == b ? left.offset < right.offset : a > b
        }
        return [StyledLine("slowest", .faint)]
            + sorted.prefix(Self.slowestCount).map { entry in
                let time = Printable.rightAligned((entry.element.end?.duration ?? .zero).readable, to: 9)
                return StyledLine("  \(time)  \(Printable.line(entry.element.start.caseID))")
                    .adding(Self.bound(entry.element), .faint)
            }
    }

    /// What a case took its time for.
    private static func bound(_ result: CaseResult) -> String {
        switch result.bound {
        case .processor: "  bound by the processor (\((result.end?.cpuTime ?? .zero).readable))"
        case .step(let text, let duration): "  longest: \(Printable.line(text)) (\(duration.readable))"
        case .settling(let duration): "  longest: until everything had ended after the steps (\(duration.readable))"
        case .others: "  waited for its turn: other cases ran on the same processor"
        case nil: ""
        }
    }

    private func time() -> StyledLine {
        let ends = results.cases.compactMap(\.end)
        let cpu = ends.reduce(Duration.zero) { $0 + $1.cpuTime }
        let simulated = ends.reduce(Duration.zero) { $0 + $1.protocolTime }
        var parts: [String] = []
        if let duration = results.end?.duration { parts.append("\(duration.readable) by the clock") }
        if results.run?.world == .simulated { parts.append("\(simulated.readable) simulated") }
        parts.append("\(cpu.readable) of processor")
        if let run = results.run { parts.append("seed \(run.seed)") }
        return StyledLine("time    ", .faint).adding(parts.joined(separator: ", "))
    }

    private func exit() -> [StyledLine] {
        guard let end = results.end else {
            return [StyledLine("the events stop before the run's end: moqspec died or was killed", .bad)]
        }
        guard end.exitCode != 0 else { return [] }
        let reasons = end.reasons.isEmpty ? ["no reason given"] : end.reasons
        let width = "exit \(end.exitCode)  ".count
        return reasons.enumerated().flatMap { index, reason in
            Printable.lines(reason).enumerated().map { number, line in
                let label = index == 0 && number == 0 ? "exit \(end.exitCode)" : number == 0 ? "also" : ""
                return StyledLine(Printable.padded(label, to: width), .bad).adding(line)
            }
        }
    }
}
