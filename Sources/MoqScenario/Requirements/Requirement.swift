/// How much weight a requirement has.
public enum RequirementLevel: String, CaseIterable, Equatable, Sendable {
    /// Peers break without it, or the draft demands it.
    case must
    /// The draft asks for it, and one can do without.
    case should
    /// Nobody demands it; it is what running code does.
    case observed
}

/// Whom a requirement binds.
public enum Binding: String, CaseIterable, Equatable, Sendable {
    /// A relay, towards publishers as well as towards viewers.
    case relay
    /// Whoever publishes.
    case publisher
    /// Whoever subscribes or watches.
    case subscriber
    /// Both ends of a session.
    case any
}

/// How a requirement is checked.
public enum Checking: String, CaseIterable, Equatable, Sendable {
    /// By what watches every session of every scenario.
    case monitor
    /// By scenarios that name it.
    case scenario
    /// By both.
    case both
    /// Not at all; the requirement says why.
    case no

    /// Whether scenarios have to name it.
    public var needsScenario: Bool { self == .scenario || self == .both }
    /// Whether it is watched in every session.
    public var isMonitored: Bool { self == .monitor || self == .both }
}

/// What a relay is held to where the draft and running code say different things.
public enum RequirementProfile: String, CaseIterable, Equatable, Sendable {
    /// The draft.
    case draft
    /// Running code.
    case deployed
}

/// Where a requirement comes from; one of the two is there at least.
public struct RequirementSource: Equatable, Sendable, CustomStringConvertible {
    /// The draft with its revision, and the name of the section: `moq-lite-06, Routing`.
    public var draft: String?
    /// The program and release that was seen to do so: `moq-ffi 0.4.18`.
    public var peer: String?

    /// A source.
    public init(draft: String? = nil, peer: String? = nil) {
        self.draft = draft
        self.peer = peer
    }

    public var description: String {
        switch (draft, peer) {
        case (.some(let draft), .some(let peer)): "\(draft); seen with \(peer)"
        case (.some(let draft), .none): draft
        case (.none, .some(let peer)): "seen with \(peer)"
        case (.none, .none): ""
        }
    }
}

/// One row of the registry: something that can hold or be broken.
public struct Requirement: Equatable, Sendable {
    /// Stable id, `area.name`, unique in the registry.
    public var id: String
    /// The area that it belongs to: the first part of the id.
    public var area: String
    /// What has to hold, in one sentence.
    public var says: String
    /// How much weight it has.
    public var level: RequirementLevel
    /// Whom it binds.
    public var binds: Binding
    /// The versions that it is about, by their whole names, oldest first.
    public var versions: [String]
    /// The transports that it is about; nil for all.
    public var transports: [String]?
    /// Where it comes from.
    public var source: RequirementSource
    /// How it is checked.
    public var checked: Checking
    /// Why it is not checked; only where it is not.
    public var because: String?
    /// The profile that it belongs to; nil where draft and running code agree.
    public var profile: RequirementProfile?
    /// The requirement of the other profile in whose place it stands.
    public var differsFrom: String?
    /// Where it stands.
    public var location: SourceLocation

    /// Whether it says anything about a session of a version over a transport.
    public func applies(version: String, transport: String) -> Bool {
        versions.contains(version) && transports?.contains(transport) != false
    }

    /// Whether a relay is held to it under a profile; otherwise its verdict only informs.
    public func isHeld(under profile: RequirementProfile) -> Bool {
        self.profile == nil || self.profile == profile
    }

    /// The versions in short, given all that there are: `all`, `05 and later`, `up to 04`, `03 to 05`, `05`.
    public func versionText(among known: [String]) -> String {
        let indices = versions.compactMap { known.firstIndex(of: $0) }
        var runs: [ClosedRange<Int>] = []
        for index in indices.sorted() {
            if let last = runs.last, index == last.upperBound + 1 {
                runs[runs.count - 1] = last.lowerBound...index
            } else {
                runs.append(index...index)
            }
        }
        return runs.map { Self.text($0, known) }.joined(separator: ", ")
    }

    private static func text(_ run: ClosedRange<Int>, _ known: [String]) -> String {
        func short(_ index: Int) -> String { known[index].replacing("moq-lite-", with: "", maxReplacements: 1) }
        switch (run.lowerBound, run.upperBound) {
        case (0, known.count - 1): return "all"
        case (let first, let last) where first == last: return short(first)
        case (0, let last): return "up to \(short(last))"
        case (let first, known.count - 1): return "\(short(first)) and later"
        case (let first, let last): return "\(short(first)) to \(short(last))"
        }
    }
}
