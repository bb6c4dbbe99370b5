import MoqBase
import MoqTransport
import MoqWire

@testable import MoqMonitor

private func start(_ suffix: String, _ hops: HopList = .empty) -> Announcement {
    .start(path(suffix), hops: hops, cost: RouteCost())
}

extension RuleCase {
    /// What a relay announces.
    static let announce: [RuleCase] = [
        RuleCase(.initFirst, .lite02) {
            $0.watch()
            $0.relaySays(ByteScript.asked(), AnnounceInit(suffixes: [path("a"), path("a")]).bytes(.lite02))
        } legal: {
            $0.watch()
            $0.relaySays(ByteScript.asked(), AnnounceInit(suffixes: [path("a"), path("b")]).bytes(.lite02))
            $0.announce(.ended(path("a")), .active(path("a"), hops: .empty))
        },
        RuleCase(.okFirst, .lite05) {
            $0.watch()
            $0.relaySays(ByteScript.asked(), [], end: true)
        } legal: {
            $0.watch()
            $0.announce(ok: 0)
            $0.relaySays(ByteScript.asked(), [], end: true)
        },
        RuleCase(.answerPrompt, .lite06) {
            $0.watch()
            $0.waitInVain()
        } legal: {
            $0.watch()
            $0.announce(ok: 0)
            $0.waitInVain()
        },
        RuleCase(.activeCount, .lite06) {
            $0.watch()
            $0.announce(ok: 2, start("a"), .end(id: 0))
        } legal: {
            $0.watch()
            $0.announce(ok: 1, start("a"), .end(id: 0))
        },
        RuleCase(.activeCount, .lite05) {
            $0.watch()
            $0.announce(ok: 2, .active(path("a"), hops: .empty))
            $0.waitInVain()
        } legal: {
            $0.watch()
            $0.announce(ok: 2, .active(path("a"), hops: .empty), .active(path("b"), hops: .empty))
            $0.waitInVain()
        },
        RuleCase(.announcedOnce, .lite06) {
            $0.watch()
            $0.announce(ok: 1, start("a"), start("a"))
        } legal: {
            $0.watch()
            $0.announce(ok: 1, start("a"), .end(id: 0), start("a"))
        },
        RuleCase(.announcedOnce, .lite04) {
            $0.watch()
            $0.announce(.active(path("a"), hops: hops(9)), .active(path("a"), hops: hops(9)))
        } legal: {
            $0.watch()
            $0.announce(.active(path("a"), hops: hops(9)), .ended(path("a")), .active(path("a"), hops: hops(9)))
        },
        RuleCase(.knownEnd, .lite03) {
            $0.watch()
            $0.announce(.ended(path("a")))
        } legal: {
            $0.watch()
            $0.announce(.active(path("a"), hops: hops(0)), .ended(path("a")))
        },
        RuleCase(.announceIDs, .lite06) {
            $0.watch()
            $0.announce(ok: 0, .end(id: 0))
        } legal: {
            $0.watch()
            $0.announce(ok: 0, .unknown(type: 9, body: []), start("a"), .end(id: 0))
        },
        RuleCase(.idRetired, .lite06) {
            $0.watch()
            $0.announce(ok: 1, start("a"), .end(id: 0), .update(id: 0, hops: .empty, cost: RouteCost()))
        } legal: {
            $0.watch()
            $0.announce(ok: 1, start("a"), .update(id: 0, hops: .empty, cost: RouteCost()), .end(id: 0))
        },
        RuleCase(.statuses, .lite05) {
            $0.watch()
            $0.announce(ok: 1, .active(path("a"), hops: .empty), .restart(path("a"), hops: .empty))
        } legal: {
            $0.watch()
            $0.announce(ok: 1, .active(path("a"), hops: .empty), .active(path("a"), hops: .empty))
        },
        RuleCase(.endedHops, .lite04) {
            $0.watch()
            $0.announce(.active(path("a"), hops: hops(9)))
            $0.relaySays(ByteScript.asked(), [5, 0, 1, 0x61, 1, 9])
        } legal: {
            $0.watch()
            $0.announce(.active(path("a"), hops: hops(9)), .ended(path("a")))
        },
        RuleCase(.normalPaths, .lite05) {
            $0.watch()
            $0.announce(ok: 1)
            $0.relaySays(ByteScript.asked(), [5, 1, 2, 0x2F, 0x61, 0])
        } legal: {
            $0.watch()
            $0.announce(ok: 1, .active(path("b/a"), hops: .empty))
        },
        RuleCase(.compressed, .lite07) {
            $0.watch()
            $0.announce(ok: 1)
            $0.announce(
                .borrowed(
                    BorrowedRoute(
                        own: .start(path("b"), epoch: nil), path: RouteLoan(base: 1, keep: 1), hops: .empty,
                        hopLoan: .none, cost: RouteCost())))
        } legal: {
            $0.watch()
            $0.announce(
                ok: 2, start("room/a"),
                .borrowed(
                    BorrowedRoute(
                        own: .start(path("b"), epoch: nil), path: RouteLoan(base: 1, keep: 1), hops: .empty,
                        hopLoan: .none, cost: RouteCost())))
        },
        RuleCase(.hidden, .lite07) {
            $0.watch(hidden: false)
            $0.announce(ok: 1, start(".a"))
        } legal: {
            $0.watch(hidden: true)
            $0.announce(ok: 1, start(".a"))
        },
        RuleCase(.announceHops, .lite04) {
            $0.watch()
            $0.announce(.active(path("a"), hops: .empty))
        } legal: {
            $0.watch()
            $0.announce(.active(path("a"), hops: hops(0)))
        },
        RuleCase(.hopCount, .lite03) {
            $0.watch()
            $0.announce(.active(path("a"), hops: .empty))
        } legal: {
            $0.watch()
            $0.announce(.active(path("a"), hops: hops(0)))
        },
        RuleCase(.twoCosts, .lite06) {
            $0.watch()
            $0.announce(ok: 1)
            $0.relaySays(ByteScript.asked(), [0, 4, 1, 0x61, 0, 0])
        } legal: {
            $0.watch()
            $0.announce(ok: 1)
            $0.relaySays(ByteScript.asked(), [0, 5, 1, 0x61, 0, 0, 0])
        },
        RuleCase(.noHeader, .lite04) {
            $0.watch()
            $0.relaySays(ByteScript.asked(), AnnounceOK(hop: 9, activeCount: 0).bytes(.lite05))
        } legal: {
            $0.watch()
            $0.announce(.active(path("a"), hops: hops(9)))
        },
        RuleCase(.ownLast, .lite04) {
            $0.watch()
            $0.announce(.active(path("a"), hops: hops(1, 9)), .active(path("b"), hops: hops(9, 1)))
        } legal: {
            $0.watch()
            $0.announce(.active(path("a"), hops: hops(1, 9)), .active(path("b"), hops: hops(2, 9)))
        },
        RuleCase(.ownLeftOut, .lite06) {
            $0.watch()
            $0.announce(ok: 1, start("a", hops(1, 9)))
        } legal: {
            $0.watch()
            $0.announce(ok: 1, start("a", hops(1, 8)))
        },
        RuleCase(.noRepeat, .lite05) {
            $0.watch()
            $0.announce(ok: 1, .active(path("a"), hops: hops(4, 5, 4)))
        } legal: {
            $0.watch()
            $0.announce(ok: 1, .active(path("a"), hops: hops(0, 5, 0)))
        },
        RuleCase(.noRepeat, .lite06) {
            $0.watch()
            $0.announce(ok: 1)
            $0.relaySays(ByteScript.asked(), [0, 7, 1, 0x61, 2, 4, 4, 0, 0])
        } legal: {
            $0.watch()
            $0.announce(ok: 1)
            $0.relaySays(ByteScript.asked(), [0, 7, 1, 0x61, 2, 0, 0, 0, 0])
        },
        RuleCase(.longestSent, .lite04) {
            $0.watch()
            $0.relaySays(ByteScript.asked(), [37, 1, 1, 0x61, 33] + (1...33).map { $0 })
        } legal: {
            $0.watch()
            $0.relaySays(ByteScript.asked(), [36, 1, 1, 0x61, 32] + (1...32).map { $0 })
        },
        RuleCase(.excluded, .lite05) {
            $0.watch(excludeHop: 7)
            $0.announce(ok: 1, .active(path("a"), hops: hops(7, 8)))
        } legal: {
            $0.watch(excludeHop: 7)
            $0.announce(ok: 1, .active(path("a"), hops: hops(6, 8)))
        },
        RuleCase(.notToOrigin, .lite06) {
            $0.watch()
            $0.announce(ok: 1, start("a", hops(77)))
        } legal: {
            $0.watch()
            $0.announce(ok: 1, start("a", hops(78)))
        },
    ]
}
