import MoqBase

/// Reads steps: `actor.verb: arguments`, and those that give other steps their shape.
struct StepReader {
    let context: ReadingContext

    static let structural = ["parallel", "repeat", "after", "wait"]
    /// More rounds than a case can run before its deadline.
    static let mostRounds: UInt64 = 1_000_000
    /// Repeats inside each other beyond this are a mistake; every level also doubles the work of checking.
    static let deepestRepeat = 4

    /// Reads a list of steps.
    func steps(_ node: YAMLNode, of what: String) -> [Step] {
        if context.refersList(node, to: ShapeRecorder.step) { return [] }
        guard case .sequence(let items) = node.content else {
            context.error(
                node.span, "the steps of `\(what)` are \(node.kindDescription)",
                expected: "a list, each step after a `- `")
            return []
        }
        if items.isEmpty { context.error(node.span, "`\(what)` has no steps") }
        return items.compactMap(step)
    }

    private func step(_ node: YAMLNode) -> Step? {
        if context.refers(node, to: ShapeRecorder.step) { return nil }
        guard case .mapping(let entries) = node.content else {
            let verb =
                if case .scalar(let text, _) = node.content, text.contains(".") { "\(text): {}" } else {
                    nil as String?
                }
            context.error(
                node.span, "a step is \(node.kindDescription)",
                expected: "`actor.verb: { ... }`, `parallel`, `repeat`, `after` or `wait`", suggestion: verb)
            return nil
        }
        let verbs = entries.filter { $0.key != "name" && $0.key != "requirement" }
        guard let entry = verbs.first else {
            return context.wrong(node, "step", expected: "`actor.verb: { ... }` besides its `name` and `requirement`")
        }
        if verbs.count > 1 {
            context.error(
                verbs[1].keySpan, "a step does one thing, and this one has `\(entry.key)` and `\(verbs[1].key)`",
                expected: "a `- ` before `\(verbs[1].key)`, or its arguments inside `{ }`")
        }
        let name = entries.first { $0.key == "name" }.flatMap { context.text($0.value, "name") }
        let around = context.stepRequirements
        defer { context.stepRequirements = around }
        if let own = entries.first(where: { $0.key == "requirement" }) {
            context.stepRequirements = requirements(own)
        }
        let kind: StepKind? =
            switch entry.key {
            case "parallel": parallel(entry)
            case "repeat": repeated(entry)
            case "after": after(entry)
            case "wait": wait(entry)
            default: act(entry)
            }
        return kind.map {
            Step(
                kind: $0, name: name, location: context.text.location(of: entry.keySpan),
                source: context.text.trimmedLine(entry.keySpan.line), requirements: context.stepRequirements)
        }
    }

    /// The requirements that a step puts to the test: some of those that the scenario names.
    private func requirements(_ entry: YAMLNode.Entry) -> [String] {
        context.list(entry.value).compactMap { item in
            guard let id = context.text(item, entry.key) else { return nil }
            if !context.requirements.contains(id) {
                context.unknownWord(
                    id, at: item.span, "`\(id)` is none of the `requirements` of this scenario",
                    among: context.requirements)
            }
            return id
        }
    }

