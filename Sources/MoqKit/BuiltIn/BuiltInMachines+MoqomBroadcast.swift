// Made from fixtures/machines/moqom-broadcast.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/moqom-broadcast.yaml.
    static let moqomBroadcast = #"""
        machine: moqom-broadcast
        object: MoqomBroadcast
        about: The handle of what one publishes in a room. Rights start nothing; the handle has to be started.
        source: MoqomKit, public documentation
        profiles: [moqom]

        states:
          unprepared: { initial: true, about: No handle. }
          prepared: startBroadcast or startAudio gave a handle.
          backstage: Hosts see it, the audience does not.
          live: Everyone sees it.
          stopped: { terminal: true, about: Over. }

        inputs:
          prepare: { kind: call, about: "startBroadcast(video source), startAudio(source).", with: { granted: flag } }
          start: { kind: call, about: "The handle's start().", with: { backstage: flag } }
          go_live: { kind: call, about: With the same token. }
          stop: { kind: call, about: "stopBroadcast, stopAudio; independent of each other." }
          demoted: { kind: outside, about: The right to publish was taken away; at once. }
          promoted: { kind: outside, about: "A grant, or an invitation that was accepted." }
          session.closed: { kind: inside }

        events:
          media.hosts: Hosts receive the media.
          media.everyone: Everyone receives the media.
          media.ended: Nobody receives them any more.

        errors:
          not_granted: The capability check fails here and on the server.

        transitions:
          - { from: unprepared, on: promoted, to: same, source: publishing, about: Nothing is published by that. }
          - { from: unprepared, on: prepare, when: { granted: true }, to: prepared, source: publishing }
          - { from: unprepared, on: prepare, when: { granted: false }, refuse: not_granted, source: moderation }
          - { from: prepared, on: start, when: { backstage: true }, to: backstage, emits: media.hosts, source: publishing }
          - { from: prepared, on: start, when: { backstage: false }, to: live, emits: media.everyone, source: publishing }
          - { from: backstage, on: go_live, to: live, emits: media.everyone, source: publishing }
          - { from: [backstage, live], on: stop, to: stopped, emits: media.ended, source: publishing }
          - { from: prepared, on: stop, to: stopped, source: publishing }
          - { from: [backstage, live], on: demoted, to: stopped, emits: media.ended, source: moderation }
          - { from: prepared, on: demoted, to: stopped, open: true, source: moderation }
          - { from: prepared, on: demoted, to: same, open: true, source: moderation }
          - { from: [prepared, backstage, live], on: promoted, to: same, source: publishing }
          - { from: unprepared, on: demoted, to: same, source: moderation }
          - { from: [unprepared, prepared], on: session.closed, to: stopped, source: terminal events }
          - { from: [backstage, live], on: session.closed, to: stopped, emits: media.ended, source: terminal events }
          - { from: stopped, on: stop, ignore: true, source: publishing }
          - { from: stopped, on: demoted, ignore: true }
          - { from: stopped, on: promoted, ignore: true }
          - { from: stopped, on: session.closed, ignore: true }

        orders:
          - { after: { moqom-session: established }, in: [prepared, backstage, live], source: rooms, about: A room is joined on a connection. }
          - { until: { moqom-session: closed }, in: [prepared, backstage, live], then: stopped, source: terminal events }

        """#
}
