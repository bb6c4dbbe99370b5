// Made from fixtures/machines/pcm-ring.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/pcm-ring.yaml.
    static let pcmRing = #"""
        machine: pcm-ring
        object: PCMRing
        about: The ring of decoded audio between decoder and output.
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]

        states:
          refill: { initial: true, about: A read gives 0 samples. }
          running: Reads give what is there.

        inputs:
          write: { kind: inside, with: { old: flag, reaches_capacity: flag } }
          read: { kind: timer, with: { available: number } }
          resize: { kind: call, about: The latency target changed., with: { same_capacity: flag } }
          reset: { kind: inside }

        events:
          rejected: The whole chunk lies before the read cursor.
          silence: { about: A read gave 0 samples. }
          samples: A read gave samples.

        transitions:
          - { from: [refill, running], on: write, when: { old: true }, to: same, emits: rejected, source: jitter gate and PCM ring }
          - { from: [refill, running], on: write, when: { old: false, reaches_capacity: true }, to: running, source: jitter gate and PCM ring }
          - { from: [refill, running], on: write, when: { old: false, reaches_capacity: false }, to: same, source: jitter gate and PCM ring }
          - { from: refill, on: read, to: same, emits: silence, source: jitter gate and PCM ring }
          - { from: running, on: read, when: { available: 0 }, to: same, emits: silence, source: jitter gate and PCM ring, about: Running dry is an underflow and no refill. }
          - { from: running, on: read, when: { available: { at_least: 1 } }, to: same, emits: samples, source: jitter gate and PCM ring }
          - { from: [refill, running], on: resize, when: { same_capacity: true }, ignore: true, source: jitter gate and PCM ring }
          - { from: [refill, running], on: resize, when: { same_capacity: false }, to: refill, source: jitter gate and PCM ring }
          - { from: [refill, running], on: reset, to: refill, source: jitter gate and PCM ring }

        """#
}
