/// An object that runs on a definition: what it is in, what it remembers, and what an input leads to.
///
/// It is a value: a copy goes its own way. Whoever plays an object hands it what happens and does what it says; what it
/// has no rule for is `undefined`, which is a fault of whoever made it happen.
public struct Machine: Sendable {
    /// What it runs on.
    public let definition: MachineDefinition
    /// The state it is in.
    public private(set) var state: String
    /// What it remembers.
    public private(set) var variables: MachineValues

    /// An object at its beginning.
    public init(_ definition: MachineDefinition) {
        self.definition = definition
        state = definition.initialState
        variables = definition.initialVariables
    }

    /// Whether nothing leads out of its state.
    public var isFinished: Bool { definition.state(state)?.isTerminal ?? false }

    /// The inputs for which there is a rule in its state, whatever the conditions, in the order of the definition.
    public var knownInputs: [String] {
        definition.inputs.map(\.name).filter { !definition.ruleIndices(state, $0).isEmpty }
    }

    /// Takes an input with what comes with it, and says what comes of it. What is refused, ignored or undefined changes
    /// nothing. Where the source leaves open what happens, `choosing` is the state to go to; without it the first rule
    /// that applies is taken.
    public mutating func take(
        _ input: String, _ values: MachineValues = [:], choosing: String? = nil
    ) -> MachineOutcome {
        let outcome = outcome(of: input, values, choosing: choosing)
        if case .moved(let transition) = outcome {
            if !definition.rules[transition.index].effects.isEmpty {
                variables = Self.changed(variables, by: definition.rules[transition.index], values)
            }
            state = transition.to
        }
        return outcome
    }

    /// What an input would lead to.
    public func outcome(of input: String, _ values: MachineValues = [:], choosing: String? = nil) -> MachineOutcome {
        guard definition.hasInput(input) else { return undefined(input, values, .noInput) }
        let lookUp = { (name: String) in values[name] ?? variables[name] }
        let candidates = definition.ruleIndices(state, input)
        guard !candidates.isEmpty else { return undefined(input, values, .noRule) }
        var applying: [Int] = []
        for index in candidates where !definition.rules[index].isOtherwise {
            guard let applies = definition.rules[index].applies(lookUp) else {
                let missing = definition.rules[index].conditions.flatMap {
                    [$0.name] + [$0.otherName].compactMap { $0 }
                }
                .first { lookUp($0) == nil }
                return undefined(input, values, .missing(missing ?? ""))
            }
            if applies { applying.append(index) }
        }
        if applying.isEmpty { applying = candidates.filter { definition.rules[$0].isOtherwise } }
        if let choosing { applying.removeAll { definition.rules[$0].isOpen && definition.rules[$0].to != choosing } }
        guard let index = applying.first else { return undefined(input, values, .noRule) }
        let rule = definition.rules[index]
        let transition = Transition(
            machine: definition.name, profile: definition.profile, index: index, key: definition.ruleKeys[index],
            from: state, to: rule.to, input: input, events: Self.events(of: rule, lookUp), isOpen: rule.isOpen)
        switch rule.outcome {
        case .move: return .moved(transition)
        case .ignore: return .ignored(transition)
        case .refuse(let name):
            let error = definition.error(name) ?? MachineDefinition.DocumentedError(name: name, says: name)
            return .refused(transition, error)
        }
    }

    private func undefined(
        _ input: String, _ values: MachineValues, _ reason: UndefinedStep.Reason
    ) -> MachineOutcome {
        .undefined(
            UndefinedStep(
                machine: definition.name, profile: definition.profile, state: state, input: input, values: values,
                reason: reason, known: knownInputs))
    }

    /// What a rule shows.
    static func events(of rule: MachineRule, _ lookUp: (String) -> MachineValue?) -> [EmittedEvent] {
        guard !rule.emissions.isEmpty else { return [] }
        return rule.emissions.map { emission in
            var payload = MachineValues()
            for (field, operand) in emission.payload { payload[field] = operand.value(lookUp) }
            return EmittedEvent(name: emission.event, payload: payload)
        }
    }

    /// What is remembered after a rule. What depends on a value that is not known is not known afterwards.
    static func changed(_ variables: MachineValues, by rule: MachineRule, _ values: MachineValues) -> MachineValues {
        var after = variables
        for effect in rule.effects {
            let lookUp = { (name: String) in values[name] ?? variables[name] }
            switch (effect.change, variables[effect.variable]) {
            case (.become(let operand), _): after[effect.variable] = operand.value(lookUp)
            case (.add(let operand), .number(let number)?):
                if case .number(let more)? = operand.value(lookUp) {
                    after[effect.variable] = .number(number &+ more)
                } else {
                    after[effect.variable] = nil
                }
            case (.add(let operand), .numbers(let numbers)?):
                if case .number(let more)? = operand.value(lookUp) {
                    after[effect.variable] = .numbers(Array((numbers + [more]).suffix(MachineValue.mostNumbers)))
                } else {
                    after[effect.variable] = nil
                }
            case (.subtract(let less), .number(let number)?):
                after[effect.variable] = .number(max(0, number - less))
            default: after[effect.variable] = nil
            }
        }
        return after
    }
}
