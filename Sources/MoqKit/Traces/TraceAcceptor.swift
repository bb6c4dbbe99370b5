/// Holds the lines of one object against a machine.
///
/// A trace may show states without triggers, or events only. What an object may be in is then a set of situations; each
/// line keeps those that it agrees with and takes the steps that explain it. Steps that no line would show are taken
/// before it. When nothing is left, the line is the first illegal one.
struct TraceAcceptor {
    /// More situations than this are not kept: machines have at most a dozen states, and few variables.
    static let mostSituations = 512

    let definition: MachineDefinition
    let visibility: TraceVisibility
    private(set) var situations: [TraceSituation]
    /// The positions of the rules of each state, and of those among them that no line shows.
    private var rules: [String: (all: [Int], hidden: [Int])] = [:]
    /// Whether situations were left out, so that a refusal would mean nothing.
    private(set) var isBeyondBound = false
    /// How many lines were taken.
    private(set) var count = 0
    /// The rules that lines showed beyond doubt, with how often.
    private(set) var taken: [Int: Int] = [:]

    init(_ definition: MachineDefinition, _ visibility: TraceVisibility, beginsAnywhere: Bool) {
        self.definition = definition
        self.visibility = visibility
        situations =
            beginsAnywhere
            ? definition.states.map { TraceSituation(state: $0.name, variables: [:]) }
            : [TraceSituation(state: definition.initialState, variables: definition.initialVariables)]
        for (index, rule) in definition.rules.enumerated() {
            rules[rule.from, default: ([], [])].all.append(index)
            if isHidden(rule) { rules[rule.from, default: ([], [])].hidden.append(index) }
        }
    }

    /// Takes a line; false when nothing explains it, which changes nothing.
    mutating func take(_ line: TraceLine) -> Bool {
        guard line.trigger != nil || line.to != nil || line.event != nil || line.error != nil else { return true }
        let before = closure()
        var after: [TraceSituation] = []
        var seen: Set<TraceSituation> = []
        for situation in before {
            for next in follow(situation, line) where seen.insert(next).inserted { after.append(next) }
        }
        guard !after.isEmpty else { return false }
        if let rule = after[0].rule, after.allSatisfy({ $0.rule == rule }) { taken[rule, default: 0] += 1 }
        for index in after.indices { after[index].rule = nil }
        situations = bounded(after)
        count += 1
        return true
    }

    /// Whether the trace may end here: nothing that has to be shown is missing.
    func mayEnd() -> Bool {
        situations.contains { settled($0) != nil }
    }

    /// What a line may show here, for people; each once.
    func legal() -> [String] {
        var legal: [String] = []
        for situation in closure() {
            for text in TraceLegality(definition: definition, visibility: visibility).texts(
                situation, settled(situation))
            where !legal.contains(text) {
                legal.append(text)
            }
        }
        return legal
    }

    /// The states that it may be in, in the order of the definition.
    func possibleStates() -> [String] {
        let possible = Set(situations.map(\.state))
        return definition.states.map(\.name).filter(possible.contains)
    }

    /// The states that it may be in, steps that no line shows among what may have happened.
    func reachableStates() -> Set<String> { Set(closure().map(\.state)) }

    /// Whether it is in one of these states, whatever else it may be.
    func isCertainly(in states: [String]) -> Bool { situations.allSatisfy { states.contains($0.state) } }

    // MARK: Steps

    /// The situation with nothing owed, when what is owed need not be shown; else nil.
    func settled(_ situation: TraceSituation) -> TraceSituation? {
        if situation.owesState, definition.state(situation.state)?.isConflated != true { return nil }
        guard situation.owed.allSatisfy({ definition.event($0.event)?.isLossy == true }) else { return nil }
        var settled = situation
        settled.owesState = false
        settled.owed = []
        return settled
    }

    /// The situations, and those that steps without a line lead to.
    private func closure() -> [TraceSituation] {
        var found = situations
        var seen = Set(found)
        var next = 0
        while next < found.count, found.count < Self.mostSituations {
            defer { next += 1 }
            guard let settled = settled(found[next]) else { continue }
            for index in rules[settled.state]?.hidden ?? [] where applies(index, settled, [:]) {
                var after = apply(index, settled, [:])
                (after.owesState, after.owed, after.rule) = (false, [], nil)
                if seen.insert(after).inserted { found.append(after) }
            }
        }
        return found
    }

    /// Whether a rule can be taken without a line, and changes something.
    private func isHidden(_ rule: MachineRule) -> Bool {
        guard rule.isMove, rule.to != rule.from || !rule.effects.isEmpty, let input = definition.input(rule.input),
            !visibility.shows(input.kind)
        else { return false }
        if visibility.states, shown(rule.from) != shown(rule.to), definition.state(rule.to)?.isConflated != true {
            return false
        }
        return !visibility.events || rule.emissions.allSatisfy { definition.event($0.event)?.isLossy == true }
    }

