// Faults of several objects together: each by itself does what its machine defines, and they do not go together.
extension KitFault {
    static let orderFaults = [
        subscribesEarly, subscriptionOutlives, publisherOutlives, trackOutlivesPublisher, emitterOutlives,
        trackBeforePlay, trackOutlivesPause, broadcastOutlives,
    ]

    private static func core(_ name: String, _ about: String, in suite: String) -> KitFault {
        KitFault(name, about, breaks: ["kit.orders"], in: suite, by: .core)
    }

    static let subscribesEarly = core(
        "kit-subscribes-early", "A session that is not connected gives out subscriptions.", in: "client-session")

    static let subscriptionOutlives = core(
        "kit-subscription-outlives", "What a session subscribed to is not finished when it closes.",
        in: "client-session")

    static let publisherOutlives = core(
        "kit-publisher-outlives", "A publisher goes on when its session has closed.", in: "publisher")

    static let trackOutlivesPublisher = core(
        "kit-track-outlives", "A publisher that is stopped leaves its tracks as they are.", in: "publisher")

    static let emitterOutlives = core(
        "kit-emitter-outlives", "An emitter stays attached when its publisher is stopped.", in: "data-tracks")

    static let trackBeforePlay = core(
        "kit-track-before-play", "A player asks for its tracks before it says that it plays.", in: "player")

    static let trackOutlivesPause = core(
        "kit-track-outlives-pause", "The tracks of a player that is paused or stopped stay as they were.",
        in: "player")

    static let broadcastOutlives = core(
        "kit-broadcast-outlives", "What is published in a room goes on when its session has closed.", in: "moqom")
}
