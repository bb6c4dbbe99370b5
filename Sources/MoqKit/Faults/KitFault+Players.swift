// Faults of players.
extension KitFault {
    static let playerFaults = [
        targetIgnored, diagnosticsUnbounded, diagnosticsLost, switchTears, stallUnseen, clockStuck,
        recoveryEndless, restartForgotten, endUntold,
    ]

    static let targetIgnored = KitFault(
        "kit-target-ignored", "A target latency that is set while playing changes nothing.",
        breaks: ["player.keeps-up", "viewing.target"], in: "kit-figures", by: .core)

    static let diagnosticsUnbounded = KitFault(
        "kit-diagnostics-unbounded", "Everything that the pipeline ever did is held.",
        breaks: ["player.diagnostics-bound"], in: "kit-figures", by: .core)

    static let diagnosticsLost = KitFault(
        "kit-diagnostics-lost", "The pipeline tells nothing of what it does.",
        breaks: ["player.diagnostics-bound", "viewing.figures"], in: "player", by: .core)

    static let switchTears = KitFault(
        "kit-switch-restarts", "Another rendition begins a new session of playback.",
        breaks: ["player.switch-in-place", "viewing.switch-both-ways", "media.switch-seen", "viewing.switch-in-stall"],
        in: "player", by: .core)

    static let stallUnseen = KitFault(
        "kit-stall-unseen", "That playback stands still is not noticed.",
        breaks: ["player.stall", "viewing.short-outage", "media.rebuffer"], in: "player", by: .core)

    static let clockStuck = KitFault(
        "kit-pictures-frozen", "Pictures are decoded and not shown.",
        breaks: [
            "player.keeps-up", "viewing.crowd", "viewing.chained", "media.whole", "viewing.impaired-plays",
            "viewing.rendition-gone",
        ],
        in: "kit-crowds", by: .core)

    static let recoveryEndless = KitFault(
        "kit-never-gives-up", "A decoder that fails again and again is tried for ever.",
        breaks: ["media.decode-given-up"], in: "media", by: .core)

    static let restartForgotten = KitFault(
        "kit-selection-without-restart", "A track that is switched on or off changes nothing of what plays.",
        breaks: ["viewing.restart-by-kind"], in: "kit-switching", by: .core)

    static let endUntold = KitFault(
        "kit-plays-on", "A player whose tracks are all over goes on.",
        breaks: ["player.natural-end", "viewing.every-departure", "viewing.chained", "viewing.expiry"], in: "player",
        by: .core)
}