    private func act(_ entry: YAMLNode.Entry) -> StepKind? {
        guard let dot = entry.key.firstIndex(of: ".") else {
            context.unknownWord(
                entry.key, at: entry.keySpan, "`\(entry.key)` is not a step", among: Self.structural + ["actor.verb"])
            return nil
        }
        let name = String(entry.key[..<dot])
        let verb = String(entry.key[entry.key.index(after: dot)...])
        guard let kind = context.actors.first(where: { $0.name == name })?.kind ?? Self.ownKind(of: name) else {
            context.unknownWord(
                name, at: entry.keySpan, "there is no actor `\(name)`",
                among: context.actors.map(\.name) + ["relay", "network"])
            return nil
        }
        guard ActorKind.available.contains(kind) else { return nil }
        let before = context.sink.errorCount
        defer { if context.sink.errorCount > before { context.unclearActors.insert(name) } }
        var verbSpan = entry.keySpan
        verbSpan.column += name.unicodeScalars.count + 1
        verbSpan.length = max(1, verbSpan.length - name.unicodeScalars.count - 1)
        guard let reader = MappingReader(entry.value, of: entry.key, at: entry.keySpan, context: context) else {
            return nil
        }
        switch (kind, verb) {
        case (.session, "expect"), (.raw, "expect"), (.relay, "expect"): return expect(reader, actor: name, kind: kind)
        case (.session, "never"), (.raw, "never"): return never(reader, actor: name, kind: kind)
        case (.session, _), (.raw, _):
            let verbs = kind == .raw ? SessionVerb.ofRawActors : SessionVerb.all
            guard let known = verbs.first(where: { $0.name == verb }) else {
                unknownVerb(verb, at: verbSpan, of: name, kind, among: verbs.map(\.name) + ["expect", "never"])
                return nil
            }
            let action = known.read(reader)
            reader.finish()
            if case .sendRaw(let raw)? = action { RawCheck(context: context).check(raw, of: name, reader) }
            if case .get? = action { RawCheck(context: context).checkGet(of: name, reader) }
            return action.map { .session(actor: name, $0) }
        case (.publisher, "expect"), (.player, "expect"): return expect(reader, actor: name, kind: kind)
        case (.publisher, "never"), (.player, "never"): return never(reader, actor: name, kind: kind)
        case (.publisher, _), (.player, _):
            let verbs = ClientVerb.verbs(of: kind)
            guard let known = verbs.first(where: { $0.name == verb }) else {
                unknownVerb(verb, at: verbSpan, of: name, kind, among: verbs.map(\.name) + ["expect", "never"])
                return nil
            }
            return ClientVerb.call(known, reader).map { .client(actor: name, $0) }
        case (.moqom, "expect"): return expect(reader, actor: name, kind: kind)
        case (.moqom, "never"): return never(reader, actor: name, kind: kind)
        case (.moqom, _):
            guard let known = MoqomVerb.all.first(where: { $0.name == verb }) else {
                unknownVerb(verb, at: verbSpan, of: name, kind, among: MoqomVerb.all.map(\.name) + ["expect", "never"])
                return nil
            }
            return MoqomVerb.call(known, reader).map { .client(actor: name, $0) }
        case (.program, "expect"): return expect(reader, actor: name, kind: kind)
        case (.program, "never"): return never(reader, actor: name, kind: kind)
        case (.program, _):
            guard let known = ProgramVerb.all.first(where: { $0.name == verb }) else {
                unknownVerb(
                    verb, at: verbSpan, of: name, kind, among: ProgramVerb.all.map(\.name) + ["expect", "never"])
                return nil
            }
            let action = known.read(reader)
            reader.finish()
            return action.map { .program(actor: name, $0) }
        case (.relay, _): return HarnessVerbs.relay(verb, reader, at: verbSpan).map(StepKind.relay)
        default: return HarnessVerbs.network(verb, reader, at: verbSpan, actor: name).map(StepKind.network)
        }
    }

    /// `relay` and `network` are there without being declared.
    private static func ownKind(of name: String) -> ActorKind? {
        switch name {
        case "relay": .relay
        case "network": .network
        default: nil
        }
    }

    private func unknownVerb(
        _ verb: String, at span: SourceSpan, of actor: String, _ kind: ActorKind, among verbs: [String]
    ) {
        context.unknownWord(
            verb, at: span,
            "`\(verb)` is not a verb of `\(actor)`, which is a \(kind == .raw ? "raw actor" : kind.rawValue)",
            among: verbs)
    }

    func expect(_ reader: MappingReader, actor: String, kind: ActorKind) -> StepKind? {
        let before = context.sink.errorCount
        let tree = tree(reader, of: kind)
        if kind == .raw, let tree { RawCheck(context: context).check(tree, of: actor, reader) }
        let within = reader.duration("within") ?? context.within
        let holds = reader.duration("for")
        reader.finish()
        guard let tree else {
            if context.sink.errorCount == before { expectsNothing(reader) }
            return nil
        }
        return .expect(ExpectStep(actor: actor, condition: tree, within: within, holds: holds))
    }

    func tree(_ reader: MappingReader, of kind: ActorKind) -> ExpectationTree? {
        if kind == .program { return ProgramExpectationReader(context: context).tree(reader) }
        if kind == .moqom { return MoqomExpectationReader(context: context).tree(reader) }
        if kind.isClient { return ClientExpectationReader(context: context, kind: kind).tree(reader) }
        let expectations = ExpectationReader(context: context)
        return kind == .relay ? expectations.relayTree(reader) : expectations.tree(reader)
    }

