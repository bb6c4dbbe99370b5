import MoqScenario

/// A file of definitions as it was read: everything with its place, and with the profiles that it holds for.
struct MachineSource {
    /// A part of the file.
    struct Part<Value> {
        var value: Value
        /// It holds for the profiles that have all of these words.
        var only: [MachineProfile.Word]
        /// Where it stands, for what is wrong with it.
        var span: SourceSpan
    }

    /// A state, whose `conflated` names the profiles.
    struct State {
        var name: String
        var shown: String?
        var about: String?
        var isInitial: Bool
        var isTerminal: Bool
        /// The profiles under which it may not be seen; nil for none.
        var conflated: [MachineProfile.Word]?
    }

    /// A rule as it is written: for several states, and with an error that may differ between platforms.
    struct Rule {
        /// What comes of it.
        enum Outcome {
            case move(to: String)
            case stay, ignore
            case refuse([(only: [MachineProfile.Word], error: String)])
        }

        var from: [String]
        var input: String
        var conditions: [MachineCondition]
        var isOtherwise: Bool
        var outcome: Outcome
        var emissions: [MachineRule.Emission]
        var effects: [MachineRule.Effect]
        var isOpen: Bool
        var source: String
        var about: String?
    }

    var name: String
    var object: String
    var about: String
    var profiles: [MachineProfile]
    var isSingleUse: Bool
    var span: SourceSpan
    var states: [Part<State>] = []
    var inputs: [Part<MachineDefinition.Input>] = []
    var events: [Part<MachineDefinition.Event>] = []
    var variables: [Part<MachineDefinition.Variable>] = []
    var errors: [Part<MachineDefinition.DocumentedError>] = []
    var rules: [Part<Rule>] = []

    /// A rule under one profile, with the place of what it was written as.
    struct ResolvedRule {
        var rule: MachineRule
        var span: SourceSpan
    }

    /// The rules of a profile, each once for every state that it is for.
    func rules(_ profile: MachineProfile, _ place: (SourceSpan) -> SourceLocation) -> [ResolvedRule] {
        rules.filter { profile.has($0.only) }.flatMap { part in
            part.value.from.compactMap { state -> ResolvedRule? in
                guard let outcome = Self.outcome(part.value.outcome, from: state, profile) else { return nil }
                let rule = MachineRule(
                    from: state, input: part.value.input, conditions: part.value.conditions,
                    isOtherwise: part.value.isOtherwise, outcome: outcome, emissions: part.value.emissions,
                    effects: part.value.effects, isOpen: part.value.isOpen, source: part.value.source,
                    about: part.value.about, place: place(part.span))
                return ResolvedRule(rule: rule, span: part.span)
            }
        }
    }

    /// The machine under one profile.
    func definition(_ profile: MachineProfile, _ place: (SourceSpan) -> SourceLocation) -> MachineDefinition {
        MachineDefinition(
            name: name, object: object, about: about, profile: profile, isSingleUse: isSingleUse,
            states: Self.kept(states, profile).map { state in
                MachineDefinition.State(
                    name: state.name, shown: state.shown, about: state.about, isInitial: state.isInitial,
                    isTerminal: state.isTerminal, isConflated: state.conflated.map(profile.has) ?? false)
            },
            inputs: Self.kept(inputs, profile), events: Self.kept(events, profile),
            variables: Self.kept(variables, profile), errors: Self.kept(errors, profile),
            rules: rules(profile, place).map(\.rule).filter { rule in
                states.contains { $0.value.name == rule.from && profile.has($0.only) }
            })
    }

    private static func kept<Value>(_ parts: [Part<Value>], _ profile: MachineProfile) -> [Value] {
        parts.filter { profile.has($0.only) }.map(\.value)
    }

    private static func outcome(
        _ outcome: Rule.Outcome, from state: String, _ profile: MachineProfile
    ) -> MachineRule.Outcome? {
        switch outcome {
        case .move(let to): .move(to: to)
        case .stay: .move(to: state)
        case .ignore: .ignore
        case .refuse(let choices): choices.first { profile.has($0.only) }.map { .refuse($0.error) }
        }
    }
}