    /// The situations that a line leads to.
    private func follow(_ situation: TraceSituation, _ line: TraceLine) -> [TraceSituation] {
        var result: [TraceSituation] = []
        if line.trigger == nil, let next = showing(situation, line) { result.append(next) }
        guard let settled = settled(situation) else { return result }
        if count == 0, line.trigger == nil, line.event == nil, line.from == nil, line.to == shown(settled.state) {
            // Whoever begins to look is shown the state that there is.
            result.append(settled)
        }
        for index in rules[settled.state]?.all ?? [] {
            guard agrees(definition.rules[index], line) else { continue }
            let values = values(line, for: definition.rules[index].input)
            guard applies(index, settled, values) else { continue }
            var after = apply(index, settled, values)
            if line.to != nil { after.owesState = false }
            if let event = line.event {
                guard let position = position(of: event, line.values, in: after.owed) else { continue }
                after.owed.removeFirst(position + 1)
            }
            after.rule = index
            result.append(after)
        }
        return result
    }

    /// What a line says about the parameters of an input. What is none of their values says nothing: a log has the path
    /// where the machine asks whether it is free.
    private func values(_ line: TraceLine, for input: String) -> MachineValues {
        var values = MachineValues()
        for parameter in definition.input(input)?.parameters ?? [] {
            guard let value = line.values[parameter.name], parameter.type.has(value) else { continue }
            values[parameter.name] = value
        }
        return values
    }

    /// The situation after a line that shows what was owed.
    private func showing(_ situation: TraceSituation, _ line: TraceLine) -> TraceSituation? {
        var after = situation
        if let to = line.to {
            guard situation.owesState, shown(situation.state) == to else { return nil }
            after.owesState = false
        }
        if let event = line.event {
            guard let position = position(of: event, line.values, in: after.owed) else { return nil }
            after.owed.removeFirst(position + 1)
        }
        return line.to != nil || line.event != nil ? after : nil
    }

    /// Where an event stands among those that are owed, with only lossy ones before it.
    private func position(of event: String, _ payload: MachineValues, in owed: [MachineRule.EmissionKey]) -> Int? {
        for (index, candidate) in owed.enumerated() {
            let agrees = candidate.payload.entries.allSatisfy { entry in
                payload[entry.name].map { $0 == entry.value } ?? true
            }
            if candidate.event == event, agrees { return index }
            guard definition.event(candidate.event)?.isLossy == true else { return nil }
        }
        return nil
    }

    /// Whether a line can be about a rule, apart from its conditions and its events.
    private func agrees(_ rule: MachineRule, _ line: TraceLine) -> Bool {
        if let trigger = line.trigger {
            guard trigger == rule.input else { return false }
        } else if let input = definition.input(rule.input), visibility.shows(input.kind) {
            return false
        }
        if let from = line.from, from != shown(rule.from) { return false }
        if let to = line.to {
            guard to == shown(rule.to) else { return false }
            // A state that does not change is no news, unless the line says what happened.
            if line.trigger == nil, line.event == nil, shown(rule.from) == to { return false }
        }
        if case .refuse(let name) = rule.outcome {
            if line.trigger == nil, line.error == nil { return false }
            if let error = line.error { return matches(error, definition.error(name)) }
            return !visibility.errors
        }
        return line.error == nil
    }

    /// Whether what a line says a call was refused with is a documented error: its name, what it says, or the beginning
    /// of that.
    private func matches(_ text: String, _ error: MachineDefinition.DocumentedError?) -> Bool {
        guard let error else { return false }
        if text == error.name || text == error.says { return true }
        let kind = error.says.prefix { $0 != ":" }
        return text == kind || kind.split(separator: ".").last.map { $0 == text } == true || text.hasPrefix("\(kind):")
            || text.hasPrefix("\(kind)(")
    }

    private func applies(_ index: Int, _ situation: TraceSituation, _ values: MachineValues) -> Bool {
        let rule = definition.rules[index]
        let lookUp = { (name: String) in values[name] ?? situation.variables[name] }
        guard rule.isOtherwise else { return rule.applies(lookUp) != false }
        return !(rules[rule.from]?.all ?? []).contains { other in
            definition.rules[other].input == rule.input && !definition.rules[other].isOtherwise
                && definition.rules[other].applies(lookUp) == true
        }
    }

    private func apply(_ index: Int, _ situation: TraceSituation, _ values: MachineValues) -> TraceSituation {
        let rule = definition.rules[index]
        var after = situation
        let lookUp = { (name: String) in values[name] ?? situation.variables[name] }
        if visibility.events {
            after.owed = Machine.events(of: rule, lookUp).map {
                MachineRule.EmissionKey(event: $0.name, payload: $0.payload)
            }
        }
        if rule.isMove {
            after.variables = Machine.changed(learned(rule, situation.variables), by: rule, values)
            after.state = rule.to
            after.owesState = visibility.states && shown(rule.from) != shown(rule.to)
        }
        return after
    }

    /// What is remembered, with what a rule tells of it by having been taken.
    private func learned(_ rule: MachineRule, _ variables: MachineValues) -> MachineValues {
        var learned = variables
        for condition in rule.conditions where variables[condition.name] == nil {
            guard definition.variables.contains(where: { $0.name == condition.name }) else { continue }
            switch condition.test {
            case .isFlag(let flag): learned[condition.name] = .flag(flag)
            case .isWord(let words) where words.count == 1: learned[condition.name] = .word(words[0])
            case .isBetween(let least?, let most?) where least == most: learned[condition.name] = .number(least)
            default: break
            }
        }
        return learned
    }

    private mutating func bounded(_ all: [TraceSituation]) -> [TraceSituation] {
        guard all.count > Self.mostSituations else { return all }
        isBeyondBound = true
        return Array(all.prefix(Self.mostSituations))
    }

    private func shown(_ state: String) -> String { definition.state(state)?.shown ?? state }
}
