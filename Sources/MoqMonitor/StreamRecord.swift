import MoqBase
import MoqTransport
import MoqWire

/// How one direction of a stream ended.
enum HalfEnd {
    case finished
    /// Reset by whom it belongs to.
    case reset
    /// The client does not want to read it any more: nothing of it is seen.
    case unwatched
}

/// One direction of a stream.
struct HalfRecord {
    var tap = MessageTap()
    var end: HalfEnd?
    /// Whether it holds something that cannot be read: what follows is passed over.
    var isUnreadable = false
}

/// What a stream is for.
enum StreamPurpose {
    /// Its type has not been read.
    case unknown
    /// It is not followed any further.
    case ignored
    /// The exchange of 01 and 02.
    case exchange(ExchangeRecord)
    /// The relay's SETUP; whether the message has been read.
    case setup(isRead: Bool)
    /// The client's SETUP.
    case clientSetup
    /// A group of the relay whose header has not been read.
    case groupHeader
    /// A group of the relay.
    case group(GroupRecord)
    /// A request whose type has been read, and not the message behind it.
    case pending(BidirectionalStreamType)
    /// A client's stream that the relay can only refuse; whether its type is what is wrong.
    case refused(isUnknownType: Bool)

    // What the client asked.
    case watch(AnnounceView)
    case subscription(SubscriptionRecord)
    case fetch(GroupRecord)
    case properties(TrackID, isAnswered: Bool)
    case probe(ProbeRecord)
    case clientGoaway
    /// A group of the client whose header has not been read.
    case clientGroupHeader
    /// A group of the client.
    case clientGroup(ClientGroup)

    // What the relay asked.
    case relayWatch(ClientRoutes)
    case relaySubscription(TrackID)
    case relayProperties(TrackRequest)
    /// Nil where the frames of the client are not followed.
    case relayFetch(ClientGroup?)
    case relayProbe
    case relayGoaway
}

/// A stream of the session.
final class StreamRecord {
    let id: StreamID
    let opener: MonitorSide
    var purpose = StreamPurpose.unknown
    var relay = HalfRecord()
    var client = HalfRecord()
    /// Whether something of the relay has arrived that the client has not read.
    var hasUnread = false

    init(id: StreamID, opener: MonitorSide) {
        self.id = id
        self.opener = opener
        // A direction that does not exist is over.
        if id.direction == .unidirectional {
            if opener == .relay { client.end = .finished } else { relay.end = .finished }
        }
    }

    var isOver: Bool { relay.end != nil && client.end != nil }
}

/// The exchange of 01 and 02.
final class ExchangeRecord {
    /// What the client offered, once read.
    var offered: [UInt64]?
    /// Whether SERVER_SETUP was read.
    var isAnswered = false
}

/// What was reported on a probe.
final class ProbeRecord {
    var first: Instant?
    var count = 0
    /// Whether too quick a pace was told of.
    var isTold = false
}

/// A group on its way to the client, live or fetched.
final class GroupRecord {
    /// Nil for a fetched one.
    let key: GroupKey?
    /// Which group it is; nil when that is not known.
    let id: GroupID?
    var scanner: FrameScanner
    /// The index within the group of the first frame of the stream.
    let firstFrame: UInt64
    /// The last frame that may come, if there is one.
    let lastFrame: UInt64?
    /// What was published of it, once looked up.
    var published: PublishedGroups?
    /// How many frames were what was published, and how many had its timestamps.
    var matched = 0
    var timed = 0
    /// Whether a frame was something else: nothing more is said of the group then.
    var isWrong = false

    init(key: GroupKey?, id: GroupID?, scanner: FrameScanner, firstFrame: UInt64, lastFrame: UInt64?) {
        self.key = key
        self.id = id
        self.scanner = scanner
        self.firstFrame = firstFrame
        self.lastFrame = lastFrame
    }

    var isFetched: Bool { key == nil }
}

/// A group on its way from the client, live or fetched.
final class ClientGroup {
    let id: GroupID
    var scanner: FrameScanner
    let published: PublishedGroup

    init(id: GroupID, scanner: FrameScanner, published: PublishedGroup) {
        self.id = id
        self.scanner = scanner
        self.published = published
    }
}

/// What the client announces on one stream.
final class ClientRoutes {
    let prefix: BroadcastPath
    /// Whether the header of the answer was read.
    var isAnswered = false
    /// The client's hop as its answer names it.
    var hop: UInt64 = 0
    private var nextID: UInt64 = 0
    private var byID: [UInt64: BroadcastPath] = [:]
    private var paths: Set<BroadcastPath> = []

    init(prefix: BroadcastPath) { self.prefix = prefix }

    /// What is announced now, in order.
    var live: [BroadcastPath] { paths.sorted() }

    /// Whether the path was not announced there before.
    func begin(_ path: BroadcastPath) -> Bool {
        byID[nextID] = path
        nextID += 1
        return paths.insert(path).inserted
    }

    /// Whether the path was announced there.
    func end(_ path: BroadcastPath) -> Bool { paths.remove(path) != nil }

    /// The path of an announcement that is ended.
    func end(id: UInt64) -> BroadcastPath? { byID.removeValue(forKey: id) }
}
