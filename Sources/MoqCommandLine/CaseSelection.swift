import MoqBase
import MoqRunner
import MoqScenario
import MoqTransport
import MoqWire

/// Which of the cases are wanted.
public struct CaseSelection: Equatable, Sendable {
    /// Which transports are wanted.
    public enum Transports: Equatable, Sendable {
        /// Those that the relay's URL names, or that a scenario is about where it names none of these; of the embedded
        /// relay also the newest versions on all others.
        case usual
        /// These.
        case some([TransportKind])
        /// A race between transports, as the reference client dials.
        case race
    }

    /// What a selection came to.
    public struct Outcome: Equatable, Sendable {
        /// The cases that are run, in the order of the files.
        public var cases: [ScenarioCase]
        /// Those that cannot exist, each with the reason as its `exclusion`.
        public var leftOut: [ScenarioCase]

        /// The cases that are run. That there is none is an error.
        public func someCases() throws(UsageError) -> [ScenarioCase] {
            guard !cases.isEmpty else {
                throw UsageError(
                    "no combination that is selected can exist: \(leftOut.first?.exclusion ?? ""); "
                        + "--explain says it for each")
            }
            return cases
        }
    }

    /// A case is wanted when one of them selects it; without any, all are.
    public var patterns: [CasePattern]
    /// The versions that are wanted; nil for all that are released.
    public var versions: [Version]?
    /// Whether versions that are not frozen are wanted too.
    public var includesUnreleased: Bool
    /// The transports that are wanted.
    public var transports: Transports
    /// The usual transports: what the relay's URL names.
    public var usualTransports: [TransportKind] = [.quic]
    /// Versions that are usually run over every transport: the newest two, where the relay is known to be met on all.
    /// One with SUBSCRIBE's newest form and one without: what a transport gets wrong shows on these.
    public var versionsOnAllTransports = Array(Version.byPreference.prefix(2))
    /// The transports between which a race is run.
    public var racedTransports: [TransportKind] = [.webtransport, .websocket]

    /// Whether what is seen on different transports is compared.
    public var comparesTransports = false
    /// The registry that belongs to the scenarios, by which `level:` selects; nil where they have none.
    public var registry: RequirementRegistry?

    /// Reads `--filter`, `--moq-version`, `--wip` and `--transport`.
    public init(_ arguments: ParsedArguments) throws(UsageError) {
        patterns = try CasePattern.list(arguments.values(of: "filter"))
        versions = arguments.value(of: "moq-version") == "all" ? nil : try arguments.versions(of: "moq-version")
        includesUnreleased = arguments.has("wip")
        transports = try arguments.transports(of: "transport")
        comparesTransports = arguments.has("compare-transports")
    }

    /// The cases that are wanted and can exist, in the order of the files. A pattern that selects nothing is an error.
    public func cases(of suites: [Suite]) throws(UsageError) -> [ScenarioCase] {
        try outcome(of: suites).someCases()
    }

    /// The cases that are wanted, and those of them that cannot exist.
    public func outcome(of suites: [Suite]) throws(UsageError) -> Outcome {
        let all = suites.flatMap(\.cases)
        guard !all.isEmpty else { throw UsageError("there is no case in the scenario files") }
        let ofVersion = all.filter(isOfVersion)
        guard !ofVersion.isEmpty else {
            throw UsageError("no case is of \(versionNames): --moq-version selects nothing")
        }
        var wanted = ofTransport(ofVersion)
        guard !wanted.isEmpty else {
            throw UsageError("no case is over \(transportNames); other transports are run with --transport")
        }
        if registry == nil, let pattern = patterns.first(where: \.needsRegistry) {
            throw UsageError(
                "--filter \(pattern): these scenario files have no registry of requirements that would say it")
        }
        for pattern in patterns where !wanted.contains(where: { selects(pattern, $0) }) {
            throw unmatched(pattern, all, ofVersion)
        }
        if !patterns.isEmpty {
            wanted = wanted.filter { scenarioCase in patterns.contains { selects($0, scenarioCase) } }
        }
        var outcome = Outcome(cases: [], leftOut: [])
        for var scenarioCase in wanted {
            scenarioCase.exclusion = scenarioCase.exclusion ?? Combination.reasonToLeaveOut(scenarioCase)
            if scenarioCase.exclusion == nil {
                outcome.cases.append(scenarioCase)
            } else {
                outcome.leftOut.append(scenarioCase)
            }
        }
        return outcome
    }

