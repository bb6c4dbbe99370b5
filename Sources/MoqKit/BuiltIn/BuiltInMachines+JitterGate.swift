// Made from fixtures/machines/jitter-gate.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/jitter-gate.yaml.
    static let jitterGate = #"""
        machine: jitter-gate
        object: JitterGate
        about: What holds video back until enough of it is there.
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]

        states:
          new: { initial: true, about: Not installed. }
          pending: "Installed as the target of a switch; nothing is dequeued."
          buffering: Frames are held back.
          playing: Frames go out.

        inputs:
          install: { kind: inside, with: { as: [first, target] } }
          swap: { kind: inside, about: The switch took place. }
          frame: { kind: outside, with: { frames: number, span_reaches_target: flag } }
          retarget: { kind: call, about: The latency target changed., with: { span_reaches_target: flag } }
          reset: { kind: inside, about: A flush or a reset of the timeline. }

        transitions:
          - { from: new, on: install, when: { as: first }, to: buffering, source: jitter gate and PCM ring }
          - { from: new, on: install, when: { as: target }, to: pending, source: jitter gate and PCM ring }
          - { from: pending, on: swap, to: playing, source: jitter gate and PCM ring }
          - { from: pending, on: frame, to: same, source: jitter gate and PCM ring }
          - { from: buffering, on: frame, when: { frames: { at_least: 2 }, span_reaches_target: true }, to: playing, source: jitter gate and PCM ring }
          - { from: buffering, on: frame, when: otherwise, to: same, source: jitter gate and PCM ring }
          - { from: playing, on: frame, to: same, source: jitter gate and PCM ring, about: Drains even below the target. }
          - { from: buffering, on: retarget, when: { span_reaches_target: true }, to: playing, source: jitter gate and PCM ring }
          - { from: buffering, on: retarget, when: { span_reaches_target: false }, to: same, source: jitter gate and PCM ring }
          - { from: [pending, playing], on: retarget, to: same, source: jitter gate and PCM ring }
          - { from: [buffering, playing], on: reset, to: buffering, source: jitter gate and PCM ring }
          - { from: pending, on: reset, to: same, source: jitter gate and PCM ring }

        """#
}
