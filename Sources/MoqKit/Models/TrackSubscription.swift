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
    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case subscribing, open, ended, failed, closed
    }

    /// In which order objects are handed on.
    public enum Delivery: String, CaseIterable, Hashable, Sendable {
        /// Only what is of a later group than everything before.
        case monotonic
        /// As it comes.
        case arrival
    }

    /// Where it stands.
    public private(set) var state = State.subscribing
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
    private let object: String
    private let session: String
    private let port: ModelPort
    var id: Int?

    /// More objects than a scenario looks at.
    private static let objectsKept = 10_000

    init(_ object: String, of session: String, track: String, _ delivery: Delivery, port: ModelPort) {
        self.object = object
        self.session = session
        self.track = track
        self.delivery = delivery
        self.port = port
        port.step(
            "track-subscription", object, of: session, "subscribe", ["delivery": .word(delivery.rawValue)],
            to: "subscribing")
    }

    private func move(to next: State, by input: String, _ values: MachineValues = [:]) {
        port.step("track-subscription", object, of: session, input, values, to: next.rawValue)
        state = next
    }

    func accepted() {
        if state == .subscribing { move(to: .open, by: "accepted") }
    }

    func groupOpened(_ sequence: UInt64) { accepted() }

    func frame(_ sequence: UInt64, index: UInt64, _ payload: [UInt8]) {
        accepted()
        guard state == .open else { return }
        move(
            to: .open, by: "object",
            ["group": .number(Int(clamping: sequence)), "index": .number(Int(clamping: index))])
        if delivery == .monotonic, !port.isBroken(by: .monotonicAsItComes), let newestGroup, sequence < newestGroup {
            return
        }
        newestGroup = max(newestGroup ?? 0, sequence)
        if objects.count == Self.objectsKept { objects.removeFirst() }
        objects.append(ReceivedObject(group: sequence, index: index, payload: payload))
        count += 1
    }

    func groupEnded(_ sequence: UInt64, _ end: UpstreamEnd) {
        if end != .clean { fail(end) }
    }

    func ended(_ end: UpstreamEnd) {
        switch end {
        case .clean:
            accepted()
            finish(end, to: .ended, by: "track.ended")
        case .local: close()
        case .code, .sessionLost, .undecodable: fail(end)
        }
    }

    private func fail(_ end: UpstreamEnd) {
        finish(
            end, to: .failed, by: state == .subscribing ? "refused" : "read.failed", ["code": .number(end.code)])
    }

    /// `close()`: it completes, also while a group is open.
    func close() { finish(.local, to: .closed, by: "close") }

    private func finish(_ end: UpstreamEnd, to next: State, by input: String, _ values: MachineValues = [:]) {
        guard state == .subscribing || state == .open else { return }
        self.end = end
        move(to: next, by: input, values)
    }
}
