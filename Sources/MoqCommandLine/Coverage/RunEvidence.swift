import MoqEvents
import MoqJSON
import MoqScenario

/// What one case of a run says about requirements.
public struct CaseEvidence: Equatable, Sendable {
    /// The case.
    public var caseID: String
    /// Its scenario.
    public var scenario: String
    /// How it ended.
    public var verdict: Verdict
    /// Why, in one line.
    public var reason: String?
    /// The version that it was to be played with.
    public var version: String
    /// The transport that it was to be played over.
    public var transport: String
    /// The requirements that its scenario names.
    public var requirements: [String]
    /// What was counted apart from the verdict.
    public var checked: [RequirementTally]
    /// Which transitions of machines its actors took.
    public var transitions: [TransitionTally] = []
    /// What was found, without the timelines.
    public var findings: [Finding]
    /// Where the scenario begins.
    public var place: FilePlace
}

/// What one run says about requirements: from its results in the process, or from a file that it wrote.
public struct RunEvidence: Equatable, Sendable {
    /// The file, or what else the run is called by.
    public var source: String
    /// The relay that was under test.
    public var target: String
    /// Where time and packets came from: `sockets` or `simulated`.
    public var world: String
    /// When it began, ISO 8601; may be empty.
    public var started: String
    /// Whether nothing cut it short.
    public var isComplete: Bool
    /// Its cases.
    public var cases: [CaseEvidence]

    /// What a run in this process came to.
    public init(_ results: RunResults, source: String) {
        self.source = source
        target = results.run?.target.description ?? ""
        world = results.run?.world.rawValue ?? ""
        started = results.run?.started ?? ""
        isComplete = results.isComplete
        cases = results.cases.map { result in
            CaseEvidence(
                caseID: result.start.caseID, scenario: result.start.scenario, verdict: result.verdict,
                reason: result.end?.reason, version: result.start.variables["version"] ?? "",
                transport: result.start.variables["transport"] ?? "", requirements: result.start.requirements,
                checked: result.end?.checked ?? [], transitions: result.end?.transitions ?? [],
                findings: result.findings.map(\.finding),
                place: result.start.place)
        }
    }

    /// What a file of results says (docs/results.md).
    public init(parsing bytes: [UInt8], path: String) throws(UsageError) {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: bytes)
        } catch {
            throw UsageError("\(path): \(error): is it a file that `moqspec run --report json=PATH` wrote?")
        }
        guard document["format"]?.string == "moqspec-results", let list = document["cases"]?.elements else {
            throw UsageError("\(path): it has no results of a run; `moqspec run --report json=PATH` writes them")
        }
        guard let schema = document["schema"]?.integer, schema <= 1 else {
            throw UsageError("\(path): it was written by a newer moqspec, whose results this one does not know")
        }
        source = path
        target = document["target"]?["description"]?.string ?? ""
        world = document["run"]?["world"]?.string ?? ""
        started = document["run"]?["started"]?.string ?? ""
        isComplete = document["run"]?["complete"] == .bool(true)
        var cases: [CaseEvidence] = []
        for (index, value) in list.enumerated() {
            guard let evidence = Self.evidence(value) else {
                throw UsageError("\(path): case \(index + 1) of it has no id, or a verdict that is not known")
            }
            cases.append(evidence)
        }
        self.cases = cases
    }

    private static func evidence(_ value: JSONValue) -> CaseEvidence? {
        guard let id = value["id"]?.string, let verdict = value["verdict"]?.string.flatMap(Verdict.init) else {
            return nil
        }
        let tallies = (value["checked"]?.members ?? []).map { member in
            RequirementTally(
                requirement: member.name, held: Int(member.value["held"]?.integer ?? 0),
                broken: Int(member.value["broken"]?.integer ?? 0))
        }
        let findings = (value["findings"]?.elements ?? []).compactMap { finding(id, $0) }
        return CaseEvidence(
            caseID: id, scenario: value["scenario"]?.string ?? "", verdict: verdict, reason: value["reason"]?.string,
            version: value["variables"]?["version"]?.string ?? "",
            transport: value["variables"]?["transport"]?.string ?? "", requirements: texts(value["requirements"]),
            checked: tallies, transitions: (value["transitions"]?.elements ?? []).compactMap(transition),
            findings: findings, place: place(value["place"]) ?? FilePlace(file: ""))
    }

    private static func transition(_ value: JSONValue) -> TransitionTally? {
        guard let machine = value["machine"]?.string, let profile = value["profile"]?.string,
            let transition = value["transition"]?.string
        else { return nil }
        return TransitionTally(
            machine: machine, profile: profile, transition: transition, taken: Int(value["taken"]?.integer ?? 0))
    }

    private static func finding(_ caseID: String, _ value: JSONValue) -> Finding? {
        guard let severity = value["severity"]?.string.flatMap(Finding.Severity.init),
            let headline = value["headline"]?.string
        else { return nil }
        return Finding(
            caseID: caseID, severity: severity, headline: headline, place: place(value["place"]),
            actual: value["actual"]?.string, requirements: texts(value["requirements"]))
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        (value?.elements ?? []).compactMap(\.string)
    }

    private static func place(_ value: JSONValue?) -> FilePlace? {
        guard let file = value?["file"]?.string else { return nil }
        return FilePlace(
            file: file, line: Int(value?["line"]?.integer ?? 0), column: Int(value?["column"]?.integer ?? 0))
    }
}
