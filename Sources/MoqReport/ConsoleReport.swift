import MoqBase
import MoqEvents

/// What a person sees: a tree while the run goes on, and a summary at its end.
///
/// Each event gives the lines to print for it. The text is the same with and without colours.
public struct ConsoleReport {
    /// How much is said.
    public enum Verbosity: Sendable, Comparable {
        /// Failures and the summary.
        case quiet
        /// Every case, and the evidence of those that did not pass.
        case normal
        /// Also the timeline of every case, and notes.
        case verbose
    }

    /// How it is said.
    public struct Options: Sendable {
        /// How much is said.
        public var verbosity: Verbosity
        /// Whether the output is a terminal: there are no colours when it is none.
        public var isTerminal: Bool
        /// Whether the environment has a `NO_COLOR` that is not empty.
        public var noColor: Bool
        /// The command that runs a case again.
        public var rerun: Rerun?

        /// Options; without any the output is plain.
        public init(
            verbosity: Verbosity = .normal, isTerminal: Bool = false, noColor: Bool = false, rerun: Rerun? = nil
        ) {
            self.verbosity = verbosity
            self.isTerminal = isTerminal
            self.noColor = noColor
            self.rerun = rerun
        }
    }

    /// Findings written out for one case; the rest is in the files.
    static let findingLimit = 5

    /// What the events have said so far.
    public private(set) var results: RunResults
    let options: Options
    private var printedSuite: String?
    private var printedSuites: Set<String> = []
    private var endsEmpty = false

    /// A report of a run that has not begun.
    public init(_ options: Options = Options()) {
        self.options = options
        results = RunResults(keepsTimelinesOfPasses: options.verbosity == .verbose)
    }

    /// Takes the next event and gives the lines to print for it, without line feeds.
    public mutating func lines(for event: RunEvent) -> [String] {
        let ended = results.apply(event)
        switch event {
        case .runStarted: return painted(heading())
        case .targetProbed: return painted(probed())
        case .caseFinished:
            let lines = ended.map { caseEnded($0) } ?? []
            return painted(lines)
        case .runFinished: return painted(summary())
        case .caseStarted, .trace, .step, .finding, .unknown: return []
        }
    }

    /// The lines to print when the stream stops without a `runFinished`; none when it had one.
    public mutating func linesAtStop() -> [String] {
        guard results.end == nil else { return [] }
        results.conclude()
        return painted(summary())
    }

    private mutating func painted(_ lines: [StyledLine]) -> [String] {
        var kept: [StyledLine] = []
        for line in lines {
            // Blocks end and begin with an empty line; where they meet one is enough.
            let isEmpty = line.text.isEmpty
            if !isEmpty || !endsEmpty { kept.append(line) }
            endsEmpty = isEmpty
        }
        return kept.map { $0.painted(options.isTerminal && !options.noColor) }
    }

    private func heading() -> [StyledLine] {
        guard options.verbosity > .quiet, let run = results.run else { return [] }
        let count = run.selectedCases.map { "\($0) \($0 == 1 ? "case" : "cases"), " } ?? ""
        let jobs = "\(run.jobs) \(run.jobs == 1 ? "job" : "jobs")"
        let world =
            (run.rounds > 1 ? ", up to \(run.rounds) rounds" : "") + (run.world == .simulated ? ", simulated" : "")
        return [
            StyledLine("moqspec \(Printable.line(run.moqspecVersion))", .strong)
                .adding("  \(count)\(jobs)\(world)  seed \(run.seed)"),
            relayLine(run),
        ]
    }

    func relayLine(_ run: RunStarted) -> StyledLine {
        let address = run.target.address.isEmpty ? "" : "  \(run.target.address)"
        return StyledLine("relay   ", .faint).adding(Printable.line("\(run.target.description)\(address)"))
    }

    private func probed() -> [StyledLine] {
        guard options.verbosity > .quiet, let line = probeLine() else { return [] }
        return [line]
    }

