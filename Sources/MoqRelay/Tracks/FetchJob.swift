import MoqBase
import MoqLite
import MoqTransport
import MoqWire

/// One fetch that runs upstream, for all who asked for the same.
final class FetchJob {
    /// What is fetched.
    struct Key: Hashable, Comparable {
        var group: UInt64
        var frameStart: UInt64
        var frameEnd: UInt64?

        static func < (left: Key, right: Key) -> Bool {
            (left.group, left.frameStart, left.frameEnd ?? .max) < (
                right.group, right.frameStart, right.frameEnd ?? .max
            )
        }
    }

    let key: Key
    unowned let track: RelayTrack
    let session: RelaySession
    let id: FetchID
    /// Where the frames gather; those who asked read from it.
    let group: CachedGroup
    /// How many read from it.
    var readerCount = 0
    private let window: Int

    init(
        key: Key, track: RelayTrack, session: RelaySession, id: FetchID, firstIndex: Int, window: Int,
        at now: Instant
    ) {
        self.key = key
        self.track = track
        self.session = session
        self.id = id
        self.window = window
        group = CachedGroup(sequence: key.group, firstIndex: firstIndex, at: now)
    }

    func received(_ frame: Frame, at now: Instant) {
        group.append(frame, window: window, at: now)
    }

    /// The publisher finished, refused or cut the answer.
    func ended(_ end: StreamEnd, at now: Instant) {
        if end == .finished {
            group.finish(at: now)
        } else {
            group.abort(RelayPolicy.passedOn(end, track.generation))
        }
    }

    func abort(_ code: StreamCode) {
        session.upstreamFetches[id] = nil
        session.lite.cancelFetch(id)
        group.abort(code)
    }
}
