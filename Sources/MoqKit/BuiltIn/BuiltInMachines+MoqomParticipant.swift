// Made from fixtures/machines/moqom-participant.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/moqom-participant.yaml.
    static let moqomParticipant = #"""
        machine: moqom-participant
        object: MoqomParticipant
        about: Somebody in a room, as the others see them.
        source: MoqomKit, public documentation
        profiles: [moqom]

        states:
          outside: { initial: true, about: Not in the room. }
          present: In the room.
          reconnecting: "The link was lost; still in the room."
          left: { terminal: true, about: Gone. }

        inputs:
          join: { kind: outside, with: { participant: text } }
          link.lost: { kind: outside }
          link.back: { kind: outside }
          leave: { kind: outside }
          evict: { kind: outside, about: Kicked or banned. }
          time.out: { kind: timer, about: The reconnect window of the participant passed. }
          connection.lost: { kind: outside }
          grants: { kind: outside, about: "Rights changed: a demotion acts at once, a promotion only enables." }
          mute: { kind: outside, about: "Muted or unmuted, by themselves or by force." }
          spotlight: { kind: outside }

        events:
          participantJoined: { with: [participant] }
          participantLeft: { with: [participant, why], about: "left, evicted, timedOut, connectionLost" }
          presenceChanged: { with: [participant, presence] }
          muteChanged: { with: [participant, mute] }
          grantsChanged: { with: [participant, grants] }
          spotlightChanged: { with: [participant] }

        transitions:
          - { from: outside, on: join, to: present, emits: participantJoined, source: room }
          - { from: present, on: link.lost, to: reconnecting, emits: { presenceChanged: { presence: reconnecting } }, source: room, about: No participantLeft. }
          - { from: reconnecting, on: link.back, to: present, emits: presenceChanged, source: room }
          - { from: present, on: leave, to: left, emits: { participantLeft: { why: left } }, source: room }
          - { from: [present, reconnecting], on: evict, to: left, emits: { participantLeft: { why: evicted } }, source: room }
          - { from: [present, reconnecting], on: time.out, to: left, emits: { participantLeft: { why: timedOut } }, source: room }
          - { from: [present, reconnecting], on: connection.lost, to: left, emits: { participantLeft: { why: connectionLost } }, source: room }
          - { from: [present, reconnecting], on: grants, to: same, emits: grantsChanged, source: room }
          - { from: [present, reconnecting], on: mute, to: same, emits: muteChanged, source: room }
          - { from: [present, reconnecting], on: spotlight, to: same, emits: spotlightChanged, source: room }

        """#
}
