import MoqEvents
import MoqRunner
import MoqScenario

/// The file that `--known` names, read and checked.
public struct KnownFailureList: Equatable, Sendable {
    /// The entries.
    public let entries: [KnownFailure]

    /// What is known of the relay when a list is held against it.
    public struct Target: Sendable {
        /// The names that patterns are held against: description and address.
        public var names: [String]
        /// How it came to be there.
        public var kind: String
        /// Its release, where somebody said it.
        public var release: String?
    }

    /// Reads the file; all mistakes of it are one error. `requirements` are the ids of the registry, where there is one.
    public init(path: String, requirements: [String]?) throws(UsageError) {
        try InputFile.check(path, flag: "known")
        let bytes = try InputFile.read(path, limit: SuiteLoader.greatestFileSize + 1)
        var vocabulary = Vocabulary.ofThisRelease
        vocabulary.requirements = requirements
        let reading = KnownFailureReader(vocabulary: vocabulary).read(ScenarioFile(path: path, bytes: bytes)) {
            pattern in
            do throws(UsageError) {
                _ = try CasePattern(pattern)
                return nil
            } catch {
                return error.description.replacing("--filter \(pattern): ", with: "").replacing("--filter: ", with: "")
            }
        }
        guard !reading.hasErrors else {
            throw UsageError(DiagnosticRenderer.text(reading.diagnostics), isAboutFiles: true)
        }
        entries = reading.entries
    }

    /// The list for a run of these cases. `all` are the cases of the files, selected or not: an entry that lists none of
    /// them is not true, unless only single files were read (`isPartial`), when it may be about others. `today` is a
    /// day, `2027-01-31`, or longer.
    public func plan(
        for cases: [ScenarioCase], of all: [ScenarioCase], isPartial: Bool, registry: RequirementRegistry?,
        target: Target, today: String
    ) throws(UsageError) -> KnownFailures {
        let about = entries.filter { Self.isAbout(target, $0.target) }
        var patterns: [[CasePattern]] = []
        for entry in about {
            var own: [CasePattern] = []
            for place in entry.cases { own.append(try CasePattern(place.pattern)) }
            patterns.append(own)
        }
        func lists(_ number: Int, _ scenarioCase: ScenarioCase) -> Bool {
            Self.isOf(about[number].target, scenarioCase)
                && patterns[number].contains { $0.selects(scenarioCase, registry) }
        }
        var ofCase: [String: [Int]] = [:]
        var used: Set<Int> = []
        for scenarioCase in cases {
            let numbers = about.indices.filter { lists($0, scenarioCase) }
            ofCase[scenarioCase.id] = numbers
            used.formUnion(numbers)
        }
        var complaints: [String] = []
        for (number, entry) in about.enumerated() {
            let place = "\(entry.location.file):\(entry.location.line)"
            if used.contains(number), entry.isExpired(on: today, release: target.release) {
                let end =
                    switch entry.expiry {
                    case .date(let day): "on \(day)"
                    case .release(let release): "with release \(release)"
                    }
                complaints.append("the entry at \(place) expired \(end): \(entry.reason)")
            }
            guard !isPartial else { continue }
            for (pattern, named) in zip(patterns[number], entry.cases)
            where !all.contains(where: { Self.isOf(entry.target, $0) && pattern.selects($0, registry) }) {
                complaints.append(
                    "\(named.location.file):\(named.location.line): no case matches `\(named.pattern)`")
            }
        }
        return KnownFailures(entries: about, ofCase: ofCase, complaints: complaints)
    }

    private static func isAbout(_ target: Target, _ wanted: KnownFailure.Target) -> Bool {
        if let relay = wanted.relay, !target.names.contains(where: { relay.matches($0) }) { return false }
        if let kind = wanted.kind, kind != target.kind { return false }
        // What release it is nobody may have said: then the entry is taken to be about it.
        if let release = wanted.release, let own = target.release, !release.matches(own) { return false }
        return true
    }

    private static func isOf(_ wanted: KnownFailure.Target, _ scenarioCase: ScenarioCase) -> Bool {
        wanted.versions?.contains(scenarioCase.version) != false
            && wanted.transports?.contains(scenarioCase.transport) != false
    }
}

extension KnownFailureList.Target {
    /// What a run says about its relay.
    public init(_ choice: TargetChoice, release: String?) {
        switch choice {
        case .embedded: self.init(names: ["the embedded relay", "embedded"], kind: "embedded", release: release)
        case .url(let url):
            self.init(names: [url.description, "\(url.host):\(url.port)"], kind: "url", release: release)
        case .command(let command, _, _): self.init(names: [command], kind: "command", release: release)
        }
    }
}
