import MoqScenario

/// What can be wrong with a machine although each of its words is right.
struct MachineCheck {
    let source: MachineSource
    let yaml: YAMLFile

    /// Something that is wrong, and under which profiles.
    private struct Finding {
        var span: SourceSpan
        var message: String
        var expected: String?
        var profiles: [MachineProfile]
        /// It counts only when it is found under all of these.
        var among: [MachineProfile] = []
    }

    /// Reports what is wrong.
    func run() {
        var findings: [Finding] = []
        for profile in source.profiles {
            for found in Self.findings(source, profile, yaml) {
                let index = findings.firstIndex { $0.span == found.span && $0.message == found.message }
                if let index {
                    findings[index].profiles.append(profile)
                } else {
                    findings.append(found)
                }
            }
        }
        for finding in findings where finding.among.allSatisfy(finding.profiles.contains) {
            let names = finding.profiles.map(\.rawValue).joined(separator: ", ")
            let suffix = finding.profiles == source.profiles ? "" : " (\(names))"
            yaml.error(finding.span, finding.message + suffix, expected: finding.expected)
        }
    }

    private static func findings(
        _ source: MachineSource, _ profile: MachineProfile, _ yaml: YAMLFile
    ) -> [Finding] {
        let states = source.states.filter { profile.has($0.only) }
        let names = states.map(\.value.name)
        let rules = source.rules(profile, yaml.location)
        var findings: [Finding] = []
        let report = { (span: SourceSpan, message: String, expected: String?) in
            findings.append(Finding(span: span, message: message, expected: expected, profiles: [profile]))
        }
        let initial = states.filter(\.value.isInitial)
        switch initial.count {
        case 1: break
        case 0: report(source.span, "the machine `\(source.name)` has no initial state", "`initial: true` at one state")
        default:
            report(initial[1].span, "`\(initial[1].value.name)` is a second initial state", "one initial state")
        }
        for resolved in rules where !names.contains(resolved.rule.to) {
            report(resolved.span, "it leads to `\(resolved.rule.to)`, which is no state of this profile", nil)
        }
        if let first = initial.first {
            let reached = reachable(from: first.value.name, rules.map(\.rule))
            for state in states where !reached.contains(state.value.name) {
                report(
                    state.span, "the state `\(state.value.name)` cannot be reached from `\(first.value.name)`",
                    "a transition that leads to it")
            }
            for resolved in rules where source.isSingleUse && resolved.rule.from != first.value.name {
                guard resolved.rule.to == first.value.name else { continue }
                report(
                    resolved.span,
                    "`\(resolved.rule.from)` leads back to `\(first.value.name)`, and the machine is for a single use",
                    "no way back, or no `single_use`")
            }
        }
        for state in states {
            let leaving = rules.filter { $0.rule.from == state.value.name && $0.rule.to != state.value.name }
            if state.value.terminal.map(profile.has) == true {
                for resolved in leaving {
                    report(
                        resolved.span, "`\(state.value.name)` is terminal, and this leads out of it",
                        "`refuse` or `ignore`, or a state that is not terminal")
                }
            } else if leaving.isEmpty {
                report(
                    state.span, "nothing leads out of the state `\(state.value.name)`", "`terminal: true`, or a way out"
                )
            }
        }
        for (first, second) in ambiguous(rules) {
            report(
                second.span,
                "two transitions are for `\(second.rule.input)` in `\(second.rule.from)` at once: this one and that at "
                    + "line \(first.span.line)",
                "conditions of which one holds at a time, `when: otherwise`, or `open: true` at both")
        }
        findings += unused(source, rules, profile)
        return findings
    }

    private static func reachable(from initial: String, _ rules: [MachineRule]) -> Set<String> {
        var reached: Set<String> = [initial]
        var open = [initial]
        while let state = open.popLast() {
            for rule in rules where rule.from == state && reached.insert(rule.to).inserted { open.append(rule.to) }
        }
        return reached
    }

    /// Rules that may apply together with one before them, and the first such one.
    private static func ambiguous(
        _ rules: [MachineSource.ResolvedRule]
    ) -> [(MachineSource.ResolvedRule, MachineSource.ResolvedRule)] {
        var pairs: [(MachineSource.ResolvedRule, MachineSource.ResolvedRule)] = []
        var former: [String: [MachineSource.ResolvedRule]] = [:]
        for second in rules {
            let place = "\(second.rule.from) \(second.rule.input)"
            let first = former[place]?.first { first in
                let (left, right) = (first.rule, second.rule)
                guard !(left.isOpen && right.isOpen), left.isOtherwise == right.isOtherwise else { return false }
                return left.conditions.allSatisfy { one in right.conditions.allSatisfy(one.overlaps) }
            }
            if let first { pairs.append((first, second)) }
            former[place, default: []].append(second)
        }
        return pairs
    }

    private static func unused(
        _ source: MachineSource, _ rules: [MachineSource.ResolvedRule], _ profile: MachineProfile
    ) -> [Finding] {
        let inputs = Set(rules.map(\.rule.input))
        let events = Set(rules.flatMap(\.rule.emissions).map(\.event))
        var errors: Set<String> = []
        var names: Set<String> = []
        for rule in rules.map(\.rule) {
            if case .refuse(let error) = rule.outcome { errors.insert(error) }
            for condition in rule.conditions {
                names.insert(condition.name)
                if let other = condition.otherName { names.insert(other) }
            }
            let operands = rule.emissions.flatMap { $0.payload.map(\.value) }
            for case .name(let name) in operands { names.insert(name) }
        }
        var findings: [Finding] = []
        func look<Value>(
            _ parts: [MachineSource.Part<Value>], _ kind: String, _ used: Set<String>, _ what: String,
            _ name: (Value) -> String
        ) {
            for part in parts where profile.has(part.only) && !used.contains(name(part.value)) {
                findings.append(
                    Finding(
                        span: part.span, message: "the \(kind) `\(name(part.value))` is declared and never \(what)",
                        expected: nil, profiles: [profile], among: source.profiles.filter { $0.has(part.only) }))
            }
        }
        look(source.inputs, "input", inputs, "taken") { $0.name }
        look(source.events, "event", events, "shown") { $0.name }
        look(source.errors, "error", errors, "given") { $0.name }
        look(source.variables, "variable", names, "asked about") { $0.name }
        let shown = Set(source.events.filter { profile.has($0.only) }.map(\.value.name))
        for resolved in rules {
            for emission in resolved.rule.emissions where !shown.contains(emission.event) {
                findings.append(
                    Finding(
                        span: resolved.span, message: "the event `\(emission.event)` is not of this profile",
                        expected: "the same `only` at both", profiles: [profile]))
            }
        }
        return findings
    }
}
