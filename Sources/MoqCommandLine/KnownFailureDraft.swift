import MoqEvents
import MoqJSON

/// A list of known failures made of what runs found: everything but why, where more is to be read, and until when.
public struct KnownFailureDraft: Equatable, Sendable {
    /// One kind of failure of one scenario.
    struct Entry: Equatable, Sendable {
        var scenario: String
        var message: String
        var requirement: String?
        var cases: [String]
    }

    private(set) var entries: [Entry] = []
    private let target: String
    private let release: String?

    /// How many kinds of failures there are.
    public var count: Int { entries.count }

    /// The list of what failed in runs against one relay. Cases that passed, and those that were not played to an end, are
    /// no failures; what is known already is taken again.
    public init(_ runs: [RunEvidence], release: String? = nil) {
        target = runs.first?.target ?? ""
        self.release = release
        var played: [String: Set<String>] = [:]
        for result in runs.flatMap(\.cases) where Self.isPlayed(result.verdict) {
            played[result.scenario, default: []].insert(result.caseID)
            for finding in result.findings where finding.severity == .fail || finding.severity == .warn {
                add(finding, of: result)
            }
        }
        // Where all cases of a scenario fail alike its name stands for them.
        for index in entries.indices where entries[index].cases.count > 1 {
            let scenario = entries[index].scenario
            if Set(entries[index].cases) == played[scenario] { entries[index].cases = [scenario] }
        }
    }

    private static func isPlayed(_ verdict: Verdict) -> Bool {
        switch verdict {
        case .pass, .fail, .warn, .known: true
        case .error, .skip, .blocked, .notTestable, .vacuous: false
        }
    }

    private mutating func add(_ finding: Finding, of result: CaseEvidence) {
        let requirement = finding.requirements.first
        let index = entries.firstIndex {
            $0.scenario == result.scenario && $0.message == finding.headline && $0.requirement == requirement
        }
        guard let index else {
            entries.append(
                Entry(
                    scenario: result.scenario, message: finding.headline, requirement: requirement,
                    cases: [result.caseID]))
            return
        }
        if !entries[index].cases.contains(result.caseID) { entries[index].cases.append(result.caseID) }
    }

    /// The file. `lint --known` takes it when reason, link and expiry are written.
    public var yaml: String {
        guard !entries.isEmpty else { return "known: []\n" }
        var lines = [
            "# Made by `moqspec report known`: write why each fails, where more is to be read (a URL), and the last day or",
            "# { release: ... } until which the entry may stand. `moqspec lint --known FILE` says what is missing.",
            "known:",
        ]
        for entry in entries {
            lines.append("  - cases:")
            lines += entry.cases.map { "      - \(Self.quoted($0))" }
            var about = ["relay: \(Self.quoted(target))"]
            if let release { about.append("release: \(Self.quoted(release))") }
            lines.append("    target: { \(about.joined(separator: ", ")) }")
            lines.append("    message: \(Self.quoted(entry.message))")
            if let requirement = entry.requirement { lines.append("    requirement: \(requirement)") }
            lines += ["    reason:", "    link:", "    expires:"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A text as YAML takes it whatever is in it: JSON's way of writing is YAML's too.
    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.value(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension RunEvidence {
    /// What a file says, whether it is of results or of events.
    public init(reading bytes: [UInt8], path: String) throws(UsageError) {
        // A document of results is written over many lines; an event is one.
        let firstLine = bytes.prefix { $0 != UInt8(ascii: "\n") }
        guard firstLine.count > 1 else {
            try self.init(parsing: bytes, path: path)
            return
        }
        self.init(RunResults(of: try MergedRuns.events(bytes, path)), source: path)
    }
}
