import MoqTransport
import MoqWire

@testable import MoqLite

/// A session that only notes what a feed tells it, and lets a test set its limits.
final class RecordingOutlet: SubscriptionOutlet, FetchOutlet {
    /// One group as it went out.
    struct Group: Equatable {
        var sequence: UInt64
        var frameStart: UInt64
        var payloads: [[UInt8]] = []
        /// The payload of a frame that is not whole yet, and how long it is to be.
        var open: [UInt8]?
        var openSize = 0
        var end: End = .open
    }

    enum End: Equatable {
        case open, finished
        case reset(StreamCode)
    }

    var version: Version?
    /// How many more streams the peer allows.
    var streams = Int.max
    /// How many more frames each group takes before it is full.
    var room = Int.max
    private(set) var groups: [OutgoingGroupID: Group] = [:]
    /// The order in which groups were opened.
    private(set) var opened: [UInt64] = []
    private(set) var priorities: [OutgoingGroupID: SendPriority] = [:]
    private(set) var log: [String] = []
    private(set) var datagrams: [UInt64] = []
    private(set) var fetched: [[UInt8]] = []
    private var fullness: [OutgoingGroupID: Int] = [:]
    private var nextStream: UInt64 = 3

    init(_ version: Version) {
        self.version = version
    }

    /// The groups in the order in which they were opened.
    var sent: [Group] { groups.sorted { $0.key < $1.key }.map(\.value) }

    func id(of sequence: UInt64) -> OutgoingGroupID? {
        groups.filter { $0.value.sequence == sequence }.keys.max()
    }

    func makeRoom() {
        fullness = [:]
    }

    func acceptSubscription(_ id: IncomingSubscriptionID) -> Bool { note("accept") }
    func startSubscription(_ id: IncomingSubscriptionID, group: UInt64, largest: TrackPosition?) -> Bool {
        note("start \(group)")
    }
    func endSubscription(_ id: IncomingSubscriptionID, group: UInt64) -> Bool { note("end \(group)") }
    func dropGroups(_ id: IncomingSubscriptionID, start: UInt64, end: UInt64, code: UInt64) -> Bool {
        note("drop \(start)-\(end) code \(code)")
    }
    func finishSubscription(_ id: IncomingSubscriptionID, awaitingDelivery: Bool) { _ = note("finish") }
    func resetSubscription(_ id: IncomingSubscriptionID, code: StreamCode) { _ = note("reset \(code)") }

    func openGroup(
        for id: IncomingSubscriptionID, sequence: UInt64, frameStart: UInt64, priority: SendPriority
    ) -> OutgoingGroupID? {
        guard streams > 0 else { return nil }
        streams -= 1
        let group = OutgoingGroupID(stream: StreamID(rawValue: nextStream))
        nextStream += 4
        groups[group] = Group(sequence: sequence, frameStart: frameStart)
        opened.append(sequence)
        priorities[group] = priority
        return group
    }

    func beginFrame(_ group: OutgoingGroupID, _ header: FrameHeader, _ bytes: [UInt8]) -> Bool {
        groups[group]?.open = bytes
        groups[group]?.openSize = header.size
        return true
    }

    func continueFrame(_ group: OutgoingGroupID, _ bytes: [UInt8]) {
        guard var record = groups[group], let known = record.open else { return }
        let payload = known + bytes
        record.open = payload.count < record.openSize ? payload : nil
        if record.open == nil { record.payloads.append(payload) }
        groups[group] = record
    }

    func writeFrame(_ group: OutgoingGroupID, _ frame: Frame) -> Bool {
        groups[group]?.payloads.append(frame.payload)
        fullness[group, default: 0] += 1
        return true
    }

    func canWrite(_ group: OutgoingGroupID) -> Bool { fullness[group, default: 0] < room }
    func finishGroup(_ group: OutgoingGroupID) { groups[group]?.end = .finished }
    func resetGroup(_ group: OutgoingGroupID, code: StreamCode) { groups[group]?.end = .reset(code) }
    func setPriority(_ priority: SendPriority, of group: OutgoingGroupID) { priorities[group] = priority }

    func sendDatagram(
        for id: IncomingSubscriptionID, sequence: UInt64, timestamp: UInt64, payload: [UInt8]
    ) -> Bool {
        datagrams.append(sequence)
        return true
    }

    func writeFetchFrame(_ id: IncomingFetchID, _ frame: Frame) -> Bool {
        fetched.append(frame.payload)
        return true
    }
    func canWriteFetch(_ id: IncomingFetchID) -> Bool { fetched.count < room }
    func finishFetch(_ id: IncomingFetchID) { _ = note("fetch finish") }
    func refuseFetch(_ id: IncomingFetchID, code: StreamCode) { _ = note("fetch refuse \(code)") }

    private func note(_ text: String) -> Bool {
        log.append(text)
        return true
    }
}
