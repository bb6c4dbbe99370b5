import MoqBase
import MoqLite
import MoqScenario
import MoqWire

/// What a publishing actor does with requests for a track.
enum RequestPolicy: Hashable {
    /// Requests are answered and served.
    case serve
    /// Requests wait for a step that answers them.
    case hold
    /// Requests are refused with this number.
    case refuse(UInt64)
}

/// A track as a publishing actor keeps it.
final class PublishedTrack {
    let broadcast: String
    let name: String
    let store: TrackStore
    /// What becomes of requests.
    var policy = RequestPolicy.serve
    /// The group that a write without numbers begins with.
    var nextGroup: UInt64 = 0
    /// The groups that are not finished yet.
    var open: [UInt64: CachedGroup] = [:]
    /// The number that the ledger gave to this incarnation of the actor.
    let source: UInt64
    private var lastTimestamp: UInt64?

    init(broadcast: String, name: String, info: TrackInfo, source: UInt64) {
        self.broadcast = broadcast
        self.name = name
        self.source = source
        store = TrackStore(info: info)
    }

    /// Whether a group has been written.
    var hasWritten: Bool { store.latest != nil }

    /// Whether the track has ended, so that the model takes no further group.
    var isOver: Bool { store.ending != .live }

    /// The timestamp of the next frame: what the scenario says, or the time since the case began in the track's
    /// timescale, made to grow with every frame.
    func nextTimestamp(explicit: UInt64?, elapsed: Duration) -> UInt64 {
        let clock = UInt64(max(0, elapsed.inSeconds * Double(store.info.timescale)))
        let value = explicit ?? lastTimestamp.map { max($0 + 1, clock) } ?? clock
        lastTimestamp = value
        return value
    }
}

extension TrackInfo {
    /// How long a publishing actor keeps old groups unless the scenario says otherwise: long enough that no group of
    /// a scenario expires by itself.
    static let retentionOfActors: UInt64 = 10_000

    /// The properties of a track as its scenario gives them; without any, timestamps are in milliseconds.
    init(_ definition: TrackDefinition?) {
        self.init(
            priority: definition?.priority ?? 0, ordered: definition?.ordered ?? false,
            maxAge: definition?.maxAge.map { UInt64(clamping: $0.wholeNanoseconds / 1_000_000) }
                ?? Self.retentionOfActors,
            timescale: definition?.timescale ?? 1000)
    }
}

/// A broadcast as a publishing actor keeps it.
final class PublishedBroadcast {
    let name: String
    let path: BroadcastPath
    var hops: HopList
    var cost: RouteCost
    var tracks: [PublishedTrack]
    /// Whether it is announced, or would be if somebody asked.
    var isAnnounced = true

    init(name: String, path: BroadcastPath, hops: HopList, cost: RouteCost, tracks: [PublishedTrack]) {
        self.name = name
        self.path = path
        self.hops = hops
        self.cost = cost
        self.tracks = tracks
    }

    /// The announcement of it.
    var announced: Announced { Announced(path: path, hops: hops, cost: cost) }

    /// The track with a name.
    func track(named name: String) -> PublishedTrack? {
        tracks.first { $0.name == name }
    }
}

/// A request of the relay that waits for a step to answer it.
enum PendingRequest {
    case subscribe(IncomingSubscriptionID, Subscribe)
    case track(IncomingTrackID)
    case fetch(IncomingFetchID, Fetch)

    /// What kind of request a scenario calls it.
    var kind: MoqScenario.RequestKind {
        switch self {
        case .subscribe: .subscribe
        case .track: .trackInfo
        case .fetch: .fetch
        }
    }
}
