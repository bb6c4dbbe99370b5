import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults of what becomes of what publishers send and answer, and of who may have it.
extension RelayFault {
    static let publisherFaults = [
        cutHeadTaken, belowZeroTaken, emptyFramesLost, framesAfter500Lost, droppedGroupCompleted, openGroupBlocks,
        earlyGroupsLost, dropEndsSubscription, subscribesFirst, ownBroadcastServed,
        ownBroadcastUnanswered, neighboursMixed, fifthViewerForgotten, bulkCut, orderAlwaysAsked, updateOnce,
        endNeverRaised, timestampsToAll, aboveRefused, belowRefused,
    ]

    static let cutHeadTaken = RelayFault(
        "cut-head-taken", "A group that ends within the head of a frame is passed on as whole.",
        breaks: ["frame.cut-head"], in: "frames",
        by: .events { event, _ in
            if case .groupEnded(let id, .malformed) = event { [.groupEnded(id, .finished)] } else { [event] }
        })

    static let belowZeroTaken = RelayFault(
        "below-zero-taken", "A group with a time below 0 ends in good order.",
        breaks: ["frame.timestamp.below-zero"], in: "frames", versions: .lite05 ... .lite06,
        by: .events { event, _ in
            if case .groupEnded(let id, .malformed) = event { [.groupEnded(id, .finished)] } else { [event] }
        })

    static let emptyFramesLost = RelayFault(
        "empty-frames-lost", "Frames without a payload are left out.",
        breaks: ["frame.size"], in: "frames",
        by: .events { event, _ in
            if case .frame(_, _, let frame) = event, frame.payload.isEmpty { [] } else { [event] }
        })

    static let framesAfter500Lost = RelayFault(
        "frames-after-500-lost", "Of a group only the first five hundred frames are passed on.",
        breaks: ["frame.size", "group.whole"], in: "frames",
        by: .events { event, _ in
            if case .frame(_, let index, _) = event, index >= 500 { [] } else { [event] }
        })

    static let droppedGroupCompleted = RelayFault(
        "dropped-group-completed", "A group that its producer let go of ends in good order.",
        breaks: ["errors.dropped.reset-code", "group.never-completed-by-loss"], in: "producer-drop",
        by: .events { event, _ in
            let dropped = RelayPolicy.code(.dropped, .second)
            if case .groupEnded(let id, .reset(dropped)) = event { return [.groupEnded(id, .finished)] }
            return [event]
        })

    static let openGroupBlocks = RelayFault(
        "open-group-blocks", "While a group of a publisher is open those behind it are left out.",
        breaks: ["group.independent", "limit.slow-drip"], in: "hostile.publishers",
        by: .events { event, scene in
            guard case .groupOpened = event, !scene.session.groups.isEmpty else { return [event] }
            return []
        })

    static let earlyGroupsLost = RelayFault(
        "early-groups-lost", "Groups that come before the publisher's answer are left out.",
        breaks: ["subscribe.groups-before-answer", "subscribe.answer-needed"], in: "subscribe.answers",
        by: .events { event, scene in
            guard case .groupOpened(_, let id, _, _) = event, let upstream = scene.session.upstreams[id] else {
                return [event]
            }
            let isAnswered =
                upstream.version.subscribeAnswerIsOK
                ? upstream.isAccepted : upstream.track.store.resolvedStart != nil
            return isAnswered ? [event] : []
        })

    static let dropEndsSubscription = RelayFault(
        "drop-ends-subscription", "A publisher that says that groups will not come has failed the subscription.",
        breaks: ["subscribe.drop-kept"], in: "subscribe.answers", versions: .lite03 ... .lite06,
        by: .events { event, scene in
            guard case .subscribeDrop(let id, _, _, let code) = event else { return [event] }
            scene.session.upstreams[id]?.hasDelivered = false
            return [.subscriptionEnded(id, .reset(.code(code)))]
        })

    static let subscribesFirst = RelayFault(
        "subscribes-first", "A publisher is asked for groups before it has said what the track is.",
        breaks: ["subscribe.properties-first"], in: "subscribe.answers", versions: .lite05 ... .lite06, by: .core)

    static let ownBroadcastServed = RelayFault(
        "own-broadcast-served", "A session is served its own broadcast although it has said which hop it is.",
        breaks: ["relay.own-broadcast-refused"], in: "sources", versions: .lite05 ... .lite06, by: .core)

