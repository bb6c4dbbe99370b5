import MoqBase

/// What a suite says for all of its scenarios.
struct SuiteDefaults {
    var within: Duration?
    var timeout: Duration?
    var matrix: [MatrixAxis] = []
    var needs: [String] = []
    var tags: [String] = []
    var network: (conditions: NetworkConditions, seed: UInt64?)?
}

/// Reads one scenario, once for every combination of its matrix.
struct ScenarioReader {
    let context: ReadingContext
    let suite: String
    let defaults: SuiteDefaults

    /// Values of all cases of a scenario together: what can be read in a few seconds.
    static let mostValues = 1_000_000

    func scenario(_ node: YAMLNode) -> Scenario? {
        if context.refers(node, to: ShapeRecorder.scenario) { return nil }
        let before = context.sink.errorCount
        guard case .mapping(let entries) = node.content else {
            context.error(
                node.span, "a scenario is \(node.kindDescription)",
                expected: "a mapping with `id`, `title`, `actors` and `steps`")
            return nil
        }
        let matrix = entries.first { $0.key == "matrix" }
        let reader = MatrixReader(context: context)
        let axes = reader.combined(defaults.matrix, matrix.map { reader.axes($0.value) } ?? [])
        let combinations = reader.combinations(axes, at: matrix?.keySpan ?? node.span)
        guard combinations.count * node.size <= Self.mostValues else {
            context.error(
                matrix?.keySpan ?? node.span, "\(combinations.count) cases of \(node.size) values each are too many",
                expected: "fewer combinations, or fewer steps")
            return nil
        }
        var cases: [ScenarioCase] = []
        // Versions and transports that no text names make cases that are alike: read once.
        let unnamed = ["version", "transport"].filter { name in
            !entries.contains { $0.key != "matrix" && VariableSubstitution.mentions(name, in: $0.value) }
        }
        var alike: [(values: [MatrixVariable], scenarioCase: ScenarioCase)] = []
        for combination in combinations {
            let values = combination.filter { !unnamed.contains($0.name) }
            if let known = alike.last(where: { $0.values == values })?.scenarioCase {
                cases.append(Self.copy(known, of: combination))
                continue
            }
            let substitution = VariableSubstitution(values: combination, context: context)
            let filled = entries.map { entry in
                var filled = entry
                if entry.key != "matrix" { filled.value = substitution.apply(to: entry.value) }
                return filled
            }
            let mapping = YAMLNode(content: .mapping(filled), span: node.span)
            if let result = scenarioCase(mapping, combination) {
                cases.append(result)
                alike.append((values, result))
            }
        }
        guard let first = cases.first, context.sink.errorCount == before else { return nil }
        warnOfUnusedVariables(matrix, entries)
        let title = entries.first { $0.key == "title" }.flatMap { context.text($0.value, "title") }
        let about = entries.first { $0.key == "about" }.flatMap { context.text($0.value, "about") }
        return Scenario(
            id: first.scenario, title: title ?? first.title, about: about, requirements: first.requirements,
            tags: first.tags, location: first.location, cases: cases)
    }

    /// A variable that only the title knows gives cases which all do the same: mostly a name that was mistyped.
    private func warnOfUnusedVariables(_ matrix: YAMLNode.Entry?, _ entries: [YAMLNode.Entry]) {
        guard case .mapping(let axes)? = matrix?.value.content else { return }
        let telling = entries.filter { !["matrix", "id", "title", "about"].contains($0.key) }
        for axis in axes where !["version", "transport"].contains(axis.key) {
            if telling.contains(where: { VariableSubstitution.mentions(axis.key, in: $0.value) }) { continue }
            context.warning(
                axis.keySpan, "nothing uses the variable `\(axis.key)`: its cases do all the same",
                expected: "`${\(axis.key)}` in a step, an actor or another key",
                suggestion: NearestWord.of(axis.key, among: ["version", "transport"]))
        }
    }

    /// A case that differs from another in its version and its transport only.
    private static func copy(_ known: ScenarioCase, of combination: [MatrixVariable]) -> ScenarioCase {
        var copy = known
        copy.version = combination.first { $0.name == "version" }?.value ?? ""
        copy.transport = combination.first { $0.name == "transport" }?.value ?? ""
        copy.id = caseID(known.scenario, copy.version, copy.transport, known.variables)
        return copy
    }

