import MoqScenario

/// Reads what a machine declares: states, inputs, events, variables, errors.
struct MachinePartReader {
    let yaml: YAMLFile
    /// The names that were declared, which rules may use.
    private(set) var stateNames: [String] = []
    private(set) var terminalNames: [String] = []
    private(set) var inputNames: [String] = []
    private(set) var eventNames: [String] = []
    private(set) var variableNames: [String] = []
    private(set) var errorNames: [String] = []
    private(set) var parameters: [String: [MachineDefinition.Parameter]] = [:]
    private(set) var variableTypes: [String: MachineDefinition.ValueType] = [:]
    private(set) var eventFields: [String: [String]] = [:]

    init(yaml: YAMLFile) {
        self.yaml = yaml
    }

    mutating func states(_ entry: YAMLNode.Entry) -> [MachineSource.Part<MachineSource.State>] {
        entries(entry).map { entry in
            var state = MachineSource.State(name: entry.key, about: nil, isInitial: false)
            var only: [MachineProfile.Word] = []
            if let text = plainText(entry.value) {
                state.about = text
            } else if let reader = yaml.mapping(entry.value, of: "state \(entry.key)", at: entry.keySpan) {
                state.about = reader.text("about")
                state.shown = reader.text("shown")
                state.isInitial = reader.truth("initial") ?? false
                state.terminal = profiles(reader, "terminal")
                state.conflated = profiles(reader, "conflated")
                only = MachineReader.only(reader, yaml)
                reader.finish()
            }
            stateNames.append(entry.key)
            if state.terminal == [] { terminalNames.append(entry.key) }
            return MachineSource.Part(value: state, only: only, span: entry.keySpan)
        }
    }

    mutating func inputs(_ entry: YAMLNode.Entry) -> [MachineSource.Part<MachineDefinition.Input>] {
        entries(entry).compactMap { entry in
            inputNames.append(entry.key)
            guard let reader = yaml.mapping(entry.value, of: "input \(entry.key)", at: entry.keySpan) else {
                return nil
            }
            let kind = reader.need("kind").flatMap {
                MachineReader.word($0.value, "kind", as: MachineDefinition.Input.Kind.self, yaml)
            }
            let about = reader.text("about")
            let after = reader.take("after")
            let duration = after.flatMap { yaml.duration($0.value, "after") }
            let parameters = reader.take("with").map { self.parameters($0) } ?? []
            let only = MachineReader.only(reader, yaml)
            reader.finish()
            if let kind, let after, kind != .timer {
                yaml.error(after.keySpan, "`\(entry.key)` has a length and is no timer", expected: "`kind: timer`")
            }
            self.parameters[entry.key] = parameters
            return MachineSource.Part(
                value: MachineDefinition.Input(
                    name: entry.key, kind: kind ?? .call, about: about, after: duration, parameters: parameters),
                only: only, span: entry.keySpan)
        }
    }

    mutating func events(_ entry: YAMLNode.Entry) -> [MachineSource.Part<MachineSource.Event>] {
        entries(entry).map { entry in
            var event = MachineSource.Event(name: entry.key, about: nil, fields: [])
            var only: [MachineProfile.Word] = []
            if let text = plainText(entry.value) {
                event.about = text
            } else if let reader = yaml.mapping(entry.value, of: "event \(entry.key)", at: entry.keySpan) {
                event.about = reader.text("about")
                event.fields = reader.texts("with") ?? []
                event.lossy = profiles(reader, "lossy")
                only = MachineReader.only(reader, yaml)
                reader.finish()
            }
            eventNames.append(entry.key)
            eventFields[entry.key] = event.fields
            return MachineSource.Part(value: event, only: only, span: entry.keySpan)
        }
    }

