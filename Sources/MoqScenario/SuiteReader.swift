import MoqBase

/// Reads one file.
struct SuiteReader {
    let context: ReadingContext

    /// A suite; scenarios with mistakes are left out of it.
    func suite(_ root: YAMLNode) -> Suite? {
        guard let reader = MappingReader(root, of: "suite file", context: context) else { return nil }
        for key in reader.keys where key.hasPrefix("x-") { _ = reader.take(key) }
        let id = reader.need("suite").flatMap { entry -> String? in
            guard let id = context.text(entry.value, "suite") else { return nil }
            if !ScenarioReader.isIdentifier(id) {
                context.error(
                    entry.value.span, "`suite` is `\(id)`", expected: "lower-case letters, digits, `-` and `.`")
            }
            return id
        }
        let about = reader.neededText("about")
        let defaults = reader.take("defaults").map { self.defaults($0) } ?? SuiteDefaults()
        let list = reader.need("scenarios")
        reader.finish()
        guard let list else { return nil }
        guard case .sequence(let items) = list.value.content, !items.isEmpty else {
            context.error(
                list.keySpan, "the suite has no scenarios", expected: "a list, each scenario after a `- `")
            return nil
        }
        // What the ids of scenarios begin with; nothing can be said of that when the suite's own is wrong.
        let validID = id.flatMap { ScenarioReader.isIdentifier($0) ? $0 : nil } ?? ""
        let scenarios = items.compactMap {
            ScenarioReader(context: context, suite: validID, defaults: defaults).scenario($0)
        }
        DependencyCheck(context: context, ids: items.compactMap(Self.scenarioID)).run(context.dependencies)
        guard let id else { return nil }
        return Suite(id: id, about: about ?? "", file: context.text.file, scenarios: scenarios)
    }

    /// The id of a scenario, whatever else is wrong with it.
    private static func scenarioID(_ node: YAMLNode) -> String? {
        guard case .mapping(let entries) = node.content,
            case .scalar(let id, _)? = entries.first(where: { $0.key == "id" })?.value.content
        else { return nil }
        return id
    }

    private func defaults(_ entry: YAMLNode.Entry) -> SuiteDefaults {
        var defaults = SuiteDefaults()
        guard let reader = MappingReader(entry.value, of: "defaults", context: context) else { return defaults }
        defaults.within = reader.duration("within")
        defaults.timeout = reader.duration("timeout")
        if let matrix = reader.take("matrix"), !context.refers(matrix.value, to: ShapeRecorder.matrix) {
            defaults.matrix = MatrixReader(context: context).axes(matrix.value)
        }
        if let needs = reader.take("needs") { defaults.needs = Self.capabilities(needs, context) }
        defaults.tags = reader.texts("tags") ?? []
        if let network = reader.take("network") { defaults.network = Self.network(network, context) }
        reader.finish()
        return defaults
    }

    static func capabilities(_ entry: YAMLNode.Entry, _ context: ReadingContext) -> [String] {
        context.list(entry.value).compactMap { item in
            guard let name = context.text(item, entry.key) else { return nil }
            if !context.vocabulary.capabilities.contains(name) {
                context.unknownWord(
                    name, at: item.span, "there is no capability `\(name)`", among: context.vocabulary.capabilities)
            }
            return name
        }
    }

    static func network(
        _ entry: YAMLNode.Entry, _ context: ReadingContext
    ) -> (conditions: NetworkConditions, seed: UInt64?)? {
        guard let reader = MappingReader(entry.value, of: "network", context: context) else { return nil }
        let conditions = HarnessVerbs.conditions(reader)
        let seed = reader.integer("seed", in: 0...UInt64.max)
        reader.finish()
        return (conditions, seed)
    }
}
