/// `Session`: connects once, then hands out subscriptions and takes publishers. It is never used again.
public final class SessionModel {
    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case idle, connecting, connected, error, closed
    }

    /// Its name in traces.
    public let name: String
    /// Where it stands.
    public private(set) var state = State.idle
    /// The text of the error that ended it.
    public private(set) var failure: String?
    /// What it was asked for, by prefix, newest last. Finished ones stay until the prefix is asked for again.
    public private(set) var subscriptions: [BroadcastSubscription] = []
    private var publishers: [(path: String, publisher: PublisherModel)] = []
    let platform: KitPlatform
    let port: ModelPort
    let upstream: UpstreamTable

    /// A session that has not connected.
    public init(_ name: String, as platform: KitPlatform, port: ModelPort) {
        self.name = name
        self.platform = platform
        self.port = port
        upstream = UpstreamTable(port)
    }

    private func move(to next: State, by input: String, _ values: MachineValues = [:]) {
        port.step("session", name, input, values, to: next.rawValue)
        state = next
    }

    private func refuse(
        _ reason: ModelError.Reason, _ text: String, _ input: String, _ values: MachineValues = [:]
    ) -> ModelError {
        port.step("session", name, input, values, to: state.rawValue, isRefused: true)
        return ModelError(reason, text, on: platform)
    }

    // MARK: Life

    /// `connect()`.
    public func connect() throws(ModelError) {
        switch state {
        case .idle:
            move(to: .connecting, by: "connect")
            port.ask(.connect)
        case .closed:
            throw refuse(
                .alreadyClosed, platform == .ios ? "Session is closed" : "Session already started", "connect")
        case .connecting, .connected, .error:
            throw refuse(
                .alreadyConnected, platform == .ios ? "Session is already connected" : "Session already started",
                "connect")
        }
    }

    /// The handshake is over and the relay serves.
    public func handshakeDone() {
        guard state == .connecting else { return }
        move(to: .connected, by: "handshake.done")
    }

    /// The handshake failed, or the relay closed the session at once. What `connect` throws.
    @discardableResult
    public func handshakeFailed(_ text: String) -> ModelError {
        if state == .connecting {
            failure = text
            move(to: .error, by: "handshake.failed")
            tearDown()
        }
        return ModelError(.connectionFailed, text, on: platform)
    }

    /// The transport ended without having been asked to.
    public func transportEnded(_ text: String) {
        guard state == .connected else {
            if state == .connecting { handshakeFailed(text) }
            return
        }
        failure = "Session ended: \(text)"
        move(to: .error, by: "transport.ended")
        upstream.endAll(.sessionLost)
        tearDown()
        move(to: .closed, by: "teardown.done")
    }

    /// `close()`.
    public func close() {
        switch (state, platform) {
        case (.closed, _), (.idle, .android): move(to: state, by: "close")
        case (.idle, .ios): move(to: .closed, by: "close")
        case (.connecting, _), (.connected, _), (.error, _):
            tearDown()
            upstream.endAll(.sessionLost)
            port.ask(.close)
            move(to: .closed, by: "close")
        }
    }

    /// The order of the kits: subscriptions first, then publishers, then the session itself.
    private func tearDown() {
        if !port.isBroken(by: .subscriptionOutlives) {
            for subscription in subscriptions { subscription.finish(by: "session.closed") }
        }
        if !port.isBroken(by: .publisherOutlives) {
            for entry in publishers { entry.publisher.stop(by: "session.ended") }
        }
        publishers = []
    }

    // MARK: Discovery

    /// `subscribe(prefix)`.
    public func subscribe(prefix: String) throws(ModelError) -> BroadcastSubscription {
        guard state == .connected else {
            if port.isBroken(by: .subscribesEarly) { return newSubscription(prefix) }
            throw refuse(.notConnected, "Session must be connected before subscribing", "subscribe")
        }
        if let index = subscriptions.firstIndex(where: { $0.prefix == prefix }) {
            guard subscriptions[index].isFinished else {
                throw refuse(
                    .alreadySubscribed, "Already subscribed to prefix \(prefix)", "subscribe", ["prefix": "taken"])
            }
            subscriptions.remove(at: index)
        }
        move(to: .connected, by: "subscribe", ["prefix": "free"])
        return newSubscription(prefix)
    }

    private func newSubscription(_ prefix: String) -> BroadcastSubscription {
        let subscription = BroadcastSubscription(prefix: prefix, session: name, as: platform, port: port)
        subscriptions.append(subscription)
        port.ask(.watch(prefix: prefix))
        return subscription
    }

    // MARK: Publishing

    /// `publish(path, publisher)`.
    public func publish(_ path: String, _ publisher: PublisherModel) throws(ModelError) {
        guard state == .connected else {
            throw refuse(.notConnected, "Session must be connected before publishing", "publish")
        }
        let isTaken = publishers.contains { $0.path == path }
        if platform == .android, isTaken {
            throw refuse(
                .pathInUse, "Already publishing at \(path), call unpublish() first", "publish",
                ["path": "taken", "publisher": publisher.path == nil ? "fresh" : "attached"])
        }
        // The native broadcast is made before the publisher is asked, and let go of again: subscribers may see a blip.
        port.ask(.announce(path: path))
        guard publisher.attach(to: path, of: name) else {
            port.ask(.withdraw(path: path))
            throw refuse(
                .alreadyRegistered, "Publisher is already registered", "publish",
                ["path": isTaken ? "taken" : "free", "publisher": "attached"])
        }
        // Without a guard, iOS forgets the publisher that had the path.
        move(to: .connected, by: "publish", ["path": isTaken ? "taken" : "free", "publisher": "fresh"])
        publishers.removeAll { $0.path == path }
        publishers.append((path, publisher))
    }

    /// `unpublish(path)`. A path that nobody has is nothing to do.
    public func unpublish(_ path: String) {
        guard let index = publishers.firstIndex(where: { $0.path == path }) else {
            return move(to: state, by: "unpublish", ["path": "unknown"])
        }
        move(to: state, by: "unpublish", ["path": "known"])
        publishers.remove(at: index).publisher.stop(by: "unpublished")
    }

    // MARK: What the transport brings

    /// A broadcast was announced under a prefix that was asked for.
    public func announced(_ path: String, under prefix: String) -> FoundBroadcast? {
        subscriptions.last { $0.prefix == prefix && !$0.isFinished }?.announced(path)
    }

    /// The relay announces nothing more under a prefix.
    public func announcementsEnded(under prefix: String) {
        subscriptions.last { $0.prefix == prefix && !$0.isFinished }?.finish(by: "stream.ended", ["failed": false])
    }

    /// A subscription was accepted.
    public func accepted(_ id: Int) { upstream.reader(id)?.accepted() }
    /// A group begins.
    public func groupOpened(_ id: Int, _ sequence: UInt64) { upstream.reader(id)?.groupOpened(sequence) }
    /// A frame came.
    public func frame(_ id: Int, _ sequence: UInt64, index: UInt64, _ payload: [UInt8]) {
        for payload in port.frames(id, payload) { upstream.reader(id)?.frame(sequence, index: index, payload) }
    }
    /// A group is over.
    public func groupEnded(_ id: Int, _ sequence: UInt64, _ end: UpstreamEnd) {
        if let end = port.end(id, end) { upstream.reader(id)?.groupEnded(sequence, end) }
    }
    /// A subscription is over.
    public func subscriptionEnded(_ id: Int, _ end: UpstreamEnd) {
        if let end = port.end(id, end) { upstream.end(id, end) }
    }
}
