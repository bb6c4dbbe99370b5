import MoqBase
import MoqScenario

/// One `--filter`: a glob over the names of cases, or a word of `kinds` with a colon and a glob over what it names.
///
/// In a glob `*` stands for anything without a slash and `**` for anything; every other character stands for itself,
/// so that the id of a case, with its brackets, is a pattern that selects just that case.
public struct CasePattern: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: Hashable {
        case name(Glob)
        case tag(Glob)
        case requirement(Glob)
        case level(RequirementLevel)
        case actor(Glob)
        case condition(Glob)
    }

    /// Patterns are typed by people and scripts; this bounds the work that one can cause.
    static let greatestLength = 1000
    /// What a pattern may select by, besides names.
    static let kinds = ["tag", "requirement", "level", "actor", "condition"]

    /// The pattern as it was given.
    public let description: String
    private let kind: Kind

    /// Reads a pattern.
    public init(_ text: String) throws(UsageError) {
        description = text
        guard !text.isEmpty else { throw UsageError("--filter: an empty pattern selects nothing") }
        guard text.unicodeScalars.count <= Self.greatestLength else {
            throw UsageError("--filter: the pattern has more than \(Self.greatestLength) characters")
        }
        kind = try Self.kind(text)
    }

    private static func kind(_ text: String) throws(UsageError) -> Kind {
        guard let colon = text.firstIndex(of: ":"), text[..<colon].allSatisfy({ $0.isLetter }) else {
            return .name(Glob(text))
        }
        let value = String(text[text.index(after: colon)...])
        let word = String(text[..<colon])
        guard kinds.contains(word) else {
            let question = NearestWord.of(word, among: kinds).map { "; did you mean `\($0):`?" } ?? ""
            throw UsageError(
                "--filter \(text): `\(word):` is nothing to select by (there are "
                    + "\(kinds.map { "\($0):" }.joined(separator: ", ")))\(question)")
        }
        guard !value.isEmpty else { throw UsageError("--filter \(text): what follows `\(word):` is missing") }
        switch word {
        case "tag": return .tag(Glob(value))
        case "requirement": return .requirement(Glob(value))
        case "actor": return .actor(Glob(value))
        case "condition": return .condition(Glob(value))
        default:
            guard let level = RequirementLevel(rawValue: value) else {
                let levels = RequirementLevel.allCases.map(\.rawValue)
                let question = NearestWord.of(value, among: levels).map { "; did you mean `level:\($0)`?" } ?? ""
                throw UsageError(
                    "--filter \(text): `\(value)` is no level (there are \(levels.joined(separator: ", ")))\(question)")
            }
            return .level(level)
        }
    }

    /// Whether it selects by what the registry says.
    var needsRegistry: Bool {
        if case .level = kind { true } else { false }
    }

    /// Whether it selects a case: by the id of the case, its scenario or its suite, by the suite and one of the others
    /// with a slash between them, or by the file; or by what it is about. Levels are those of the registry.
    public func selects(_ scenarioCase: ScenarioCase, _ registry: RequirementRegistry? = nil) -> Bool {
        switch kind {
        case .name(let glob): Self.names(of: scenarioCase).contains(where: glob.matches)
        case .tag(let glob): scenarioCase.tags.contains(where: glob.matches)
        case .requirement(let glob): scenarioCase.requirements.contains(where: glob.matches)
        case .level(let level): scenarioCase.requirements.contains { registry?[$0]?.level == level }
        case .actor(let glob): Self.actors(of: scenarioCase).contains(where: glob.matches)
        case .condition(let glob): scenarioCase.conditions.contains(where: glob.matches)
        }
    }

    /// Whether it selects a row of the registry: by its id or by its level.
    public func selects(_ requirement: Requirement) -> Bool {
        switch kind {
        case .name(let glob), .requirement(let glob): glob.matches(requirement.id)
        case .level(let level): requirement.level == level
        case .tag, .actor, .condition: false
        }
    }

    /// The words of a case that it is held against, each with the kind of the pattern before it: what was perhaps meant
    /// is among them.
    func words(of scenarioCase: ScenarioCase) -> [String] {
        switch kind {
        case .name: Self.names(of: scenarioCase)
        case .tag: scenarioCase.tags.map { "tag:\($0)" }
        case .requirement: scenarioCase.requirements.map { "requirement:\($0)" }
        case .level: []
        case .actor: Self.actors(of: scenarioCase).map { "actor:\($0)" }
        case .condition: scenarioCase.conditions.map { "condition:\($0)" }
        }
    }

    /// The names that a glob is held against.
    static func names(of scenarioCase: ScenarioCase) -> [String] {
        let (suite, scenario) = (scenarioCase.suite, scenarioCase.scenario)
        return [
            scenario, scenarioCase.id, suite, "\(suite)/\(scenario)", "\(suite)/\(scenarioCase.id)",
            scenarioCase.location.file,
        ]
    }

    /// The names of actors, and what they are.
    private static func actors(of scenarioCase: ScenarioCase) -> [String] {
        scenarioCase.actors.flatMap { [$0.name, $0.kind.rawValue] }
    }
}

extension CasePattern {
    /// What stands before the path of a list of patterns.
    private static let listMark = "@"
    /// A list as long as this selects case by case what a glob would select.
    private static let greatestList = 1 << 20

    /// Reads patterns as flags give them: each is one, or `@FILE`, a file with one on each line. Empty lines of a file
    /// and those that begin with `#` are nothing.
    public static func list(_ texts: [String]) throws(UsageError) -> [CasePattern] {
        var patterns: [CasePattern] = []
        for text in texts {
            guard text.hasPrefix(listMark) else {
                patterns.append(try CasePattern(text))
                continue
            }
            patterns += try list(file: String(text.dropFirst(listMark.count)))
        }
        return patterns
    }

    private static func list(file path: String) throws(UsageError) -> [CasePattern] {
        guard !path.isEmpty else { throw UsageError("--filter @: the path of the list is missing") }
        try InputFile.check(path, flag: "filter", mark: listMark)
        let bytes = try InputFile.read(path, limit: greatestList + 1)
        guard bytes.count <= greatestList else {
            throw UsageError("--filter @\(path): the list has more than \(greatestList) bytes")
        }
        var patterns: [CasePattern] = []
        let lines = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            let text = line.drop { $0.isWhitespace }
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            let end = text.lastIndex { !$0.isWhitespace } ?? text.startIndex
            do throws(UsageError) {
                patterns.append(try CasePattern(String(text[...end])))
            } catch {
                throw UsageError("\(path):\(index + 1): \(error.description)")
            }
        }
        guard !patterns.isEmpty else { throw UsageError("--filter @\(path): there is no pattern in the list") }
        return patterns
    }
}
