// Made from fixtures/machines/recovery.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/recovery.yaml.
    static let recovery = #"""
        machine: recovery
        object: DecoderRecovery
        about: "What a player does about decoding that fails: at most 2 recoveries in any 10 s."
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]

        states:
          running: { initial: true, about: Frames decode. }
          awaiting: After a flush of video; everything is dropped until a keyframe comes.
          failed: { terminal: true, about: It gave up. }

        inputs:
          fault: { kind: outside, about: "A frame did not decode, or a renderer failed.", with: { media: [audio, video] } }
          keyframe: { kind: outside }
          window: { kind: timer, after: 10s, about: A recovery is 10 s old. }

        variables:
          recent: 0

        events:
          decoderRecovery: { with: [attempt, action] }
          decode.error: { about: On iOS for audio at every failed frame; on Android once it gives up. }
          transportClosed: { about: The ingest is over., with: [code], only: [ios] }

        transitions:
          # Video on iOS: flush, flush, fail. Nothing but the diagnostics says so.
          - { from: [running, awaiting], on: fault, when: { media: video, recent: { at_most: 1 } }, to: awaiting, emits: { decoderRecovery: { action: flush } }, set: { recent: +1 }, only: [ios], source: decoder recovery }
          - { from: [running, awaiting], on: fault, when: { media: video, recent: { at_least: 2 } }, to: failed, emits: [{ decoderRecovery: { action: fail } }, { transportClosed: { code: video-renderer-failed } }], only: [ios], source: ends of tracks }
          # Audio on iOS: rebuild, rebuild, fail.
          - { from: [running, awaiting], on: fault, when: { media: audio, recent: { at_most: 1 } }, to: running, emits: [decode.error, { decoderRecovery: { action: rebuild } }], set: { recent: +1 }, only: [ios], source: decoder recovery; player events }
          - { from: [running, awaiting], on: fault, when: { media: audio, recent: { at_least: 2 } }, to: failed, emits: [decode.error, { decoderRecovery: { action: fail } }, { transportClosed: { code: audio-decoder-failed } }], only: [ios], source: ends of tracks }
          # Android: flush, rebuild, fail.
          - { from: [running, awaiting], on: fault, when: { recent: 0, media: video }, to: awaiting, emits: { decoderRecovery: { action: flush } }, set: { recent: +1 }, only: [android], source: decoder recovery }
          - { from: [running, awaiting], on: fault, when: { recent: 0, media: audio }, to: running, emits: { decoderRecovery: { action: flush } }, set: { recent: +1 }, only: [android], source: decoder recovery }
          - { from: [running, awaiting], on: fault, when: { recent: 1, media: video }, to: awaiting, emits: { decoderRecovery: { action: rebuild } }, set: { recent: +1 }, only: [android], source: decoder recovery }
          - { from: [running, awaiting], on: fault, when: { recent: 1, media: audio }, to: running, emits: { decoderRecovery: { action: rebuild } }, set: { recent: +1 }, only: [android], source: decoder recovery }
          - { from: [running, awaiting], on: fault, when: { recent: { at_least: 2 } }, to: failed, emits: [{ decoderRecovery: { action: fail } }, decode.error], only: [android], source: ends of tracks }
          - { from: awaiting, on: keyframe, to: running, source: decoder recovery }
          - { from: running, on: keyframe, ignore: true }
          - { from: [running, awaiting], on: window, to: same, set: { recent: -1 }, source: decoder recovery }
          - { from: failed, on: fault, ignore: true }
          - { from: failed, on: keyframe, ignore: true }
          - { from: failed, on: window, ignore: true }

        """#
}
