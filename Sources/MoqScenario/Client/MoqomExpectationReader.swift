import MoqBase

/// Reads what an actor that is a MoqomKit session expects: a mapping in which every key names one thing, and all must
/// hold.
struct MoqomExpectationReader: ExpectationTreeReader {
    let context: ReadingContext
    let kind = ActorKind.moqom

    /// The keys that name something.
    static let names =
        ["event", "in_order", "roster", "participant", "me", "broadcasters", "backstage", "media"]
        + MoqomObject.allCases.map(\.rawValue)

    static func kind(of seen: MoqomExpectation) -> ExpectationKind { .client(.moqom(seen)) }

    /// Takes the keys that say what is expected. The caller takes the others (`within`, `for`) and finishes.
    func tree(_ reader: MappingReader) -> ExpectationTree? {
        var parts: [ExpectationTree] = []
        let occurrences = reader.occurrences()
        let room = reader.text("room")
        if let entry = reader.take("event") {
            if let pattern = pattern(entry.value) { parts.append(one(.event(pattern), entry, occurrences)) }
        } else if occurrences != nil {
            countsNothing(reader, expected: "the number beside an `event`")
        }
        if let (entry, items) = items(reader, "in_order", expected: "a list of events, such as `[restored]`") {
            parts.append(one(.events(items.compactMap(pattern)), entry))
        }
        for object in MoqomObject.allCases {
            guard let entry = reader.take(object.rawValue) else { continue }
            if let states = context.states(entry, among: object.states) {
                parts.append(one(.states(object, states, room: room), entry))
            }
        }
        for (key, make) in [
            ("roster", MoqomExpectation.roster), ("broadcasters", MoqomExpectation.broadcasters),
            ("backstage", MoqomExpectation.backstage),
        ] {
            guard let entry = reader.take(key) else { continue }
            let names = context.list(entry.value).compactMap { context.text($0, key) }
            parts.append(one(make(names, room), entry))
        }
        if let entry = reader.take("participant"), let wanted = nested(entry, participant) {
            parts.append(one(.participant(wanted, room: room), entry))
        }
        if let entry = reader.take("me"), let wanted = nested(entry, me) {
            parts.append(one(.me(wanted, room: room), entry))
        }
        if let entry = reader.take("media"), let wanted = nested(entry, media) {
            parts.append(one(.media(wanted, room: room), entry))
        }
        if let branches = branches(reader, "any_of") { parts.append(.any(branches)) }
        if let branches = branches(reader, "all_of") { parts.append(.all(branches)) }
        return parts.count > 1 ? .all(parts) : parts.first
    }

    /// An event by its name, or `{ type: NAME, ... }`.
    private func pattern(_ node: YAMLNode) -> MoqomEventPattern? {
        if case .scalar = node.content {
            return context.word(node, "event", as: MoqomEventName.self).map { MoqomEventPattern(name: $0, fields: []) }
        }
        guard let reader = MappingReader(node, of: "event", context: context) else { return nil }
        let name = reader.need("type").flatMap { context.word($0.value, "type", as: MoqomEventName.self) }
        let fields = Self.fields.compactMap { key in
            reader.text(key).map { MoqomEventPattern.Field(name: key, value: $0) }
        }
        if name != nil { reader.finish() }
        return name.map { MoqomEventPattern(name: $0, fields: fields) }
    }

    /// What can come with an event.
    static let fields = [
        "who", "why", "presence", "kind", "mute", "grants", "resumable", "invitation", "locked", "reason", "code",
    ]

    private func participant(_ reader: MappingReader) -> MoqomParticipantExpectation? {
        let (presence, role) = (
            reader.word("presence", as: MoqomPresence.self), reader.word("role", as: MoqomRoleWord.self)
        )
        let (audio, video) = (
            reader.word("audio", as: MoqomMuteWord.self), reader.word("video", as: MoqomMuteWord.self)
        )
        let grants = grants(reader)
        return reader.neededText("name").map {
            MoqomParticipantExpectation(
                name: $0, presence: presence, role: role, grants: grants, audio: audio, video: video)
        }
    }

    private func me(_ reader: MappingReader) -> MoqomSelfExpectation? {
        let wanted = MoqomSelfExpectation(
            grants: grants(reader), audio: reader.word("audio", as: MoqomForceWord.self),
            video: reader.word("video", as: MoqomForceWord.self))
        if reader.keys.isEmpty { context.error(reader.span, "`me` expects nothing") }
        return wanted
    }

    private func media(_ reader: MappingReader) -> MoqomMediaExpectation? {
        let kind = reader.word("kind", as: MoqomMediumWord.self) ?? .video
        let (frames, code) = (reader.count("frames") ?? reader.occurrences(), reader.codes("code"))
        return reader.neededText("from").map {
            MoqomMediaExpectation(from: $0, kind: kind, frames: frames, code: code)
        }
    }

    private func grants(_ reader: MappingReader) -> [MoqomGrantWord]? {
        reader.take("grants").map { entry in
            if case .sequence(let items) = entry.value.content, items.isEmpty { return [] }
            return context.list(entry.value).compactMap { context.word($0, "grants", as: MoqomGrantWord.self) }
        }
    }
}
