import MoqBase
import MoqKit
import MoqPlayback
import MoqTransport

/// Something that is seen while watching.
public struct WatchEvent: Hashable, Sendable {
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
        /// A broadcast was found.
        case found(path: String)
        /// A broadcast is not announced any more.
        case gone(path: String)
        /// A catalog came, and it is not the one before.
        case catalog(path: String, [Rendition])
        /// The catalog track ended, and with it the broadcast is offline; the text is its error, if any.
        case offline(path: String, error: String?)
        /// An object of the kit is in another state.
        case state(object: String, machine: String, state: String)
        /// The player tells something.
        case player(ModelEvent)
        /// Figures, about once a second.
        case statistics(WatchFigures)
        /// A frame did not decode, or could not be taken apart: the first of its rendition and cause.
        case undecoded(DecodeFault)
        /// Something is wrong that watching goes on with.
        case problem(String)
        /// It is over.
        case ended(WatchOutcome)
    }
}

/// How watching ended.
public struct WatchOutcome: Hashable, Sendable {
    /// Why.
    public enum Reason: Hashable, Sendable {
        /// The broadcast ended, and all of it was played.
        case ended
        /// Its time was over, or the owner ended it.
        case stopped
        /// Nothing began to play in time.
        case nothingPlayed(String)
        /// What came cannot be played: the sentence says why.
        case unplayable(String)
        /// The session is over.
        case sessionLost(String)
    }

    /// Why.
    public var reason: Reason
    /// Whether something was played.
    public var hasPlayed: Bool
    /// Frames that did not decode.
    public var faults: Int

    /// An outcome of its parts.
    public init(reason: Reason, hasPlayed: Bool, faults: Int) {
        self.reason = reason
        self.hasPlayed = hasPlayed
        self.faults = faults
    }
}

/// The figures of a player and its decoders.
public struct WatchFigures: Hashable, Sendable {
    /// What the kit shows.
    public var statistics = PlayerStatistics()
    /// Frames that came, of all tracks.
    public var frames = 0
    /// Their bytes.
    public var bytes = 0
    /// Frames that decoded.
    public var decoded = 0
    /// Frames that did not.
    public var faults = 0
    /// Why they did not, and what could not be taken apart: by rendition and cause.
    public var reasons: [DecodeFault] = []
    /// Frames in the file, where one is written.
    public var recorded = 0

    /// Nothing has come.
    public init() {}
}
