import MoqBase
import MoqWire

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
    /// In which other way than by a code of the session; nil for one that has no number and no name.
    public var way: Way?

    /// Ways to end that are no close with a code of the session.
    public enum Way: Hashable, Sendable {
        /// An HTTP status.
        case status(Int)
        /// The protocol names have nothing in common.
        case noProtocol
        /// A code of the transport's own.
        case transport(UInt64)
    }

    /// What a refusal means that has no code: relays of the original stack refuse over WebSocket with an HTTP status what
    /// they close elsewhere with the session's code 6 or 2, and 401 and 403 both say it.
    public var condition: ErrorCondition? {
        if case .status(let status)? = way, status == 401 || status == 403 { .unauthorized } else { nil }
    }

    /// A close of its parts.
    public init(code: UInt64?, byPeer: Bool, text: String, way: Way? = nil) {
        self.code = code
        self.byPeer = byPeer
        self.text = text
        self.way = way
    }
}

/// What a session agreed on when it came up.
public struct RecordedAgreement: Hashable, Sendable {
    /// The version, by its whole name.
    public var version: String
    /// The protocol name; nil for a binding that agreed on none.
    public var protocolName: String?
    /// The transport.
    public var transport: String

    /// An agreement of its parts.
    public init(version: String, protocolName: String?, transport: String) {
        self.version = version
        self.protocolName = protocolName
        self.transport = transport
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
    /// The path of the broadcast.
    public var path: String
    /// Whether it is live; false when it ended.
    public var isActive: Bool
    /// Whether it replaced a live announcement.
    public var isUpdate: Bool
    /// Hop ids (03: zeros, only their number counts).
    public var hops: [UInt64]
    /// The warm cost (06).
    public var cost: UInt64?
    /// The prefix of the announce request that it answers.
    public var prefix: String

    /// A change of its parts.
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
    /// The sequence number.
    public var sequence: UInt64
    /// The index of the first frame that was sent (06; else 0).
    public var firstFrame: Int
    /// Bytes of each frame, in order.
    public var sizes: [Int] = []
    /// The timestamp of each frame, in the track's timescale; empty where the version has none.
    public var timestamps: [UInt64] = []
    /// The sources of the frames, as the ledger names them.
    public var sources: Set<UInt64> = []
    /// How it ended; nil while it is open.
    public var end: RecordedEnd?
    /// The newest payload that an author wrote out (a catalog, say), where there was one.
    public var literal: [UInt8]?

    /// A group of which nothing but its header arrived.
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
    /// The names of the audio renditions.
    public var audio: [String]

    /// A catalog of its parts.
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
    /// The head of the HTTP/3 message on it, once it is there: names with their values.
    public var headers: [[String]]?

    /// A stream on which nothing happened.
    public init() {}
}

/// One subscription as its subscriber sees it.
public struct SubscriptionRecord: Hashable, Sendable {
    /// Its name in the scenario.
    public var label: String
    /// The path of the broadcast, relative to the case.
    public var broadcast: String
    /// The name of the track.
    public var track: String
    /// Whether SUBSCRIBE_OK (01 to 04) or SUBSCRIBE_START (05 on) has come.
    public var isAccepted = false
    /// The first group as the publisher announced it (05 on).
    public var startGroup: UInt64?
    /// The first group that will not exist, as the publisher announced it (05 on).
    public var endGroup: UInt64?
    /// The ranges of groups that will not come, as the publisher told them.
    public var lost: [ClosedRange<UInt64>] = []
    /// In order of arrival.
    public var groups: [GroupRecord] = []
    /// The sequence number of each datagram.
    public var datagrams: [UInt64] = []
    /// In order of arrival.
    public var catalogs: [CatalogRecord] = []
    /// How it ended; nil while it is open.
    public var end: RecordedEnd?

    /// A subscription that was just asked for.
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
    /// What was asked for.
    public var kind: RecordedRequestKind
    /// The path of the broadcast, relative to the case.
    public var broadcast: String
    /// The name of the track.
    public var track: String
    /// The priority, 255 the most urgent; nil where the message has none.
    public var priority: UInt8?
    /// Whether groups are wanted in order; nil where the version does not say.
    public var isOrdered: Bool?
    /// Milliseconds.
    public var maxAge: UInt64?
    /// The first group that is wanted, if one is named.
    public var startGroup: UInt64?
    /// The last group that is wanted, if one is named.
    public var endGroup: UInt64?
    /// The group that is fetched.
    public var group: UInt64?
    /// SUBSCRIBE_UPDATEs that followed.
    public var updates = 0
    /// How it ended; nil while it is open.
    public var end: RecordedEnd?

