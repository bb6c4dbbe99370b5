import MoqBase

/// An entry of a list of known failures: cases that fail for a reason that somebody looked into.
public struct KnownFailure: Equatable, Sendable {
    /// The targets that an entry is about; what is nil says nothing.
    public struct Target: Equatable, Sendable {
        /// A pattern for the relay's description or address, `*` for anything.
        public var relay: Glob?
        /// How the relay came to be there: one of `kinds`.
        public var kind: String?
        /// A pattern for its release.
        public var release: Glob?
        /// The versions of cases, by their whole names; nil for all.
        public var versions: [String]?
        /// The transports of cases; nil for all.
        public var transports: [String]?

        /// The words for how a relay came to be there.
        public static let kinds = ["embedded", "url", "command"]

        /// All targets.
        public init() {}
    }

    /// Until when an entry may stand.
    public enum Expiry: Equatable, Sendable {
        /// The last day, `2027-01-31`.
        case date(String)
        /// The first release of the relay in which it should hold.
        case release(String)
    }

    /// Patterns for the cases, as `--filter` takes them, each with its place.
    public var cases: [(pattern: String, location: SourceLocation)]
    /// The targets that it is about.
    public var target: Target
    /// The error condition that what came instead has to name; `app(n)` is any code of an application.
    public var condition: String?
    /// A pattern for the headline of the failure or for what came instead, `*` for anything.
    public var message: Glob?
    /// The requirement that the failure has to name.
    public var requirement: String?
    /// Why the cases fail, in one line.
    public var reason: String
    /// Where more is to be read: mostly an issue.
    public var link: String
    /// Until when it may stand.
    public var expiry: Expiry
    /// Where it stands.
    public var location: SourceLocation

    public static func == (left: Self, right: Self) -> Bool {
        left.location == right.location && left.target == right.target && left.condition == right.condition
            && left.message == right.message && left.requirement == right.requirement && left.reason == right.reason
            && left.link == right.link && left.expiry == right.expiry
            && left.cases.elementsEqual(right.cases) { $0.pattern == $1.pattern && $0.location == $1.location }
    }

    /// Whether a failure is the one that the entry is about.
    public func isAbout(headline: String, actual: String?, requirements: [String]) -> Bool {
        if let condition, ![headline, actual ?? ""].contains(where: { Self.names($0, condition) }) { return false }
        if let message, ![headline, actual ?? ""].contains(where: { message.matches($0) }) { return false }
        if let requirement, !requirements.contains(requirement) { return false }
        return true
    }

    /// What it records of the failure, for people.
    public var recorded: String {
        let parts = [
            condition.map { "condition `\($0)`" }, message.map { "message `\($0.text)`" },
            requirement.map { "requirement `\($0)`" },
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// Whether a text has a condition, and not only as part of another word.
    private static func names(_ text: String, _ word: String) -> Bool {
        // The parenthesis ends the word of an application's code.
        if word.hasPrefix("app(") { return text.contains(word == "app(n)" ? "app(" : word) }
        return text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains { $0 == word }
    }

    /// Whether it may not stand any more: on a day (`2027-02-01`, or longer), with a release of the relay if that is
    /// known.
    public func isExpired(on day: String, release: String?) -> Bool {
        switch expiry {
        case .date(let last): return day.prefix(last.count) > last[...]
        case .release(let first): return release.map { Self.isAtLeast($0, first) } ?? false
        }
    }

    /// Whether a release is another or a later one, number by number.
    static func isAtLeast(_ release: String, _ other: String) -> Bool {
        func numbers(_ text: String) -> [Int] { text.split { !$0.isNumber }.map { Int($0) ?? 0 } }
        let (left, right) = (numbers(release), numbers(other))
        for place in 0..<max(left.count, right.count) {
            let (a, b) = (place < left.count ? left[place] : 0, place < right.count ? right[place] : 0)
            if a != b { return a > b }
        }
        return true
    }
}
