// Made from fixtures/machines/player.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/player.yaml.
    static let player = #"""
        machine: player
        object: Player
        about: The life of a player. The SDK has no such enumeration; this is what its code behaves like.
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]

        states:
          new: { initial: true, about: Before its initialiser. }
          created: Made from a catalog and the names of its tracks.
          playing: It has a pipeline.
          paused: The track subscriptions are cancelled; playing again joins at the live edge.
          ended: All tracks are over.
          stopped: Stopped by stopAll(), or by a failure of the pipeline.
          destroyed: { terminal: true, about: "Closed on Android, deallocated on iOS." }

        inputs:
          init: { kind: call, with: { tracks: [known, none, unknown] } }
          play: { kind: call, with: { playable: flag } }
          pause: { kind: call }
          stop_all: { kind: call, about: "stopAll()" }
          close: { kind: call, only: [android], about: "close()" }
          released: { kind: inside, only: [ios], about: The last reference was dropped. }
          switch: { kind: call, about: "A rendition by its name, or none.", with: { to: [same, other, nothing] } }
          set_latency: { kind: call, about: "updateTargetLatency, at any time." }
          set_volume: { kind: call }
          set_surface: { kind: call, only: [android] }
          restart: { kind: inside, about: "A kind was switched on or off, a second video switch while one is pending, an audio format that changes on Android." }
          output: { kind: inside, about: "The rebuffer kind can be heard or seen for the first time: audio if there is any, else video." }
          tracks.over: { kind: outside, about: Every ingest ended or failed. }
          pipeline.failed: { kind: outside, only: [android], about: "The audio renderer gave up, or the video renderer with no audio running." }

        variables:
          begun: false
          had_session: false

        events:
          player.init: { about: Nobody can be listening yet., lossy: true }
          playback.request: play() or a full restart.
          playback.resume: play() after a pause.
          playback.start: Once a session.
          playback.pause: pause().
          playback.end: { with: [reason], about: "With a reason from stopAll, close and failures, without one at a natural end." }
          player.destroy: The end of the player.

        errors:
          no_tracks_selected: { says: SessionError.noTracksSelected, only: [ios] }
          no_tracks_expected: { says: "IllegalStateException: at least one audio or video track is expected", only: [android] }
          unknown_track: { says: "SessionError.invalidConfiguration: Unknown track for catalog", only: [ios] }
          unknown_track_android: { says: "IllegalArgumentException: Unknown track for catalog", only: [android] }
          unsupported_codec: { says: SessionError.unsupportedCodec, only: [ios] }
          unsupported_codec_android: { says: UnsupportedCodecException, only: [android] }
          already_closed: { says: "IllegalStateException: Player is already closed", only: [android] }

        transitions:
          - { from: new, on: init, when: { tracks: known }, to: created, emits: player.init, source: player calls }
          - { from: new, on: init, when: { tracks: none }, refuse: { ios: no_tracks_selected, android: no_tracks_expected }, source: player calls }
          - { from: new, on: init, when: { tracks: unknown }, refuse: { ios: unknown_track, android: unknown_track_android }, source: player calls }

          - from: [created, paused, stopped]
            on: play
            when: { playable: false }
            refuse: { ios: unsupported_codec, android: unsupported_codec_android }
            source: player calls
            about: Before any event.
          - { from: created, on: play, when: { playable: true }, to: playing, emits: playback.request, set: { begun: false, had_session: true }, source: player states }
          - { from: paused, on: play, when: { playable: true }, to: playing, emits: [playback.request, playback.resume], set: { begun: false, had_session: true }, source: player states; player events }
          - from: stopped
            on: play
            when: { playable: true }
            to: playing
            emits: playback.request
            set: { begun: false, had_session: true }
            only: [actual]
            source: player states; manual and code differ
            about: The manual forbids it.
          - { from: [playing, ended], on: play, ignore: true, source: player calls }
          - { from: playing, on: output, when: { begun: false }, to: same, emits: playback.start, set: { begun: true }, source: player events }
          - { from: playing, on: output, when: { begun: true }, ignore: true, source: player events }
          - { from: playing, on: restart, to: same, emits: playback.request, set: { begun: false }, source: player events }
          - { from: playing, on: tracks.over, to: ended, emits: { playback.end: { reason: none } }, source: ends of tracks }
          - { from: playing, on: pipeline.failed, to: stopped, emits: { playback.end: { reason: failure } }, set: { had_session: false }, source: ends of tracks }
          - { from: [paused, stopped, ended, created], on: tracks.over, ignore: true }

          - { from: [playing, ended], on: pause, to: paused, emits: playback.pause, source: player states }
          - { from: [created, paused, stopped], on: pause, to: same, emits: playback.pause, only: [ios], source: player calls, about: There is no guard. }
          - { from: [created, paused, stopped], on: pause, ignore: true, only: [android], source: player calls }

          - { from: [created, playing, paused, ended, stopped], on: stop_all, to: stopped, emits: { playback.end: { reason: stop } }, only: [ios], source: player calls }
          - { from: [created, playing, paused, ended, stopped], on: stop_all, when: { had_session: true }, to: stopped, emits: { playback.end: { reason: stop } }, set: { had_session: false }, only: [android], source: player calls }
          - { from: [created, playing, paused, ended, stopped], on: stop_all, when: { had_session: false }, to: stopped, only: [android], source: player calls }
          - { from: [created, playing, paused, ended, stopped], on: close, when: { had_session: true }, to: destroyed, emits: [{ playback.end: { reason: close } }, player.destroy], source: player calls }
          - { from: [created, playing, paused, ended, stopped], on: close, when: { had_session: false }, to: destroyed, emits: player.destroy, source: player calls }
          - { from: [created, playing, paused, ended, stopped], on: released, to: destroyed, emits: player.destroy, source: player states }
          - { from: destroyed, on: close, ignore: true, source: player calls }
          - { from: destroyed, on: play, refuse: already_closed, only: [android], source: player calls }
          - { from: destroyed, on: pause, refuse: already_closed, only: [android], source: player calls }
          - { from: destroyed, on: stop_all, refuse: already_closed, only: [android], source: player calls }
          - { from: destroyed, on: switch, refuse: already_closed, only: [android], source: player calls }
          - { from: destroyed, on: set_latency, refuse: already_closed, only: [android], source: player calls }
          - { from: destroyed, on: set_volume, refuse: already_closed, only: [android], source: player calls }
          - { from: destroyed, on: set_surface, refuse: already_closed, source: player calls }

          - { from: [created, playing, paused, ended, stopped], on: switch, when: { to: same }, ignore: true, source: player calls }
          - { from: [created, playing, paused, ended, stopped], on: switch, when: { to: other }, to: same, source: player calls, about: "The track shows the selection; without a pipeline that is all." }
          - { from: [created, playing, paused, ended, stopped], on: switch, when: { to: nothing }, refuse: { ios: no_tracks_selected, android: no_tracks_expected }, source: player calls }
          - { from: [created, playing, paused, ended, stopped], on: set_latency, to: same, source: jitter gate and PCM ring }
          - { from: [created, playing, paused, ended, stopped], on: set_volume, to: same, source: player calls }
          - { from: [created, playing, paused, ended, stopped], on: set_surface, to: same, source: player calls }

        # Neither the end of a session nor that of a catalog ends a player: it notices through its media subscriptions.
        orders:
          - { after: { session: connected }, in: [created, playing], source: ownership }
          - { until: { broadcast: released }, in: [created, playing, paused, ended, stopped], then: destroyed, only: [android], source: broadcast lifetime, about: It holds the broadcast. }

        """#
}
