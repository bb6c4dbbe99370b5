// Made from fixtures/machines/session.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/session.yaml.
    static let session = #"""
        machine: session
        object: Session
        about: One connection to a relay. It connects once; afterwards a new one has to be made.
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]
        single_use: true

        states:
          idle: { initial: true, about: "Made, not connected yet." }
          connecting: The handshake is under way.
          connected: Tracks can be published and subscribed to.
          error: { about: The handshake failed or the transport was lost., conflated: [android] }
          closed: { terminal: true, about: Over. }
          cancelled: { only: [android, actual], shown: closed, about: Closed while the handshake is still under way. }
          ghost: { only: [android, actual], shown: connected, terminal: true, about: "Connected is shown, nothing watches it." }
          dropped: { only: [ios], terminal: true, about: The last reference is gone; the stream of states ended without closed. }

        inputs:
          connect: { kind: call, about: "connect()" }
          close: { kind: call, about: "close()" }
          subscribe:
            kind: call
            about: "subscribe(prefix)"
            with: { prefix: [free, taken] }
          publish:
            kind: call
            about: "publish(path, publisher)"
            with: { path: [free, taken], publisher: [fresh, attached] }
          unpublish: { kind: call, about: "unpublish(path)", with: { path: [known, unknown] } }
          stats: { kind: call, about: connectionStats }
          handshake.done: { kind: outside, about: The native connection stands. }
          handshake.failed: { kind: outside, about: "Refused (401, 403), a bad URL, no route, a timeout." }
          transport.ended: { kind: outside, about: "The native session ended, whoever ended it and how." }
          teardown.done: { kind: inside, about: "Subscriptions cancelled, publishers stopped, native session shut down." }
          scope.cancelled: { kind: inside, only: [android], about: The parent scope was cancelled. }
          released: { kind: inside, only: [ios], about: The last reference was dropped. }

        events:
          state.finished: { about: The stream of states ends., only: [ios] }
          connect.returns: connect() returns.
          connect.throws: { about: connect() throws what the state error carries., with: [error] }
          subscription: A BroadcastSubscription is returned.
          published: publish() returns and the broadcast is announced.
          announce.blip: { about: A broadcast is announced and ended at once., only: [actual] }
          stats.absent: There are no statistics.
          stats.present: There are statistics.

        errors:
          already_connected: { says: SessionError.alreadyConnected, only: [ios] }
          already_closed: { says: SessionError.alreadyClosed, only: [ios] }
          already_started: { says: "IllegalStateException: Session already started", only: [android] }
          connect_first: { says: "SessionError.invalidConfiguration: must be connected first", only: [ios] }
          connect_first_android: { says: "IllegalStateException: must be connected first", only: [android] }
          already_subscribed: { says: SessionError.alreadySubscribed, only: [ios] }
          prefix_taken: { says: "IllegalStateException: already subscribed to the prefix", only: [android] }
          path_taken: { says: "IllegalStateException: Already publishing at the path, call unpublish() first", only: [android] }
          already_registered: { says: "SessionError.invalidConfiguration: already registered", only: [ios] }
          already_registered_android: { says: "IllegalStateException: already registered", only: [android] }

        transitions:
          - { from: idle, on: connect, to: connecting, source: session states }
          - { from: connecting, on: handshake.done, to: connected, emits: connect.returns, source: session states }
          - { from: connecting, on: handshake.failed, to: error, emits: { connect.throws: { error: connectionFailed } }, source: session states }
          - from: connected
            on: transport.ended
            to: error
            source: session states
            about: Also after a clean end; there is no branch for that.
          - { from: error, on: teardown.done, to: closed, emits: state.finished, only: [ios], source: session states }
          - { from: error, on: teardown.done, to: closed, only: [android], source: session states }
          - { from: [idle, connecting, connected, error], on: close, to: closed, emits: state.finished, only: [ios], source: session states }
          - { from: [connected, error], on: close, to: closed, only: [android], source: session states }
          - { from: connecting, on: close, to: closed, only: [android, documented], source: session states }
          - { from: connecting, on: close, to: cancelled, only: [android, actual], source: "session states; session, races" }
          - from: idle
            on: close
            ignore: true
            only: [android]
            source: session states
            about: A line in the log; connect() is still allowed.
          - { from: [closed, cancelled, ghost], on: close, ignore: true, source: session states }
          - { from: connected, on: scope.cancelled, to: error, only: [android], source: session states }
          - { from: any, on: released, to: dropped, emits: state.finished, only: [ios], source: session states }

          # Calls in a wrong state.
          - { from: closed, on: connect, refuse: { ios: already_closed, android: already_started }, source: "session, reuse and misuse" }
          - { from: [connecting, connected, error], on: connect, refuse: { ios: already_connected, android: already_started }, source: "session, reuse and misuse" }
          - from: [idle, connecting, error, closed]
            on: subscribe
            refuse: { ios: connect_first, android: connect_first_android }
            source: "session, reuse and misuse"
          - { from: connected, on: subscribe, when: { prefix: taken }, refuse: { ios: already_subscribed, android: prefix_taken }, source: "session, reuse and misuse" }
          - { from: connected, on: subscribe, when: { prefix: free }, to: same, emits: subscription, source: "session, reuse and misuse" }
          - from: [idle, connecting, error, closed]
            on: publish
            refuse: { ios: connect_first, android: connect_first_android }
            source: "session, reuse and misuse"
          - { from: connected, on: publish, when: { path: free, publisher: fresh }, to: same, emits: published, source: "session, reuse and misuse" }
          - from: connected
            on: publish
            when: { path: taken, publisher: fresh }
            to: same
            emits: published
            only: [ios]
            source: "session, reuse and misuse"
            about: There is no guard. The first publisher is orphaned.
          - { from: connected, on: publish, when: { path: taken }, refuse: path_taken, only: [android], source: "session, reuse and misuse" }
          - from: connected
            on: publish
            when: { publisher: attached }
            refuse: already_registered
            emits: announce.blip
            only: [ios, actual]
            source: "session, reuse and misuse"
            about: The broadcast that was just created is finished at once.
          - from: connected
            on: publish
            when: { publisher: attached, path: free }
            refuse: already_registered_android
            emits: announce.blip
            only: [android, actual]
            source: "session, reuse and misuse"
          - { from: connected, on: publish, when: { publisher: attached }, refuse: already_registered, only: [ios, documented] }
          - { from: connected, on: publish, when: { publisher: attached, path: free }, refuse: already_registered_android, only: [android, documented] }
          - { from: connected, on: unpublish, when: { path: known }, to: same, source: "session, reuse and misuse" }
          - { from: connected, on: unpublish, when: { path: unknown }, ignore: true, source: "session, reuse and misuse" }
          - { from: [idle, connecting, error, closed], on: unpublish, ignore: true, source: "session, reuse and misuse" }
          - { from: [idle, connecting, error, closed], on: stats, to: same, emits: stats.absent, source: "session, reuse and misuse" }
          - { from: connected, on: stats, to: same, emits: stats.present, source: "session, reuse and misuse" }

          # Races.
          - { from: cancelled, on: handshake.failed, to: closed, source: "session, races" }
          - from: cancelled
            on: handshake.done
            to: ghost
            source: "session, races"
            about: The late success overwrites Closed while the scope is dead.
          - { from: [cancelled, ghost], on: connect, refuse: already_started, source: "session, reuse and misuse" }
          - from: closed
            on: handshake.failed
            ignore: true
            source: "session, races"
            about: connect() throws; the stream of states has ended, so nobody sees more.
          - from: closed
            on: transport.ended
            ignore: true
            source: "session, races"
            about: The monitor is told of the end that close() made.
          - { from: closed, on: teardown.done, ignore: true }

        """#
}
