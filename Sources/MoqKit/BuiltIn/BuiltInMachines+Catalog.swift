// Made from fixtures/machines/catalog.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/catalog.yaml.
    static let catalog = #"""
        machine: catalog
        object: Catalog
        about: The stream of catalogs of one broadcast. A throw and a completion mean the same, offline.
        source: moq-kit 0.4.1 (iOS), 0.4.0 (Android)
        profiles: [ios, android, ios-documented, android-documented]
        single_use: true

        states:
          idle: { initial: true, about: catalogs() was not iterated yet. }
          subscribing: The subscription of the catalog's track was sent.
          waiting: { about: "Accepted, no catalog yet. A publisher of data only stays here until it ends." }
          live: A catalog is there; each newer one replaces it whole.
          ended: { terminal: true, about: "Offline. Coming back is a new broadcast." }

        inputs:
          iterate: { kind: call, about: catalogs() }
          cancel: { kind: call, about: "Stops iterating, or closes what it belongs to." }
          accepted: { kind: outside }
          refused: { kind: outside, about: "13, 30, 6 and others.", with: { code: number } }
          snapshot: { kind: outside, about: A catalog that can be decoded. }
          undecodable: { kind: outside, about: "Broken JSON, a known container that is wrong, bad hexadecimal digits, no renditions." }
          track.ended: { kind: outside, about: The track ended in order. }
          track.failed: { kind: outside, about: "24 where the publisher was lost, and others.", with: { code: number } }

        events:
          catalog: A catalog.
          finished: The stream ends.
          threw: { about: The flow throws with the code., with: [code], only: [android] }

        transitions:
          - { from: idle, on: iterate, to: subscribing, source: section 3.1 }
          - { from: subscribing, on: accepted, to: waiting, source: section 3.1 }
          - { from: subscribing, on: refused, to: ended, emits: finished, only: [ios], source: section 3.1 }
          - { from: subscribing, on: refused, to: ended, emits: { threw: { code: $code } }, only: [android, actual], source: "section 3.1, 13-3" }
          - { from: subscribing, on: refused, when: { code: 13 }, to: ended, emits: finished, only: [android, documented], source: 13-3 }
          - { from: subscribing, on: refused, when: otherwise, to: ended, emits: { threw: { code: $code } }, only: [android, documented], source: 13-3 }
          - { from: [waiting, live], on: snapshot, to: live, emits: catalog, source: "section 3.1, 3.2-1" }
          - from: [waiting, live]
            on: track.ended
            to: ended
            emits: finished
            source: "section 3.1, 13-12"
          - { from: [waiting, live], on: track.failed, to: ended, emits: finished, only: [ios], source: section 3.1 }
          - { from: [waiting, live], on: track.failed, to: ended, emits: { threw: { code: $code } }, only: [android, actual], source: "section 3.1, 13-3" }
          - { from: [waiting, live], on: track.failed, when: { code: 13 }, to: ended, emits: finished, only: [android, documented], source: 13-3 }
          - { from: [waiting, live], on: track.failed, when: otherwise, to: ended, emits: { threw: { code: $code } }, only: [android, documented], source: 13-3 }
          - { from: [waiting, live], on: undecodable, to: ended, emits: finished, only: [ios], source: section 3.1 }
          - { from: [waiting, live], on: undecodable, to: ended, emits: threw, only: [android], source: section 3.1 }
          - { from: [idle, subscribing, waiting, live], on: cancel, to: ended, emits: finished, source: section 3.1 }
          - { from: ended, on: cancel, ignore: true, source: section 3.1 }
          - { from: ended, on: accepted, ignore: true }
          - { from: ended, on: refused, ignore: true }
          - { from: ended, on: snapshot, ignore: true, source: section 3.2 }
          - { from: ended, on: undecodable, ignore: true }
          - { from: ended, on: track.ended, ignore: true }
          - { from: ended, on: track.failed, ignore: true }

        """#
}
