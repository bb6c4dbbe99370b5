import MoqBase

/// How a stream, or what it carried, came to its end.
public enum RecordedEnd: Hashable, Sendable, CustomStringConvertible {
    /// Finished by its sender.
    case finished
    /// Reset by the peer with a code of moq-lite's stream space.
    case reset(code: UInt64)
    /// Reset by the peer with a number outside the mapping of codes.
    case resetUnmapped(raw: UInt64)
    /// The session ended first.
    case sessionClosed
    /// We ended it ourselves.
    case local
    /// The stream finished inside a frame or carried what cannot be read.
    case malformed(String)

    public var description: String {
        switch self {
        case .finished: "finished"
        case .reset(let code): "reset with code \(code)"
        case .resetUnmapped(let raw): "reset with the unmapped number \(raw)"
        case .sessionClosed: "cut by the end of the session"
        case .local: "ended by this side"
        case .malformed(let what): "malformed (\(what))"
        }
    }
}

/// How a session ended, as a record.
public struct RecordedClose: Hashable, Sendable {
    /// The code of an application close, nil for every other end.
    public var code: UInt64?
    /// Whether the peer ended it.
    public var byPeer: Bool
    /// A sentence for people.
    public var text: String

    public init(code: UInt64?, byPeer: Bool, text: String) {
        self.code = code
        self.byPeer = byPeer
        self.text = text
    }
}

/// Where a session stands.
public enum RecordedState: Hashable, Sendable, CustomStringConvertible {
    case idle, connecting
    case connected(version: String)
    case closed(RecordedClose)
    /// The actor vanished: it neither sends nor receives.
    case vanished

    public var description: String {
        switch self {
        case .idle: "not connected"
        case .connecting: "connecting"
        case .connected(let version): "connected (\(version))"
        case .closed(let close): close.text
        case .vanished: "vanished"
        }
    }
}

/// One change of what is announced to a session. Paths are relative to the case.
public struct AnnouncementRecord: Hashable, Sendable {
    public var path: String
    public var isActive: Bool
    /// Whether it replaced a live announcement.
    public var isUpdate: Bool
    /// Hop ids (03: zeros, only their number counts).
    public var hops: [UInt64]
    /// The warm cost (06).
    public var cost: UInt64?
    /// The prefix of the announce request that it answers.
    public var prefix: String

    public init(path: String, isActive: Bool, isUpdate: Bool, hops: [UInt64], cost: UInt64? = nil, prefix: String) {
        self.path = path
        self.isActive = isActive
        self.isUpdate = isUpdate
        self.hops = hops
        self.cost = cost
        self.prefix = prefix
    }
}

/// One group as a subscriber received it.
public struct GroupRecord: Hashable, Sendable {
    public var sequence: UInt64
    public var firstFrame: Int
    public var sizes: [Int] = []
    public var timestamps: [UInt64] = []
    /// The sources of the frames, as the ledger names them.
    public var sources: Set<UInt64> = []
    public var end: RecordedEnd?
    /// The newest payload that an author wrote out (a catalog, say), where there was one.
    public var literal: [UInt8]?

    public init(sequence: UInt64, firstFrame: Int) {
        self.sequence = sequence
        self.firstFrame = firstFrame
    }

    /// Whether the group ended cleanly.
    public var isComplete: Bool { end == .finished }
}

/// One catalog as a subscriber received it.
public struct CatalogRecord: Hashable, Sendable {
    /// The group that carried it.
    public var group: UInt64
    /// Which of the catalogs written to the track it is, from 0.
    public var index: Int
    /// The names of the renditions.
    public var video: [String]
    public var audio: [String]

    public init(group: UInt64, index: Int, video: [String], audio: [String]) {
        self.group = group
        self.index = index
        self.video = video
        self.audio = audio
    }
}

/// A stream that a scenario opened by hand.
public struct RawStreamRecord: Hashable, Sendable {
    /// What the peer sent on it, up to a bound.
    public var received: [UInt8] = []
    /// How the peer's half ended.
    public var end: RecordedEnd?
    /// The code with which the peer asked to send nothing more.
    public var stopped: RecordedEnd?

