import MoqBase
import MoqLite
import MoqWire

/// What the relay has running with one publisher for one track: the question for its properties, or the subscription.
final class Upstream {
    enum Stage {
        /// TRACK was sent and is not answered.
        case asking(TrackRequestID)
        /// SUBSCRIBE was sent.
        case subscribed(SubscriptionID)
        /// Nothing is running yet, or any more.
        case idle
    }

    let source: AnnouncedSource
    unowned let track: RelayTrack
    var stage = Stage.idle
    /// Whether the publisher agreed, as far as its version says.
    var isAccepted = false
    /// Whether a group has come since it was asked: then a failure is not the publisher's last word.
    var hasDelivered = false
    /// What was last asked for.
    var sent = SubscribeOptions()
    /// The groups that it is sending.
    var groups: [IncomingGroupID: CachedGroup] = [:]
    /// When the present wait is over.
    var deadline: Instant?

    init(source: AnnouncedSource, track: RelayTrack) {
        self.source = source
        self.track = track
    }

    var session: RelaySession { source.session }
    var version: Version { source.session.version }

    /// Ends whatever runs and forgets where events for it would go. The groups stay with the caller.
    func leave() {
        switch stage {
        case .asking(let id):
            session.asking[id] = nil
            session.lite.cancelTrack(id)
        case .subscribed(let id):
            session.upstreams[id] = nil
            for group in groups.keys { session.groups[group] = nil }
            session.lite.unsubscribe(id, .finish)
        case .idle:
            break
        }
        stage = .idle
        deadline = nil
    }
}
