// Made from fixtures/machines/moqom-invitation.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/moqom-invitation.yaml.
    static let moqomInvitation = #"""
        machine: moqom-invitation
        object: MoqomInvitation
        about: An invitation to the stage, or a request for it. Accepting grants rights and starts nothing.
        source: MoqomKit, public documentation
        profiles: [moqom]
        single_use: true

        states:
          none: { initial: true, about: Not issued. }
          offered: Waiting for the other side.
          accepted: { terminal: true, about: The rights are granted. }
          declined: { terminal: true, about: "The other side said no." }
          cancelled: { terminal: true, about: Its issuer took it back. }
          expired: { terminal: true, about: Its time passed. }

        inputs:
          invite: { kind: call, about: "invite(user, offered, expiresAfter)" }
          request: { kind: call, about: requestStage(offered) }
          accept: { kind: call, about: By either side. }
          decline: { kind: call, about: By either side. }
          cancel: { kind: call, about: By the issuer. }
          expire: { kind: timer, about: "expiresAfter, as the invitation says." }

        events:
          stageChanged: { with: [invitation], about: "Lock, spotlight and invitations." }
          grantsChanged: Rights; nothing is published by that.

        errors:
          not_open: Accepting or declining what is no longer offered fails.

        transitions:
          - { from: none, on: invite, to: offered, emits: { stageChanged: { invitation: offered } }, source: stage }
          - { from: none, on: request, to: offered, emits: { stageChanged: { invitation: offered } }, source: stage }
          - { from: offered, on: accept, to: accepted, emits: [{ stageChanged: { invitation: accepted } }, grantsChanged], source: stage }
          - { from: offered, on: decline, to: declined, emits: { stageChanged: { invitation: declined } }, source: stage }
          - { from: offered, on: cancel, to: cancelled, emits: { stageChanged: { invitation: cancelled } }, source: stage }
          - { from: offered, on: expire, to: expired, emits: { stageChanged: { invitation: expired } }, source: stage }
          - { from: [accepted, declined, cancelled, expired], on: accept, refuse: not_open, source: stage }
          - { from: [accepted, declined, cancelled, expired], on: decline, refuse: not_open, source: stage }
          - { from: [accepted, declined, cancelled, expired], on: cancel, ignore: true, open: true, source: stage }
          - { from: [accepted, declined, cancelled, expired], on: expire, ignore: true }

        """#
}
