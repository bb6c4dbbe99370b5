import MoqBase
import MoqTransport
import MoqWire

@testable import MoqMonitor

extension ByteScript {
    /// The relay asks what the client has, and the client announces paths below `room`.
    mutating func publish(_ paths: String..., hops list: HopList = .empty) {
        relaySays(Self.relayAsks(), AnnounceRequest(excludeHop: version.hasExcludeHop ? 9 : 0).stream(version))
        let bytes = AnnounceOK(hop: 77, activeCount: UInt64(paths.count)).bytes(version)
        let announcements = paths.map { Announcement.start(path("room/\($0)"), hops: list, cost: RouteCost()) }
        clientSays(Self.relayAsks(), announcements.reduce(bytes) { $0 + $1.bytes(version) })
    }

    /// The client announces one more on the request that has been answered.
    mutating func publishMore(_ name: String) {
        let announcement = Announcement.start(path("room/\(name)"), hops: .empty, cost: RouteCost())
        clientSays(Self.relayAsks(), announcement.bytes(version))
    }

    /// The client withdraws the announcement with a number.
    mutating func withdraw(_ id: UInt64 = 0) { clientSays(Self.relayAsks(), Announcement.end(id: id).bytes(version)) }

    /// The relay announces paths on a request for `room`, all at once or one more.
    mutating func tell(_ suffixes: String..., on number: UInt64 = 1, isFirst: Bool = true, hops list: HopList = .empty)
    {
        let count = UInt64(suffixes.count)
        let bytes = isFirst ? AnnounceOK(hop: 9, activeCount: count).bytes(version) : []
        let announcements = suffixes.map { Announcement.start(path($0), hops: list, cost: RouteCost()) }
        relaySays(Self.asked(number), announcements.reduce(bytes) { $0 + $1.bytes(version) })
    }

    /// The client asks for announcements below a prefix.
    mutating func watch(_ prefix: String, on number: UInt64) {
        clientSays(Self.asked(number), AnnounceRequest(prefix: path(prefix)).stream(version))
    }
}

extension RuleCase {
    /// What several sessions of a case are told of each other: session 0 publishes, session 1 watches.
    static let routes: [RuleCase] = [
        RuleCase(.activeToWatchers, .lite06, isShared: true) {
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell()
            $0.turn(to: 0)
            $0.publish("a")
            $0.waitInVain()
        } legal: {
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell()
            $0.turn(to: 0)
            $0.publish("a", ".hidden")
            $0.turn(to: 1)
            $0.tell("a", isFirst: false)
            $0.waitInVain()
        },
        RuleCase(.replay, .lite06, isShared: true) {
            $0.publish("a")
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell()
            $0.waitInVain()
        } legal: {
            $0.publish("a", "b")
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell("b")
            $0.tell("a", isFirst: false)
            $0.waitInVain()
        },
        RuleCase(.severalRequests, .lite06, isShared: true) {
            $0.publish("x/a")
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.watch("room/x", on: 2)
            $0.tell("x/a", on: 1)
            $0.tell(on: 2)
            $0.waitInVain()
        } legal: {
            $0.publish("x/a")
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.watch("room/x", on: 2)
            $0.tell("x/a", on: 1)
            $0.tell("a", on: 2)
            $0.waitInVain()
        },
        RuleCase(.endOnWithdrawal, .lite06, isShared: true) {
            $0.publish("a")
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell("a")
            $0.turn(to: 0)
            $0.withdraw()
            $0.waitInVain()
        } legal: {
            $0.publish("a")
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell("a")
            $0.turn(to: 0)
            $0.withdraw()
            $0.turn(to: 1)
            $0.announce(.end(id: 0))
            $0.waitInVain()
        },
        RuleCase(.endOnDisconnect, .lite06, isShared: true) {
            $0.publish("a")
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell("a")
            $0.turn(to: 0)
            $0.client(.closed(SessionClose(initiator: .local, cause: .application(code: 0), reason: "")))
            $0.waitInVain()
        } legal: {
            $0.publish("a")
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell("a")
            $0.turn(to: 0)
            $0.client(.closed(SessionClose(initiator: .local, cause: .application(code: 0), reason: "")))
            $0.turn(to: 1)
            $0.announce(.end(id: 0))
            $0.waitInVain()
        },
        RuleCase(.endOnWithdrawal, .lite06, isShared: true) {
            $0.publish("a")
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell("a")
            $0.turn(to: 0)
            $0.withdraw()
            $0.waitInVain()
        } legal: {
            // Another session announces it still.
            $0.publish("a")
            $0.turn(to: 2)
            $0.publish("a")
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell("a")
            $0.turn(to: 0)
            $0.withdraw()
            $0.waitInVain()
        },
        RuleCase(.notReplayed, .lite06, isShared: true) {
            $0.publish("a")
            $0.withdraw()
            $0.wait(.seconds(30))
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell("a")
        } legal: {
            $0.publish("a")
            $0.withdraw()
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell("a")
            $0.turn(to: 0)
            $0.publishMore("b")
            $0.turn(to: 1)
            $0.tell("b", isFirst: false)
        },
        RuleCase(.announceInvented, .lite06, isShared: true) {
            $0.publish("a")
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell("b")
        } legal: {
            $0.publish("a")
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell("a")
        },
        RuleCase(.suffix, .lite06, isShared: true) {
            $0.publish("a")
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell("room/a")
        } legal: {
            $0.publish("a", "room/a")
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell("room/a")
        },
        RuleCase(.oldestFirst, .lite06, isShared: true) {
            $0.publish("a", hops: hops(3, 4))
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell("a", hops: hops(4, 3, 77))
        } legal: {
            $0.publish("a", hops: hops(3, 4))
            $0.turn(to: 1)
            $0.watch("room", on: 1)
            $0.tell("a", hops: hops(3, 4, 77, 10))
        },
    ]
}
