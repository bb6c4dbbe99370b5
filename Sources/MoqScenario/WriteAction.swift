/// Which groups are written.
public enum GroupSelection: Equatable, Sendable {
    /// So many, counting on from the last one written on that track (the first is 0).
    case next(Int)
    /// These, in this order.
    case numbers([UInt64])
}

/// The frames of every group written.
public enum FrameSizes: Equatable, Sendable {
    /// So many of one size in bytes.
    case uniform(count: Int, size: Int)
    /// One frame of each size in bytes.
    case each([Int])
}

/// How fast frames are written.
public enum Pace: Equatable, Sendable {
    /// As fast as the transport takes them.
    case asFastAsPossible
    /// One every so often.
    case every(Duration)
}

/// What frames say their time is, in units of the track's timescale.
public struct Timestamps: Equatable, Sendable {
    /// The first frame's.
    public var start: UInt64
    /// Added for each further frame.
    public var step: UInt64
}

/// Writes frames.
public struct WriteAction: Equatable, Sendable {
    /// The track.
    public var target: TrackReference
    /// The groups. A group that is open already gets more frames.
    public var groups: GroupSelection
    /// The frames of each group.
    public var frames: FrameSizes
    /// The payload of every frame, instead of one that tells its case, track, group and number.
    public var content: String?
    /// How fast.
    public var pace: Pace
    /// Whether each group is finished after its frames.
    public var finish: Bool
    /// The timestamps of the frames; nil leaves them to the engine.
    public var timestamps: Timestamps?
    /// Whether it goes to requests that wait for an answer, and to no others.
    public var isUnanswered = false
}

/// Writes datagrams.
public struct DatagramAction: Equatable, Sendable {
    /// The track.
    public var target: TrackReference
    /// The number of the first group; nil to count on.
    public var group: UInt64?
    /// How many datagrams, a group each.
    public var count: Int
    /// Payload bytes of each.
    public var size: Int
    /// The time between two.
    public var pace: Pace
    /// The timestamps; nil leaves them to the engine.
    public var timestamps: Timestamps?
}

/// Changes a catalog and writes it.
public struct CatalogAction: Equatable, Sendable {
    /// The catalog's track.
    public var target: TrackReference
    /// What changes, in this order.
    public var changes: [CatalogChange]
}
