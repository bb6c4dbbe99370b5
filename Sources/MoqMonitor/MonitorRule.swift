/// Which description of the protocol a relay is held to where the two differ.
public enum MonitorProfile: String, CaseIterable, Hashable, Sendable {
    /// The text of the draft.
    case draft
    /// What the newest release of the reference relay does.
    case deployed
}

/// Which end of a session said something.
public enum MonitorSide: String, Hashable, Sendable {
    /// The client, whose words are context.
    case client
    /// The relay, whose words are judged.
    case relay
}

/// Something that a relay never does, or always does in time.
public struct MonitorRule: Hashable, Sendable, CustomStringConvertible {
    /// How binding a rule is.
    public enum Level: String, Hashable, Sendable {
        /// Peers break without it, or the draft demands it.
        case must
        /// The draft asks for it.
        case should
        /// Running code does it, and nobody demands it.
        case observed
    }

    /// `area.name`, as in the registry of requirements.
    public let id: String
    /// One sentence that can hold or be broken.
    public let sentence: String
    /// How binding it is.
    public let level: Level
    /// The profile it belongs to; nil for both.
    public let profile: MonitorProfile?

    init(_ id: String, _ sentence: String) { self.init(id, .must, sentence) }

    init(_ id: String, _ level: Level, profile: MonitorProfile? = nil, _ sentence: String) {
        self.id = id
        self.level = level
        self.profile = profile
        self.sentence = sentence
    }

    public var description: String { id }
}
