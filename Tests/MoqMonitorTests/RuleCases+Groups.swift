import MoqBase
import MoqTransport
import MoqWire

@testable import MoqMonitor

extension RuleCase {
    /// Groups, frames, datagrams, and what a relay asks.
    static let groups: [RuleCase] = [
        RuleCase(.knownSubscription, .lite04) {
            $0.subscribe(id: 5)
            $0.answer(.ok(SubscribeOptions()))
            $0.group(1, of: 6)
        } legal: {
            // A request that cannot be read may have had that id.
            $0.clientSays(ByteScript.asked(2), [2, 3, 6, 0, 9])
            $0.group(1, of: 6)
        },
        RuleCase(.inRange, .lite05) {
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
        } legal: { _ in
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
        RuleCase(.relayIDs, .lite04) {
            $0.clientPublishes(excludeHop: 9)
            $0.relayAsks(id: 0, on: 1)
            $0.relayAsks(id: 0, on: 2)
        } legal: {
            $0.clientPublishes(excludeHop: 9)
            $0.relayAsks(id: 0, on: 1)
            $0.relayAsks(id: 1, on: 2)
        },
        RuleCase(.relayIDsCount, .lite02) {
            $0.clientPublishes()
            $0.relayAsks(id: 2, on: 1)
        } legal: {
            $0.clientPublishes()
            $0.relayAsks(id: 1, on: 1)
        },
        RuleCase(.propertiesFirst, .lite06) {
            $0.clientPublishes()
            $0.relayAsks(id: 0, on: 1)
        } legal: {
            $0.clientPublishes()
            let request = TrackRequest(broadcast: path("room/a"), track: "video")
            $0.relaySays(ByteScript.relayAsks(2), request.stream(.lite06))
            $0.clientSays(ByteScript.relayAsks(2), TrackInfo().bytes(.lite06), end: true)
            $0.relayAsks(id: 0, on: 1)
        },
        RuleCase(.requestForm, .lite04) {
            $0.clientPublishes()
        } legal: {
            $0.clientPublishes(excludeHop: 9)
        },
        RuleCase(.asksAnnounced, .lite05) {
            let request = TrackRequest(broadcast: path("room/b"), track: "video")
            $0.clientPublishes(excludeHop: 9)
            $0.relaySays(ByteScript.relayAsks(1), request.stream(.lite05))
        } legal: {
            let request = TrackRequest(broadcast: path("room/a"), track: "video")
            $0.clientPublishes(excludeHop: 9)
            $0.relaySays(ByteScript.relayAsks(1), request.stream(.lite05))
        },
        RuleCase(.probeAble, .lite05, isSetUp: false) {
            $0.clientSays(ByteScript.clientSetup, Setup(hop: 7).stream(.lite05), end: true)
            $0.relaySays(ByteScript.relayAsks(), [4])
        } legal: {
            $0.clientSays(ByteScript.clientSetup, Setup(probe: .increase, hop: 7).stream(.lite05), end: true)
            $0.relaySays(ByteScript.relayAsks(), [4])
        },
        RuleCase(.probeSilent, .lite03) {
            $0.relaySays(ByteScript.relayAsks(), [4] + Probe(bitrate: 5).bytes(.lite03))
        } legal: {
            $0.relaySays(ByteScript.relayAsks(), [4], end: true)
        },
        RuleCase(.probePace, .lite04) {
            $0.clientSays(ByteScript.asked(), [4])
            for _ in 0..<12 { $0.relaySays(ByteScript.asked(), Probe(bitrate: 5, roundTrip: 1).bytes(.lite04)) }
        } legal: {
            $0.clientSays(ByteScript.asked(), [4])
            for _ in 0..<12 {
                $0.relaySays(ByteScript.asked(), Probe(bitrate: 5, roundTrip: 1).bytes(.lite04))
                $0.wait(.milliseconds(100))
            }
        },
        RuleCase(.goawayOnce, .lite06) {
            $0.relaySays(ByteScript.relayAsks(0), Goaway(uri: "").stream(.lite06))
            $0.relaySays(ByteScript.relayAsks(1), Goaway(uri: "").stream(.lite06))
        } legal: {
            $0.relaySays(ByteScript.relayAsks(0), Goaway(uri: "").stream(.lite06))
        },
    ]
}

extension ByteScript {
    /// The relay subscribes to the client's track.
    mutating func relayAsks(id: UInt64, on number: UInt64) {
        let request = Subscribe(id: id, broadcast: path("room/a"), track: "video")
        relaySays(Self.relayAsks(number), request.stream(version))
    }
}
