import MoqScenario

/// Reads files of machine definitions and checks them: all mistakes of all files in one go.
public struct MachineReader {
    /// What came of it.
    public struct Reading: Sendable {
        /// The machines, one for each profile of each file without a mistake, in the order of the files.
        public var definitions: [MachineDefinition]
        /// Everything that is wrong or doubtful, in the order of the files and of their lines.
        public var diagnostics: [Diagnostic]

        /// Whether anything is so wrong that a machine is missing.
        public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
    }

    /// States of one machine, ten times those of the largest: each transition may be from all of them.
    static let mostStates = 200
    /// Inputs of one machine, several times those of the largest.
    static let mostInputs = 200
    /// Transitions of one machine, ten times those of the largest: each is held against the others.
    static let mostTransitions = 500

    /// A reader.
    public init() {}

    /// Whether a file begins as definitions of a machine do, with `machine:` as a key of its own.
    public static func isMachine(_ file: ScenarioFile) -> Bool {
        let word = Array("machine:".utf8)
        let bytes = file.bytes.prefix(64 << 10)
        return bytes.indices.contains { index in
            bytes[index] == word[0] && (index == 0 || bytes[index - 1] == 0x0A || bytes[index - 1] == 0x0D)
                && bytes[index...].starts(with: word)
        }
    }

    /// Reads files. What they say about the order between objects may be about machines of these files and about `others`.
    public func read(_ files: [ScenarioFile], beside others: [MachineDefinition] = []) -> Reading {
        var reading = Reading(definitions: [], diagnostics: [])
        var seen: [String: SourceLocation] = [:]
        let read = files.map { file in
            let yaml = YAMLFile(file, form: "a machine: `machine`, `states`, `inputs` and `transitions`")
            let source = source(yaml)
            return (yaml: yaml, source: source, isRight: !yaml.hasErrors)
        }
        let machines =
            read.compactMap(\.source).flatMap { source in
                source.profiles.map { profile in
                    (source.name, profile, source.states.filter { profile.has($0.only) }.map(\.value.name))
                }
            } + others.map { ($0.name, $0.profile, $0.states.map(\.name)) }
        for (yaml, source, isRight) in read {
            if let source {
                for profile in source.profiles {
                    let id = "\(source.name) \(profile.rawValue)"
                    if let place = seen[id] {
                        yaml.error(
                            source.span,
                            "there is already a machine `\(source.name)` for \(profile.rawValue), at \(place)")
                    }
                    seen[id] = yaml.location(of: source.span)
                }
                // What is said of the whole would only follow from a word that is wrong.
                if isRight { MachineCheck(source: source, yaml: yaml).run() }
                source.checkOrders(machines, yaml)
                if !yaml.hasErrors {
                    reading.definitions += source.profiles.map { source.definition($0, yaml.location) }
                }
            }
            reading.diagnostics += yaml.diagnostics
        }
        return reading
    }

    private func source(_ yaml: YAMLFile) -> MachineSource? {
        guard let root = yaml.root, let reader = yaml.mapping(root, of: "machine file") else { return nil }
        let name = reader.need("machine")
        let object = reader.neededText("object")
        let about = reader.neededText("about")
        let citation = reader.neededText("source")
        let profiles = reader.need("profiles").map { entry in
            let nodes = yaml.list(entry.value)
            if nodes.isEmpty {
                let known = MachineProfile.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
                yaml.error(entry.value.span, "`profiles` is empty", expected: "one or more of \(known)")
            }
            return nodes.compactMap { node -> MachineProfile? in
                Self.word(node, "profiles", as: MachineProfile.self, yaml)
            }
        }
        let isSingleUse = reader.truth("single_use") ?? false
        let (stateEntry, inputEntry) = (reader.need("states"), reader.need("inputs"))
        let ruleEntry = reader.need("transitions")
        let areFew = [
            isWithin(stateEntry, Self.mostStates, yaml), isWithin(inputEntry, Self.mostInputs, yaml),
            isWithin(ruleEntry, Self.mostTransitions, yaml),
        ]
        // What is too much is not read, so nothing can be said of the rest either.
        guard areFew.allSatisfy({ $0 }) else { return nil }
        var parts = MachinePartReader(yaml: yaml)
        let states = stateEntry.map { parts.states($0) }
        let events = reader.take("events").map { parts.events($0) }
        let variables = reader.take("variables").map { parts.variables($0) }
        let errors = reader.take("errors").map { parts.errors($0) }
        let inputs = inputEntry.map { parts.inputs($0) }
        let rules = ruleEntry.map {
            MachineRuleReader(yaml: yaml, parts: parts).rules($0, citation ?? "")
        }
        let orders = reader.take("orders").map { entry in
            MachineOrderReader(
                yaml: yaml, machine: name.flatMap { yaml.text($0.value, "machine") }, stateNames: parts.stateNames
            ).orders(entry, citation ?? "")
        }
        reader.finish()
        guard let name, let text = yaml.text(name.value, "machine") else { return nil }
        return MachineSource(
            name: text, object: object ?? text, about: about ?? "", profiles: profiles ?? [], isSingleUse: isSingleUse,
            span: name.value.span, states: states ?? [], inputs: inputs ?? [], events: events ?? [],
            variables: variables ?? [], errors: errors ?? [], rules: rules ?? [], orders: orders ?? [])
    }

    /// Whether a list or mapping has at most so many; otherwise it is reported.
    private func isWithin(_ entry: YAMLNode.Entry?, _ most: Int, _ yaml: YAMLFile) -> Bool {
        let spans: [SourceSpan]
        switch entry?.value.content {
        case .sequence(let items): spans = items.map(\.span)
        case .mapping(let entries): spans = entries.map(\.keySpan)
        default: spans = []
        }
        guard let entry, spans.count > most else { return true }
        yaml.error(spans[most], "the machine has \(spans.count) \(entry.key)", expected: "at most \(most)")
        return false
    }

    /// One of the words of an enumeration; nil after reporting any other.
    static func word<Word>(_ node: YAMLNode, _ name: String, as type: Word.Type, _ yaml: YAMLFile) -> Word?
    where Word: RawRepresentable & CaseIterable, Word.RawValue == String {
        guard let text = yaml.text(node, name) else { return nil }
        guard let word = Word(rawValue: text) else {
            yaml.unknownWord(text, at: node.span, "`\(name)` is `\(text)`", among: Word.allCases.map(\.rawValue))
            return nil
        }
        return word
    }

    /// The words of `only`; none when the key is absent.
    static func only(_ reader: MappingReader, _ yaml: YAMLFile) -> [MachineProfile.Word] {
        reader.take("only").map { words($0, yaml) } ?? []
    }

    /// The words of a profile.
    static func words(_ entry: YAMLNode.Entry, _ yaml: YAMLFile) -> [MachineProfile.Word] {
        yaml.list(entry.value).compactMap { word($0, entry.key, as: MachineProfile.Word.self, yaml) }
    }
}
