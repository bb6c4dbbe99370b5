import MoqTransport
import MoqWire

/// What a feed needs of the session that it serves: the publisher's commands. `LiteSession` is one.
public protocol SubscriptionOutlet: AnyObject {
    /// The version of the session, once established.
    var version: Version? { get }
    /// The subscription will be served.
    @discardableResult
    func acceptSubscription(_ id: IncomingSubscriptionID) -> Bool
    /// The first group that will be delivered (05+), and how far the track has come (07).
    @discardableResult
    func startSubscription(_ id: IncomingSubscriptionID, group: UInt64, largest: TrackPosition?) -> Bool
    /// The first group that will never exist (05+).
    @discardableResult
    func endSubscription(_ id: IncomingSubscriptionID, group: UInt64) -> Bool
    /// Groups that will not be delivered, both bounds included.
    @discardableResult
    func dropGroups(_ id: IncomingSubscriptionID, start: UInt64, end: UInt64, code: UInt64) -> Bool
    /// Everything has been said; the half ends once the groups are delivered, or at once.
    func finishSubscription(_ id: IncomingSubscriptionID, awaitingDelivery: Bool)
    /// The subscription is refused, or failed.
    func resetSubscription(_ id: IncomingSubscriptionID, code: StreamCode)
    /// Opens a group, or nil when there is no stream for it now or the subscription is gone.
    func openGroup(
        for id: IncomingSubscriptionID, sequence: UInt64, frameStart: UInt64, priority: SendPriority
    ) -> OutgoingGroupID?
    /// Adds a frame to a group.
    @discardableResult
    func writeFrame(_ group: OutgoingGroupID, _ frame: Frame) -> Bool
    /// Begins a frame of which more bytes follow; `bytes` are the first of its payload, and may be none.
    @discardableResult
    func beginFrame(_ group: OutgoingGroupID, _ header: FrameHeader, _ bytes: [UInt8]) -> Bool
    /// Adds bytes to the frame that was begun.
    func continueFrame(_ group: OutgoingGroupID, _ bytes: [UInt8])
    /// Whether a group has room for another frame; if not, `writable` follows.
    func canWrite(_ group: OutgoingGroupID) -> Bool
    /// Ends a group.
    func finishGroup(_ group: OutgoingGroupID)
    /// Cuts a group.
    func resetGroup(_ group: OutgoingGroupID, code: StreamCode)
    /// In which order groups go out.
    func setPriority(_ priority: SendPriority, of group: OutgoingGroupID)
    /// Sends a group of one frame as a datagram; false when that is not possible now.
    @discardableResult
    func sendDatagram(
        for id: IncomingSubscriptionID, sequence: UInt64, timestamp: UInt64, payload: [UInt8]
    ) -> Bool
}

/// What a fetch needs of the session that it serves. `LiteSession` is one.
public protocol FetchOutlet: AnyObject {
    /// Adds a frame to the answer.
    @discardableResult
    func writeFetchFrame(_ id: IncomingFetchID, _ frame: Frame) -> Bool
    /// Whether the answer has room for another frame; if not, `fetchWritable` follows.
    func canWriteFetch(_ id: IncomingFetchID) -> Bool
    /// Ends the answer.
    func finishFetch(_ id: IncomingFetchID)
    /// Refuses the fetch, or cuts its answer.
    func refuseFetch(_ id: IncomingFetchID, code: StreamCode)
}

extension LiteSession: SubscriptionOutlet, FetchOutlet {}
