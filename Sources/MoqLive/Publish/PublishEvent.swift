import MoqBase
import MoqTransport

/// Something that a publisher has to tell.
public struct PublishEvent: Hashable, Sendable {
    /// When.
    public var at: Instant
    /// What.
    public var kind: Kind

    /// An event of its parts.
    public init(at: Instant, kind: Kind) {
        self.at = at
        self.kind = kind
    }

    /// What it is.
    public enum Kind: Hashable, Sendable {
        /// The relay may announce the broadcast from now on.
        case announced(path: String)
        /// Somebody asks for a track, through the relay.
        case asked(track: String)
        /// Nobody does any more.
        case left(track: String)
        /// The first packet goes out.
        case began
        /// The file begins anew.
        case lap(Int)
        /// A packet could not be sent; it is left out.
        case problem(String)
        /// The tracks are finished.
        case finished(packets: Int)
        /// The session is over, by whomever.
        case closed(SessionClose)
    }
}

/// How far a publisher has come.
public struct PublishFigures: Hashable, Sendable {
    /// Packets that went out.
    public var packets = 0
    /// Their bytes.
    public var bytes = 0
    /// How far the media is, in microseconds; over all laps.
    public var position: Int64 = 0
    /// How often the end of the file was passed.
    public var laps = 0
    /// Subscriptions of media tracks that the relay has.
    public var subscriptions = 0
    /// The longest time by which a packet was late.
    public var latest = Duration.zero

    /// Nothing has happened.
    public init() {}
}
