import MoqWire

/// A capability that a scenario may need (`needs`): without it the case is skipped, with who lacks it and why.
public struct Capability: Hashable, Sendable {
    /// What decides whether it is there.
    public enum Basis: Hashable, Sendable {
        /// The version has it or has it not.
        case version(from: Version)
        /// The version and the transport decide together (`Combination`).
        case combination
        /// Any relay is expected to have it unless it is said to lack it.
        case expected
        /// A relay has it only when that is said (`--with NAME`). The embedded relay has all of them.
        case optional
        /// The run must be in simulated time, where seconds of waiting cost nothing.
        case simulatedTime
        /// The key must be known with which the relay verifies tokens.
        case tokenKey
        /// The harness must find the libraries that media is read and decoded with.
        case mediaLibraries
        /// The harness must own the relay's process or run it itself.
        case ownedRelay
    }

    /// Its name in scenarios and flags.
    public var name: String
    /// What decides.
    public var basis: Basis
    /// What it means, in a sentence.
    public var meaning: String

    /// All that there are.
    public static let all: [Capability] = [
        Capability(name: "fetch", basis: .version(from: .lite05), meaning: "FETCH of one group"),
        Capability(name: "track-info", basis: .version(from: .lite05), meaning: "TRACK and TRACK_INFO"),
        Capability(name: "datagrams", basis: .version(from: .lite05), meaning: "groups of one frame as datagrams"),
        Capability(name: "timestamps", basis: .version(from: .lite05), meaning: "frames carry timestamps"),
        Capability(name: "setup", basis: .version(from: .lite05), meaning: "SETUP streams"),
        Capability(name: "hop-ids", basis: .version(from: .lite04), meaning: "announcements name the hops they passed"),
        Capability(name: "goaway", basis: .version(from: .lite04), meaning: "GOAWAY"),
        Capability(
            name: "goaway-obeyed", basis: .expected,
            meaning: "who said GOAWAY is asked nothing new; a second one, or one with SETUP, closes the session"),
        Capability(name: "announce-ids", basis: .version(from: .lite06), meaning: "announcements have ids and costs"),
        Capability(name: "frame-ranges", basis: .version(from: .lite06), meaning: "parts of groups can be asked for"),
        Capability(
            name: "request-path", basis: .combination,
            meaning: "the relay learns the request path: from the transport's request, or from SETUP"),
        Capability(
            name: "request-url", basis: .combination, meaning: "the transport's own request carries path and query"),
        Capability(
            name: "path-scoping", basis: .optional,
            meaning: "the request path is the root of what a session sees and publishes"),
        Capability(
            name: "group-budget", basis: .optional,
            meaning: "a group keeps at most 32 MiB; a reader behind that is told so"),
        Capability(
            name: "track-budget", basis: .optional,
            meaning: "a track keeps at most 96 MiB; the oldest groups go first, and their readers are told so"),
        Capability(
            name: "group-reset-at-once", basis: .expected,
            meaning: "the reset of the newest group is passed on before a newer group comes"),
        Capability(
            name: "withdrawal-ends-tracks", basis: .expected,
            meaning: "withdrawing a broadcast ends the subscriptions to it"),
        Capability(
            name: "group-error-codes", basis: .expected, meaning: "the code of a group's reset is passed on unchanged"),
        Capability(
            name: "track-error-codes", basis: .expected,
            meaning: "the code of a subscription's reset is passed on unchanged"),
        Capability(
            name: "subscribe-end", basis: .expected,
            meaning: "a subscription brings no group past the end that it names"),
        Capability(
            name: "merged-subscription", basis: .expected,
            meaning: "what the viewers of a track want is merged, and told to its publisher when it changes"),
        Capability(
            name: "live-edge-for-all", basis: .expected,
            meaning: "a viewer that waits for a later group takes no earlier one from others"),
        Capability(
            name: "next-source", basis: .expected,
            meaning: "a publisher that refuses a track is passed over for another that has the path"),
        Capability(
            name: "asks-again", basis: .expected,
            meaning: "a publisher that fails a subscription after a group is asked once more"),
        Capability(
            name: "bare-end", basis: .expected,
            meaning:
                "the end of a subscription that its publisher did not name is made up, and what is missing below one is asked for"
        ),
        Capability(
            name: "long-frames-streamed", basis: .expected,
            meaning: "the bytes of a long frame are passed on before the frame is whole"),
        Capability(
            name: "stops-without-goaway", basis: .expected, meaning: "it closes its sessions without a GOAWAY before"),
        Capability(
            name: "priority-update", basis: .expected,
            meaning: "an update of the priority holds for groups that are already on their way"),
        Capability(
            name: "expires-groups", basis: .expected,
            meaning: "groups that are older than their publisher keeps them are let go"),
        Capability(
            name: "unanswered-is-released", basis: .expected,
            meaning: "a subscription that its publisher never answered is given up when the last viewer leaves"),
        Capability(
            name: "replayed-end", basis: .expected,
            meaning: "the end of a broadcast is told also where it was there before announcements were asked for"),
        Capability(
            name: "quiet-origin", basis: .expected,
            meaning: "a publisher is not told of the end of its own broadcasts, of which it was not told either"),
        Capability(
            name: "unknown-request-reset", basis: .expected,
            meaning: "a request of an unknown type is reset, and its session goes on"),
        Capability(
            name: "takeover", basis: .expected, meaning: "the newest of two publishers of a path is the one served"),
        Capability(
            name: "late-join", basis: .expected, meaning: "a late subscriber gets the newest group from its first frame"
        ),
        Capability(
            name: "strict-transport", basis: .expected,
            meaning:
                "what is malformed beneath a session gets the answer that HTTP/3, QPACK, WebSocket or Qmux have for it"
        ),
        Capability(
            name: "tls-and-plain", basis: .optional, meaning: "its TCP port takes connections with TLS and without"),
        Capability(
            name: "http", basis: .optional,
            meaning: "it tells its certificate, its broadcasts and groups over plain HTTP"),
        Capability(
            name: "roles", basis: .optional, meaning: "it looks at the role in SETUP"),
        Capability(
            name: "finished-versions-only", basis: .expected,
            meaning: "it serves no version that is not frozen, unless it is told to"),
        Capability(
            name: "second-setup-closes", basis: .expected, meaning: "a second SETUP closes its session"),
        Capability(
            name: "simulated-time", basis: .simulatedTime,
            meaning: "the run is in simulated time, so that what takes minutes may be waited for"),
        Capability(
            name: "media", basis: .mediaLibraries,
            meaning: "the harness can read and decode media files (libavformat and libavcodec)"),
        Capability(
            name: "tokens", basis: .tokenKey,
            meaning: "the relay verifies tokens, and the harness can mint them with its key"),
        Capability(
            name: "short-announcements", basis: .expected,
            meaning: "an announcement that ends before its fields do is refused, and nothing more of it waited for"),
        Capability(
            name: "linger", basis: .optional,
            meaning: "the harness can say how long the relay keeps the broadcasts of a publisher that was lost"),
        Capability(
            name: "fresh-tracks", basis: .expected,
            meaning: "a track that was finished is asked for anew when its session publishes the broadcast again"),
        Capability(
            name: "withdrawal-keeps-tracks", basis: .expected,
            meaning: "what is under way of a broadcast goes on when it is withdrawn"),
        Capability(name: "restart", basis: .ownedRelay, meaning: "the harness can stop and start the relay"),
        Capability(name: "signals", basis: .ownedRelay, meaning: "the harness can send signals to the relay's process"),
    ]

    /// The names, for `lint`.
    public static let names = all.map(\.name)

    /// The capability with a name.
    public static func named(_ name: String) -> Capability? { byName[name] }

    /// Every case asks for all of them.
    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
}
