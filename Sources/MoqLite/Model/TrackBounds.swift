import MoqWire

/// How much of one track may be kept.
public struct TrackBounds: Hashable, Sendable {
    /// Bytes of one group; older frames leave first. 32 MiB is what the original stack keeps.
    public var groupBytes = 32 << 20
    /// Bytes of all groups together: room for two full groups and the rest of the live edge.
    public var trackBytes = 96 << 20
    /// Groups, whatever their size: an hour-long retention of tiny groups must not fill the memory.
    public var groups = 4096
    /// The longest retention that a track's own `maxAge` can ask for.
    public var longestRetention = Duration.seconds(600)

    /// The defaults.
    public init() {}
}

/// Bytes that many stores hold together.
public final class CacheBudget {
    /// What all of them may hold.
    public let limit: Int
    /// What all of them hold.
    public internal(set) var used = 0

    /// A budget of which nothing is used.
    public init(limit: Int) {
        self.limit = limit
    }
}

/// Why a store did not take a group.
public enum TrackStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The group is there already.
    case duplicateGroup(UInt64)
    /// The track was declared to end at or before it.
    case pastEnd(sequence: UInt64, end: UInt64)
    /// The track is over.
    case trackEnded

    public var description: String {
        switch self {
        case .duplicateGroup(let sequence): "group \(sequence) is there already"
        case .pastEnd(let sequence, let end): "group \(sequence) lies past the end of the track, which is \(end)"
        case .trackEnded: "the track is over"
        }
    }
}

extension TrackInfo {
    /// `maxAge` as a duration; what stands for "no limit" is longer than any bound.
    var retention: Duration { .milliseconds(Int64(clamping: min(maxAge, WireLimits.unlimitedAge))) }
}
