/// The bounds on what is taken from a peer, each with its reason.
public enum WireLimits {
    /// The largest control message, in bytes. The protocol sets no limit; the largest honest one is an announcement
    /// with a long path and 32 hops, well below 16 KiB. Four times that is room enough, and cheap to hold.
    public static let messageBytes = 65_536
    /// The largest SETUP, in bytes: a request path with a long token fits, and it comes before the peer is trusted.
    public static let setupBytes = 16_384
    /// The largest frame, in bytes: 32 MiB, as the original stack has it since June 2026.
    public static let frameBytes = 33_554_432
    /// The most parts of a path (draft and implementations).
    public static let pathParts = 32
    /// The most entries of a hop list (draft and implementations).
    public static let hops = 32
    /// The most parameters of a SETUP (both known implementations).
    public static let setupParameters = 64
    /// The most versions of a CLIENT_SETUP: a dozen exist.
    public static let exchangeVersions = 64
    /// The largest ANNOUNCE_INIT, in bytes: it lists everything at once, and a relay of ten thousand broadcasts with
    /// paths of a hundred bytes must be able to.
    public static let announceInitBytes = 1 << 20
    /// The longest URI in GOAWAY, in bytes (original stack).
    public static let goawayURIBytes = 8192
    /// The largest datagram body that every implementation takes, in bytes (draft).
    public static let datagramBytes = 1200
    /// Hop ids stay below this: old clients read them as doubles.
    public static let hopIDCeiling: UInt64 = 1 << 53
    /// The age in milliseconds that stands for "no limit" in TRACK_INFO (newer original code, on 05 and 06).
    public static let unlimitedAge: UInt64 = (1 << 53) - 1
}
