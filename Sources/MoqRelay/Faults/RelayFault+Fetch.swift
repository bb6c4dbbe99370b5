import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults of fetches and of track properties.
extension RelayFault {
    static let fetchFaults = [
        fetchWrongGroup, fetchTorn, fetchNotFromCache, fetchOnlyFromCache, fetchRangeIgnored,
        fetchRefusalWithheld, fetchesMixed, fetchEmptyRefused, timescaleWrong, propertiesRefusalWithheld,
    ]

    /// The event with a fetch changed.
    private static func fetching(_ event: LiteEvent, _ change: (inout Fetch) -> Void) -> [LiteEvent] {
        guard case .fetchRequested(let id, var request) = event else { return [event] }
        change(&request)
        return [.fetchRequested(id, request)]
    }

    static let fetchWrongGroup = RelayFault(
        "fetch-of-wrong-group", "A fetch is answered with the group behind the one that was asked for.",
        breaks: ["fetch.answer"], in: "fetch", versions: .lite05 ... .lite06,
        by: .events { event, _ in fetching(event) { $0.group += 1 } })

    static let fetchTorn = RelayFault(
        "fetch-torn", "The last frame of a fetched group is left out.",
        breaks: ["fetch.answer"], in: "fetch", versions: .lite05 ... .lite06,
        by: .wire { act, stream in
            guard stream.kind == .answer(.fetch) else { return [act] }
            switch act {
            case .write:
                let held = stream.held
                stream.held = [act]
                return held
            case .finish, .reset:
                stream.held = []
                return [act]
            default: return [act]
            }
        })

    static let fetchNotFromCache = RelayFault(
        "fetch-not-from-cache", "The publisher is asked also for groups that the relay keeps.",
        breaks: ["fetch.cache"], in: "fetch", versions: .lite05 ... .lite06, by: .core)

    static let fetchOnlyFromCache = RelayFault(
        "fetch-only-from-cache", "A group that the relay does not keep is not found.",
        breaks: ["fetch.upstream"], in: "fetch", versions: .lite05 ... .lite06, by: .core)

    static let fetchRangeIgnored = RelayFault(
        "fetch-range-ignored", "Who fetches a part of a group gets all of it.",
        breaks: ["fetch.frame-range"], in: "fetch", versions: .lite06 ... .lite06,
        by: .events { event, _ in
            fetching(event) {
                $0.frameStart = 0
                $0.frameEnd = nil
            }
        })

    static let fetchRefusalWithheld = RelayFault(
        "fetch-refusal-withheld", "A fetch that was refused stays open without an answer.",
        breaks: ["fetch.refusal"], in: "fetch", versions: .lite05 ... .lite06,
        by: .wire { act, stream in
            if stream.kind == .answer(.fetch), case .reset = act { [] } else { [act] }
        })

    static let fetchesMixed = RelayFault(
        "fetches-mixed", "The second of two fetches of a session is answered with the group of the first.",
        breaks: ["fetch.independent", "fetch.answer"], in: "fetch", versions: .lite05 ... .lite06,
        by: .events { event, scene in
            guard case .fetchRequested(let id, var request) = event else { return [event] }
            let key = "fetch of session \(scene.session.number)"
            if let group = scene.memory.number(key) { request.group = group }
            scene.memory.note(key, request.group)
            return [.fetchRequested(id, request)]
        })

    static let fetchEmptyRefused = RelayFault(
        "fetch-of-empty-refused", "A fetch of a group without frames is refused.",
        breaks: ["fetch.empty", "group.empty", "fetch.answer"], in: "fetch", versions: .lite05 ... .lite06,
        by: .wire { act, stream in
            guard stream.kind == .answer(.fetch), stream.writes == 0, act == .finish else { return [act] }
            return [.reset(RelayPolicy.code(.notFound, .second))]
        })

    static let timescaleWrong = RelayFault(
        "timescale-wrong", "The properties of a track name another timescale than its publisher does.",
        breaks: ["track.info-unchanged", "track.timescale"], in: "subscribe", versions: .lite05 ... .lite06,
        by: .events { event, _ in
            guard case .trackInfo(let id, var info) = event else { return [event] }
            info.timescale *= 2
            return [.trackInfo(id, info)]
        })

    static let propertiesRefusalWithheld = RelayFault(
        "properties-refusal-withheld", "A question for the properties of a track that there is not stays open.",
        breaks: ["track.info-refusal"], in: "errors", versions: .lite05 ... .lite06,
        by: .wire { act, stream in
            if stream.kind == .answer(.track), case .reset = act { [] } else { [act] }
        })
}
