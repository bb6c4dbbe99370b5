// Made from fixtures/machines/moqom-mute.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/moqom-mute.yaml.
    static let moqomMute = #"""
        machine: moqom-mute
        object: MoqomMute
        about: Whether one's own audio or video may leave, by one's own will and by force.
        source: MoqomKit, public documentation
        profiles: [moqom]

        states:
          free: { initial: true, about: Nothing is forced. }
          held: "Muted by force; captured media are held."
          resumable: The force was lifted; what was held is listed and not sent.

        inputs:
          mute_self: { kind: call }
          unmute_self: { kind: call }
          force: { kind: outside, about: "Force-mute, for everyone or for the audience." }
          lift: { kind: outside, about: The force-mute is lifted. }
          resume: { kind: call, about: resumeAfterForceMute() }
          send: { kind: inside, about: Captured media are there to be sent. }

        variables:
          self_muted: false

        events:
          muteChanged: { with: [self], about: Everyone in the room sees it. }
          captureRestricted: { with: [resumable], about: Held media. }
          media: Media leave.

        transitions:
          - { from: any, on: mute_self, when: { self_muted: false }, to: same, emits: { muteChanged: { self: true } }, set: { self_muted: true }, source: mutes }
          - { from: any, on: mute_self, when: { self_muted: true }, ignore: true, open: true, source: mutes }
          - { from: any, on: unmute_self, when: { self_muted: true }, to: same, emits: { muteChanged: { self: false } }, set: { self_muted: false }, source: mutes }
          - { from: any, on: unmute_self, when: { self_muted: false }, ignore: true, open: true, source: mutes }
          - { from: free, on: force, to: held, emits: { captureRestricted: { resumable: false } }, source: force-mute }
          - { from: held, on: force, ignore: true, open: true, source: force-mute }
          - { from: held, on: lift, to: resumable, emits: { captureRestricted: { resumable: true } }, source: force-mute }
          - { from: resumable, on: resume, to: free, source: force-mute, about: By the user; nothing is sent before. }
          - { from: resumable, on: force, to: held, emits: { captureRestricted: { resumable: false } }, source: force-mute }
          - { from: free, on: lift, ignore: true, open: true, source: force-mute }
          - { from: free, on: send, when: { self_muted: false }, to: same, emits: media, source: mutes }
          - { from: free, on: send, when: { self_muted: true }, ignore: true, source: mutes }
          - { from: [held, resumable], on: send, ignore: true, source: force-mute }

        """#
}
