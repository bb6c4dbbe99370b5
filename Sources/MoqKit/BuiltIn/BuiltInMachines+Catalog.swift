// Made from fixtures/machines/catalog.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/catalog.yaml.
    static let catalog = #"""
        machine: catalog
        object: Catalog
        about: The stream of catalogs of one broadcast. A throw and a completion mean the same, offline.
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
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
          - { from: idle, on: iterate, to: subscribing, source: catalog stream }
          - { from: subscribing, on: accepted, to: waiting, source: catalog stream }
          - { from: subscribing, on: refused, to: ended, emits: finished, only: [ios], source: catalog stream }
          - { from: subscribing, on: refused, to: ended, emits: { threw: { code: $code } }, only: [android, actual], source: catalog stream; manual and code differ }
          - { from: subscribing, on: refused, when: { code: 13 }, to: ended, emits: finished, only: [android, documented], source: manual and code differ }
          - { from: subscribing, on: refused, when: otherwise, to: ended, emits: { threw: { code: $code } }, only: [android, documented], source: manual and code differ }
          - { from: [waiting, live], on: snapshot, to: live, emits: catalog, source: catalog stream; catalog updates }
          - from: [waiting, live]
            on: track.ended
            to: ended
            emits: finished
            source: catalog stream; manual and code differ
          - { from: [waiting, live], on: track.failed, to: ended, emits: finished, only: [ios], source: catalog stream }
          - { from: [waiting, live], on: track.failed, to: ended, emits: { threw: { code: $code } }, only: [android, actual], source: catalog stream; manual and code differ }
          - { from: [waiting, live], on: track.failed, when: { code: 13 }, to: ended, emits: finished, only: [android, documented], source: manual and code differ }
          - { from: [waiting, live], on: track.failed, when: otherwise, to: ended, emits: { threw: { code: $code } }, only: [android, documented], source: manual and code differ }
          - { from: [waiting, live], on: undecodable, to: ended, emits: finished, only: [ios], source: catalog stream }
          - { from: [waiting, live], on: undecodable, to: ended, emits: threw, only: [android], source: catalog stream }
          - { from: [idle, subscribing, waiting, live], on: cancel, to: ended, emits: finished, source: catalog stream }
          - { from: ended, on: cancel, ignore: true, source: catalog stream }
          - { from: ended, on: accepted, ignore: true }
          - { from: ended, on: refused, ignore: true }
          - { from: ended, on: snapshot, ignore: true, source: catalog updates }
          - { from: ended, on: undecodable, ignore: true }
          - { from: ended, on: track.ended, ignore: true }
          - { from: ended, on: track.failed, ignore: true }

        orders:
          - { after: { session: connected }, in: [subscribing, waiting, live, ended], source: ownership }
          - { until: { broadcast: released }, in: [subscribing, waiting, live], then: ended, source: "catalog, how it ends", about: Closing the owner ends it. }

        """#
}
