// Made from fixtures/machines/data-track-emitter.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/data-track-emitter.yaml.
    static let dataTrackEmitter = #"""
        machine: data-track-emitter
        object: DataTrackEmitter
        about: What sends the objects of a data track, each as one group.
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]

        states:
          detached: { initial: true, about: Not attached to a publisher that was started. }
          attached: Sends are written.
          stopped: { terminal: [ios], about: "Track or publisher stopped. On iOS for good, on Android until a new publisher." }

        inputs:
          send: { kind: call, about: "send(payload)", with: { write: [done, fails] } }
          attach: { kind: inside, about: "The publisher's start()." }
          stop: { kind: inside, about: "The track or the publisher stopped." }

        events:
          group: One group with one object is on the wire.
          send.throws: { about: send() throws. }

        transitions:
          - { from: detached, on: send, ignore: true, source: data track emitter, about: Dropped silently. }
          - { from: stopped, on: send, ignore: true, source: data track emitter, about: Dropped silently. }
          - { from: attached, on: send, when: { write: done }, to: same, emits: group, source: data track emitter }
          - { from: attached, on: send, when: { write: fails }, to: same, emits: send.throws, only: [ios], source: data track emitter }
          - { from: attached, on: send, when: { write: fails }, to: same, emits: send.throws, only: [android, actual], source: data track emitter; manual and code differ }
          - { from: attached, on: send, when: { write: fails }, ignore: true, only: [android, documented], source: manual and code differ }
          - { from: detached, on: attach, to: attached, source: data track emitter }
          - { from: attached, on: attach, to: same, source: data track emitter, about: "On two tracks, the last one wins." }
          - { from: attached, on: stop, to: stopped, source: data track emitter }
          - { from: detached, on: stop, to: stopped, open: true, source: data track emitter }
          - { from: detached, on: stop, to: same, open: true, source: data track emitter }
          - { from: stopped, on: stop, ignore: true, source: data track emitter }
          - { from: stopped, on: attach, to: attached, only: [android], source: data track emitter }
          - { from: stopped, on: attach, ignore: true, only: [ios], source: data track emitter, about: The flag is permanent; sends vanish. }

        orders:
          - { after: { publisher: starting }, in: attached, source: data track emitter }
          - { until: { publisher: stopped }, in: attached, then: stopped, source: publisher start and stop }

        """#
}
