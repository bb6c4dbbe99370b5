// Made from fixtures/machines/broadcast-subscription.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/broadcast-subscription.yaml.
    static let broadcastSubscription = #"""
        machine: broadcast-subscription
        object: BroadcastSubscription
        about: The broadcasts under a prefix, as they are announced.
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]
        single_use: true

        states:
          active: { initial: true, about: Broadcasts come. }
          finished: { terminal: true, about: "No more come, and the prefix is free again." }

        inputs:
          collect: { kind: call, only: [android], about: "Collects the flow, which starts it." }
          cancel: { kind: call, about: "cancel(), or close() on Android." }
          announced: { kind: outside, about: "A broadcast under the prefix; its path is relative to the prefix.", with: { path: text } }
          unannounced: { kind: outside, about: Swallowed below; no application sees it., with: { path: text } }
          stream.ended: { kind: outside, about: The stream of announcements ended., with: { failed: flag } }
          session.closed: { kind: inside, about: The session is torn down. }
          consumer.gone: { kind: inside, only: [ios], about: Whoever read the stream dropped it. }

        variables:
          collected: false

        events:
          broadcast: { about: A Broadcast with its path., with: [path] }
          finished: The stream ends.
          failed: { about: The flow throws., only: [android] }

        errors:
          single_collector: { says: "IllegalStateException: supports only a single collector", only: [android] }
          is_closed: { says: "IllegalStateException: is closed", only: [android] }

        transitions:
          - { from: active, on: collect, when: { collected: false }, to: same, set: { collected: true }, source: broadcast subscription }
          - { from: active, on: collect, when: { collected: true }, refuse: single_collector, source: broadcast subscription }
          - { from: finished, on: collect, refuse: is_closed, source: broadcast subscription }
          - from: active
            on: announced
            to: same
            emits: { broadcast: { path: $path } }
            only: [ios]
            source: discovery rules
            about: "Also a replacement: the same path comes again, and the old broadcast's streams end by themselves."
          - { from: active, on: announced, when: { collected: true }, to: same, emits: { broadcast: { path: $path } }, only: [android], source: discovery rules }
          - { from: active, on: unannounced, to: same, only: [actual], source: discovery rules; manual and code differ }
          - from: active
            on: unannounced
            to: same
            only: [documented]
            source: manual and code differ
            about: The manual says that the broadcast disappears; it names no value of the stream for it.
          - { from: active, on: cancel, to: finished, emits: finished, source: broadcast subscription }
          - { from: active, on: session.closed, to: finished, emits: finished, source: session teardown }
          - { from: active, on: consumer.gone, to: finished, source: broadcast subscription }
          - from: active
            on: stream.ended
            when: { failed: false }
            to: finished
            emits: finished
            source: broadcast subscription
          - { from: active, on: stream.ended, when: { failed: true }, to: finished, emits: finished, only: [ios], source: broadcast subscription, about: The failure is logged and the stream ends. }
          - { from: active, on: stream.ended, when: { failed: true }, to: finished, emits: failed, only: [android], source: broadcast subscription }
          - { from: finished, on: cancel, ignore: true, source: broadcast subscription }
          - { from: finished, on: announced, ignore: true, source: invariants }
          - { from: finished, on: unannounced, ignore: true }
          - { from: finished, on: stream.ended, ignore: true }
          - { from: finished, on: session.closed, ignore: true }
          - { from: finished, on: consumer.gone, ignore: true, only: [ios] }

        # Teardown cancels subscriptions first; there is no value after closed.
        orders:
          - { after: { session: connected }, source: "session, reuse and misuse", about: Before that subscribe is refused. }
          - { until: { session: [closed, dropped] }, in: active, then: finished, only: [ios], source: session teardown; invariants }
          - { until: { session: closed }, in: active, then: finished, only: [android], source: session teardown; invariants }

        """#
}
