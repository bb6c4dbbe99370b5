import MoqWire

// What a publishing actor asks of its feeds.
extension SessionFeeds {
    /// Whether something that was written waits for the peer: for room in a group, or for a stream.
    public var isBacklogged: Bool {
        subscriptions.values.contains { !$0.blocked.isEmpty || !$0.pending.isEmpty || $0.awaitsStream }
    }

    /// Which group of which track an outgoing group stream carries; nil once it is over.
    public func place(of id: OutgoingGroupID) -> (store: TrackStore, group: UInt64)? {
        guard let feed = registry.feeds[id], let group = feed.sending[id] ?? feed.undelivered[id] else { return nil }
        return (feed.store, group.group.sequence)
    }

    /// The streams that carry a group of a track at present, one for each subscription, in their order.
    public func streams(of store: TrackStore, group sequence: UInt64) -> [OutgoingGroupID] {
        registry.feeds.keys.sorted().filter { id in
            guard let feed = registry.feeds[id], feed.store === store else { return false }
            return feed.sending[id]?.group.sequence == sequence
        }
    }
}