    static let ownBroadcastUnanswered = RelayFault(
        "own-broadcast-unanswered", "A session that asks for its own broadcast gets no answer.",
        breaks: ["relay.own-broadcast", "relay.own-broadcast-refused"], in: "sources",
        by: .events { event, scene in
            guard case .subscribeRequested(_, let request) = event,
                let full = scene.session.grant?.full(request.broadcast, to: .subscribe),
                scene.session.sources[full] != nil
            else { return [event] }
            return []
        })

    static let neighboursMixed = RelayFault(
        "neighbours-mixed", "Who asks for a broadcast below another gets that other one.",
        breaks: ["relay.side-by-side", "relay.no-mixing"], in: "sources",
        by: .events { event, scene in
            guard case .subscribeRequested(let id, var request) = event,
                let parent = try? BroadcastPath(request.broadcast.parts.dropLast().joined(separator: "/")),
                let full = scene.session.grant?.full(parent, to: .subscribe), scene.core.entries[full] != nil
            else { return [event] }
            request.broadcast = parent
            return [.subscribeRequested(id, request)]
        })

    static let fifthViewerForgotten = RelayFault(
        "fifth-viewer-forgotten", "The fifth viewer of a track and all behind it get no answer.",
        breaks: ["relay.fan-out"], in: "delivery",
        by: .events { event, scene in
            guard case .subscribeRequested(_, let request) = event,
                scene.memory.count("viewers of \(request.broadcast)/\(request.track)") > 4
            else { return [event] }
            return []
        })

    static let bulkCut = RelayFault(
        "bulk-cut", "Of a group that is larger than 512 KiB the rest is left out, and it ends as if it were whole.",
        breaks: ["group.whole", "relay.flow-control"], in: "delivery",
        by: .events { event, scene in
            guard case .frame(let group, _, let frame) = event else { return [event] }
            let key = "bytes of \(scene.session.number)/\(group)"
            let bytes = (scene.memory.number(key) ?? 0) + UInt64(frame.payload.count)
            scene.memory.note(key, bytes)
            return bytes > 512 << 10 ? [] : [event]
        })

    static let orderAlwaysAsked = RelayFault(
        "order-always-asked", "The publisher is asked for order as soon as one viewer wants it.",
        breaks: ["relay.merged-order"], in: "sharing", versions: .lite03 ... .lite05, by: .core)

    static let updateOnce = RelayFault(
        "update-once", "Of the updates of a subscription only the first counts.",
        breaks: ["subscribe.update", "subscribe.update-end"], in: "subscribe.updates", versions: .lite03 ... .lite06,
        by: .events { event, scene in
            guard case .subscribeUpdated(let id, _) = event, scene.count("updates of \(id)") > 1 else { return [event] }
            return []
        })

    static let endNeverRaised = RelayFault(
        "end-never-raised", "An update cannot raise the end of a subscription.",
        breaks: ["subscribe.update-end"], in: "subscribe.updates", versions: .lite03 ... .lite06,
        by: .events { event, scene in
            guard case .subscribeUpdated(let id, var update) = event, let feed = scene.session.feeds.feed(of: id),
                let end = feed.options.groupEnd
            else { return [event] }
            update.options.groupEnd = min(end, update.options.groupEnd ?? end)
            return [.subscribeUpdated(id, update)]
        })

    static let timestampsToAll = RelayFault(
        "timestamps-to-all", "Frames have times also for those whose version has none.",
        breaks: ["frame.timestamp.dropped", "wire.grammar"], in: "interop", versions: .lite01 ... .lite06,
        by: .wire { act, stream in
            guard stream.isGroup, stream.writes > 0, !stream.version.hasFrameTimestamps, case .write(let bytes) = act
            else {
                return [act]
            }
            return [.write([0] + bytes)]
        })

    static let aboveRefused = RelayFault(
        "above-refused", "Above the public prefix nobody without a token is taken.",
        breaks: ["token.public-above"], in: "tokens-public", by: .core)

    static let belowRefused = RelayFault(
        "below-refused", "Below the public prefix nobody without a token is taken, only at it.",
        breaks: ["token.public-prefix", "path.scope"], in: "tokens-public", by: .core)
}
