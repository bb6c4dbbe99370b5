import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults of the life of tracks and groups: their ends, gaps, stops, timestamps and ages.
extension RelayFault {
    static let trackFaults = [
        groupsRenumbered, lateGroupDropped, emptyGroupLost, groupHeld, resetEndsTrack, stopPassedOn, timestampsShifted,
        timestampsNeverFall, trackEndLost, trackEndEarly, tailCut, subscriptionsMixed, streamsRunOut, tornCompleted,
        pastEndTaken,
    ]

    static let groupsRenumbered = RelayFault(
        "groups-renumbered", "Groups are numbered without gaps.",
        breaks: ["group.gaps"], in: "groups",
        by: .wire { act, stream in
            stream.groupHead(in: act) { head in
                head.sequence = UInt64(stream.memory.count("group of \(stream.transport.number)/\(head.subscribeID)"))
                return true
            }
        })

    static let lateGroupDropped = RelayFault(
        "late-group-dropped", "A group that is older than the newest one sent is left out.",
        breaks: ["group.any-order", "group.gaps"], in: "groups",
        by: .wire { act, stream in
            if stream.isGroup, stream.held == [.finish] { return act == .finish ? [.finish] : [] }
            return stream.groupHead(in: act) { head in
                let key = "newest of \(stream.transport.number)/\(head.subscribeID)"
                if let newest = stream.memory.number(key), newest > head.sequence {
                    stream.held = [.finish]
                    return false
                }
                stream.memory.note(key, head.sequence)
                return true
            }
        })

    static let emptyGroupLost = RelayFault(
        "empty-group-lost", "A group without frames is left out.",
        breaks: ["group.empty"], in: "groups",
        by: .wire { act, stream in
            guard stream.isGroup || stream.kind == .unknown else { return [act] }
            if stream.isGroup, stream.writes == 0, case .write = act {
                stream.held = [act]
                return []
            }
            let held = stream.held
            stream.held = []
            return act == .finish && stream.writes < 2 ? [act] : held + [act]
        })

    static let groupHeld = RelayFault(
        "group-held", "A group is sent once it is whole.",
        breaks: ["group.streaming", "subscribe.live"], in: "groups",
        by: .wire { act, stream in
            guard stream.isGroup else { return [act] }
            switch act {
            case .write:
                stream.held.append(act)
                return []
            case .finish: return stream.held + [act]
            default: return [act]
            }
        })

    static let resetEndsTrack = RelayFault(
        "reset-ends-track", "The reset of a group ends the subscription that it is of.",
        breaks: ["group.reset.keeps-track"], in: "groups",
        by: .events { event, scene in
            guard case .groupEnded(let group, .reset(let code)) = event, let upstream = scene.session.groups[group],
                case .subscribed(let id) = upstream.stage
            else { return [event] }
            // Or the relay would ask once more.
            upstream.hasDelivered = false
            return [event, .subscriptionEnded(id, .reset(code))]
        })

    static let stopPassedOn = RelayFault(
        "stop-passed-on", "A viewer that stops a group stops it for all, with its own code.",
        breaks: ["group.stop.local", "errors.subscriber-codes-stay", "group.stop"], in: "groups",
        by: .events { event, scene in
            guard case .groupStopped(_, let code) = event else { return [event] }
            for track in scene.core.allTracks {
                guard let upstream = track.current else { continue }
                for id in upstream.groups.keys.sorted() { upstream.session.lite.stopGroup(id, code: code) }
            }
            return [event]
        })

    static let timestampsShifted = RelayFault(
        "timestamps-shifted", "Every timestamp is one unit too late.",
        breaks: ["frame.timestamp"], in: "groups", versions: .lite05 ... .lite06,
        by: .events { event, _ in
            guard case .frame(let group, let index, let frame) = event, let timestamp = frame.timestamp else {
                return [event]
            }
            return [.frame(group, index: index, Frame(timestamp: timestamp + 1, payload: frame.payload))]
        })

