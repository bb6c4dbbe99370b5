// Made from fixtures/machines/broadcast.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/broadcast.yaml.
    static let broadcast = #"""
        machine: broadcast
        object: Broadcast
        about: One announced broadcast, and who holds it.
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]

        states:
          held1: { initial: true, about: One holder is left. }
          heldN: { only: [android], about: Tracks and players hold it besides. }
          released: { terminal: true, about: The registry of media and the native consumer are closed. }

        inputs:
          hold: { kind: call, only: [android], about: "subscribeTrack, subscribeMedia, a Player or an AudioDataStream." }
          use: { kind: call, about: "Reads a catalog, or asks for a track." }
          let_go: { kind: inside, only: [android], about: One of those was closed. }
          close: { kind: call, only: [android], about: "Broadcast.close()" }
          last_reference: { kind: inside, only: [ios], about: The last reference was dropped. }

        variables:
          holders: 1
          own: true

        errors:
          already_closed: { says: "IllegalStateException: Broadcast is already closed", only: [android] }

        transitions:
          - { from: held1, on: use, to: same, source: broadcast lifetime }
          - { from: heldN, on: use, to: same, source: broadcast lifetime }
          - { from: released, on: use, refuse: already_closed, only: [android], source: broadcast lifetime }
          - { from: [held1, heldN], on: hold, when: { own: true }, to: heldN, set: { holders: +1 }, only: [android], source: broadcast lifetime }
          - from: [held1, heldN]
            on: hold
            when: { own: false }
            refuse: already_closed
            only: [android]
            open: true
            source: broadcast lifetime
            about: Closed by its holder and still held by others; the source says what happens at count 0 only.
          - { from: [held1, heldN], on: hold, when: { own: false }, to: heldN, set: { holders: +1 }, only: [android], open: true, source: broadcast lifetime }
          - { from: released, on: hold, refuse: already_closed, only: [android], source: broadcast lifetime }
          - { from: heldN, on: let_go, when: { holders: 2 }, to: held1, set: { holders: -1 }, source: broadcast lifetime }
          - { from: heldN, on: let_go, when: { holders: { at_least: 3 } }, to: same, set: { holders: -1 }, source: broadcast lifetime }
          - { from: held1, on: let_go, when: { own: false }, to: released, set: { holders: -1 }, only: [android], source: broadcast lifetime }
          - { from: held1, on: close, when: { own: true }, to: released, set: { holders: -1, own: false }, only: [android], source: broadcast lifetime }
          - { from: heldN, on: close, when: { own: true, holders: 2 }, to: held1, set: { holders: -1, own: false }, source: broadcast lifetime }
          - { from: heldN, on: close, when: { own: true, holders: { at_least: 3 } }, to: same, set: { holders: -1, own: false }, source: broadcast lifetime }
          - { from: [held1, heldN], on: close, when: { own: false }, ignore: true, only: [android], source: broadcast lifetime }
          - { from: released, on: close, ignore: true, only: [android], source: broadcast lifetime }
          - { from: held1, on: last_reference, to: released, only: [ios], source: broadcast lifetime }

        orders:
          - { after: { session: connected }, source: ownership, about: It comes out of a subscription of the session. }

        """#
}
