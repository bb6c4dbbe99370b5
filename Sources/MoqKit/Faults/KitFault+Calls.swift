// Faults of calls that have to be turned down.
extension KitFault {
    static let callFaults = [
        through(
            "kit-session-again", "A session can be connected again, and used after it was closed.",
            [.alreadyConnected, .alreadyClosed], ["kit.session-one-shot", "kit.session-loss"], in: "client-session"),
        through(
            "kit-unconnected-taken", "Calls are taken before the session is connected.", [.notConnected],
            ["kit.session-one-shot", "publisher.go-live-order"], in: "client-session"),
        through(
            "kit-prefix-twice", "A prefix can be subscribed to twice.", [.alreadySubscribed], ["kit.prefix-once"],
            in: "client-session"),
        through(
            "kit-refusal-unseen", "A connection that fails is told to be up.", [.connectionFailed],
            ["viewing.rights", "kit.session-one-shot"], in: "kit-scopes"),
        through(
            "kit-publisher-again", "A publisher can be started and published again.",
            [.alreadyStarted, .alreadyRegistered], ["publisher.single-use", "viewing.objects-once"], in: "publisher"),
        through(
            "kit-start-unregistered", "A publisher starts without being published.", [.notRegistered],
            ["publisher.go-live-order"], in: "publisher"),
        through(
            "kit-path-shared", "Two publishers of a session can have one path.", [.pathInUse],
            ["publisher.go-live-order"], in: "publisher"),
        through(
            "kit-label-twice", "Two tracks can have one name.", [.duplicateTrack],
            ["publisher.go-live-order", "publisher.stop-ends-all"], in: "publisher"),
        through(
            "kit-codec-unchecked", "What cannot be played or published is not turned down.", [.unsupportedCodec],
            ["player.misuse", "publisher.go-live-order", "media.refused-codec"], in: "player"),
        through(
            "kit-nothing-selected", "A player takes no tracks at all, or ones that are not there.",
            [.noTracksSelected, .unknownTrack], ["player.misuse", "viewing.restart-by-kind"], in: "player"),
        through(
            "kit-closed-player-plays", "Calls on a closed player are taken.", [.playerClosed],
            ["player.misuse", "player.single-use"], in: "player"),
        KitFault(
            "kit-refused-otherwise", "Whatever is turned down is turned down with one error.",
            breaks: ["kit.session-one-shot", "publisher.single-use", "player.misuse"], in: "client-session",
            by: .refusals { ModelError(.singleConsumer, $0.text, on: $0.platform) }),
    ]

    private static func through(
        _ name: String, _ about: String, _ reasons: [ModelError.Reason], _ requirements: [String], in suite: String
    ) -> KitFault {
        KitFault(
            name, about, breaks: requirements, in: suite,
            by: .refusals { reasons.contains($0.reason) ? nil : $0 })
    }
}
