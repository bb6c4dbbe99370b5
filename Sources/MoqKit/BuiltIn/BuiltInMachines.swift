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
        ScenarioFile(path: "fixtures/machines/jitter-gate.yaml", bytes: Array(jitterGate.utf8)),
        ScenarioFile(path: "fixtures/machines/media-track.yaml", bytes: Array(mediaTrack.utf8)),
        ScenarioFile(path: "fixtures/machines/moqom-broadcast.yaml", bytes: Array(moqomBroadcast.utf8)),
        ScenarioFile(path: "fixtures/machines/moqom-invitation.yaml", bytes: Array(moqomInvitation.utf8)),
        ScenarioFile(path: "fixtures/machines/moqom-mute.yaml", bytes: Array(moqomMute.utf8)),
        ScenarioFile(path: "fixtures/machines/moqom-participant.yaml", bytes: Array(moqomParticipant.utf8)),
        ScenarioFile(path: "fixtures/machines/moqom-session.yaml", bytes: Array(moqomSession.utf8)),
        ScenarioFile(path: "fixtures/machines/moqom-token.yaml", bytes: Array(moqomToken.utf8)),
        ScenarioFile(path: "fixtures/machines/pcm-ring.yaml", bytes: Array(pcmRing.utf8)),
        ScenarioFile(path: "fixtures/machines/player-track.yaml", bytes: Array(playerTrack.utf8)),
        ScenarioFile(path: "fixtures/machines/player.yaml", bytes: Array(player.utf8)),
        ScenarioFile(path: "fixtures/machines/published-track.yaml", bytes: Array(publishedTrack.utf8)),
        ScenarioFile(path: "fixtures/machines/publisher.yaml", bytes: Array(publisher.utf8)),
        ScenarioFile(path: "fixtures/machines/recovery.yaml", bytes: Array(recovery.utf8)),
        ScenarioFile(path: "fixtures/machines/rendition-switch.yaml", bytes: Array(renditionSwitch.utf8)),
        ScenarioFile(path: "fixtures/machines/session.yaml", bytes: Array(session.utf8)),
        ScenarioFile(path: "fixtures/machines/stall.yaml", bytes: Array(stall.utf8)),
        ScenarioFile(path: "fixtures/machines/track-subscription.yaml", bytes: Array(trackSubscription.utf8)),
    ]
}
