import MoqBase

/// What a stream says about one case.
public struct CaseResult: Sendable, Equatable {
    /// A finding with the lines of the timeline around it.
    public struct Evidence: Sendable, Equatable {
        /// The lines kept from before the finding: as many as a screen shows with the rest of a failure.
        public static let linesBefore = 20
        /// The lines kept from after it: mostly how the far side reacts.
        public static let linesAfter = 5

        /// The finding.
        public var finding: Finding
        /// The last lines before it, of all actors.
        public var before: [TraceEntry]
        /// How many earlier lines there are.
        public var earlier: Int
        /// The first lines after it.
        public var after: [TraceEntry]

        /// A finding with the lines around it.
        public init(finding: Finding, before: [TraceEntry] = [], earlier: Int = 0, after: [TraceEntry] = []) {
            self.finding = finding
            self.before = before
            self.earlier = earlier
            self.after = after
        }
    }

    /// A step and how long it took.
    public struct LongestStep: Sendable, Equatable {
        /// The step as it stands in the file.
        public var text: String
        /// On the clock of the case's world.
        public var duration: Duration
    }

    /// How the case began.
    public let start: CaseStarted
    /// The last lines of the timeline, steps among them. Empty once a case has passed, unless asked for.
    public private(set) var timeline: [TraceEntry] = []
    /// How many lines the timeline had in all.
    public private(set) var timelineLines = 0
    /// Steps that did not simply pass: those that failed or were left out, and those that say which of several legal
    /// outcomes they saw.
    public private(set) var notableSteps: [StepEnded] = []
    /// How many steps ended.
    public private(set) var steps = 0
    /// The findings with what stood around them, in order.
    public private(set) var findings: [Evidence] = []
    /// How many findings there were beyond those that are kept.
    public private(set) var droppedFindings = 0
    /// How the case ended; nil while it runs.
    public private(set) var end: CaseFinished?
    /// The step that took longest of those at the top of the scenario, and how long, on the clock of the case's world;
    /// nil when none ended.
    public private(set) var longestStep: LongestStep?
    /// When the last step at the top ended.
    private var lastStepEnd = Duration.zero

    init(start: CaseStarted) {
        self.start = start
    }

    /// The verdict; `error` while there is none.
    public var verdict: Verdict { end?.verdict ?? .error }

    /// The case's last sign of life, since it began.
    var lastInstant: Duration { timeline.last?.at ?? .zero }

    /// The finding that decided: the first of the severity that the verdict comes from, or the first that weighs.
    public var deciding: Evidence? {
        let severity: Finding.Severity? =
            switch verdict {
            case .fail, .known: .fail
            case .warn: .warn
            case .error: .error
            case .skip, .blocked: .skip
            case .notTestable: .notTestable
            case .vacuous: .vacuous
            case .pass: nil
            }
        return findings.first { $0.finding.severity == severity }
            ?? (severity == nil ? nil : findings.first { $0.finding.severity != .note })
    }

    mutating func add(_ entry: TraceEntry) {
        for index in findings.indices.suffix(2) where findings[index].after.count < Evidence.linesAfter {
            findings[index].after.append(entry)
        }
        timeline.append(entry)
        timelineLines += 1
        // Cut seldom, to the limit: the cost of the removal is spread over as many lines.
        if timeline.count >= 2 * RunResults.timelineLimit {
            timeline.removeFirst(timeline.count - RunResults.timelineLimit)
        }
    }

    mutating func add(_ step: StepEnded) {
        steps += 1
        if step.indexPath.count == 1 {
            let duration = step.at - lastStepEnd
            if duration > longestStep?.duration ?? .zero {
                longestStep = LongestStep(text: step.text, duration: duration)
            }
            lastStepEnd = max(lastStepEnd, step.at)
        }
        if step.outcome != .passed || step.detail != nil, notableSteps.count < RunResults.stepLimit {
            notableSteps.append(step)
        }
        let number = step.indexPath.map { String($0 + 1) }.joined(separator: ".")
        let outcome = step.outcome == .notTestable ? "not testable" : step.outcome.rawValue
        let detail = step.detail.map { " (\($0))" } ?? ""
        add(
            TraceEntry(
                caseID: step.caseID, at: step.at, actor: "step \(number)", category: .step,
                text: "\(step.text): \(outcome)\(detail)"))
    }

    mutating func add(_ finding: Finding) {
        guard findings.count < RunResults.findingLimit else {
            droppedFindings += 1
            return
        }
        let before = Array(timeline.suffix(Evidence.linesBefore))
        findings.append(Evidence(finding: finding, before: before, earlier: timelineLines - before.count))
    }

    /// What a case took its time for.
    public enum Bound: Sendable, Equatable {
        /// The processor: more than half of the time by the clock.
        case processor
        /// One step, and how long it took on the clock of the case's world.
        case step(String, Duration)
        /// What comes after the steps: streams end, sessions close, the relay lets go and answers once more.
        case settling(Duration)
        /// Its turn: others ran on the same processor.
        case others
    }

    /// What the case took most of its time for; nil while it runs, and when it was not played.
    public var bound: Bound? {
        guard let end, end.duration > .zero else { return nil }
        if end.cpuTime * 2 > end.duration { return .processor }
        let settling = max(.zero, end.protocolTime - lastStepEnd)
        let step = longestStep ?? LongestStep(text: "", duration: .zero)
        // In simulated time nothing waits by the clock: what is left is the turn of others.
        if max(settling, step.duration) * 4 < end.duration { return .others }
        return settling > step.duration ? .settling(settling) : .step(step.text, step.duration)
    }

    mutating func finish(_ event: CaseFinished, keepsTimelineOfPass: Bool) {
        end = event
        if event.verdict == .pass, !keepsTimelineOfPass {
            timeline = []
        } else if timeline.count > RunResults.timelineLimit {
            timeline.removeFirst(timeline.count - RunResults.timelineLimit)
        }
    }
}
