// Made from fixtures/machines/published-track.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/published-track.yaml.
    static let publishedTrack = #"""
        machine: published-track
        object: PublishedTrack
        about: The handle of one track of a publisher.
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]
        single_use: true

        states:
          idle: { initial: true, about: Added. }
          starting: { about: "Started, no frame with init data yet; not in the catalog." }
          active: It publishes.
          stopped: { terminal: true, about: Over. }

        inputs:
          stop: { kind: call }
          start: { kind: inside, about: "The publisher's start().", with: { kind: [media, data] } }
          first_frame: { kind: inside, about: The first frame with init data made a producer. }
          producer.failed: { kind: inside }
          publisher.stopped: { kind: inside }

        events:
          removed: The rendition leaves the catalog.

        transitions:
          - { from: idle, on: start, when: { kind: media }, to: starting, source: published track }
          - { from: idle, on: start, when: { kind: data }, to: active, source: published track }
          - { from: starting, on: first_frame, to: active, source: published track }
          - { from: starting, on: producer.failed, to: stopped, source: published track, about: "The publisher shows the error, and stays publishing." }
          - { from: idle, on: stop, ignore: true, source: published track, about: Nothing is bound yet. }
          - { from: starting, on: stop, to: stopped, source: published track }
          - { from: active, on: stop, to: stopped, emits: removed, source: published track }
          - { from: [idle, starting], on: publisher.stopped, to: stopped, source: published track }
          - { from: active, on: publisher.stopped, to: stopped, source: published track }
          - { from: stopped, on: stop, ignore: true, source: published track }
          - { from: stopped, on: publisher.stopped, ignore: true, source: publisher start and stop }
          - { from: stopped, on: start, ignore: true }
          - from: stopped
            on: first_frame
            ignore: true
            source: published track
            about: On iOS a start notification that comes late makes currentState say active; the stream has ended.

        orders:
          - { after: { publisher: starting }, in: [starting, active], source: publisher start and stop }
          - { until: { publisher: stopped }, in: [starting, active], then: stopped, source: publisher start and stop; invariants }

        """#
}
