import MoqEvents
import MoqReport
import MoqRunner
import MoqScenario

/// One requirement with what runs said about it.
public struct CoverageRow: Sendable {
    /// What is known of a requirement.
    public enum Status: String, CaseIterable, Sendable {
        /// It was checked, and held every time.
        case held
        /// It was seen broken.
        case broken
        /// It was seen broken only where the list of known failures says so.
        case known
        /// It was not kept, and the relay is not held to it under the profile.
        case informational
        /// Nothing got there: not in the selection, left out, or without a scenario.
        case notReached = "not-reached"
        /// It cannot be checked; the registry says why.
        case notTestable = "not-testable"

        /// The status as people read it.
        public var label: String { rawValue.replacing("-", with: " ") }
    }

    /// A case that shows something, with the line that does.
    public struct Witness: Equatable, Sendable {
        /// The case.
        public var caseID: String
        /// The line of the scenario file.
        public var place: FilePlace
        /// What was seen; nil when the case only passed.
        public var line: String?
        /// Whether it weighs as a failure, and not only as a warning.
        var isFailure = false

        init(_ evidence: CaseEvidence, finding: Finding?) {
            caseID = evidence.caseID
            place = finding?.place ?? evidence.place
            line = finding.map(FindingSummary.text) ?? (evidence.verdict == .fail ? evidence.reason : nil)
            isFailure = finding?.severity == .fail || (finding == nil && evidence.verdict == .fail)
        }
    }

    /// The requirement.
    public let requirement: Requirement
    /// Whether the relay is held to it under the profile.
    public let isHeldTo: Bool
    /// The scenarios that name it.
    public let scenarios: [String]
    /// Cases in which it held.
    public private(set) var holding: [Witness] = []
    /// Cases in which it was broken.
    public private(set) var breaking: [Witness] = []
    /// Cases in which it was broken as is known.
    public private(set) var knownBreaking: [Witness] = []
    /// Cases in which it was not kept, where the relay is not held to it.
    public private(set) var informing: [Witness] = []
    /// How often it was counted as held and broken apart from verdicts, mostly by the monitor.
    public private(set) var tally: RequirementTally
    /// The cases that name it and said nothing about it, by their verdict: how many, and the reason of the first.
    private var silent: [Verdict: (count: Int, reason: String?)] = [:]

    init(_ requirement: Requirement, isHeldTo: Bool, scenarios: [String]) {
        self.requirement = requirement
        self.isHeldTo = isHeldTo
        self.scenarios = scenarios
        tally = RequirementTally(requirement: requirement.id, held: 0, broken: 0)
    }

    /// What is known.
    public var status: Status {
        if !breaking.isEmpty { return isHeldTo ? .broken : .informational }
        if !knownBreaking.isEmpty { return isHeldTo ? .known : .informational }
        if !informing.isEmpty { return .informational }
        if !holding.isEmpty { return .held }
        return requirement.checked == .no ? .notTestable : .notReached
    }

    /// Whether what broke it is more than a warning.
    var isBrokenByFailure: Bool { breaking.contains(where: \.isFailure) }

    /// The cases that decide the status.
    public var witnesses: [Witness] {
        switch status {
        case .held: holding
        case .broken: breaking
        case .known: knownBreaking
        case .informational: breaking + knownBreaking + informing
        case .notReached, .notTestable: []
        }
    }

    /// Why nothing is known; nil when something is.
    public var reason: String? {
        switch status {
        case .held, .broken, .known, .informational: return nil
        case .notTestable: return requirement.because
        case .notReached: break
        }
        if !silent.isEmpty {
            let parts = Verdict.allCases.compactMap { verdict -> String? in
                guard let entry = silent[verdict] else { return nil }
                let reason = entry.reason.map { " (\($0))" } ?? ""
                return "\(LoadedScenarios.plural(entry.count, "case")) \(Self.words(for: verdict))\(reason)"
            }
            return parts.joined(separator: "; ")
        }
        if let first = scenarios.first {
            let more = scenarios.count > 1 ? " and \(scenarios.count - 1) more" : ""
            return "no case of \(first)\(more) was in the run"
        }
        return requirement.checked == .monitor
            ? "no session of the run had anything to do with it" : "no scenario names it"
    }

    private static func words(for verdict: Verdict) -> String {
        switch verdict {
        case .pass, .warn: "passed with other versions or transports than it is about"
        case .fail: "failed before it was looked at"
        case .known: "failed as is known before it was looked at"
        case .skip: "skipped"
        case .blocked: "blocked"
        case .vacuous: "vacuous"
        case .notTestable: "not testable"
        case .error: "ended in an error"
        }
    }

    /// Takes what a case says. One that was left out, or that failed as is known, never makes a requirement held.
    mutating func take(_ evidence: CaseEvidence) {
        let findings = evidence.findings.filter { $0.requirements.contains(requirement.id) }
        let against = findings.filter { $0.severity == .fail || $0.severity == .warn }
        let counted = evidence.checked.first { $0.requirement == requirement.id }
        if let counted {
            tally.held += counted.held
            tally.broken += counted.broken
        }
        let notes = findings.filter { $0.severity == .note || $0.severity == .skip }
        if let finding = against.first ?? (isHeldTo ? nil : notes.first) {
            let witness = Witness(evidence, finding: finding)
            if against.isEmpty {
                informing.append(witness)
            } else if evidence.verdict == .known {
                knownBreaking.append(witness)
            } else {
                breaking.append(witness)
            }
            return
        }
        if let counted, counted.broken > 0 {
            var witness = Witness(evidence, finding: nil)
            witness.line = "seen broken \(counted.broken) times"
            // Beside the steps of a case the monitor only notes what is observed; a step that fails by it weighs.
            witness.isFailure = requirement.level != .observed
            if !isHeldTo {
                informing.append(witness)
            } else if evidence.verdict == .known {
                knownBreaking.append(witness)
            } else {
                breaking.append(witness)
            }
            return
        }
        if holds(evidence, counted) {
            holding.append(Witness(evidence, finding: nil))
        } else if evidence.requirements.contains(requirement.id), evidence.transport != TransportChoice.comparisonName {
            let before = silent[evidence.verdict]
            silent[evidence.verdict] = ((before?.count ?? 0) + 1, before?.reason ?? evidence.reason)
        }
    }

    private func holds(_ evidence: CaseEvidence, _ counted: RequirementTally?) -> Bool {
        switch evidence.verdict {
        case .pass, .warn:
            if let counted, counted.held > 0 { return true }
            // A comparison of transports repeats what their own cases said.
            guard evidence.requirements.contains(requirement.id),
                evidence.transport != TransportChoice.comparisonName
            else { return false }
            let isRace = !Vocabulary.ofThisRelease.transports.contains(evidence.transport)
            return requirement.versions.contains(evidence.version)
                && (isRace || requirement.transports?.contains(evidence.transport) != false)
        // What the steps before the failure saw, and the monitor, holds.
        case .fail: return (counted?.held ?? 0) > 0
        case .known, .skip, .blocked, .vacuous, .notTestable, .error: return false
        }
    }
}

/// A finding in one line.
enum FindingSummary {
    /// Characters shown of what came instead.
    private static let shownActual = 120

    static func text(_ finding: Finding) -> String {
        guard let actual = finding.actual?.split(whereSeparator: \.isNewline).first else { return finding.headline }
        let short = actual.count > shownActual ? "\(actual.prefix(shownActual - 3))..." : String(actual)
        return "\(finding.headline); actual: \(short)"
    }
}
