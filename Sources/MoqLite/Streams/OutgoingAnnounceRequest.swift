import MoqTransport
import MoqWire

/// A request for announcements of this side: what the peer's announcements mean.
///
///     waiting -> unanswered (01, 02, 05+) -> answered
///     waiting -> answered (03, 04)
struct OutgoingAnnounceRequest {
    /// What one message of the peer changed.
    enum Change {
        case answered(AnnounceOK)
        case announced(Announced, isUpdate: Bool)
        case ended(BroadcastPath)
        /// Nothing that the owner can see.
        case nothing
    }

    private enum State {
        case waiting
        case unanswered
        /// `hop` is the peer's id where it goes behind every hop list.
        case answered(hop: UInt64?)
    }

    let request: AnnounceRequest
    /// The stream, once there is one.
    private(set) var stream: StreamID?
    /// This side wants no more.
    var isCancelled = false
    private var state = State.waiting
    private var nextNumber: UInt64 = 0
    /// What the live numbers of 06 and later stand for.
    private var routes: [UInt64: (suffix: BroadcastPath, hops: HopList)] = [:]
    /// The present set of 01 and 02 that was not told yet, the next one last.
    private var initial: [BroadcastPath] = []
    /// Live suffixes, and whether the owner was told of them: not when path or hop list were too long.
    private var live: [BroadcastPath: Bool] = [:]

    init(_ request: AnnounceRequest) {
        self.request = request
    }

    /// How many announcements are live.
    var liveCount: Int { live.count }

    /// The stream is there.
    mutating func begin(on stream: StreamID, version: Version) {
        self.stream = stream
        state = version.hasAnnounceOK || version.hasAnnounceInit ? .unanswered : .answered(hop: nil)
    }

    /// Takes the next message from the stream; nil when more bytes are needed.
    mutating func next(from stream: LiteStream, version: Version) throws(StreamFault) -> Change? {
        switch state {
        case .waiting: return nil
        case .unanswered where version.hasAnnounceInit:
            guard let answer = try stream.message(AnnounceInit.self, version: version) else { return nil }
            initial = answer.suffixes.reversed()
            // 01 and 02 have no hops; the peer that announces counts as one, unknown.
            state = .answered(hop: 0)
            return .answered(AnnounceOK(hop: 0, activeCount: UInt64(initial.count)))
        case .unanswered:
            guard let answer = try stream.message(AnnounceOK.self, version: version) else { return nil }
            state = .answered(hop: answer.hop)
            return .answered(answer)
        case .answered(let hop):
            if let suffix = initial.popLast() {
                return try take(.active(suffix, hops: .empty), hop: hop, version: version)
            }
            guard let message = try stream.message(Announcement.self, version: version) else { return nil }
            return try take(message, hop: hop, version: version)
        }
    }

    private mutating func take(
        _ message: Announcement, hop: UInt64?, version: Version
    ) throws(StreamFault) -> Change {
        switch message {
        case .active(let suffix, let hops):
            guard live[suffix] == nil || version.repeatedActiveReplaces else {
                throw StreamFault("\"\(suffix)\" was announced again while active", .duplicate)
            }
            return activate(suffix, hops, hop: hop)
        case .restart(let suffix, let hops):
            return activate(suffix, hops, hop: hop)
        case .ended(let suffix):
            // Known peers pass over an end of what is not there.
            guard live.removeValue(forKey: suffix) == true, let path = request.prefix.appending(suffix) else {
                return .nothing
            }
            return .ended(path)
        case .start(let suffix, let hops, let cost, let epoch):
            guard live[suffix] == nil else {
                throw StreamFault("\"\(suffix)\" was started again while live", .protocolViolation)
            }
            routes[nextNumber] = (suffix, hops)
            nextNumber += 1
            let change = reported(suffix, hops, cost, epoch, hop: hop, isUpdate: false)
            live[suffix] = change.isReport
            return change
        case .update(let number, let hops, let cost):
            return try replace(number, hops, cost, nil, hop: hop)
        case .instance(let number, let hops, let cost, let epoch):
            return try replace(number, hops, cost, epoch, hop: hop)
        case .borrowed(let route):
            return try take(try resolved(route), hop: hop, version: version)
        case .end(let number):
            guard let suffix = routes.removeValue(forKey: number)?.suffix else { throw unknown(number, "ended") }
            guard live.removeValue(forKey: suffix) == true, let path = request.prefix.appending(suffix) else {
                return .nothing
            }
            return .ended(path)
        case .unknown:
            return .nothing
        }
    }

    private mutating func replace(
        _ number: UInt64, _ hops: HopList, _ cost: RouteCost, _ epoch: Epoch?, hop: UInt64?
    ) throws(StreamFault) -> Change {
        guard let suffix = routes[number]?.suffix else { throw unknown(number, "updated") }
        routes[number] = (suffix, hops)
        let change = reported(suffix, hops, cost, epoch, hop: hop, isUpdate: live[suffix] == true)
        if change.isReport { live[suffix] = true }
        return change
    }

    private func resolved(_ route: BorrowedRoute) throws(StreamFault) -> Announcement {
        do throws(WireError) {
            return try route.resolved(next: nextNumber) { number in
                routes[number].map { (path: $0.suffix, hops: $0.hops) }
            }
        } catch {
            throw StreamFault(error)
        }
    }

    private mutating func activate(_ suffix: BroadcastPath, _ hops: HopList, hop: UInt64?) -> Change {
        let wasReported = live[suffix] == true
        let change = reported(suffix, hops, RouteCost(), nil, hop: hop, isUpdate: wasReported)
        live[suffix] = wasReported || change.isReport
        return change
    }

    /// Paths over 32 parts and hop lists that do not hold the announcing peer as well are passed over, as known peers
    /// do (observed on 05).
    private func reported(
        _ suffix: BroadcastPath, _ hops: HopList, _ cost: RouteCost, _ epoch: Epoch?, hop: UInt64?, isUpdate: Bool
    ) -> Change {
        guard let path = request.prefix.appending(suffix),
            let full = hop.map({ hops.appending($0) }) ?? hops
        else { return .nothing }
        return .announced(Announced(path: path, hops: full, cost: cost, epoch: epoch), isUpdate: isUpdate)
    }

    private func unknown(_ number: UInt64, _ what: String) -> StreamFault {
        let why = number < nextNumber ? "has ended" : "was never started"
        return StreamFault("announcement \(number) was \(what), but it \(why)", .protocolViolation)
    }
}

extension OutgoingAnnounceRequest.Change {
    fileprivate var isReport: Bool {
        if case .announced = self { return true }
        return false
    }
}
