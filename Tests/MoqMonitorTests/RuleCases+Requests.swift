import MoqBase
import MoqTransport
import MoqWire

@testable import MoqMonitor

extension RuleCase {
    /// What a relay asks, probes, GOAWAY.
    static let requests: [RuleCase] = [
        RuleCase(.relayIDs, .lite04) {
            $0.clientPublishes(excludeHop: 9)
            $0.relayAsks(id: 0, on: 1)
            $0.relayAsks(id: 0, on: 2, track: "audio")
        } legal: {
            $0.clientPublishes(excludeHop: 9)
            $0.relayAsks(id: 0, on: 1)
            $0.relayAsks(id: 1, on: 2, track: "audio")
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
        RuleCase(.announceRequest, .lite06) {
            $0.relaySays(ByteScript.relayAsks(0), AnnounceRequest().stream(.lite06))
            $0.relaySays(ByteScript.relayAsks(1), AnnounceRequest().stream(.lite06))
        } legal: {
            $0.relaySays(ByteScript.relayAsks(0), AnnounceRequest(prefix: path("a")).stream(.lite06))
            $0.relaySays(ByteScript.relayAsks(1), AnnounceRequest(prefix: path("b")).stream(.lite06))
        },
        RuleCase(.oneUpstream, .lite04) {
            $0.clientPublishes(excludeHop: 9)
            $0.relayAsks(id: 0, on: 1)
            $0.relayAsks(id: 1, on: 2)
        } legal: {
            $0.clientPublishes(excludeHop: 9)
            $0.relayAsks(id: 0, on: 1)
            $0.relay(.finished(ByteScript.relayAsks(1)))
            $0.relayAsks(id: 1, on: 2)
        },
        RuleCase(.optionalGroups, .lite04) {
            $0.clientPublishes(excludeHop: 9)
            $0.relayAsks(id: 0, on: 1, SubscribeOptions(groupStart: 4, groupEnd: 3))
        } legal: {
            $0.clientPublishes(excludeHop: 9)
            $0.relayAsks(id: 0, on: 1, SubscribeOptions(groupStart: 4, groupEnd: 4))
        },
        RuleCase(.fetchRequestEnded, .lite05, profile: .draft) {
            let fetch = Fetch(broadcast: path("room/a"), track: "video", priority: 0, group: 3)
            $0.clientPublishes(excludeHop: 9)
            $0.relaySays(ByteScript.relayAsks(1), fetch.stream(.lite05))
            $0.waitInVain()
        } legal: {
            let fetch = Fetch(broadcast: path("room/a"), track: "video", priority: 0, group: 3)
            $0.clientPublishes(excludeHop: 9)
            $0.relaySays(ByteScript.relayAsks(1), fetch.stream(.lite05), end: true)
            $0.waitInVain()
        },
        RuleCase(.trackRequestEnded, .lite05, profile: .draft) {
            let request = TrackRequest(broadcast: path("room/a"), track: "video")
            $0.clientPublishes(excludeHop: 9)
            $0.relaySays(ByteScript.relayAsks(1), request.stream(.lite05))
            $0.waitInVain()
        } legal: {
            let request = TrackRequest(broadcast: path("room/a"), track: "video")
            $0.clientPublishes(excludeHop: 9)
            $0.relaySays(ByteScript.relayAsks(1), request.stream(.lite05), end: true)
            $0.waitInVain()
        },
        RuleCase(.probeForm, .lite04) {
            $0.clientSays(ByteScript.asked(), [4])
            $0.relaySays(ByteScript.asked(), Probe(bitrate: 5).bytes(.lite03))
        } legal: {
            $0.clientSays(ByteScript.asked(), [4])
            $0.relaySays(ByteScript.asked(), Probe(bitrate: 5, roundTrip: 1).bytes(.lite04))
        },
        RuleCase(.probeFrom, .lite02) {
            $0.relaySays(ByteScript.relayAsks(), [4])
        } legal: {
            $0.clientPublishes()
        },
        RuleCase(.goawayFrom, .lite03) {
            $0.relaySays(ByteScript.relayAsks(), [5, 1, 0])
        } legal: {
            $0.relaySays(ByteScript.relayAsks(), [4])
        },
    ]
}

extension ByteScript {
    /// The relay subscribes to the client's track.
    mutating func relayAsks(
        id: UInt64, on number: UInt64, track: TrackName = "video", _ options: SubscribeOptions = SubscribeOptions()
    ) {
        let request = Subscribe(id: id, broadcast: path("room/a"), track: track, options: options)
        relaySays(Self.relayAsks(number), request.stream(version))
    }
}
