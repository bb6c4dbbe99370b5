import MoqScenario

/// Where an expectation stands.
public enum Judgement: Hashable, Sendable {
    /// It holds; the sentence says what was seen.
    case met(String)
    /// It does not hold, and still may; the sentence says what was seen so far.
    case pending(String)
    /// It can no longer hold; the sentence says what was seen instead.
    case broken(String)
    /// The wire of this version or code generation cannot show it; the sentence says why.
    case notTestable(String)

    /// What was seen.
    public var seen: String {
        switch self {
        case .met(let text), .pending(let text), .broken(let text), .notTestable(let text): text
        }
    }

    /// Whether it holds.
    public var isMet: Bool {
        if case .met = self { true } else { false }
    }

    /// The judgement of several that must all hold.
    public static func all(_ judgements: [Judgement]) -> Judgement {
        var met: [String] = []
        var pending: [String] = []
        var untestable: [String] = []
        for judgement in judgements {
            switch judgement {
            case .broken: return judgement
            case .pending(let text): pending.append(text)
            case .met(let text): met.append(text)
            case .notTestable(let text): untestable.append(text)
            }
        }
        if !pending.isEmpty { return .pending(pending.joined(separator: "; ")) }
        if !untestable.isEmpty { return .notTestable(untestable.joined(separator: "; ")) }
        return .met(met.joined(separator: "; "))
    }

    /// The judgement of several of which one must hold.
    public static func any(_ judgements: [Judgement]) -> Judgement {
        if let met = judgements.first(where: \.isMet) { return met }
        let pending = judgements.filter { if case .pending = $0 { true } else { false } }
        if !pending.isEmpty { return .pending(judgements.map(\.seen).joined(separator: "; ")) }
        let untestable = judgements.filter { if case .notTestable = $0 { true } else { false } }
        // Only when no testable ending is left is the whole not testable: a broken one next to an untestable one
        // leaves open that the untestable one is what happened.
        if let first = untestable.first { return first }
        return .broken(judgements.map(\.seen).joined(separator: "; "))
    }
}

/// What a judge must know besides the record.
public struct JudgeContext: Sendable {
    /// Which numbers stand for a code.
    public var codes: CodeBook
    /// The version of the session that looks, by name, for what it cannot carry.
    public var carriesTimestamps: Bool
    /// For each broadcast and track, how many catalogs were written.
    public var catalogsWritten: [TrackKey: Int]
    /// Whether the relay was seen to serve since the step began; nil while that is being tried.
    public var relayServes: Bool?
    /// The SHA-256 of the certificate by which the relay is known, in hexadecimal digits; nil where it is not known.
    public var certificate: String?

    /// A context of its parts.
    public init(
        codes: CodeBook, carriesTimestamps: Bool = true, catalogsWritten: [TrackKey: Int] = [:],
        relayServes: Bool? = nil, certificate: String? = nil
    ) {
        self.codes = codes
        self.carriesTimestamps = carriesTimestamps
        self.catalogsWritten = catalogsWritten
        self.relayServes = relayServes
        self.certificate = certificate
    }
}

/// A track by the paths of a scenario.
public struct TrackKey: Hashable, Sendable {
    /// The broadcast.
    public var broadcast: String
    /// The name of the track.
    public var track: String

    /// A key of its parts.
    public init(broadcast: String, track: String) {
        self.broadcast = broadcast
        self.track = track
    }
}

extension ExpectationTree {
    /// Whether an order is asked for.
    public var asksForOrder: Bool {
        switch self {
        case .one: false
        case .all(let nodes), .any(let nodes): nodes.contains(where: \.asksForOrder)
        case .inOrder: true
        }
    }

    /// Whether another one looks for the same, wherever it is written.
    func looksForTheSame(as other: ExpectationTree) -> Bool {
        switch (self, other) {
        case (.one(let left), .one(let right)): left.kind == right.kind && left.occurrences == right.occurrences
        default: self == other
        }
    }
}
