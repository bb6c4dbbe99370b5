import MoqBase
import MoqTransport
import MoqWire

@testable import MoqLite

/// A store, a recording session and one feed between them.
final class FeedBench {
    let store: TrackStore
    let outlet: RecordingOutlet
    var now = instant(0)
    private(set) var feed: SubscriptionFeed!

    init(_ version: Version = .lite05, maxAge: UInt64 = 5000, bounds: TrackBounds = TrackBounds()) {
        store = TrackStore(info: TrackInfo(maxAge: maxAge), bounds: bounds)
        outlet = RecordingOutlet(version)
    }

    @discardableResult
    func join(
        _ options: SubscribeOptions = SubscribeOptions(), generation: CodeGeneration = .first,
        backlog: SessionBacklog? = nil
    ) -> FeedBench {
        feed = SubscriptionFeed(
            outlet: outlet, subscription: IncomingSubscriptionID(stream: StreamID(rawValue: 0)), options: options,
            store: store, generation: generation, backlog: backlog, at: now)
        feed.accept()
        feed.pump(at: now)
        return self
    }

    @discardableResult
    func open(_ sequence: UInt64, _ frames: [String] = [], finished: Bool = true) throws -> CachedGroup {
        let group = try store.openGroup(sequence, at: now)
        for text in frames { store.append(frame(text), to: group, at: now) }
        if finished { store.finishGroup(group, at: now) }
        return group
    }

    func pump() {
        feed.pump(at: now)
    }

    func deliver(_ sequence: UInt64) {
        if let id = outlet.id(of: sequence) { feed.groupDelivered(id) }
    }
}
