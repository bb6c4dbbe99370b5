// Made from fixtures/machines/rendition-switch.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/rendition-switch.yaml.
    static let renditionSwitch = #"""
        machine: rendition-switch
        object: RenditionSwitch
        about: A switch of video renditions in place, as the diagnostics show its phases.
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]

        states:
          steady: { initial: true, about: No switch is under way. }
          preparing: The new rendition is subscribed to; its keyframe is awaited.
          cuttingIn: "A keyframe is there; the old rendition plays up to it."
          flushSwap: "The old rendition is too far ahead; buffers are flushed."

        inputs:
          request: { kind: call }
          keyframe: { kind: outside, about: A usable keyframe of the new rendition., with: { old_ahead_ms: number } }
          delta: { kind: outside, about: Another frame of the new rendition., with: { behind_ms: number } }
          reached: { kind: inside, about: "The old rendition reached the keyframe's time." }
          flushed: { kind: inside }
          timeout: { kind: timer, after: 5s }
          torn_down: { kind: inside, about: "pause(), stopAll(), close(), or a full restart." }

        events:
          switchProgress: { with: [phase] }
          dropped: { about: "Too far behind the old rendition." }

        transitions:
          - { from: steady, on: request, to: preparing, emits: { switchProgress: { phase: preparing } }, source: rendition switch }
          - { from: [preparing, cuttingIn, flushSwap], on: request, to: steady, source: player events, about: A second switch is a full restart. }
          - { from: preparing, on: keyframe, when: { old_ahead_ms: { at_most: 2000 } }, to: cuttingIn, emits: { switchProgress: { phase: cutIn } }, source: rendition switch }
          - { from: preparing, on: keyframe, when: { old_ahead_ms: { at_least: 2001 } }, to: flushSwap, emits: { switchProgress: { phase: flushSwap } }, source: rendition switch }
          - { from: [cuttingIn, flushSwap], on: keyframe, ignore: true }
          - { from: preparing, on: delta, when: { behind_ms: { at_most: 500 } }, to: same, source: rendition switch }
          - { from: preparing, on: delta, when: { behind_ms: { at_least: 501 } }, to: same, emits: dropped, source: rendition switch }
          - { from: cuttingIn, on: reached, to: steady, emits: { switchProgress: { phase: steady } }, source: rendition switch }
          - { from: flushSwap, on: flushed, to: steady, emits: { switchProgress: { phase: steady } }, source: rendition switch }
          - { from: preparing, on: timeout, to: steady, emits: { switchProgress: { phase: aborted } }, source: rendition switch }
          - { from: cuttingIn, on: timeout, to: steady, emits: { switchProgress: { phase: aborted } }, only: [ios], source: rendition switch }
          - { from: cuttingIn, on: timeout, ignore: true, only: [android], source: rendition switch, about: Cancelled as soon as a keyframe is found. }
          - { from: [preparing, cuttingIn, flushSwap], on: torn_down, to: steady, source: player events }

        """#
}
