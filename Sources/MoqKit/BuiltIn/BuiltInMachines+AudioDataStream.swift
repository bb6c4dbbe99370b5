// Made from fixtures/machines/audio-data-stream.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/audio-data-stream.yaml.
    static let audioDataStream = #"""
        machine: audio-data-stream
        object: AudioDataStream
        about: Decoded audio of one rendition. A slow reader loses the oldest, and one failure ends it.
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]
        single_use: true

        states:
          new: { initial: true, about: Before its initialiser. }
          open: Chunks come.
          rejected: { terminal: true, about: The initialiser threw. }
          ended: { terminal: true, about: Upstream ended. }
          failed: { terminal: true, about: "Upstream, the decoder or the converter failed." }
          closed: { terminal: true, about: Closed here. }

        inputs:
          init:
            kind: call
            with: { track: [known, unknown], format: [valid, zero], codec: [supported, unsupported] }
          close: { kind: call }
          chunk: { kind: outside, about: Compressed audio that was decoded., with: { kept: flag } }
          upstream.ended: { kind: outside }
          upstream.failed: { kind: outside, with: { code: number } }
          decode.failed: { kind: outside }

        events:
          init.throws: { about: The initialiser throws., with: [error] }
          audio: "bytes, timestampUs, sampleRate, channelCount, sampleFormat, frameCount"
          finished: The stream ends.
          threw: { about: The stream throws., with: [code] }

        transitions:
          - { from: new, on: init, when: { track: known, format: valid, codec: supported }, to: open, source: audio data stream }
          - { from: new, on: init, when: { track: unknown }, to: rejected, emits: { init.throws: { error: invalidConfiguration } }, only: [ios], source: audio data stream }
          - { from: new, on: init, when: { track: known, format: zero }, to: rejected, emits: { init.throws: { error: invalidConfiguration } }, only: [ios], source: audio data stream }
          - { from: new, on: init, when: { track: known, format: valid, codec: unsupported }, to: rejected, emits: { init.throws: { error: audioDecoderFailed } }, only: [ios], source: audio data stream }
          - { from: new, on: init, when: { track: unknown }, to: rejected, emits: { init.throws: { error: IllegalArgumentException } }, only: [android], source: audio data stream }
          - { from: new, on: init, when: { track: known, format: zero }, to: rejected, emits: { init.throws: { error: IllegalArgumentException } }, only: [android], source: audio data stream }
          - { from: new, on: init, when: { track: known, format: valid, codec: unsupported }, to: rejected, emits: { init.throws: { error: IllegalStateException } }, only: [android], source: audio data stream }
          - { from: open, on: chunk, when: { kept: true }, to: same, emits: audio, source: audio data stream }
          - { from: open, on: chunk, when: { kept: false }, to: same, source: audio data stream, about: The newest 3 are kept in each of two stages. }
          - { from: open, on: upstream.ended, to: ended, emits: finished, source: audio data stream }
          - { from: open, on: upstream.failed, to: failed, emits: { threw: { code: $code } }, source: audio data stream }
          - { from: open, on: decode.failed, to: failed, emits: threw, source: audio data stream }
          - { from: open, on: close, to: closed, emits: finished, source: audio data stream }
          - { from: [ended, failed, closed], on: close, ignore: true, source: audio data stream }
          - { from: [ended, failed, closed], on: chunk, ignore: true }
          - { from: [ended, failed, closed], on: upstream.ended, ignore: true }
          - { from: [ended, failed, closed], on: upstream.failed, ignore: true }
          - { from: [ended, failed, closed], on: decode.failed, ignore: true }

        orders:
          - { after: { session: connected }, in: open, source: ownership }
          - { until: { broadcast: released }, in: open, then: [ended, failed, closed], only: [android], source: broadcast lifetime, about: It holds the broadcast. }

        """#
}
