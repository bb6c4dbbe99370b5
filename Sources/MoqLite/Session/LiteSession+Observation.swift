// What a harness asks of a session beyond its events.
extension LiteSession {
    /// Whether a subscription of this side still has its stream: the publisher has not ended its half yet.
    public func isOpen(_ id: SubscriptionID) -> Bool { subscriptions[id] != nil }
}
