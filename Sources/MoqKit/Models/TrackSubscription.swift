/// An object of a data track, as it is handed to the application.
public struct ReceivedObject: Hashable, Sendable {
    /// The group that it was in.
    public var group: UInt64
    /// Its number inside the group, from 0.
    public var index: UInt64
    /// Itself.
    public var payload: [UInt8]
}

/// `TrackSubscription`: the objects of a data track, in one of two orders. An error of any group ends it.
public final class TrackSubscription: UpstreamReader {
    /// In which order objects are handed on.
    public enum Delivery: String, CaseIterable, Hashable, Sendable {
        /// Only what is of a later group than everything before.
        case monotonic
        /// As it comes.
        case arrival
    }

    /// The track.
    public let track: String
    /// In which order objects are handed on.
    public let delivery: Delivery
    /// What was handed on, in order; the newest of them.
    public private(set) var objects: [ReceivedObject] = []
    /// How many were handed on in all.
    public private(set) var count = 0
    /// How it ended; nil while it is open.
    public private(set) var end: UpstreamEnd?
    private var newestGroup: UInt64?
    private var isActive = false
    private let object: String
    private let port: ModelPort
    var id: Int?

    /// More objects than a scenario looks at.
    private static let objectsKept = 10_000

    init(_ object: String, track: String, _ delivery: Delivery, port: ModelPort) {
        self.object = object
        self.track = track
        self.delivery = delivery
        self.port = port
    }

    private var state: String { end == nil ? "open" : "closed" }

    func accepted() {}
    func groupOpened(_ sequence: UInt64) {}

    func frame(_ sequence: UInt64, index: UInt64, _ payload: [UInt8]) {
        guard end == nil else { return }
        let isLater = newestGroup.map { sequence > $0 } ?? true
        let isSame = sequence == newestGroup
        let isDropped = delivery == .monotonic && !isLater && !isSame
        port.step(
            "track-subscription-\(delivery.rawValue)", object, from: state, "object", to: state,
            [.number("group", Int(clamping: sequence)), .number("index", Int(clamping: index))])
        if isDropped { return }
        if isLater { newestGroup = sequence }
        if objects.count == Self.objectsKept { objects.removeFirst() }
        objects.append(ReceivedObject(group: sequence, index: index, payload: payload))
        count += 1
    }

    func groupEnded(_ sequence: UInt64, _ end: UpstreamEnd) {
        if end != .clean { finish(end, by: "group_failed") }
    }

    func ended(_ end: UpstreamEnd) { finish(end, by: end == .clean ? "track_ended" : "track_failed") }

    /// `close()`: it completes, also while a group is open.
    func close() { finish(.local, by: "close") }

    private func finish(_ end: UpstreamEnd, by input: String) {
        guard self.end == nil else { return }
        let before = state
        self.end = end
        port.step("track-subscription-\(delivery.rawValue)", object, from: before, input, to: state)
    }
}
