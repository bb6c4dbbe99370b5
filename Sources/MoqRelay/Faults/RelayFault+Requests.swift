import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults of what is asked for: ranges of groups and frames, answers, refusals and what is remembered of them.
extension RelayFault {
    static let requestFaults = [
        startIgnored, endIgnored, endExclusive, framesIgnored, answerWrongStart, answerOmitted, leaverKept,
        secondViewerRefused, publisherMayNotView, versionsApart, transportsApart, wholeTrackReplayed,
    ]

    /// The event with the options of a subscription changed.
    static func subscribing(
        _ event: LiteEvent, _ change: (inout SubscribeOptions) -> Void
    ) -> [LiteEvent] {
        guard case .subscribeRequested(let id, var request) = event else { return [event] }
        change(&request.options)
        return [.subscribeRequested(id, request)]
    }

    static let startIgnored = RelayFault(
        "start-group-ignored", "A subscription that names its first group begins with the latest.",
        breaks: ["subscribe.start-group"], in: "subscribe", versions: .lite03 ... .lite06,
        by: .events { event, _ in
            subscribing(event) {
                if $0.groupStart != nil { $0.maxAge = 0 }
                $0.groupStart = nil
            }
        })

    static let endIgnored = RelayFault(
        "end-group-ignored", "A subscription goes on behind the last group that it names.",
        breaks: ["subscribe.end-group"], in: "subscribe", versions: .lite03 ... .lite06,
        by: .events { event, _ in subscribing(event) { $0.groupEnd = nil } })

    static let endExclusive = RelayFault(
        "end-group-exclusive", "The last group that a subscription names is not part of it.",
        breaks: ["subscribe.end-group"], in: "subscribe", versions: .lite03 ... .lite06,
        by: .events { event, _ in
            subscribing(event) { options in
                if let end = options.groupEnd, end > 0 { options.groupEnd = end - 1 }
            }
        })

    static let framesIgnored = RelayFault(
        "frame-range-ignored", "Who asks for a part of a group gets all of it.",
        breaks: ["subscribe.frame-range"], in: "subscribe", versions: .lite06 ... .lite06,
        by: .events { event, _ in
            subscribing(event) {
                $0.frameStart = 0
                $0.frameEnd = nil
            }
        })

    static let answerWrongStart = RelayFault(
        "answer-wrong-start", "SUBSCRIBE_OK names a group behind the first one that is sent.",
        breaks: ["subscribe.start", "subscribe.nothing-below-start"], in: "subscribe", versions: .lite05 ... .lite06,
        by: .wire { act, stream in
            stream.subscribeAnswers(in: act) { answer in
                if case .start(let group, let largest) = answer { return .start(group: group + 1, largest: largest) }
                return answer
            }
        })

    static let answerOmitted = RelayFault(
        "answer-omitted", "A subscription is served without SUBSCRIBE_OK.",
        breaks: ["subscribe.accepted", "subscribe.ok-first", "subscribe.start"], in: "subscribe",
        by: .wire { act, stream in
            stream.subscribeAnswers(in: act) { answer in
                switch answer {
                case .ok, .start: nil
                default: answer
                }
            }
        })

    static let leaverKept = RelayFault(
        "leaver-kept", "That a viewer has left is not noticed.",
        breaks: ["relay.release-upstream", "subscribe.cancel", "subscribe.cancel-answered", "relay.nothing-left-open"],
        in: "subscribe",
        by: .events { event, _ in
            if case .subscribeCancelled(_, .finished) = event { [] } else { [event] }
        })

    static let secondViewerRefused = RelayFault(
        "second-viewer-refused", "Only one viewer of a track is served.",
        breaks: ["relay.fan-out", "relay.one-upstream"], in: "subscribe",
        by: .events { event, scene in
            guard case .subscribeRequested(let id, let request) = event,
                scene.memory.count("\(request.broadcast)/\(request.track)") > 1
            else { return [event] }
            scene.session.lite.resetSubscription(id, code: RelayPolicy.code(.tooManyRequests, .second))
            return []
        })

    static let publisherMayNotView = RelayFault(
        "publisher-may-not-view", "A session that publishes cannot subscribe.",
        breaks: ["session.both-roles"], in: "session",
        by: .events { event, scene in
            guard case .subscribeRequested(let id, _) = event, !scene.session.sources.isEmpty else { return [event] }
            scene.session.lite.resetSubscription(id, code: RelayPolicy.code(.unauthorized, .second))
            return []
        })

    static let versionsApart = RelayFault(
        "versions-apart", "What a session of another version publishes cannot be subscribed to.",
        breaks: ["relay.across-versions", "versions.mixed"], in: "interop", by: .core)

    static let transportsApart = RelayFault(
        "transports-apart", "What a session over another transport publishes cannot be subscribed to.",
        breaks: ["relay.across-transports"], in: "interop", by: .core)

    static let wholeTrackReplayed = RelayFault(
        "old-groups-replayed", "A late viewer gets the oldest group that is kept first, and all behind it.",
        breaks: ["subscribe.latest-group", "catalog.newest-wins", "subscribe.nothing-older"], in: "catalog-churn",
        by: .core)
}

extension FaultyStream {
    /// An act on a Subscribe stream of a subscriber, its answers changed or left out.
    func subscribeAnswers(in act: WireAct, _ change: (SubscribeAnswer) -> SubscribeAnswer?) -> [WireAct] {
        guard kind == .answer(.subscribe), case .write(let bytes) = act else { return [act] }
        var decoder = MessageDecoder()
        decoder.feed(bytes)
        var changed: [UInt8] = []
        while let answer = try? decoder.next(SubscribeAnswer.self, version: version) {
            changed += (try? change(answer)?.encode(version: version)) ?? []
        }
        return changed.isEmpty ? [] : [.write(changed)]
    }
}
