// Made from fixtures/machines/publisher.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/publisher.yaml.
    static let publisher = #"""
        machine: publisher
        object: Publisher
        about: "What publishes one broadcast. In order: captures, tracks, Session.publish, start()."
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]
        single_use: true

        states:
          idle: { initial: true, about: Not started. }
          starting: { shown: idle, about: "start() is at work: codecs are checked, encoders and data tracks are started." }
          half: { shown: idle, about: start() failed part-way; encoders that came first are running. }
          publishing: It publishes.
          stopping: { shown: publishing, about: "stop() is at work: sources detached, encoders flushed, tracks stopped." }
          winding: { shown: idle, about: The same from idle. }
          stopped: { terminal: true, about: Over. }
          error: { terminal: true, only: [documented], about: "Declared; no code enters it." }

        inputs:
          add_track:
            kind: call
            with: { name: [fresh, duplicate] }
            about: "addVideoTrack, addAudioTrack, addDataTrack."
          start: { kind: call, with: { codecs: [supported, unsupported] } }
          stop: { kind: call }
          attached: { kind: inside, about: Session.publish took it. }
          unpublished: { kind: inside, about: "Session.unpublish." }
          session.ended: { kind: inside, about: The session is torn down or lost. }
          data.started: { kind: inside, about: A data track was attached., with: { name: text } }
          media.started: { kind: inside, about: The first frame with init data made a producer., with: { name: text } }
          track.failed: { kind: inside, about: A media producer could not be made., with: { name: text } }
          track.stopped: { kind: inside, about: "A track was stopped, by its handle or by stop().", with: { name: text, last: flag } }
          start.done: { kind: inside }
          start.failed: { kind: inside, about: "A native fault inside start(), such as a duplicate track name." }
          no_tracks: { kind: inside, only: [android], about: Nothing is left to publish right after the start. }
          stop.done: { kind: inside }
          broken: { kind: outside, only: [documented] }

        variables:
          attached: false

        events:
          trackStarted: { with: [name], lossy: [android], about: A producer was created or a data track attached. }
          trackStopped: { with: [name], lossy: [android], about: "A track stopped; comes again for each at stop()." }
          error: { with: [name], lossy: [android], about: "error(name, text) on iOS, TrackError on Android." }
          start.throws: { about: "start() throws what went wrong." }

        errors:
          not_registered: { says: "SessionError.invalidConfiguration: must be registered with Session.publish before start", only: [ios] }
          not_registered_android: { says: "IllegalStateException: must be registered with Session.publish before start", only: [android] }
          already_started: { says: "SessionError.invalidConfiguration: Publisher already started", only: [ios] }
          already_started_android: { says: "IllegalStateException: Publisher already started", only: [android] }
          unsupported_codec: { says: SessionError.unsupportedCodec, only: [ios] }
          unsupported_codec_android: { says: UnsupportedCodecException, only: [android] }
          already_registered: { says: "SessionError.invalidConfiguration: already registered", only: [ios] }
          already_registered_android: { says: "IllegalStateException: already registered", only: [android] }
          track_exists: { says: "IllegalArgumentException: track already added", only: [android] }

        transitions:
          - { from: [idle, publishing, half], on: add_track, to: same, only: [ios], source: going live, about: After the start a handle is returned that never starts. }
          - { from: [idle, publishing, half], on: add_track, when: { name: fresh }, to: same, only: [android], source: going live }
          - { from: [idle, publishing, half], on: add_track, when: { name: duplicate }, refuse: track_exists, only: [android], source: going live }
          - { from: idle, on: attached, when: { attached: false }, to: same, set: { attached: true }, source: going live }
          - { from: [idle, half, publishing], on: attached, when: { attached: true }, refuse: { ios: already_registered, android: already_registered_android }, source: "session, reuse and misuse" }
          - { from: stopped, on: attached, refuse: { ios: already_registered, android: already_registered_android }, source: "session, reuse and misuse" }
          - { from: idle, on: start, when: { attached: false }, refuse: { ios: not_registered, android: not_registered_android }, source: going live }
          - { from: [idle, half], on: start, when: { attached: true, codecs: unsupported }, refuse: { ios: unsupported_codec, android: unsupported_codec_android }, source: going live }
          - { from: [idle, half], on: start, when: { attached: true, codecs: supported }, to: starting, source: publisher start and stop }
          - { from: [starting, publishing, stopping, winding, stopped], on: start, refuse: { ios: already_started, android: already_started_android }, source: going live }
          - { from: starting, on: data.started, to: same, emits: { trackStarted: { name: $name } }, source: publisher start and stop, about: Before the state says publishing. }
          - { from: starting, on: start.done, to: publishing, source: publisher start and stop }
          - { from: starting, on: start.failed, to: half, emits: start.throws, source: going live }
          - { from: publishing, on: media.started, to: same, emits: { trackStarted: { name: $name } }, source: publisher start and stop }
          - { from: publishing, on: track.failed, to: same, emits: { error: { name: $name } }, source: publisher events }
          - { from: publishing, on: track.stopped, when: { last: false }, to: same, emits: { trackStopped: { name: $name } }, source: publisher events }
          - from: publishing
            on: track.stopped
            when: { last: true }
            to: stopped
            emits: { trackStopped: { name: $name } }
            source: publisher start and stop
            about: "The broadcast is not finished then: the path stays announced until the session closes."
          - { from: publishing, on: no_tracks, to: stopped, source: going live, about: Without finishing the broadcast. }
          - { from: publishing, on: stop, to: stopping, source: publisher start and stop }
          - { from: [idle, half], on: stop, to: winding, source: publisher start and stop }
          - { from: publishing, on: unpublished, to: stopping, source: publisher states }
          - { from: [idle, half], on: unpublished, when: { attached: true }, to: winding, source: publisher states }
          - { from: publishing, on: session.ended, to: stopping, only: [actual], source: session teardown; manual and code differ }
          - { from: publishing, on: session.ended, to: stopping, only: [ios, documented], source: publisher states }
          - { from: publishing, on: session.ended, ignore: true, only: [android, documented], source: manual and code differ, about: The manual says that it stays Publishing. }
          - { from: [idle, half], on: session.ended, to: winding, source: session teardown }
          - { from: [stopping, winding], on: track.stopped, to: same, emits: { trackStopped: { name: $name } }, source: publisher start and stop, about: "Video, audio, data; also for tracks that stopped before or never started." }
          - { from: [stopping, winding], on: stop.done, to: stopped, source: publisher start and stop }
          - { from: [stopping, winding, stopped], on: stop, ignore: true, source: publisher start and stop }
          - { from: [stopping, winding, stopped], on: unpublished, ignore: true, source: publisher start and stop }
          - { from: [stopping, winding, stopped], on: session.ended, ignore: true, source: publisher start and stop }
          - { from: stopped, on: media.started, ignore: true, source: published track, about: A notification that comes after a fast stop; the streams have ended. }
          - { from: stopped, on: add_track, to: same, only: [ios], source: going live }
          - { from: publishing, on: broken, to: error, open: true, source: manual and code differ }
          - { from: publishing, on: broken, to: same, open: true, only: [documented], source: manual and code differ }

        orders:
          - { after: { session: connected }, in: [starting, half, publishing], source: "going live; session, reuse and misuse", about: "publish() before that is refused, and start() before publish()." }
          - { until: { session: [closed, dropped] }, in: [starting, publishing], then: stopped, only: [ios], source: session teardown; invariants }
          - { until: { session: closed }, in: [starting, publishing], then: stopped, only: [android, actual], source: session teardown; invariants, about: The manual of Android says that it stays Publishing. }

        """#
}
