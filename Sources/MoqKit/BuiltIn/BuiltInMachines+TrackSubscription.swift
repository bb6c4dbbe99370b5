// Made from fixtures/machines/track-subscription.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/track-subscription.yaml.
    static let trackSubscription = #"""
        machine: track-subscription
        object: TrackSubscription
        about: One raw track, object by object, in one of two deliveries.
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]
        single_use: true

        states:
          idle: { initial: true, about: "Nothing was asked for yet: before construction on iOS, before collecting on Android." }
          subscribing: The subscription was sent.
          open: Objects come.
          ended: { terminal: true, about: The track ended in order. }
          failed: { terminal: true, about: "Refused, or a group could not be read." }
          closed: { terminal: true, about: Closed here. }

        inputs:
          subscribe: { kind: call, with: { delivery: [monotonic, arrival] }, about: "subscribeTrack; collecting on Android." }
          close: { kind: call }
          collect: { kind: call, only: [android], about: Collects the flow once more. }
          accepted: { kind: outside }
          refused: { kind: outside, about: "13, 30, 6.", with: { code: number } }
          object: { kind: outside, about: An object of a group., with: { group: number, index: number } }
          track.ended: { kind: outside }
          read.failed: { kind: outside, about: "A reset of the track, or of any group (2, 24, 26, 31).", with: { code: number } }

        variables:
          mode: [monotonic, arrival]
          last_group: -1
          last_index: -1
          seen: []

        events:
          object: { about: "payload, groupSequence, objectIndex", with: [group, index] }
          finished: The stream ends.
          threw: { about: The stream throws with the code., with: [code] }

        errors:
          single_collector: { says: "IllegalStateException: supports only a single collector", only: [android] }
          is_closed: { says: "IllegalStateException: is closed", only: [android] }

        transitions:
          - { from: idle, on: subscribe, to: subscribing, set: { mode: $delivery }, source: track subscription }
          - { from: subscribing, on: accepted, to: open, source: track subscription }
          - { from: subscribing, on: refused, to: failed, emits: { threw: { code: $code } }, source: track subscription }
          - from: open
            on: object
            when: { mode: monotonic, group: { above: last_group }, index: 0 }
            to: same
            emits: { object: { group: $group, index: $index } }
            set: { last_group: $group, last_index: 0 }
            source: track delivery
            about: A newer group begins.
          - from: open
            on: object
            when: { mode: monotonic, group: { same_as: last_group }, index: { follows: last_index } }
            to: same
            emits: { object: { group: $group, index: $index } }
            set: { last_index: $index }
            source: track delivery; invariants
          - { from: open, on: object, when: { mode: monotonic, group: { below: last_group } }, ignore: true, source: track delivery, about: Late groups are skipped. }
          - from: open
            on: object
            when: { mode: arrival, group: { not_same_as: last_group, not_in: seen }, index: 0 }
            to: same
            emits: { object: { group: $group, index: $index } }
            set: { last_group: $group, last_index: 0, seen: +$group }
            only: [actual]
            source: track delivery; manual and code differ
            about: Each group once, as they arrive; the sequence may go down.
          - from: open
            on: object
            when: { mode: arrival, group: { same_as: last_group }, index: { follows: last_index } }
            to: same
            emits: { object: { group: $group, index: $index } }
            set: { last_index: $index }
            source: track delivery; invariants
          - from: open
            on: object
            when: { mode: arrival, last_group: -1, group: { not_same_as: last_group }, index: 0 }
            to: same
            emits: { object: { group: $group, index: $index } }
            set: { last_group: $group, last_index: 0, seen: +$group }
            only: [documented]
            source: manual and code differ
          - from: open
            on: object
            when: { mode: arrival, last_group: { at_least: 0 }, group: { follows: last_group, not_in: seen }, index: 0 }
            to: same
            emits: { object: { group: $group, index: $index } }
            set: { last_group: $group, last_index: 0, seen: +$group }
            only: [documented]
            source: manual and code differ
            about: The manual promises every group, in order.
          - { from: open, on: track.ended, to: ended, emits: finished, source: track subscription }
          - { from: open, on: read.failed, to: failed, emits: { threw: { code: $code } }, source: track delivery }
          - { from: [idle, subscribing, open], on: close, to: closed, emits: finished, source: track subscription }
          - { from: [ended, failed, closed], on: close, ignore: true, source: track subscription }
          - { from: [subscribing, open], on: collect, refuse: single_collector, source: track subscription, only: [android] }
          - { from: [ended, failed, closed], on: collect, refuse: is_closed, source: track subscription, only: [android] }
          - { from: [ended, failed, closed], on: accepted, ignore: true }
          - { from: [ended, failed, closed], on: refused, ignore: true }
          - { from: [ended, failed, closed], on: object, ignore: true }
          - { from: [ended, failed, closed], on: track.ended, ignore: true }
          - { from: [ended, failed, closed], on: read.failed, ignore: true }

        orders:
          - { after: { session: connected }, in: [subscribing, open], source: ownership }
          - { until: { broadcast: released }, in: [subscribing, open], then: [ended, failed, closed], source: track subscription, about: It keeps the broadcast alive. }

        """#
}
