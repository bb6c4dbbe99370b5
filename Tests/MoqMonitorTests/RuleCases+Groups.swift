import MoqBase
import MoqTransport
import MoqWire

@testable import MoqMonitor

extension RuleCase {
    /// Groups, frames and datagrams.
    static let groups: [RuleCase] = [
        RuleCase(.headerID, .lite04) {
            $0.subscribe(id: 5)
            $0.answer(.ok(SubscribeOptions()))
            $0.group(1, of: 6)
        } legal: {
            // A request that cannot be read may have had that id.
            $0.clientSays(ByteScript.asked(2), [2, 3, 6, 0, 9])
            $0.group(1, of: 6)
        },
        RuleCase(.headerID, .lite06) {
            $0.subscribe(id: 5)
            $0.group(1, of: 6)
        } legal: {
            $0.subscribe(id: 5)
            $0.group(1, of: 5)
        },
        RuleCase(.knownSubscription, .lite06) {
            $0.subscribe()
            $0.answer(.start(group: 1), .end(group: 5), end: true)
            $0.wait(.seconds(30))
            $0.group(2)
        } legal: {
            $0.subscribe()
            $0.answer(.start(group: 1), .end(group: 5), end: true)
            $0.wait(.seconds(1))
            $0.group(2, stream: 1)
            $0.subscribe(id: 6, on: 2)
            $0.group(2, of: 6, stream: 2)
        },
        RuleCase(.groupStream, .lite05) {
            $0.relaySays(ByteScript.group(), [0], end: true)
        } legal: {
            $0.subscribe()
            $0.group(2)
        },
        RuleCase(.inRange, .lite05) {
            $0.subscribe(SubscribeOptions(groupStart: 2, groupEnd: 4))
            $0.group(1)
        } legal: {
            $0.subscribe(SubscribeOptions(groupStart: 2, groupEnd: 4))
            $0.group(2)
        },
        RuleCase(.endGroup, .lite05) {
            $0.subscribe(SubscribeOptions(groupStart: 2, groupEnd: 4))
            $0.answer(.start(group: 2))
            $0.group(5)
        } legal: {
            $0.subscribe(SubscribeOptions(groupStart: 2, groupEnd: 4))
            $0.clientSays(ByteScript.asked(), SubscribeUpdate(options: SubscribeOptions(groupEnd: 5)).bytes(.lite05))
            $0.answer(.start(group: 2))
            $0.group(5, stream: 1)
            $0.group(2, stream: 2)
        },
        RuleCase(.groupOnce, .lite06) {
            $0.subscribe()
            $0.answer(.start(group: 1))
            $0.group(1, stream: 1)
            $0.group(1, stream: 2)
        } legal: {
            $0.subscribe()
            $0.answer(.start(group: 1))
            $0.group(1, stream: 1, end: false)
            $0.relay(.reset(ByteScript.group(1), .code(0)))
            $0.group(1, stream: 2)
        },
        RuleCase(.groupOnce, .lite03) {
            $0.subscribe()
            $0.answer(.ok(SubscribeOptions()))
            $0.group(1, stream: 1, end: false)
            $0.group(1, stream: 2, end: false)
            $0.relay(.finished(ByteScript.group(2)))
            $0.relay(.finished(ByteScript.group(1)))
        } legal: {
            // The reset of the first copy may come after the second copy.
            $0.subscribe()
            $0.answer(.ok(SubscribeOptions()))
            $0.group(1, stream: 1, end: false)
            $0.group(1, stream: 2)
            $0.relay(.reset(ByteScript.group(1), .code(0)))
        },
        RuleCase(.frameRange, .lite06) {
            $0.subscribe(SubscribeOptions(groupStart: 2, groupEnd: 3, frameStart: 1, frameEnd: 1))
            $0.answer(.start(group: 2))
            $0.group(2, from: 0)
        } legal: {
            $0.subscribe(SubscribeOptions(groupStart: 2, groupEnd: 3, frameStart: 1, frameEnd: 1))
            $0.answer(.start(group: 2))
            $0.group(2, stream: 1, from: 1, frames: 4)
            $0.group(3, stream: 2, frames: 2)
        },
        RuleCase(.frameRange, .lite06) {
            let fetch = Fetch(broadcast: path("a"), track: "v", priority: 0, group: 3, frameStart: 1, frameEnd: 2)
            $0.clientSays(ByteScript.asked(), fetch.stream(.lite06))
            $0.relaySays(ByteScript.asked(), [0, 0, 0, 0, 0, 0], end: true)
        } legal: {
            let fetch = Fetch(broadcast: path("a"), track: "v", priority: 0, group: 3, frameStart: 1, frameEnd: 2)
            $0.clientSays(ByteScript.asked(), fetch.stream(.lite06))
            $0.relaySays(ByteScript.asked(), [0, 0, 0, 0], end: true)
        },
        RuleCase(.frameWhole, .lite06) {
            $0.subscribe()
            $0.answer(.start(group: 1))
            $0.group(1, tail: [0, 3, 1])
        } legal: {
            $0.subscribe()
            $0.answer(.start(group: 1))
            $0.group(1, tail: [0, 3, 1, 2, 3])
        },
        RuleCase(.frameWhole, .lite04) {
            $0.subscribe()
            $0.answer(.ok(SubscribeOptions()))
            $0.group(1, tail: [0x80])
        } legal: {
            $0.subscribe()
            $0.answer(.ok(SubscribeOptions()))
            $0.group(1, tail: [0])
        },
        RuleCase(.frameLimit, .lite06) {
            $0.subscribe()
            $0.answer(.start(group: 1))
            $0.group(1, tail: [0, 0x82, 0, 0, 1], end: false)
        } legal: {
            $0.subscribe()
            $0.answer(.start(group: 1))
            $0.group(1, tail: [0, 0x82, 0, 0, 0], end: false)
        },
        RuleCase(.timestampBounds, .lite05) {
            $0.subscribe()
            $0.answer(.start(group: 1))
            $0.group(1, tail: [3, 0])
        } legal: {
            $0.subscribe()
            $0.answer(.start(group: 1))
            $0.group(1, tail: [1, 0])
        },
        RuleCase(.datagramVersion, .lite04) {
            $0.relay(.datagram([5, 1, 0, 1]))
        } legal: {
            $0.subscribe()
        },
        RuleCase(.datagramTransport, .lite06, kind: .websocket) {
            $0.subscribe()
            $0.relay(.datagram([5, 1, 0, 1]))
        } legal: {
            $0.subscribe()
        },
        RuleCase(.datagramID, .lite06) {
            $0.relay(.datagram([5, 1, 0, 1]))
        } legal: {
            $0.subscribe()
            $0.relay(.datagram([5, 1, 0, 1]))
        },
        RuleCase(.datagramSize, .lite06, profile: .draft) {
            $0.subscribe()
            $0.relay(.datagram([5, 1, 0] + [UInt8](repeating: 1, count: 1198)))
        } legal: {
            $0.subscribe()
            $0.relay(.datagram([5, 1, 0] + [UInt8](repeating: 1, count: 1197)))
        },
    ]
}