    /// The suites with only the cases that are wanted, without what has none of them. Cases that cannot exist stay, with
    /// their exclusion.
    public func suites(of suites: [Suite]) throws(UsageError) -> [Suite] {
        let outcome = try outcome(of: suites)
        var wanted: [String: ScenarioCase] = [:]
        for scenarioCase in outcome.cases + outcome.leftOut { wanted[scenarioCase.id] = scenarioCase }
        return suites.compactMap { suite in
            var suite = suite
            suite.scenarios = suite.scenarios.compactMap { scenario in
                var scenario = scenario
                var ids: [String] = []
                for id in scenario.cases.flatMap({ [$0.id, $0.over(TransportChoice.race.name).id] })
                where wanted[id] != nil && !ids.contains(id) {
                    ids.append(id)
                }
                scenario.cases = ids.compactMap { wanted[$0] }
                return scenario.cases.isEmpty ? nil : scenario
            }
            return suite.scenarios.isEmpty ? nil : suite
        }
    }

    /// Whether a pattern selects a case, also by the id of the comparison that it is part of.
    private func selects(_ pattern: CasePattern, _ scenarioCase: ScenarioCase) -> Bool {
        pattern.selects(scenarioCase, registry)
            || (comparesTransports && pattern.selects(scenarioCase.over(TransportChoice.comparisonName), registry))
    }

    // MARK: Versions and transports

    /// Whether a case is of the versions that are wanted, and speaks none on another session that has to be asked for.
    private func isOfVersion(_ scenarioCase: ScenarioCase) -> Bool {
        if let versions {
            // Most cases are of another version: what they are about need not be looked at.
            guard let version = Version(name: scenarioCase.version),
                versions.contains(version) || (includesUnreleased && !version.isReleased)
            else { return false }
        }
        let others = Combination.sessions(of: scenarioCase).compactMap { Version(name: $0.version) }
        return others.allSatisfy { $0.isReleased || includesUnreleased || versions?.contains($0) == true }
    }

    private func ofTransport(_ cases: [ScenarioCase]) -> [ScenarioCase] {
        switch transports {
        case .some(let kinds):
            return cases.filter { Self.runs($0, over: kinds) }
        case .usual:
            // A scenario that is about other transports only is run on those.
            let served = Set(cases.filter { Self.runs($0, over: usualTransports) }.map(\.scenario))
            return cases.filter {
                Self.runs($0, over: usualTransports) || isOnAllTransports($0) || !served.contains($0.scenario)
            }
        case .race:
            var seen: Set<String> = []
            return cases.compactMap { scenarioCase in
                let isRaced = Self.runs(scenarioCase, over: racedTransports) || scenarioCase.transport == "auto"
                guard isRaced, seen.insert(scenarioCase.idOnAnyTransport).inserted else { return nil }
                return scenarioCase.over(TransportChoice.race.name)
            }
        }
    }

    private func isOnAllTransports(_ scenarioCase: ScenarioCase) -> Bool {
        versionsOnAllTransports.contains { $0.description == scenarioCase.version }
            && Self.runs(scenarioCase, over: TransportKind.allCases)
    }

    private static func runs(_ scenarioCase: ScenarioCase, over kinds: [TransportKind]) -> Bool {
        kinds.contains { $0.rawValue == scenarioCase.transport }
    }

    private var versionNames: String {
        (versions ?? Version.byPreference).map(\.description).joined(separator: " or ")
    }

    private var transportNames: String {
        switch transports {
        case .some(let kinds): kinds.map(\.rawValue).joined(separator: " or ")
        case .usual: usualTransports.map(\.rawValue).joined(separator: " or ")
        case .race: "what `auto` races (\(racedTransports.map(\.rawValue).joined(separator: ", ")))"
        }
    }

    private func unmatched(_ pattern: CasePattern, _ all: [ScenarioCase], _ ofVersion: [ScenarioCase]) -> UsageError {
        if ofVersion.contains(where: { pattern.selects($0, registry) }) {
            return UsageError(
                "--filter \(pattern) selects only cases over other transports than \(transportNames); "
                    + "--transport says which are run")
        }
        if all.contains(where: { pattern.selects($0, registry) }) {
            return UsageError("--filter \(pattern) selects only cases of other versions than \(versionNames)")
        }
        let nearest = NearestWord.of(pattern.description, among: all.flatMap { pattern.words(of: $0) })
        let question = nearest.map { "; did you mean `\($0)`?" } ?? "; moqspec list --cases shows what there is"
        return UsageError("--filter \(pattern) selects nothing\(question)")
    }
}
