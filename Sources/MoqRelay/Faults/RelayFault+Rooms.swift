import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults that people in rooms meet: who comes back, who leaves others as they are, and who says goodbye.
extension RelayFault {
    static let roomFaults = [
        secondPrefixUnserved, nameTakenForGood, viewersLeaveTogether, secondBroadcastStarved, returnInSessionUntold,
        watcherLeavesForGood, wordsAfterTheEnd,
    ]

    static let secondPrefixUnserved = RelayFault(
        "second-prefix-unserved", "Of a session's requests for announcements only the first is served.",
        breaks: ["moqom.channels", "moqom.rooms"], in: "moqom-calls",
        by: .events { event, scene in
            guard case .announceRequested = event, scene.count("prefixes") > 1 else { return [event] }
            return []
        })

    static let nameTakenForGood = RelayFault(
        "name-taken-for-good", "A broadcast that another session has announced before is told to nobody.",
        breaks: ["moqom.bans", "moqom.presence"], in: "moqom-calls",
        by: .events { event, scene in
            guard case .announced(_, let announced, isUpdate: false) = event,
                let full = scene.session.grant?.full(announced.path, to: .publish)
            else { return [event] }
            let owner = scene.memory.number("owner of \(full)")
            if let owner, owner != scene.session.number { return [] }
            scene.memory.note("owner of \(full)", scene.session.number)
            return [event]
        })

    static let viewersLeaveTogether = RelayFault(
        "viewers-leave-together", "Once a viewer has left a track, nothing new of it reaches the others.",
        breaks: ["moqom.layout", "moqom.mutes"], in: "moqom-calls",
        by: .events { event, scene in
            switch event {
            case .subscribeCancelled(let id, _):
                if let track = scene.session.subscribed[id] { scene.memory.note("left track \(track.number)") }
                return [event]
            case .groupOpened(_, let id, _, _):
                guard let track = scene.session.upstreams[id]?.track,
                    scene.memory.has("left track \(track.number)")
                else { return [event] }
                return []
            default: return [event]
            }
        })

    static let secondBroadcastStarved = RelayFault(
        "second-broadcast-starved", "Of a session's second broadcast nothing is passed on.",
        breaks: ["moqom.taps", "moqom.layout"], in: "moqom-calls",
        by: .events { event, scene in
            switch event {
            case .announced(_, let announced, isUpdate: false):
                guard let full = scene.session.grant?.full(announced.path, to: .publish) else { return [event] }
                scene.memory.note("place of \(full)", UInt64(scene.count("broadcasts")))
                return [event]
            case .groupOpened(_, let id, _, _):
                guard let track = scene.session.upstreams[id]?.track,
                    scene.memory.number("place of \(track.content.path)") == 2
                else { return [event] }
                return []
            default: return [event]
            }
        })

    static let returnInSessionUntold = RelayFault(
        "return-in-session-untold", "What a session has announced before is told to nobody when it announces it again.",
        breaks: ["moqom.again"], in: "moqom-again",
        by: .events { event, scene in
            guard case .announced(_, let announced, isUpdate: false) = event,
                scene.count("announced \(announced.path)") > 1
            else { return [event] }
            return []
        })

    static let watcherLeavesForGood = RelayFault(
        "watcher-leaves-for-good", "Once a session has stopped watching a prefix, it is told of none any more.",
        breaks: ["moqom.again", "moqom.rooms"], in: "moqom-again",
        by: .events { event, scene in
            let key = "session \(scene.session.number) left"
            switch event {
            case .announceCancelled: scene.memory.note(key)
            case .announceRequested where scene.memory.has(key): return []
            default: break
            }
            return [event]
        })

    static let wordsAfterTheEnd = RelayFault(
        "words-after-the-end", "What is published is passed on half a second late, and the end of a broadcast at once.",
        breaks: ["moqom.presence", "moqom.again"], in: "moqom-again",
        by: .events { event, scene in
            switch event {
            case .frame, .groupEnded:
                scene.hold(event, for: .milliseconds(500))
                return []
            default: return [event]
            }
        })
}