    /// A request of its parts; what else it said is set afterwards.
    public init(kind: RecordedRequestKind, broadcast: String, track: String) {
        self.kind = kind
        self.broadcast = broadcast
        self.track = track
    }
}

/// One FETCH as its requester sees it.
public struct FetchRecord: Hashable, Sendable {
    /// Its name in the scenario.
    public var label: String
    /// The path of the broadcast, relative to the case.
    public var broadcast: String
    /// The name of the track.
    public var track: String
    /// The sequence number of the group.
    public var group: UInt64
    /// Bytes of each frame, in order.
    public var sizes: [Int] = []
    /// The newest payload that an author wrote out.
    public var literal: [UInt8]?
    /// How it ended; nil while it is open.
    public var end: RecordedEnd?

    /// A fetch that was just asked for.
    public init(label: String, broadcast: String, track: String, group: UInt64) {
        self.label = label
        self.broadcast = broadcast
        self.track = track
        self.group = group
    }
}

/// One TRACK request as its requester sees it.
public struct TrackInfoRecord: Hashable, Sendable {
    /// The path of the broadcast, relative to the case.
    public var broadcast: String
    /// The name of the track.
    public var track: String
    /// The publisher's priority, 255 the most urgent; nil until answered.
    public var priority: UInt8?
    /// Milliseconds.
    public var maxAge: UInt64?
    /// Units a second of the timestamps; nil until answered.
    public var timescale: UInt64?
    /// Whether groups are sent in order; nil where the version does not say.
    public var isOrdered: Bool?
    /// How it ended; nil while it is open.
    public var end: RecordedEnd?

    /// A question that was just asked.
    public init(broadcast: String, track: String) {
        self.broadcast = broadcast
        self.track = track
    }
}

/// A group stream of a publisher that its reader asked to stop.
public struct StoppedGroupRecord: Hashable, Sendable {
    /// The path of the broadcast, relative to the case.
    public var broadcast: String
    /// The name of the track.
    public var track: String
    /// The sequence number of the group.
    public var group: UInt64
    /// The code, as an end of the reader's making.
    public var end: RecordedEnd

    /// A stop of its parts.
    public init(broadcast: String, track: String, group: UInt64, end: RecordedEnd) {
        self.broadcast = broadcast
        self.track = track
        self.group = group
        self.end = end
    }
}

/// All that one session actor has seen so far.
public struct SessionRecord: Sendable {
    /// Where it stands.
    public var state: RecordedState = .idle
    /// How often the session came up.
    public var connections = 0
    /// Whether the present attempt to connect came up.
    public var wasEstablished = false
    /// Every change of what is announced, in order of arrival.
    public var announcements: [AnnouncementRecord] = []
    /// What is announced now, in order of arrival.
    public var active: [String] = []
    /// Its subscriptions, in the order in which it made them.
    public var subscriptions: [SubscriptionRecord] = []
    /// Requests that reached it as a publisher, in order of arrival.
    public var requests: [RequestRecord] = []
    /// Its fetches, in the order in which it made them.
    public var fetches: [FetchRecord] = []
    /// Its questions for track properties, in the order in which it asked.
    public var trackInfos: [TrackInfoRecord] = []
    /// Groups that their readers asked to stop, in order.
    public var stoppedGroups: [StoppedGroupRecord] = []
    /// The URI of each GOAWAY received.
    public var goaways: [String] = []
    /// Bitrate and round trip in milliseconds of each PROBE received.
    public var probes: [(bitrate: UInt64, roundTrip: UInt64?)] = []
    /// The streams that the scenario opened by hand, by label.
    public var rawStreams: [String: RawStreamRecord] = [:]
    /// What the newest session agreed on, once it was up.
    public var agreement: RecordedAgreement?
    /// What the application behind it has seen, where it is a client kit.
    public var client: ClientRecord?
    /// What was seen of it, where it is an outside program.
    public var program: ProgramRecord?

    /// A session that was never connected.
    public init() {}
}
