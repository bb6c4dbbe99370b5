import MoqBase

/// Something that a player's pipeline did.
public struct DiagnosticEvent: Hashable, Sendable {
    /// Its name, such as `frameDropped`.
    public var name: String
    /// The rendition and its kind.
    public var track: String
    public var kind: TrackKind
    /// When, by the monotonic clock.
    public var at: Instant
    /// What else it says.
    public var fields: [ModelEvent.Field]
}

/// The newest of what the pipeline did. Who reads slowly loses the oldest, and never holds playback up.
public struct DiagnosticLog: Sendable {
    /// How many are held.
    public static let capacity = 256

    /// The newest, oldest first.
    public private(set) var held: [DiagnosticEvent] = []
    /// How many there were in all, by name.
    public private(set) var total = 0
    /// Everything that a scenario may count: each different event once, with how often it came.
    public private(set) var counts: [(name: String, fields: [ModelEvent.Field], count: Int)] = []

    /// An empty log.
    public init() {}

    mutating func note(_ event: DiagnosticEvent, isBounded: Bool = true) {
        total += 1
        if isBounded, held.count == Self.capacity { held.removeFirst() }
        held.append(event)
        // Times, sizes and depths differ every time; what is counted is what happened.
        let words =
            [ModelEvent.Field("kind", event.kind.rawValue)] + event.fields.filter { Self.words.contains($0.name) }
        if let index = counts.firstIndex(where: { $0.name == event.name && $0.fields == words }) {
            counts[index].count += 1
        } else {
            counts.append((event.name, words, 1))
        }
    }

    private static let words = ["stage", "reason", "cause", "phase", "action", "error"]
}
