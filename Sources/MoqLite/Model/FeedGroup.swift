import MoqTransport
import MoqWire

/// One group on its way to one subscriber.
final class FeedGroup: GroupReader {
    let group: CachedGroup
    unowned let feed: SubscriptionFeed
    /// The stream, once there is one.
    var id: OutgoingGroupID?
    /// The index of the next frame to send.
    var next: Int
    /// The index of the last frame to send, if there is a bound.
    let last: Int?
    /// How much of the payload of the next frame went out already, and its head; nil when its head did not.
    var begun: (header: FrameHeader, sent: Int)?
    /// Stands in the feed's list of changed groups.
    var isTouched = false
    /// What it counts for in the session's backlog.
    var charged = 0

    init(_ group: CachedGroup, feed: SubscriptionFeed, first: Int, last: Int?) {
        self.group = group
        self.feed = feed
        self.last = last
        next = first
    }

    /// Whether there is something to put on a stream: a frame, or an end, or a failure behind frames.
    var isReady: Bool {
        switch group.read(next) {
        case .wait: false
        case .frame, .part, .end, .aborted, .removed, .lagged: true
        }
    }

    func groupChanged(_ group: CachedGroup) {
        feed.touch(self)
    }
}
