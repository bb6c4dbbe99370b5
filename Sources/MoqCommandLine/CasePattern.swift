import MoqScenario

/// One `--filter`: a glob over the names of cases, or `tag:NAME`.
///
/// In a glob `*` stands for anything without a slash and `**` for anything; every other character stands for itself,
/// so that the id of a case, with its brackets, is a pattern that selects just that case.
public struct CasePattern: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: Hashable {
        case tag(String)
        case glob([Token])
    }

    private enum Token: Hashable {
        case character(Unicode.Scalar)
        case anyInPart
        case any
        /// `**/`: any number of parts, also none.
        case anyParts
    }

    /// Patterns are typed by people and scripts; this bounds the work that one can cause.
    static let greatestLength = 1000

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
        if text.hasPrefix("tag:") {
            kind = .tag(String(text.dropFirst(4)))
        } else {
            kind = .glob(Self.tokens(text))
        }
    }

    /// The tag that it selects by; nil for a glob.
    var tag: String? {
        if case .tag(let name) = kind { name } else { nil }
    }

    /// Whether it selects a case: by a tag, or by the id of the case, its scenario or its suite, by the suite and one
    /// of the others with a slash between them, or by the file.
    public func selects(_ scenarioCase: ScenarioCase) -> Bool {
        switch kind {
        case .tag(let name): scenarioCase.tags.contains(name)
        case .glob(let tokens): Self.names(of: scenarioCase).contains { Self.matches(tokens, $0) }
        }
    }

    /// Whether it matches a name that is none of a case; by a tag it matches none.
    public func matches(_ name: String) -> Bool {
        if case .glob(let tokens) = kind { Self.matches(tokens, name) } else { false }
    }

    /// The names that a glob is held against.
    static func names(of scenarioCase: ScenarioCase) -> [String] {
        let (suite, scenario) = (scenarioCase.suite, scenarioCase.scenario)
        return [
            scenario, scenarioCase.id, suite, "\(suite)/\(scenario)", "\(suite)/\(scenarioCase.id)",
            scenarioCase.location.file,
        ]
    }

    private static func tokens(_ text: String) -> [Token] {
        let scalars = Array(text.unicodeScalars)
        var tokens: [Token] = []
        var index = 0
        while index < scalars.count {
            guard scalars[index] == "*" else {
                tokens.append(.character(scalars[index]))
                index += 1
                continue
            }
            let stars = scalars[index...].prefix { $0 == "*" }.count
            let startsPart = index == 0 || scalars[index - 1] == "/"
            index += stars
            if stars > 1, startsPart, index < scalars.count, scalars[index] == "/" {
                tokens.append(.anyParts)
                index += 1
            } else {
                tokens.append(stars > 1 ? .any : .anyInPart)
            }
        }
        return tokens
    }

    /// Follows all ways to match at once, so that no pattern takes longer than its length times that of the name.
    private static func matches(_ tokens: [Token], _ name: String) -> Bool {
        let scalars = Array(name.unicodeScalars)
        // reached[i]: the tokens so far can have taken the first i characters.
        var reached = [true] + [Bool](repeating: false, count: scalars.count)
        for token in tokens {
            var next = [Bool](repeating: false, count: scalars.count + 1)
            var isOpen = false
            for index in 0...scalars.count {
                switch token {
                case .character(let scalar):
                    next[index] = index > 0 && reached[index - 1] && scalars[index - 1] == scalar
                case .any:
                    isOpen = isOpen || reached[index]
                    next[index] = isOpen
                case .anyInPart:
                    if index > 0, scalars[index - 1] == "/" { isOpen = false }
                    isOpen = isOpen || reached[index]
                    next[index] = isOpen
                case .anyParts:
                    next[index] = reached[index] || (isOpen && scalars[index - 1] == "/")
                    isOpen = isOpen || reached[index]
                }
            }
            reached = next
        }
        return reached[scalars.count]
    }
}
