import MoqConformance
import MoqWire

/// One way in which an error code goes into a relay at one side, and may come out at the other.
public enum HopWay: String, CaseIterable, Sendable {
    /// A publisher resets the subscription of the relay before it has said yes.
    case refusal
    /// A publisher resets the subscription of the relay after a group.
    case track
    /// A publisher resets one group.
    case group
    /// A publisher resets the relay's FETCH.
    case fetch
    /// A publisher resets the relay's TRACK.
    case trackInfo = "track-info"
    /// A publisher closes its session while it serves.
    case publisherClose = "publisher-close"
    /// A subscriber refuses the rest of a group.
    case stoppedGroup = "stopped-group"
    /// A subscriber resets its subscription.
    case unsubscribe
    /// A subscriber closes its session.
    case subscriberClose = "subscriber-close"

    /// What happens, for people.
    public var title: String {
        switch self {
        case .refusal: "a publisher refuses a subscription"
        case .track: "a publisher resets a subscription that it serves"
        case .group: "a publisher resets a group"
        case .fetch: "a publisher refuses a fetch"
        case .trackInfo: "a publisher refuses to say what a track is"
        case .publisherClose: "a publisher closes its session"
        case .stoppedGroup: "a subscriber stops a group"
        case .unsubscribe: "a subscriber resets its subscription"
        case .subscriberClose: "a subscriber closes its session"
        }
    }

    /// Whether it goes from publishers to subscribers.
    public var isTowardsSubscriber: Bool {
        switch self {
        case .refusal, .track, .group, .fetch, .trackInfo, .publisherClose: true
        case .stoppedGroup, .unsubscribe, .subscriberClose: false
        }
    }

    /// As what the code goes in.
    public var signal: CodeSignal {
        switch self {
        case .publisherClose, .subscriberClose: .close
        case .stoppedGroup: .stop
        default: .reset
        }
    }

    /// As what it comes out.
    var signalOut: CodeSignal { self == .stoppedGroup ? .stop : .reset }

    /// What a relay needs to have for it.
    var need: String? {
        switch self {
        case .fetch: "fetch"
        case .trackInfo: "track-info"
        default: nil
        }
    }

    /// What happens, as steps of a scenario; `${code}` is the number.
    var steps: [String] {
        let serving = [
            "camera.publish: { broadcast: game, tracks: [video] }",
            "viewer.subscribe: { broadcast: game, track: video }",
            "camera.write: { track: video, group: 0, frames: 1 }",
            "viewer.expect: { track: video, group: 0, frames: 1, within: 2s }",
        ]
        let refusing = [
            "camera.publish: { broadcast: game, tracks: [video] }",
            "camera.refuse: { track: lost, code: \"${code}\" }",
        ]
        switch self {
        case .refusal:
            return refusing + [
                "viewer.subscribe: { broadcast: game, track: lost }",
                "viewer.expect: { track: lost, ended: any, within: 2s }",
            ]
        case .fetch:
            return refusing + [
                "viewer.fetch: { broadcast: game, track: lost, group: 0 }",
                "viewer.expect: { fetched: { track: lost, reset: any }, within: 2s }",
            ]
        case .trackInfo:
            return refusing + [
                "viewer.track_info: { broadcast: game, track: lost }",
                "viewer.expect: { track_info: { track: lost, reset: any }, within: 2s }",
            ]
        case .track:
            return serving + [
                "camera.finish: { track: video, group: 0 }",
                "viewer.expect: { track: video, group: 0, finished: true, within: 2s }",
                "camera.abort: { track: video, code: \"${code}\" }",
                "viewer.expect: { track: video, ended: any, within: 2s }",
            ]
        case .group:
            return serving + [
                "camera.abort: { track: video, group: 0, code: \"${code}\" }",
                // Relays of 0.4 hold the reset of the newest group back until there is a newer one.
                "camera.write: { track: video, start_group: 1, groups: 1, frames: 1 }",
                "viewer.expect: { any_of: [{ track: video, group: 0, reset: any }, "
                    + "{ track: video, group: 0, finished: true }], within: 2s }",
            ]
        case .publisherClose:
            return serving + [
                "camera.close: { code: \"${code}\" }",
                "viewer.expect: { track: video, ended: any, within: 2s }",
            ]
        case .stoppedGroup:
            return serving + [
                "viewer.stop_group: { track: video, group: 0, code: \"${code}\" }",
                // Whatever of it reaches the publisher is there before what comes after it.
                "viewer.unsubscribe: { track: video }",
                "camera.expect: { unsubscribed: { track: video }, within: 2s }",
            ]
        case .unsubscribe:
            return serving + [
                "viewer.unsubscribe: { track: video, code: \"${code}\" }",
                "camera.expect: { unsubscribed: { track: video }, within: 2s }",
            ]
        case .subscriberClose:
            return serving + [
                "viewer.close: { code: \"${code}\" }",
                "camera.expect: { unsubscribed: { track: video }, within: 2s }",
            ]
        }
    }

    /// What came out, as the sessions of a case have seen it.
    func outcome(camera: SessionRecord, viewer: SessionRecord) -> HopOutcome {
        switch self {
        case .refusal, .track, .publisherClose: HopOutcome(viewer.subscriptions.first?.end)
        case .group: HopOutcome(viewer.subscriptions.first?.groups.first { $0.sequence == 0 }?.end)
        case .fetch: HopOutcome(viewer.fetches.first?.end)
        case .trackInfo: HopOutcome(viewer.trackInfos.first?.end)
        case .stoppedGroup: HopOutcome(camera.stoppedGroups.first?.end)
        case .unsubscribe, .subscriberClose: HopOutcome(camera.requests.first { $0.kind == .subscribe }?.end)
        }
    }
}
