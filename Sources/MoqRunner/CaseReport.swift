import MoqBase
import MoqConformance
import MoqEvents
import MoqKit
import MoqMonitor
import MoqScenario

/// What came of a case: its verdict and the evidence, as events.
struct CaseReport {
    private let run: CaseRun
    private let findings: TargetFindings
    private let options: RunOptions
    var duration = Duration.zero
    var cpu = Duration.zero

    init(_ run: CaseRun, findings: TargetFindings, options: RunOptions) {
        self.run = run
        self.findings = findings
        self.options = options
    }

    private var caseID: String { run.scenario.id }

    /// The events of the case, its end last, and the verdict.
    func finish() -> (events: [RunEvent], verdict: Verdict) {
        let failure = run.failure.map(finding)
        var found = (run.scene.faults + run.scene.differences + (run.settlement?.faults ?? [])).map(finding)
        if let reason = run.interruption {
            found.append(
                Finding(caseID: caseID, severity: .error, headline: reason, place: FilePlace(run.scenario.location)))
        }
        if !found.contains(where: { $0.severity != .note }), failure == nil { found += unreached() }
        let ruling = Ruling(failure, found, of: caseID, options)
        let verdict = ruling.verdict
        var events: [RunEvent] = []
        // A case that passed tells its steps; its timeline would only make the record heavy.
        if verdict != .pass { events += run.scene.trace.entries.map(RunEvent.trace) }
        events += run.steps.map(RunEvent.step)
        events += ruling.findings.map(RunEvent.finding)
        events = Self.inOrderOfTime(events)
        let version = distinct(run.actors.compactMap { $0.negotiated?.description })
        events.append(
            .caseFinished(
                CaseFinished(
                    caseID: caseID, verdict: verdict, duration: duration,
                    protocolTime: run.scene.start.duration(to: run.now), cpuTime: cpu,
                    version: version, transport: distinct(run.actors.compactMap { $0.binding?.rawValue }),
                    sessions: NamedValues(run.actors.compactMap { actor in actor.agreement.map { (actor.name, $0) } }),
                    checked: checked, transitions: transitions, reason: ruling.reason)))
        return (events, verdict)
    }

    /// What steps put to the test, and what the monitors of all sessions judged; by id.
    private var checked: [RequirementTally] {
        var tallies = run.tallies
        for actor in run.allActors { if let monitor = actor.monitor { run.scene.conclude(monitor) } }
        for (rule, count) in run.scene.checks.judged {
            tallies.add(RequirementTally(requirement: rule.id, held: count.held, broken: count.broken))
        }
        for watch in watches {
            let (held, broken) = watch.ordersJudged
            if held + broken > 0 {
                tallies.add(RequirementTally(requirement: OrderWatch.requirement, held: held, broken: broken))
            }
        }
        return tallies.sorted { $0.requirement < $1.requirement }
    }

    /// What holds the objects of each client to their machines.
    private var watches: [MachineWatch] { run.actors.compactMap(\.kit?.watch) }

    /// The transitions that the objects of the clients took, in the order of machines and transitions.
    private var transitions: [TransitionTally] {
        var coverage = TransitionCoverage()
        for watch in watches {
            for (taken, times) in watch.taken {
                coverage.add(machine: taken.machine, profile: watch.profile, key: taken.key, times: times)
            }
        }
        return coverage.rows.map {
            TransitionTally(machine: $0.machine, profile: $0.profile.rawValue, transition: $0.key, taken: $0.taken)
        }
    }

    /// What the sessions of a case agreed on, each once and in the order of the actors; nil when none came up.
    private func distinct(_ values: [String]) -> String? {
        var found: [String] = []
        for value in values where !found.contains(value) { found.append(value) }
        return found.isEmpty ? nil : found.joined(separator: ", ")
    }

    /// The events as they happened; of the same instant as they were given.
    private static func inOrderOfTime(_ events: [RunEvent]) -> [RunEvent] {
        let placed = events.enumerated().map { index, event in
            let at: Duration? =
                switch event {
                case .trace(let entry): entry.at
                case .step(let step): step.at
                case .finding(let finding): finding.at
                default: nil
                }
            // What has no instant is said of the whole case, at its end.
            return (at: at ?? .seconds(Int64.max), index: index, event: event)
        }
        return placed.sorted { ($0.at, $0.index) < ($1.at, $1.index) }.map(\.event)
    }

    private func finding(_ failure: StepFailure) -> Finding {
        Finding(
            caseID: caseID, severity: failure.severity, headline: failure.headline, place: FilePlace(failure.location),
            sourceLine: failure.source, expected: failure.expected, actual: failure.actual,
            requirements: failure.requirements.isEmpty ? run.scenario.requirements : failure.requirements,
            at: run.scene.start.duration(to: failure.at))
    }

    private func finding(_ fault: Scene.Fault) -> Finding {
        Finding(
            caseID: caseID, severity: fault.severity, headline: "\(fault.actor): \(fault.headline)",
            place: FilePlace(run.scenario.location), expected: fault.expected, actual: fault.actual,
            requirements: fault.requirements,
            basis: fault.requirements.lazy.compactMap { options.requirementSources[$0] }.first,
            bytes: fault.bytes, at: fault.at)
    }

    // MARK: What must have been reached

    private func unreached() -> [Finding] {
        run.scenario.reached.compactMap { reached in
            let (isReached, seen) = check(reached.condition)
            guard !isReached else { return nil }
            return Finding(
                caseID: caseID, severity: .vacuous,
                headline: "what the case is about was not reached: \(reached.source)",
                place: FilePlace(reached.location), sourceLine: reached.source, expected: reached.source, actual: seen)
        }
    }

    private func check(_ condition: Reached.Condition) -> (Bool, String) {
        switch condition {
        case .behind(let name, let bytes):
            let most = run.actor(name)?.mostBehind ?? 0
            return (most >= bytes, "\(name) was behind by \(Counted.text(most, "byte")) at most")
        case .link(let name, let effect, let minimum):
            var totals = LinkTotals()
            for actor in run.actors where name == nil || name == actor.name { totals.add(actor.linkTotals) }
            let number = totals.count(of: effect)
            return (number >= UInt64(minimum), "\(Counted.text(number, "packet")) \(effect.rawValue)")
        case .received(let name, let unit, let minimum):
            let subscriptions = run.actor(name)?.record.subscriptions ?? []
            let number =
                switch unit {
                case .frames: subscriptions.reduce(0) { $0 + $1.groups.reduce(0) { $0 + $1.sizes.count } }
                case .groups: subscriptions.reduce(0) { $0 + $1.groups.count }
                case .datagrams: subscriptions.reduce(0) { $0 + $1.datagrams.count }
                }
            return (number >= minimum, "\(name) received \(number) \(unit.rawValue)")
        case .connected(let name, let minimum):
            let number = run.actor(name)?.record.connections ?? 0
            return (number >= minimum, "\(name) was connected \(Counted.text(number, "time"))")
        }
    }

    /// The verdict that findings amount to: what the relay did goes before what the harness could not do.
    static func verdict(of findings: [Finding]) -> Verdict {
        let severities = findings.map(\.severity)
        let order: [(Finding.Severity, Verdict)] = [
            (.fail, .fail), (.error, .error), (.vacuous, .vacuous), (.notTestable, .notTestable), (.skip, .skip),
            (.warn, .warn),
        ]
        return order.first { severities.contains($0.0) }?.1 ?? .pass
    }
}