    func never(_ reader: MappingReader, actor: String, kind: ActorKind) -> StepKind? {
        let before = context.sink.errorCount
        let tree = tree(reader, of: kind)
        if kind == .raw, let tree { RawCheck(context: context).check(tree, of: actor, reader) }
        var duration = reader.duration("for")
        if let within = reader.take("within") {
            duration = duration ?? context.duration(within.value, "within")
            context.error(
                within.keySpan, "`never` has no `within`: it says how long something must not happen",
                suggestion: "for")
        }
        reader.finish()
        guard let tree else {
            if context.sink.errorCount == before { expectsNothing(reader) }
            return nil
        }
        return .never(NeverStep(actor: actor, condition: tree, duration: duration))
    }

    private func expectsNothing(_ reader: MappingReader) {
        context.error(
            reader.span, "`\(reader.what)` names nothing",
            expected: "what to look for, such as `announced: game` or `track: video` with `frames: 3`")
    }

    func parallel(_ entry: YAMLNode.Entry) -> StepKind? {
        guard case .sequence(let items) = entry.value.content, !items.isEmpty else {
            return context.wrong(entry.value, "parallel", expected: "a list of steps, or of lists of steps")
        }
        let branches = items.map { item -> [Step] in
            if case .sequence = item.content { return steps(item, of: "parallel") }
            return step(item).map { [$0] } ?? []
        }
        return .parallel(branches)
    }

    func wait(_ entry: YAMLNode.Entry) -> StepKind? {
        guard let duration = context.duration(entry.value, "wait") else { return nil }
        context.warning(
            entry.keySpan, "`wait` makes a verdict depend on how fast the machine is",
            expected: "an `expect` of what is waited for, or `never` with `for`")
        return .wait(duration)
    }

    func after(_ entry: YAMLNode.Entry) -> StepKind? {
        guard let reader = MappingReader(entry.value, of: "after", at: entry.keySpan, context: context) else {
            return nil
        }
        let since = reader.text("step")
        let delay = reader.need("delay").flatMap { context.duration($0.value, "delay") }
        let steps = reader.need("steps").map { self.steps($0.value, of: "after") }
        reader.finish()
        guard let delay, let steps else { return nil }
        return .after(AfterStep(since: since, delay: delay, steps: steps))
    }

    func repeated(_ entry: YAMLNode.Entry) -> StepKind? {
        guard context.repeatDepth < Self.deepestRepeat else {
            context.error(entry.keySpan, "more than \(Self.deepestRepeat) repeats are inside each other here")
            return nil
        }
        context.repeatDepth += 1
        defer { context.repeatDepth -= 1 }
        guard let reader = MappingReader(entry.value, of: "repeat", at: entry.keySpan, context: context) else {
            return nil
        }
        let times = reader.need("times").flatMap { rounds($0.value) }
        let every = reader.duration("every")
        let variable = reader.text("as") ?? VariableSubstitution.roundVariable
        let body = reader.need("steps")?.value
        reader.finish()
        guard let body, !context.refersList(body, to: ShapeRecorder.step) else { return nil }
        let template = RepeatTemplate(steps: body, variable: variable, context: context)
        let first = template.read(round: 0, context: context)
        guard let times else { return nil }
        if template.usesVariable, let last = times.count, last > 1 {
            _ = template.read(round: last - 1, context: context)
        }
        return .repeat(RepeatStep(times: times.count, every: every, firstRound: first, template: template))
    }

    /// How often a repeat repeats.
    private enum Rounds {
        case forever
        case times(Int)

        var count: Int? {
            if case .times(let count) = self { count } else { nil }
        }
    }

    private func rounds(_ node: YAMLNode) -> Rounds? {
        if context.notes(.words(["forever"]), node.span) { return .times(Int(integer(node) ?? 1)) }
        if case .scalar("forever", _) = node.content { return .forever }
        guard case .scalar(let text, _) = node.content, ReadingContext.number(text) != nil else {
            return context.wrong(node, "times", expected: "a whole number, or `forever`")
        }
        return integer(node).map { .times(Int($0)) }
    }

    private func integer(_ node: YAMLNode) -> UInt64? {
        context.integer(node, "times", in: 1...Self.mostRounds)
    }
}
