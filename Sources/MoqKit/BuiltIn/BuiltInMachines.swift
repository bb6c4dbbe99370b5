import MoqScenario

/// The definitions that are part of the program. Made from fixtures/machines by fixtures/machines/embed.sh.
enum BuiltInMachines {
    /// The files, by the paths they have in the repository.
    static let files: [ScenarioFile] = [
        ScenarioFile(path: "fixtures/machines/audio-data-stream.yaml", bytes: Array(audioDataStream.utf8)),
        ScenarioFile(path: "fixtures/machines/broadcast-subscription.yaml", bytes: Array(broadcastSubscription.utf8)),
        ScenarioFile(path: "fixtures/machines/broadcast.yaml", bytes: Array(broadcast.utf8)),
        ScenarioFile(path: "fixtures/machines/catalog.yaml", bytes: Array(catalog.utf8)),
        ScenarioFile(path: "fixtures/machines/data-track-emitter.yaml", bytes: Array(dataTrackEmitter.utf8)),
        ScenarioFile(path: "fixtures/machines/media-track.yaml", bytes: Array(mediaTrack.utf8)),
        ScenarioFile(path: "fixtures/machines/published-track.yaml", bytes: Array(publishedTrack.utf8)),
        ScenarioFile(path: "fixtures/machines/publisher.yaml", bytes: Array(publisher.utf8)),
        ScenarioFile(path: "fixtures/machines/session.yaml", bytes: Array(session.utf8)),
        ScenarioFile(path: "fixtures/machines/track-subscription.yaml", bytes: Array(trackSubscription.utf8)),
    ]
}