    func probeLine() -> StyledLine? {
        guard let probe = results.probe else { return nil }
        let wire = [probe.version, probe.transport].compactMap { $0 }.joined(separator: " over ")
        let generation = probe.generation == .unknown ? "unknown generation" : "\(probe.generation.rawValue) generation"
        return StyledLine("codes   ", .faint)
            .adding(Printable.line("\(generation): \(probe.evidence)\(wire.isEmpty ? "" : "  (\(wire))")"))
    }

    private mutating func caseEnded(_ result: CaseResult) -> [StyledLine] {
        let isTrouble = [.fail, .error, .vacuous].contains(result.verdict)
        guard options.verbosity > .quiet || isTrouble else { return [] }
        var lines = suiteLines(result.start)
        lines.append(caseLine(result))
        let isExplained = isTrouble || result.verdict == .warn || options.verbosity == .verbose
        if isExplained { lines += evidence(result).map { $0.indented(by: 4) } }
        return lines
    }

    private mutating func suiteLines(_ start: CaseStarted) -> [StyledLine] {
        let key = "\(start.suite)\n\(start.place.file)"
        guard printedSuite != key else { return [] }
        printedSuite = key
        let isFirst = printedSuites.insert(key).inserted
        return [
            StyledLine(),
            StyledLine(Printable.line(start.suite), .strong)
                .adding("  \(Printable.line(start.place.file))\(isFirst ? "" : " (continued)")", .faint),
        ]
    }

    private func caseLine(_ result: CaseResult) -> StyledLine {
        let verdict = result.verdict
        var line = StyledLine("  ").adding(Printable.padded(Self.mark(verdict), to: 9), Self.style(verdict))
            .adding(Printable.line(result.start.caseID)).adding("  \(time(result))", .faint)
        if ![.pass, .warn, .fail].contains(verdict), let reason = result.reason {
            line = line.adding("  \(Printable.line(reason))")
        }
        return line
    }

    private func time(_ result: CaseResult) -> String {
        guard let end = result.end else { return "" }
        let simulated = results.run?.world == .simulated ? " (\(end.protocolTime.readable) simulated)" : ""
        return end.duration.readable + simulated
    }

    private func evidence(_ result: CaseResult) -> [StyledLine] {
        let shown = options.verbosity == .verbose ? result.findings : result.weighing
        var lines: [StyledLine] = [StyledLine(Printable.line(result.start.title), .faint)]
        for evidence in shown.prefix(Self.findingLimit) {
            lines += [StyledLine()] + FindingText.lines(of: evidence, in: result.start)
        }
        let left = max(0, shown.count - Self.findingLimit) + result.droppedFindings
        if left > 0 {
            lines += [StyledLine(), StyledLine("\(left) more findings are left out; --report json has more")]
        }
        if shown.isEmpty, result.verdict == .fail, let reason = result.reason {
            lines += [
                StyledLine(Printable.line(result.start.place.description), .strong), StyledLine(Printable.line(reason)),
            ]
        }
        if options.verbosity == .verbose {
            let width = FindingText.actorWidth(result.timeline)
            lines += result.timeline.map { FindingText.line(of: $0, actorWidth: width) }
        }
        if result.verdict != .pass, let rerun = options.rerun {
            lines += [
                StyledLine(), StyledLine("again  ", .faint).adding(Printable.line(rerun.command(for: result.start))),
            ]
        }
        return lines + [StyledLine()]
    }

    static func mark(_ verdict: Verdict) -> String {
        switch verdict {
        case .pass: "ok"
        case .fail: "FAIL"
        case .warn: "warn"
        case .error: "ERROR"
        case .skip: "skip"
        case .blocked: "blocked"
        case .notTestable: "no test"
        case .vacuous: "VACUOUS"
        case .known: "known"
        }
    }

    static func style(_ verdict: Verdict) -> StyledLine.Style {
        switch verdict {
        case .pass: .good
        case .fail, .error, .vacuous: .bad
        case .warn, .known: .warning
        case .skip, .blocked, .notTestable: .faint
        }
    }
}