    /// One case of a scenario, with the variables filled in.
    func scenarioCase(_ node: YAMLNode, _ combination: [MatrixVariable]) -> ScenarioCase? {
        guard let reader = MappingReader(node, of: "scenario", context: context) else { return nil }
        let before = context.sink.errorCount
        context.unclearActors = []
        context.conditions = []
        let id = reader.need("id").flatMap { identifier($0.value) }
        let title = reader.neededText("title")
        _ = reader.text("about")
        let requirements = reader.need("requirements").map { self.requirements($0) } ?? []
        context.requirements = requirements
        context.stepRequirements = []
        let buildsOn = reader.take("builds_on").map { dependencies($0, of: id) } ?? []
        let tags = reader.texts("tags") ?? []
        let needs = reader.take("needs").map { SuiteReader.capabilities($0, context) } ?? []
        _ = reader.take("matrix").map { context.refers($0.value, to: ShapeRecorder.matrix) }
        let network = reader.take("network").flatMap { SuiteReader.network($0, context) } ?? defaults.network
        let isolation = reader.word("isolation", as: Isolation.self) ?? .path
        let timeout = reader.take("timeout")
        context.within = reader.duration("within") ?? defaults.within ?? ReadingContext.defaultWithin
        let relays = reader.take("relays").map { FurtherRelayReader(context: context).relays($0) } ?? []
        context.actors =
            reader.need("actors").map { ActorReader(context: context, relays: relays).actors($0.value) } ?? []
        let steps = reader.need("steps").map { StepReader(context: context).steps($0.value, of: "scenario") } ?? []
        let reached = reader.take("reached").map { entry in
            context.list(entry.value).compactMap { ReachedReader.read($0, context: context) }
        }
        reader.finish()
        guard let id, let title else { return nil }
        let deadline = self.deadline(timeout, steps)
        if context.shapes != nil { return nil }
        let variables = combination.filter { $0.name != "version" && $0.name != "transport" }
        let version = combination.first { $0.name == "version" }?.value ?? ""
        let transport = combination.first { $0.name == "transport" }?.value ?? ""
        let result = ScenarioCase(
            id: Self.caseID(id, version, transport, variables), suite: suite, scenario: id, title: title,
            requirements: requirements, needs: merged(defaults.needs, needs), tags: merged(defaults.tags, tags),
            version: version, transport: transport, variables: variables, relays: relays, actors: context.actors,
            steps: steps,
            network: network?.conditions, seed: network?.seed, reached: reached ?? [], isolation: isolation,
            timeout: deadline, conditions: context.conditions, buildsOn: buildsOn,
            location: context.text.location(of: node.span))
        CaseChecks(
            context: context, scenarioCase: result, span: node.span, isComplete: context.sink.errorCount == before
        ).run()
        return result
    }

    private func identifier(_ node: YAMLNode) -> String? {
        guard let id = context.text(node, "id") else { return nil }
        guard Self.isIdentifier(id) else {
            context.error(
                node.span, "`id` is `\(id)`",
                expected: "lower-case letters, digits, `-` and `.`, such as `\(suite).late-join`")
            return id
        }
        if !suite.isEmpty, !id.hasPrefix("\(suite).") {
            context.warning(
                node.span, "the id does not begin with that of its suite", expected: "`\(suite).` and a name",
                suggestion: "\(suite).\(id)")
        }
        return id
    }

    static func isIdentifier(_ text: String) -> Bool {
        text.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || "-.".contains($0)) }
    }

    private func requirements(_ entry: YAMLNode.Entry) -> [String] {
        if case .sequence(let items) = entry.value.content, items.isEmpty {
            context.warning(entry.keySpan, "the scenario checks no requirement")
        }
        return context.list(entry.value).compactMap { item in
            guard let id = context.text(item, "requirements") else { return nil }
            if context.vocabulary.lacksRequirement(id) {
                context.unknownWord(
                    id, at: item.span, "there is no requirement `\(id)`",
                    among: context.vocabulary.requirements ?? [])
            } else if !Self.isIdentifier(id) {
                context.error(
                    item.span, "the requirement `\(id)` is no id",
                    expected: "lower-case letters, digits, `-` and `.`, such as `subscribe.latest-group`")
            }
            return id
        }
    }

    /// What the scenario builds on. Whether that is there, the whole file shows.
    private func dependencies(_ entry: YAMLNode.Entry, of id: String?) -> [String] {
        var bases: [String] = []
        for item in context.list(entry.value) {
            guard let base = context.text(item, entry.key) else { continue }
            if bases.contains(base) { context.error(item.span, "`\(base)` is twice in `\(entry.key)`") }
            bases.append(base)
            guard let id, !context.dependencies.contains(where: { $0.span == item.span && $0.base == base }) else {
                continue
            }
            context.dependencies.append(DependencyCheck.Edge(scenario: id, base: base, span: item.span))
        }
        return bases
    }

    private func merged(_ defaults: [String], _ own: [String]) -> [String] {
        defaults + own.filter { !defaults.contains($0) }
    }

    /// The case's deadline: written, or enough for every step to use its own, with room to connect and settle.
    private func deadline(_ entry: YAMLNode.Entry?, _ steps: [Step]) -> Duration {
        let longest = steps.reduce(Duration.zero) { $0 + $1.longestDuration }
        let written = entry.flatMap { context.duration($0.value, "timeout") }
        if let written, let entry, written < longest {
            context.warning(
                entry.keySpan, "the steps may take up to \(Self.inSeconds(longest)) by their own deadlines",
                expected: "a `timeout` above that, or shorter deadlines of the steps")
        }
        return written ?? defaults.timeout ?? max(Self.shortestDeadline, longest + Self.roomToSettle)
    }

    /// A case with nothing but quick steps may still meet a relay on a busy machine.
    static let shortestDeadline = Duration.seconds(30)
    /// Connecting before and settling after the steps.
    static let roomToSettle = Duration.seconds(15)

    private static func inSeconds(_ duration: Duration) -> String {
        "\(duration.components.seconds + (duration.components.attoseconds > 0 ? 1 : 0))s"
    }

    private static func caseID(
        _ id: String, _ version: String, _ transport: String, _ variables: [MatrixVariable]
    ) -> String {
        func short(_ version: String) -> String {
            let prefix = "moq-lite-"
            return version.hasPrefix(prefix) ? String(version.dropFirst(prefix.count)) : version
        }
        var parts = ["version=\(short(version))"]
        if transport != "quic" { parts.append("transport=\(transport)") }
        parts += variables.map {
            "\($0.name)=\(MatrixReader.isOfVersions($0.name) ? short($0.value) : $0.value)"
        }
        return "\(id)[\(parts.joined(separator: ","))]"
    }
}
