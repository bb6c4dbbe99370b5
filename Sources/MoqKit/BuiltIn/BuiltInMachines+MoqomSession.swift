// Made from fixtures/machines/moqom-session.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/moqom-session.yaml.
    static let moqomSession = #"""
        machine: moqom-session
        object: MoqomSession
        about: One connection for many rooms, which comes back by itself.
        source: MoqomKit, public documentation
        profiles: [moqom]
        single_use: true

        states:
          idle: { initial: true, about: Not connected. }
          connecting: Connecting to a relay.
          established: Connected; rooms can be joined.
          reconnecting: "The link was lost; it tries again. Others see the presence reconnecting, and no leave."
          away: 'Shown as "Connection lost".'
          closed: { terminal: true, about: Over for the reason of the terminal event. }

        inputs:
          connect: { kind: call, about: connect(to relay) }
          close: { kind: call, about: The application leaves. }
          join: { kind: call, about: "join(room), goLive() or watch(username)." }
          connected: { kind: outside }
          refused: { kind: outside, about: The first connection did not come about. }
          link.lost: { kind: outside }
          link.back: { kind: outside, about: Within the reconnect window. }
          still.lost: { kind: timer, about: How long it takes is not documented. }
          window.passed: { kind: timer, about: "The reconnect window; its length is not documented." }
          moderated: { kind: outside, about: Kicked or banned., with: { code: text } }
          host.ended: { kind: outside, about: The host ended the room or the broadcast. }
          token.expired: { kind: inside, about: The token lapsed and could not be renewed. }
          token.renewed: { kind: inside, about: "No reconnect comes of it." }

        events:
          restored: "Subscriptions, mutes, grants and stage position are as before."
          terminal: { with: [reason, code], about: "moderated(code), hostEnded, networkFailure, tokenExpired." }

        transitions:
          - { from: idle, on: connect, to: connecting, source: session states }
          - { from: connecting, on: connected, to: established, source: session states }
          - { from: connecting, on: refused, to: closed, emits: { terminal: { reason: networkFailure } }, open: true, source: session states, about: What ends a first connection is not documented. }
          - { from: connecting, on: refused, to: reconnecting, open: true, source: session states }
          - { from: connecting, on: token.expired, to: closed, emits: { terminal: { reason: tokenExpired } }, open: true, source: session states }
          - { from: connecting, on: token.expired, to: same, open: true, source: session states }
          - { from: established, on: join, to: same, source: rooms, about: Changing the room never opens a new connection. }
          - { from: established, on: token.renewed, to: same, source: token }
          - { from: established, on: link.lost, to: reconnecting, source: reconnect }
          - { from: reconnecting, on: link.back, to: established, emits: restored, source: reconnect }
          - { from: reconnecting, on: still.lost, to: away, open: true, source: session states, about: Where reconnecting ends and away begins is not documented. }
          - { from: reconnecting, on: still.lost, to: same, open: true, source: session states }
          - { from: away, on: link.back, to: established, emits: restored, open: true, source: session states }
          - { from: away, on: link.back, to: reconnecting, open: true, source: session states }
          - { from: [reconnecting, away], on: window.passed, to: closed, emits: { terminal: { reason: networkFailure } }, source: terminal events }
          - { from: established, on: moderated, to: closed, emits: { terminal: { reason: moderated, code: $code } }, source: terminal events }
          - { from: established, on: host.ended, to: closed, emits: { terminal: { reason: hostEnded } }, source: terminal events }
          - { from: established, on: token.expired, to: closed, emits: { terminal: { reason: tokenExpired } }, source: terminal events }
          - { from: [reconnecting, away], on: moderated, to: closed, emits: { terminal: { reason: moderated, code: $code } }, open: true, source: session states }
          - { from: [reconnecting, away], on: host.ended, to: closed, emits: { terminal: { reason: hostEnded } }, open: true, source: session states }
          - { from: [reconnecting, away], on: token.expired, to: closed, emits: { terminal: { reason: tokenExpired } }, open: true, source: session states }
          - { from: [reconnecting, away], on: token.renewed, to: same, open: true, source: session states }
          - { from: any, on: close, to: closed, open: true, source: session states, about: Closing by the application is not documented. }
          - { from: closed, on: link.lost, ignore: true }
          - { from: closed, on: link.back, ignore: true }
          - { from: closed, on: window.passed, ignore: true }

        """#
}
