// Faults of what the application is told.
extension KitFault {
    static let eventFaults =
        [
            untold("playback.start", ["player.event-order", "viewing.crowd"], in: "player"),
            untold("playback.end", ["player.natural-end", "viewing.every-departure"], in: "player"),
            untold("playback.pause", ["player.pause-leaves"], in: "player"),
            untold("playback.resume", ["player.pause-leaves", "player.single-use"], in: "player"),
            untold("track.switch", ["player.switch-in-place", "viewing.switch-both-ways"], in: "player"),
            untold("track.stall.start", ["player.stall", "viewing.short-outage"], in: "player"),
            untold("rebuffer.start", ["player.stall", "viewing.short-outage"], in: "player"),
            untold("rebuffer.end", ["player.stall", "viewing.short-outage"], in: "player"),
            untold(
                "track.subscribe.error", ["viewing.codes-reach", "player.refused-track", "player.natural-end"],
                in: "kit-leaving"),
            untold("track.subscribe.end", ["player.natural-end"], in: "player"),
            untold("decode.error", ["media.decode-given-up"], in: "media"),
            untold("trackStarted", ["publisher.go-live-order", "publisher.catalog-grows"], in: "publisher"),
            untold(
                "trackStopped", ["publisher.stop-ends-all", "publisher.catalog-grows", "publisher.data-end"],
                in: "publisher"),
            doubled("playback.start", ["player.event-order", "player.single-use", "viewing.crowd"], in: "player"),
            doubled("playback.end", ["player.natural-end", "player.single-use"], in: "player"),
            untold("participantJoined", ["moqom.presence"], in: "moqom"),
            untold("participantLeft", ["moqom.presence"], in: "moqom"),
            untold("presenceChanged", ["moqom.presence", "moqom.not-a-leave"], in: "moqom-links"),
            untold("muteChanged", ["moqom.mutes"], in: "moqom"),
            untold("grantsChanged", ["moqom.grants"], in: "moqom"),
            untold("stageChanged", ["moqom.invitations", "moqom.moderation"], in: "moqom"),
            untold("spotlightChanged", ["moqom.moderation"], in: "moqom"),
            untold("terminal", ["moqom.terminal-once"], in: "moqom"),
            untold("restored", ["moqom.restoration"], in: "moqom-links"),
            doubled("terminal", ["moqom.terminal-once"], in: "moqom"),
            doubled("participantJoined", ["moqom.presence", "moqom.two-sessions"], in: "moqom"),
            doubled("participantLeft", ["moqom.presence"], in: "moqom"),
        ] + [readyAfterPlaying, endAfterLoss, codeUntold, codeOther]

    private static func slug(_ event: String) -> String {
        var text = ""
        for character in event {
            if character.isUppercase {
                text += "-" + character.lowercased()
            } else {
                text.append(character == "." ? "-" : character)
            }
        }
        return text
    }

    private static func untold(_ event: String, _ requirements: [String], in suite: String) -> KitFault {
        KitFault(
            "kit-\(slug(event))-untold", "The event `\(event)` never comes.", breaks: requirements, in: suite,
            by: .events { told, _ in told.name == event ? [] : [told] })
    }

    private static func doubled(_ event: String, _ requirements: [String], in suite: String) -> KitFault {
        KitFault(
            "kit-\(slug(event))-doubled", "The event `\(event)` comes twice.", breaks: requirements, in: suite,
            by: .events { told, _ in told.name == event ? [told, told] : [told] })
    }

    static let readyAfterPlaying = KitFault(
        "kit-ready-after-playing", "A track is told to be ready only after it plays.", breaks: ["player.event-order"],
        in: "player",
        by: .events { told, kit in
            if told.name == "track.ready" {
                kit.held.append(told)
                return []
            }
            guard told.name == "playback.start" else { return [told] }
            defer { kit.held = [] }
            return [told] + kit.held
        })

    static let endAfterLoss = KitFault(
        "kit-end-reason-lost", "That playback ended is told without the reason.",
        breaks: ["player.single-use", "player.natural-end", "media.decode-given-up"], in: "player",
        by: .events { told, _ in
            guard told.name == "playback.end" else { return [told] }
            var other = told
            other.fields.removeAll { $0.name == "reason" }
            return [other]
        })

    static let codeUntold = KitFault(
        "kit-code-untold", "The message of an error does not have the code that the relay gave.",
        breaks: ["viewing.codes-reach", "player.natural-end", "player.refused-track"], in: "kit-leaving",
        by: .events { told, _ in [told.withMessage("remote error")] })

    static let codeOther = KitFault(
        "kit-code-other", "The message of an error has another code than the relay gave.",
        breaks: ["viewing.codes-reach", "player.natural-end", "player.refused-track"], in: "kit-leaving",
        by: .events { told, _ in [told.withMessage("remote error: code=999")] })
}

extension ModelEvent {
    /// The same with another message, where it has one of the relay.
    fileprivate func withMessage(_ text: String) -> ModelEvent {
        guard self["message"]?.hasPrefix("remote error") ?? false else { return self }
        var other = self
        other.fields.removeAll { $0.name == "message" }
        other.fields.append(.init("message", text))
        return other
    }
}
