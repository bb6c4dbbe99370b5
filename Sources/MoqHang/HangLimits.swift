/// What bounds this room's memory, each with its reason.
public enum HangLimits {
    /// The longest document that is read as JSON, in bytes: a catalog of a thousand renditions has a tenth of it.
    public static let documentBytes = 8 << 20
    /// How long a frame may become when it is inflated, in bytes: what the original stack allows (64 MiB).
    public static let inflatedBytes = 64 << 20
    /// The most samples of one fragment: ten minutes of video at 100 frames a second, and enough to stop a count that
    /// is none. A sample of no bytes costs the sender nothing.
    public static let samplesPerFragment = 1 << 16
    /// The most frames of one group with deltas (the original writer begins a new group at this number).
    public static let framesPerDeltaGroup = 256
    /// How many records of a timeline are kept: a day at one a second.
    public static let timelineRecords = 86_400
}
