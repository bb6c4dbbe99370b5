import MoqConformance
import MoqEvents
import MoqKit
import MoqScenario

// What the model tells and shows, in the record that expectations are held against.
extension MoqomActor {
    func note(_ step: ModelStep) {
        let known = entered["\(step.machine) \(step.object)"]
        guard (known?.last ?? Self.beginnings[step.machine]) != step.state else { return }
        entered["\(step.machine) \(step.object)"] = (known ?? []) + [step.state]
        if step.machine != "moqom-mute" { scene.note(.session, name, "\(step.object): \(step.state)") }
    }

    /// The states in which objects are made.
    private static let beginnings = [
        "moqom-session": "idle", "moqom-token": "valid", "moqom-invitation": "none", "moqom-broadcast": "unprepared",
        "moqom-mute": "free", "moqom-participant": "outside",
    ]

    func refreshRecord() {
        var states: [MoqomObject: [String]] = [:]
        states[.session] = entered["moqom-session \(session.name)"]
        states[.token] = entered["moqom-token \(session.name)/token"]
        actor.record.client?.moqom?.states = states
        for room in session.rooms { refresh(room) }
    }

    private func refresh(_ room: MoqomRoom) {
        var record = MoqomRecord.Room(path: room.path)
        for person in room.people {
            let seen = MoqomRecord.Person(
                name: person.name, presence: person.state.rawValue, role: person.report.role.rawValue,
                grants: person.report.grants.map(\.rawValue), audio: MoqomPerson.mute(person.report, .audio),
                video: MoqomPerson.mute(person.report, .video))
            record.people.removeAll { $0.name == seen.name }
            record.people.append(seen)
        }
        record.grants = room.report.grants.map(\.rawValue)
        record.audio = room.mute(.audio).state.rawValue
        record.video = room.mute(.video).state.rawValue
        record.broadcasters = room.broadcasters(.live)
        record.backstage = room.broadcasters(.backstage)
        for media in room.media {
            var code: UInt64?
            if case .code(let number)? = media.end { code = number }
            record.media.append(
                MoqomRecord.Media(
                    name: media.name, kind: media.medium.rawValue, frames: media.objects, code: code,
                    isOver: media.end != nil))
        }
        for (object, name) in [
            (MoqomObject.video, room.broadcast(.video).object), (.audio, room.broadcast(.audio).object),
        ] {
            record.states[object] = entered["moqom-broadcast \(name)"]
        }
        record.states[.invitation] = room.invitations.last.flatMap { entered["moqom-invitation \($0.object)"] }
        let index = actor.record.client?.moqom?.rooms.firstIndex { $0.path == room.path }
        if let index {
            actor.record.client?.moqom?.rooms[index] = record
        } else {
            actor.record.client?.moqom?.rooms.append(record)
        }
    }
}
