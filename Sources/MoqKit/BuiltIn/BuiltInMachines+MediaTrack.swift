// Made from fixtures/machines/media-track.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/media-track.yaml.
    static let mediaTrack = #"""
        machine: media-track
        object: MediaTrack
        about: The frames of one rendition, from an upstream subscription that all of the same name and container share.
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]
        single_use: true

        states:
          idle: { initial: true, about: No frame yet. }
          active: Frames come.
          closed: { terminal: true, about: Upstream ended; on Android also after close() and after an error. }
          left: { terminal: true, only: [ios], about: "Closed here; both streams ended without a value for it." }
          error: { terminal: [ios], conflated: [android], about: "Upstream failed. On Android Closed overwrites it at once." }

        inputs:
          collect: { kind: call, only: [android], about: Collects the frames. }
          close: { kind: call }
          frame: { kind: outside, with: { keyframe: flag } }
          upstream.ended: { kind: outside }
          upstream.failed: { kind: outside, with: { code: number } }
          teardown.done: { kind: inside, only: [android] }

        variables:
          collected: false

        events:
          frame: { about: "payload, timestampUs, keyframe", with: [keyframe] }
          finished: The stream of frames ends.
          threw: { about: The stream of frames throws., with: [code] }

        errors:
          single_collector: { says: "IllegalStateException: Media track supports only a single collector", only: [android] }
          is_closed: { says: "IllegalStateException: Media track is closed", only: [android] }

        transitions:
          - { from: [idle, active], on: collect, when: { collected: false }, to: same, set: { collected: true }, only: [android], source: media track }
          - { from: [idle, active], on: collect, when: { collected: true }, refuse: single_collector, only: [android], source: media track }
          - { from: [closed, error], on: collect, refuse: is_closed, only: [android], source: media track }
          - { from: [idle, active], on: frame, to: active, emits: { frame: { keyframe: $keyframe } }, only: [ios], source: media track }
          - { from: [idle, active], on: frame, when: { collected: true }, to: active, emits: { frame: { keyframe: $keyframe } }, only: [android], source: media track }
          - { from: [idle, active], on: frame, when: { collected: false }, ignore: true, only: [android], source: media track }
          - { from: [idle, active], on: upstream.ended, to: closed, emits: finished, source: media track }
          - { from: [idle, active], on: upstream.failed, to: error, emits: { threw: { code: $code } }, source: media track }
          - { from: error, on: teardown.done, to: closed, only: [android], source: media track }
          - { from: [idle, active], on: close, to: left, emits: finished, only: [ios], source: media track }
          - { from: [idle, active, error], on: close, to: closed, emits: finished, only: [android], source: media track }
          - { from: [closed, left, error], on: close, ignore: true, only: [ios], source: media track }
          - { from: closed, on: close, ignore: true, only: [android], source: media track }
          - { from: [closed, left, error], on: frame, ignore: true }
          - { from: [closed, left, error], on: upstream.ended, ignore: true }
          - { from: [closed, left, error], on: upstream.failed, ignore: true }

        orders:
          - { after: { session: connected }, in: active, source: ownership }
          - { until: { broadcast: released }, in: active, then: [closed, error], only: [android], source: broadcast lifetime, about: It holds the broadcast. }

        """#
}