    static let timestampsNeverFall = RelayFault(
        "timestamps-never-fall", "A timestamp before that of the frame before it is raised to it.",
        breaks: ["frame.timestamp.negative-delta", "frame.timestamp"], in: "groups", versions: .lite05 ... .lite06,
        by: .events { event, scene in
            guard case .frame(let group, let index, let frame) = event, let timestamp = frame.timestamp else {
                return [event]
            }
            let key = "timestamp of \(scene.session.number)/\(group)"
            let raised = max(timestamp, scene.memory.number(key) ?? 0)
            scene.memory.note(key, raised)
            return [.frame(group, index: index, Frame(timestamp: raised, payload: frame.payload))]
        })

    static let trackEndLost = RelayFault(
        "track-end-lost", "That a publisher has finished a track is told to nobody.",
        breaks: ["track.end"], in: "groups",
        by: .events { event, _ in
            switch event {
            case .subscribeEnd, .subscriptionEnded(_, .finished): []
            default: [event]
            }
        })

    static let trackEndEarly = RelayFault(
        "track-end-early", "SUBSCRIBE_END names the last group instead of the first that will never exist.",
        breaks: ["track.end.exclusive", "track.end-message", "track.nothing-after-end"], in: "groups",
        versions: .lite05 ... .lite06,
        by: .wire { act, stream in
            stream.subscribeAnswers(in: act) { answer in
                guard case .end(let group, let streams) = answer, group > 0 else { return answer }
                return .end(group: group - 1, streams: streams)
            }
        })

    static let tailCut = RelayFault(
        "tail-cut", "What is still open when the end of a track is told is cut.",
        breaks: ["track.tail", "track.end"], in: "groups", versions: .lite05 ... .lite06,
        by: .events { event, scene in
            guard case .subscribeEnd(let id, _) = event, let upstream = scene.session.upstreams[id] else {
                return [event]
            }
            let code = RelayPolicy.code(.dropped, .second)
            return upstream.groups.keys.sorted().map { .groupEnded($0, .reset(code)) } + [event]
        })

    static let subscriptionsMixed = RelayFault(
        "subscriptions-mixed", "Groups name the first subscription of the session, whichever they belong to.",
        breaks: ["relay.no-mixing", "subscribe.independent", "group.header-id"], in: "subscribe",
        by: .wire { act, stream in
            stream.groupHead(in: act) { head in
                let key = "subscription of \(stream.transport.number)"
                let first = stream.memory.number(key) ?? head.subscribeID
                stream.memory.note(key, first)
                head.subscribeID = first
                return true
            }
        })

    static let streamsRunOut = RelayFault(
        "streams-run-out", "After 300 groups a session gets no more.",
        breaks: ["relay.stream-credit", "group.whole"], in: "groups",
        by: .wire { act, stream in
            guard stream.isGroup, stream.place >= 300 else { return [act] }
            if case .write = act { return [] }
            return act == .finish ? [] : [act]
        })

    static let tornCompleted = RelayFault(
        "torn-completed", "A group that ended inside a frame is passed on as whole.",
        breaks: ["group.never-completed-by-loss", "group.whole"], in: "hostile",
        by: .events { event, _ in
            if case .groupEnded(let group, .malformed) = event { [.groupEnded(group, .finished)] } else { [event] }
        })

    static let pastEndTaken = RelayFault(
        "past-end-taken", "Groups behind the declared end of a track are taken and passed on.",
        breaks: ["errors.closed.code", "track.end.exclusive", "group.past-end"], in: "errors",
        versions: .lite05 ... .lite06,
        by: .events { event, _ in
            if case .subscribeEnd = event { [] } else { [event] }
        })
}

extension FaultyStream {
    /// An act on a group, its head changed where the act is the head; nothing is done when the change says false.
    func groupHead(in act: WireAct, _ change: (inout GroupHeader) -> Bool) -> [WireAct] {
        guard isGroup, writes == 0, case .write(let bytes) = act else { return [act] }
        var decoder = MessageDecoder()
        decoder.feed(bytes)
        guard decoder.nextStreamType() != nil, var head = try? decoder.next(GroupHeader.self, version: version) else {
            return [act]
        }
        guard change(&head), let changed = try? head.encodeStream(version: version) else { return [] }
        return [.write(changed + decoder.takeRest())]
    }
}
