import MoqLite
import MoqTransport
import MoqWire

// Faults of fetches: where groups come from, and how an answer ends.
extension RelayFault {
    static let fetchSharingFaults = [fetchPerClient, cacheUnused, fetchEndedAsEmpty]

    static let fetchPerClient = RelayFault(
        "fetch-per-client", "The publisher is asked for a group once for every client that wants it.",
        breaks: ["fetch.upstream-once"], in: "fetch", versions: .lite05 ... .lite06, by: .core)

    static let cacheUnused = RelayFault(
        "cache-unused", "A group is fetched from the publisher although the relay has it.",
        breaks: ["fetch.cache", "fetch.from-cache"], in: "fetch", versions: .lite05 ... .lite06, by: .core)

    static let fetchEndedAsEmpty = RelayFault(
        "fetch-ended-as-empty", "A fetch that is refused, or fails on the way, ends as if the group were over.",
        breaks: ["fetch.refusal", "fetch.torn"], in: "fetch", versions: .lite05 ... .lite06,
        by: .wire { act, stream in
            if stream.kind == .answer(.fetch), case .reset = act { [.finish] } else { [act] }
        })
}
