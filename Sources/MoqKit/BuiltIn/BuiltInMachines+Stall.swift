// Made from fixtures/machines/stall.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/stall.yaml.
    static let stall = #"""
        machine: stall
        object: StallMonitor
        about: Stalls of one track, as the diagnostics show them with their causes.
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]

        states:
          clear: { initial: true, about: No stall. }
          candidate: { only: [android], about: A cause was found; it has to hold. }
          stalled: A stall is shown.
          gone: { terminal: true, about: "The track is over. An open stall gets no end." }

        inputs:
          check:
            kind: timer
            after: 50ms
            only: [android]
            about: The first of the causes that is there.
            with: { cause: [none, switchStall, networkIdle, publisherIdle, policyStarvation, decodeStall, renderStall] }
          held: { kind: timer, after: 100ms, only: [android], about: The same cause held. }
          starved:
            kind: inside
            only: [ios]
            about: "Video: the playhead reached the end. Audio: a read gave nothing."
            with: { cause: [switchStall, networkIdle, publisherIdle, policyStarvation, renderStall] }
          fed: { kind: inside, only: [ios], about: "A frame was submitted, or a read gave something." }
          closed: { kind: inside, about: transportClosed }

        variables:
          found: [none, switchStall, networkIdle, publisherIdle, policyStarvation, decodeStall, renderStall]

        events:
          stallStarted: { with: [cause] }
          stallEnded: { with: [cause] }

        transitions:
          - from: clear
            on: starved
            when: { cause: { not: networkIdle } }
            to: stalled
            emits: { stallStarted: { cause: $cause } }
            set: { found: $cause }
            only: [actual]
            source: stalls; diagnostics
            about: No bandwidth sample is ever made, so a dead network reads as publisherIdle.
          - { from: clear, on: starved, to: stalled, emits: { stallStarted: { cause: $cause } }, set: { found: $cause }, only: [documented], source: diagnostics }
          - { from: stalled, on: starved, ignore: true, source: stalls }
          - { from: stalled, on: fed, to: clear, emits: { stallEnded: { cause: $found } }, set: { found: none }, source: stalls }
          - { from: clear, on: fed, ignore: true, source: stalls }

          - { from: clear, on: check, when: { cause: none }, ignore: true, source: stalls }
          - { from: clear, on: check, when: { cause: { not: [none, networkIdle] } }, to: candidate, set: { found: $cause }, only: [actual], source: stalls; diagnostics }
          - { from: clear, on: check, when: { cause: { not: none } }, to: candidate, set: { found: $cause }, only: [documented], source: diagnostics }
          - { from: candidate, on: check, when: { cause: none }, to: clear, set: { found: none }, source: stalls }
          - { from: candidate, on: check, when: { cause: { not: none, same_as: found } }, ignore: true, source: stalls }
          - { from: candidate, on: check, when: { cause: { not: none, not_same_as: found } }, to: same, set: { found: $cause }, source: stalls, about: The time begins anew. }
          - { from: candidate, on: held, to: stalled, emits: { stallStarted: { cause: $found } }, source: stalls }
          - { from: stalled, on: check, when: { cause: none }, to: clear, emits: { stallEnded: { cause: $found } }, set: { found: none }, source: stalls }
          - { from: stalled, on: check, when: { cause: { not: none, same_as: found } }, ignore: true, source: stalls }
          - { from: stalled, on: check, when: { cause: { not: none, not_same_as: found } }, to: candidate, emits: { stallEnded: { cause: $found } }, set: { found: $cause }, source: stalls }
          - { from: [clear, candidate, stalled], on: closed, to: gone, source: stalls }

        """#
}
