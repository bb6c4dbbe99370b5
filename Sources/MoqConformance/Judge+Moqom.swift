import MoqScenario
import MoqWire

// Expectations of the application behind a MoqomKit session.
extension Judge {
    /// `before` is what was seen when the step began, for what must not happen; nil for what must.
    static func judge(
        _ wanted: MoqomExpectation, _ count: CountExpectation?, _ client: ClientRecord, _ context: JudgeContext,
        since before: ClientRecord?
    ) -> Judgement {
        let record = client.moqom ?? MoqomRecord()
        switch wanted {
        case .event(let pattern):
            let matching = client.events.dropFirst(before?.events.count ?? 0).filter { matches($0, pattern) }.count
            return tally(matching, count, "\(pattern.name.rawValue) was told \(matching) times; \(told(client))")
        case .events(let patterns): return judge(patterns, client)
        case .states(let object, let states, let room):
            let entered =
                switch object {
                case .session, .token: record.states[object] ?? []
                case .invitation, .video, .audio: record.room(room)?.states[object] ?? []
                }
            return judge(states, entered, of: object.rawValue, initially: object.states[0])
        case .roster(let names, let room):
            let there = (record.room(room)?.people ?? []).filter { $0.presence != "left" }.map(\.name)
            return exactly(names, there, "there")
        case .broadcasters(let names, let room):
            return exactly(names, record.room(room)?.broadcasters ?? [], "broadcasting")
        case .backstage(let names, let room):
            return exactly(names, record.room(room)?.backstage ?? [], "backstage")
        case .participant(let wanted, let room): return judge(wanted, record.room(room))
        case .me(let wanted, let room): return judge(wanted, record.room(room))
        case .media(let wanted, let room):
            let old = before?.moqom?.room(room).map { entry(wanted, $0)?.frames ?? 0 } ?? 0
            return judge(wanted, record.room(room), framesBefore: before == nil ? nil : old, context)
        }
    }

    // MARK: Events

    private static func matches(_ event: ClientRecord.Event, _ pattern: MoqomEventPattern) -> Bool {
        event.name == pattern.name.rawValue && pattern.fields.allSatisfy { event[$0.name] == $0.value }
    }

    private static func judge(_ patterns: [MoqomEventPattern], _ client: ClientRecord) -> Judgement {
        var rest = client.events[...]
        for (index, pattern) in patterns.enumerated() {
            guard let place = rest.firstIndex(where: { matches($0, pattern) }) else {
                return .pending(
                    "\(index) of \(patterns.count) were told in order; \(pattern.name.rawValue) was not; \(told(client))"
                )
            }
            rest = rest[(place + 1)...]
        }
        return .met("all \(patterns.count) were told in order")
    }

    /// How many of the newest events are named in what was seen.
    private static let eventsNamed = 12

    private static func told(_ client: ClientRecord) -> String {
        guard !client.events.isEmpty else { return "nothing was told" }
        let named = client.events.suffix(eventsNamed).map { event in
            ([event.name] + event.fields.map(\.value)).joined(separator: " ")
        }
        return "told last: \(named.joined(separator: ", "))"
    }

    // MARK: People

    private static func exactly(_ wanted: [String], _ names: [String], _ how: String) -> Judgement {
        let seen = names.isEmpty ? "nobody is \(how)" : "\(how): \(names.joined(separator: ", "))"
        return wanted.sorted() == names.sorted() ? .met(seen) : .pending(seen)
    }

    private static func judge(_ wanted: MoqomParticipantExpectation, _ room: MoqomRecord.Room?) -> Judgement {
        guard let person = room?.people.last(where: { $0.name == wanted.name }) else {
            let others = room?.people.map(\.name) ?? []
            return .pending(others.isEmpty ? "nobody was seen" : "seen: \(others.joined(separator: ", "))")
        }
        let grants = person.grants.isEmpty ? "none" : person.grants.joined(separator: ",")
        let seen =
            "\(person.name) is \(person.presence), role \(person.role), grants \(grants), "
            + "audio muted: \(person.audio), video muted: \(person.video)"
        let isMet =
            wanted.presence.map { $0.rawValue == person.presence } ?? true
            && wanted.role.map { $0.rawValue == person.role } ?? true
            && wanted.grants.map { same($0, person.grants) } ?? true
            && wanted.audio.map { $0.rawValue == person.audio } ?? true
            && wanted.video.map { $0.rawValue == person.video } ?? true
        return isMet ? .met(seen) : .pending(seen)
    }

    private static func judge(_ wanted: MoqomSelfExpectation, _ room: MoqomRecord.Room?) -> Judgement {
        guard let room else { return .pending("no room was joined") }
        let grants = room.grants.isEmpty ? "none" : room.grants.joined(separator: ",")
        let seen = "grants \(grants), audio \(room.audio), video \(room.video)"
        let isMet =
            wanted.grants.map { same($0, room.grants) } ?? true
            && wanted.audio.map { $0.rawValue == room.audio } ?? true
            && wanted.video.map { $0.rawValue == room.video } ?? true
        return isMet ? .met(seen) : .pending(seen)
    }

    private static func same(_ wanted: [MoqomGrantWord], _ grants: [String]) -> Bool {
        wanted.map(\.rawValue).sorted() == grants.sorted()
    }

    // MARK: Media

    private static func entry(_ wanted: MoqomMediaExpectation, _ room: MoqomRecord.Room) -> MoqomRecord.Media? {
        room.media.first { $0.name == wanted.from && $0.kind == wanted.kind.rawValue }
    }

    private static func judge(
        _ wanted: MoqomMediaExpectation, _ room: MoqomRecord.Room?, framesBefore: Int?, _ context: JudgeContext
    ) -> Judgement {
        let media = room.flatMap { entry(wanted, $0) }
        let frames = (media?.frames ?? 0) - (framesBefore ?? 0)
        let seen = "\(frames) frames of \(wanted.kind.rawValue) came from \(wanted.from)"
        var parts: [Judgement] = []
        if let code = wanted.code {
            if let number = media?.code {
                let told = context.codes.describe(number, on: .reset)
                parts.append(
                    context.codes.matches(number, code, on: .reset) == false ? .broken(told) : .met(told))
            } else {
                parts.append(media?.isOver == true ? .broken("it ended without a code") : .pending("no code came"))
            }
        }
        if let count = wanted.frames {
            parts.append(tally(frames, count, seen))
        } else if wanted.code == nil {
            parts.append(frames > 0 ? .met(seen) : .pending(seen))
        }
        return .all(parts)
    }
}