    public init() {}
}

/// One subscription as its subscriber sees it.
public struct SubscriptionRecord: Hashable, Sendable {
    public var label: String
    public var broadcast: String
    public var track: String
    /// Whether SUBSCRIBE_OK (01 to 04) or SUBSCRIBE_START (05 on) has come.
    public var isAccepted = false
    /// The first group as the publisher announced it (05 on).
    public var startGroup: UInt64?
    /// The first group that will not exist, as the publisher announced it (05 on).
    public var endGroup: UInt64?
    /// In order of arrival.
    public var groups: [GroupRecord] = []
    /// The sequence number of each datagram.
    public var datagrams: [UInt64] = []
    /// In order of arrival.
    public var catalogs: [CatalogRecord] = []
    public var end: RecordedEnd?

    public init(label: String, broadcast: String, track: String) {
        self.label = label
        self.broadcast = broadcast
        self.track = track
    }
}

/// What kind of request reached a publisher.
public enum RecordedRequestKind: String, Hashable, Sendable {
    case subscribe, track, fetch
}

/// One request as its publisher sees it.
public struct RequestRecord: Hashable, Sendable {
    public var kind: RecordedRequestKind
    public var broadcast: String
    public var track: String
    public var priority: UInt8?
    public var isOrdered: Bool?
    /// Milliseconds.
    public var maxAge: UInt64?
    public var startGroup: UInt64?
    public var endGroup: UInt64?
    /// The group that is fetched.
    public var group: UInt64?
    /// SUBSCRIBE_UPDATEs that followed.
    public var updates = 0
    public var end: RecordedEnd?

    public init(kind: RecordedRequestKind, broadcast: String, track: String) {
        self.kind = kind
        self.broadcast = broadcast
        self.track = track
    }
}

/// One FETCH as its requester sees it.
public struct FetchRecord: Hashable, Sendable {
    public var label: String
    public var broadcast: String
    public var track: String
    public var group: UInt64
    public var sizes: [Int] = []
    /// The newest payload that an author wrote out.
    public var literal: [UInt8]?
    public var end: RecordedEnd?

    public init(label: String, broadcast: String, track: String, group: UInt64) {
        self.label = label
        self.broadcast = broadcast
        self.track = track
        self.group = group
    }
}

/// One TRACK request as its requester sees it.
public struct TrackInfoRecord: Hashable, Sendable {
    public var broadcast: String
    public var track: String
    public var priority: UInt8?
    /// Milliseconds.
    public var maxAge: UInt64?
    public var timescale: UInt64?
    public var isOrdered: Bool?
    public var end: RecordedEnd?

    public init(broadcast: String, track: String) {
        self.broadcast = broadcast
        self.track = track
    }
}

/// A group stream of a publisher that its reader asked to stop.
public struct StoppedGroupRecord: Hashable, Sendable {
    public var broadcast: String
    public var track: String
    public var group: UInt64
    /// The code, as an end of the reader's making.
    public var end: RecordedEnd

    public init(broadcast: String, track: String, group: UInt64, end: RecordedEnd) {
        self.broadcast = broadcast
        self.track = track
        self.group = group
        self.end = end
    }
}

/// All that one session actor has seen so far.
public struct SessionRecord: Sendable {
    public var state: RecordedState = .idle
    /// How often the session came up.
    public var connections = 0
    /// Whether the present attempt to connect came up.
    public var wasEstablished = false
    public var announcements: [AnnouncementRecord] = []
    /// What is announced now, in order of arrival.
    public var active: [String] = []
    public var subscriptions: [SubscriptionRecord] = []
    public var requests: [RequestRecord] = []
    public var fetches: [FetchRecord] = []
    public var trackInfos: [TrackInfoRecord] = []
    public var stoppedGroups: [StoppedGroupRecord] = []
    public var goaways: [String] = []
    /// Bitrate and round trip in milliseconds of each PROBE received.
    public var probes: [(bitrate: UInt64, roundTrip: UInt64?)] = []
    /// The streams that the scenario opened by hand, by label.
    public var rawStreams: [String: RawStreamRecord] = [:]

    public init() {}
}
