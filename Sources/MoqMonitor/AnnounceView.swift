import MoqBase
import MoqWire

/// What a relay has announced on one stream.
final class AnnounceView {
    /// A broadcast that is live.
    struct Route {
        var path: BroadcastPath
        var hops: HopList
    }

    let request: AnnounceRequest
    /// Whether the header of the answer was read; true where there is none.
    var isAnswered: Bool
    /// How many announcements are still to come before changes.
    var remaining: UInt64 = 0
    /// How many announcements the header counted.
    var counted: UInt64 = 0
    /// The relay's own hop as ANNOUNCE_OK names it.
    var relayHop: UInt64 = 0
    /// The id that the next START takes.
    var nextID: UInt64 = 0
    /// What is live by id, from 06 on.
    var byID: [UInt64: Route] = [:]
    /// What is live by suffix, with its id from 06 on.
    var byPath: [String: UInt64] = [:]

    /// When the relay last said something on the stream.
    var lastToldAt: Instant?
    /// When it was asked for.
    let madeAt: Instant

    init(_ request: AnnounceRequest, version: Version, madeAt: Instant = .origin) {
        self.request = request
        self.madeAt = madeAt
        isAnswered = !version.tellsActiveCount
    }

    /// Whether all that was live when the request came has been told.
    var isComplete: Bool { isAnswered && remaining == 0 }
}