    mutating func errors(_ entry: YAMLNode.Entry) -> [MachineSource.Part<MachineDefinition.DocumentedError>] {
        entries(entry).compactMap { entry in
            errorNames.append(entry.key)
            var only: [MachineProfile.Word] = []
            var says = plainText(entry.value)
            if says == nil, let reader = yaml.mapping(entry.value, of: "error \(entry.key)", at: entry.keySpan) {
                says = reader.neededText("says")
                only = MachineReader.only(reader, yaml)
                reader.finish()
            }
            guard let says else { return nil }
            return MachineSource.Part(
                value: MachineDefinition.DocumentedError(name: entry.key, says: says), only: only, span: entry.keySpan)
        }
    }

    mutating func variables(_ entry: YAMLNode.Entry) -> [MachineSource.Part<MachineDefinition.Variable>] {
        entries(entry).compactMap { entry in
            variableNames.append(entry.key)
            guard let (type, initial) = variable(entry) else { return nil }
            variableTypes[entry.key] = type
            return MachineSource.Part(
                value: MachineDefinition.Variable(name: entry.key, type: type, initial: initial), only: [],
                span: entry.keySpan)
        }
    }

    /// A variable by its initial value: `false`, a number, `[]` for numbers that are seen, or its words, first the
    /// initial one.
    private func variable(
        _ entry: YAMLNode.Entry
    ) -> (MachineDefinition.ValueType, MachineValue)? {
        switch entry.value.content {
        case .scalar("true", isPlain: true): return (.flag, true)
        case .scalar("false", isPlain: true): return (.flag, false)
        case .scalar(let text, isPlain: true):
            if let number = Int(text) { return (.number, .number(number)) }
        case .sequence([]): return (.numbers, .numbers([]))
        case .sequence(let items):
            let words = items.compactMap { yaml.text($0, entry.key) }
            if let first = words.first { return (.words(words), .word(first)) }
        case .scalar, .mapping: break
        }
        yaml.error(
            entry.value.span, "`\(entry.key)` is \(entry.value.kindDescription)",
            expected: "what it is at first: `true`, `false`, a number, `[]`, or a list of words, first the initial one")
        return nil
    }

    /// Where something holds: `true` for all profiles, or words of profiles; nil for none.
    private func profiles(_ reader: MappingReader, _ key: String) -> [MachineProfile.Word]? {
        guard let entry = reader.take(key) else { return nil }
        switch entry.value.content {
        case .scalar("true", isPlain: true): return []
        case .scalar("false", isPlain: true): return nil
        default: return MachineReader.words(entry, yaml)
        }
    }

    private func parameters(_ entry: YAMLNode.Entry) -> [MachineDefinition.Parameter] {
        entries(entry).compactMap { entry in
            if variableNames.contains(entry.key) {
                yaml.error(
                    entry.keySpan, "`\(entry.key)` is a variable of this machine",
                    expected: "another name for what comes")
            }
            switch entry.value.content {
            case .scalar("flag", _): return .init(name: entry.key, type: .flag)
            case .scalar("number", _): return .init(name: entry.key, type: .number)
            case .scalar("text", _): return .init(name: entry.key, type: .text)
            case .sequence(let items):
                return .init(name: entry.key, type: .words(items.compactMap { yaml.text($0, entry.key) }))
            case .scalar(let word, _):
                yaml.unknownWord(
                    word, at: entry.value.span, "`\(entry.key)` is `\(word)`", among: ["flag", "number", "text"])
            case .mapping:
                yaml.error(
                    entry.value.span, "`\(entry.key)` is a mapping",
                    expected: "`flag`, `number`, `text` or a list of words")
            }
            return nil
        }
    }

    /// The entries of a mapping with any keys.
    private func entries(_ entry: YAMLNode.Entry) -> [YAMLNode.Entry] {
        yaml.mapping(entry.value, of: entry.key, at: entry.keySpan)?.takeAll() ?? []
    }

    /// The text of a part that has nothing but what it is about; nil for a mapping, and for nothing.
    private func plainText(_ node: YAMLNode) -> String? {
        if case .scalar(let text, _) = node.content, !text.isEmpty { text } else { nil }
    }
}
