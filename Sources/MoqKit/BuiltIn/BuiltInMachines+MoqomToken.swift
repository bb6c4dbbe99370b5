// Made from fixtures/machines/moqom-token.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/moqom-token.yaml.
    static let moqomToken = #"""
        machine: moqom-token
        object: MoqomToken
        about: The token of a session, at most 15 minutes long, renewed before it lapses where that is possible.
        source: MoqomKit, public documentation
        profiles: [moqom]

        states:
          valid: { initial: true, about: It is accepted. }
          renewing: A fresh one is asked for.
          expired: { terminal: true, about: The session ends with tokenExpired. }

        inputs:
          renewal.due: { kind: timer, about: Some time before expiresAt; how long is not documented., with: { can_renew: flag } }
          renewed: { kind: outside }
          renewal.failed: { kind: outside }
          expires: { kind: timer, after: 15min, about: "expiresAt, at most 15 minutes after it was issued." }

        events:
          token: A fresh token is in use; nothing reconnects.
          tokenExpired: The session is closed.

        transitions:
          - { from: valid, on: renewal.due, when: { can_renew: true }, to: renewing, source: token }
          - { from: valid, on: renewal.due, when: { can_renew: false }, ignore: true, source: token }
          - { from: renewing, on: renewed, to: valid, emits: token, source: token }
          - { from: renewing, on: renewal.failed, to: same, open: true, source: token, about: Whether it tries again is not documented. }
          - { from: renewing, on: renewal.failed, to: valid, open: true, source: token }
          - { from: [valid, renewing], on: expires, to: expired, emits: tokenExpired, source: token }
          - { from: expired, on: renewed, ignore: true }
          - { from: expired, on: renewal.failed, ignore: true }

        """#
}
