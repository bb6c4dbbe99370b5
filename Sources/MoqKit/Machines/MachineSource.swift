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
        /// The profiles under which nothing leads out of it; nil for none.
        var terminal: [MachineProfile.Word]?
        /// The profiles under which it may not be seen; nil for none.
        var conflated: [MachineProfile.Word]?
    }

    /// An event, whose `lossy` names the profiles.
    struct Event {
        var name: String
        var about: String?
        var fields: [String]
        /// The profiles under which observers may miss it; nil for none.
        var lossy: [MachineProfile.Word]?
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
    var events: [Part<Event>] = []
    var variables: [Part<MachineDefinition.Variable>] = []
    var errors: [Part<MachineDefinition.DocumentedError>] = []
    var rules: [Part<Rule>] = []
    var orders: [Part<Order>] = []

    /// A rule under one profile, with the place of what it was written as.
    struct ResolvedRule {
        var rule: MachineRule
        var span: SourceSpan
    }

    /// The rules of a profile, each once for every state that it is for. Those of inputs and states that the profile does
    /// not have are none of its.
    func rules(_ profile: MachineProfile, _ place: (SourceSpan) -> SourceLocation) -> [ResolvedRule] {
        let inputs = Self.kept(self.inputs, profile).map(\.name)
        let states = Self.kept(self.states, profile).map(\.name)
        return rules.filter { profile.has($0.only) && inputs.contains($0.value.input) }.flatMap { part in
            part.value.from.compactMap { state -> ResolvedRule? in
                guard states.contains(state), let outcome = Self.outcome(part.value.outcome, from: state, profile)
                else { return nil }
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
                    isTerminal: state.terminal.map(profile.has) ?? false,
                    isConflated: state.conflated.map(profile.has) ?? false)
            },
            inputs: Self.kept(inputs, profile),
            events: Self.kept(events, profile).map { event in
                MachineDefinition.Event(
                    name: event.name, about: event.about, fields: event.fields,
                    isLossy: event.lossy.map(profile.has) ?? false)
            },
            variables: Self.kept(variables, profile), errors: Self.kept(errors, profile),
            rules: rules(profile, place).map(\.rule),
            orders: orders.filter { profile.has($0.only) }.map { $0.value.resolved(place($0.span)) })
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
