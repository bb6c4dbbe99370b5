import MoqBase
import MoqTransport
import MoqWire

@testable import MoqMonitor

extension RuleCase {
    /// Subscriptions, tracks and refusals.
    static let subscribe: [RuleCase] = [
        RuleCase(.okFirstAnswer, .lite03, profile: .draft) {
            $0.subscribe()
            $0.answer(.drop(start: 1, end: 2, code: 0))
        } legal: {
            $0.subscribe()
            $0.answer(.ok(SubscribeOptions()))
            $0.group(1)
        },
        RuleCase(.okFirstAnswer, .lite04) {
            $0.subscribe()
            $0.relaySays(ByteScript.asked(), [7, 1, 1])
        } legal: {
            $0.subscribe()
            $0.answer(.ok(SubscribeOptions()))
        },
        RuleCase(.okForm01, .lite02) {
            $0.subscribe()
            $0.relaySays(ByteScript.asked(), [1, 5])
        } legal: {
            $0.subscribe()
            $0.answer(.ok(SubscribeOptions()))
        },
        RuleCase(.okForm03, .lite04) {
            $0.subscribe()
            $0.relaySays(ByteScript.asked(), [0, 1, 5])
        } legal: {
            $0.subscribe()
            $0.answer(.ok(SubscribeOptions()))
        },
        RuleCase(.accepted, .lite04) {
            $0.subscribe()
            $0.group(3)
            $0.waitInVain()
        } legal: {
            $0.subscribe()
            $0.group(3)
            $0.answer(.ok(SubscribeOptions()))
            $0.waitInVain()
        },
        RuleCase(.nothingLeftOpen, .lite06) {
            $0.subscribe()
            $0.answer(.start(group: 3))
            $0.group(3, end: false)
            $0.client(.finished(ByteScript.asked()))
            $0.answer(.end(group: 4), end: true)
            $0.waitInVain()
        } legal: {
            $0.subscribe()
            $0.answer(.start(group: 3))
            $0.group(3, end: false)
            $0.client(.finished(ByteScript.asked()))
            $0.answer(.end(group: 4), end: true)
            $0.relay(.reset(ByteScript.group(), .code(1)))
            $0.waitInVain()
        },
        RuleCase(.answerTypes, .lite07) {
            $0.subscribe()
            $0.relaySays(ByteScript.asked(), [2, 3, 1, 1, 0])
        } legal: {
            $0.subscribe()
            $0.answer(.start(group: 1), .end(group: 2, streams: 1))
        },
        RuleCase(.start, .lite06) {
            $0.subscribe()
            $0.group(3)
            $0.waitInVain()
        } legal: {
            // Streams overtake each other: what counts is that it comes.
            $0.subscribe()
            $0.group(3)
            $0.answer(.start(group: 3))
            $0.waitInVain()
        },
        RuleCase(.startOnce, .lite05) {
            $0.subscribe()
            $0.answer(.start(group: 3), .start(group: 4))
        } legal: {
            $0.subscribe()
            $0.answer(.start(group: 3), .end(group: 4))
        },
        RuleCase(.startGroup, .lite06) {
            $0.subscribe(SubscribeOptions(groupStart: 5))
            $0.answer(.start(group: 4))
        } legal: {
            $0.subscribe(SubscribeOptions(groupStart: 5))
            $0.answer(.start(group: 6))
        },
        RuleCase(.belowStart, .lite05) {
            $0.subscribe()
            $0.answer(.start(group: 4))
            $0.group(3)
        } legal: {
            $0.subscribe()
            $0.answer(.start(group: 3))
            $0.group(4, stream: 1)
            $0.group(3, stream: 2)
        },
        RuleCase(.belowStart, .lite06) {
            $0.subscribe()
            $0.group(3)
            $0.answer(.start(group: 4))
        } legal: {
            $0.subscribe()
            $0.group(4)
            $0.answer(.start(group: 4))
        },
        RuleCase(.dropUnsaid, .lite06) {
            $0.subscribe()
            $0.answer(.drop(start: 1, end: 2, code: 0))
        } legal: {
            $0.subscribe()
            $0.answer(.start(group: 1))
        },
        RuleCase(.refusalIsReset, .lite04) {
            $0.subscribe()
            $0.answer(end: true)
        } legal: {
            $0.subscribe()
            $0.answer(.ok(SubscribeOptions()), end: true)
        },
        RuleCase(.refusalPrompt, .lite06) {
            $0.watch()
            $0.announce(ok: 0)
            $0.subscribe(on: 2)
            $0.waitInVain()
        } legal: {
            // It is announced meanwhile, so the subscription may simply be open.
            $0.watch()
            $0.announce(ok: 0)
            $0.subscribe(on: 2)
            $0.announce(.start(path("room"), hops: .empty, cost: RouteCost()))
            $0.waitInVain()
        },
        RuleCase(.refusalPrompt, .lite02) {
            $0.watch("room")
            $0.relaySays(ByteScript.asked(), AnnounceInit(suffixes: [path("b")]).bytes(.lite02))
            $0.subscribe(on: 2)
            $0.waitInVain()
        } legal: {
            $0.watch("room")
            $0.relaySays(ByteScript.asked(), AnnounceInit(suffixes: [path("b")]).bytes(.lite02))
            $0.subscribe(on: 2)
            $0.relay(.reset(ByteScript.asked(2), .code(30)))
            $0.waitInVain()
        },
        RuleCase(.cancelAnswered, .lite05) {
            $0.subscribe()
            $0.client(.finished(ByteScript.asked()))
            $0.waitInVain()
        } legal: {
            $0.subscribe()
            $0.client(.finished(ByteScript.asked()))
            $0.answer(end: true)
            $0.waitInVain()
        },
        RuleCase(.cancelled, .lite06) {
            $0.subscribe()
            $0.client(.reset(ByteScript.asked(), .code(1)))
            $0.answer(end: true)
            $0.wait(.seconds(30))
            $0.group(3)
        } legal: {
            $0.subscribe()
            $0.client(.reset(ByteScript.asked(), .code(1)))
            $0.answer(end: true)
            $0.wait(.seconds(1))
            $0.group(3)
        },
        RuleCase(.endMessage, .lite06) {
            $0.subscribe()
            $0.answer(.start(group: 1), end: true)
        } legal: {
            $0.subscribe()
            $0.answer(.start(group: 1), .end(group: 2), end: true)
        },
        RuleCase(.endMessage, .lite05) {
            $0.subscribe()
            $0.answer(end: true)
        } legal: {
            // The range may be done.
            $0.subscribe(SubscribeOptions(groupEnd: 4))
            $0.answer(.start(group: 4), end: true)
        },
        RuleCase(.afterEnd, .lite06) {
            $0.subscribe()
            $0.answer(.start(group: 1), .end(group: 2))
            $0.group(2)
        } legal: {
            $0.subscribe()
            $0.answer(.start(group: 1), .end(group: 2))
            $0.group(1)
        },
        RuleCase(.afterEnd, .lite05) {
            $0.subscribe()
            $0.answer(.start(group: 1), .end(group: 2), .end(group: 2))
        } legal: {
            $0.subscribe()
            $0.answer(.end(group: 0), end: true)
        },
        RuleCase(.infoOnce, .lite06) {
            $0.clientSays(ByteScript.asked(), TrackRequest(broadcast: path("a"), track: "v").stream(.lite06))
            $0.relaySays(ByteScript.asked(), TrackInfo().bytes(.lite06) + TrackInfo().bytes(.lite06))
        } legal: {
            $0.clientSays(ByteScript.asked(), TrackRequest(broadcast: path("a"), track: "v").stream(.lite06))
            $0.relaySays(ByteScript.asked(), TrackInfo().bytes(.lite06), end: true)
        },
        RuleCase(.infoOnce, .lite05) {
            $0.clientSays(ByteScript.asked(), TrackRequest(broadcast: path("a"), track: "v").stream(.lite05))
            $0.relaySays(ByteScript.asked(), [], end: true)
        } legal: {
            $0.clientSays(ByteScript.asked(), TrackRequest(broadcast: path("a"), track: "v").stream(.lite05))
            $0.relay(.reset(ByteScript.asked(), .code(0x33)))
        },
        RuleCase(.timescale, .lite06) {
            $0.clientSays(ByteScript.asked(), TrackRequest(broadcast: path("a"), track: "v").stream(.lite06))
            $0.relaySays(ByteScript.asked(), [3, 0, 0, 0], end: true)
        } legal: {
            $0.clientSays(ByteScript.asked(), TrackRequest(broadcast: path("a"), track: "v").stream(.lite06))
            $0.relaySays(ByteScript.asked(), [3, 0, 0, 1], end: true)
        },
    ]
}
