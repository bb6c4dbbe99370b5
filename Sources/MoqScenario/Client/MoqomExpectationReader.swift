import MoqBase

/// Reads what an actor that is a MoqomKit session expects: a mapping in which every key names one thing, and all must
/// hold.
struct MoqomExpectationReader {
    let context: ReadingContext

    /// The keys that name something.
    static let names =
        ["event", "in_order", "roster", "participant", "me", "broadcasters", "backstage", "media"]
        + MoqomObject.allCases.map(\.rawValue)

    /// Takes the keys that say what is expected. The caller takes the others (`within`, `for`) and finishes.
    func tree(_ reader: MappingReader) -> ExpectationTree? {
        var parts: [ExpectationTree] = []
        let occurrences = occurrences(reader)
        let room = reader.text("room")
        if let entry = reader.take("event") {
            if let pattern = pattern(entry.value) { parts.append(one(.event(pattern), entry, occurrences)) }
        } else if occurrences != nil {
            context.error(
                reader.span, "there is nothing here that `count`, `at_least` or `at_most` could count",
                expected: "the number beside an `event`")
        }
        if let entry = reader.take("in_order") {
            guard case .sequence(let items) = entry.value.content, !items.isEmpty else {
                return context.wrong(entry.value, "in_order", expected: "a list of events, such as `[restored]`")
            }
            parts.append(one(.events(items.compactMap(pattern)), entry))
        }
        for object in MoqomObject.allCases {
            guard let entry = reader.take(object.rawValue) else { continue }
            if let states = states(entry.value, entry.key, among: object.states) {
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
        for (key, make) in [("any_of", ExpectationTree.any), ("all_of", ExpectationTree.all)] {
            guard let entry = reader.take(key) else { continue }
            guard case .sequence(let items) = entry.value.content, !items.isEmpty else {
                return context.wrong(entry.value, key, expected: "a list of expectations")
            }
            parts.append(make(items.compactMap { branch($0, of: key) }))
        }
        return parts.count > 1 ? .all(parts) : parts.first
    }

    private func branch(_ item: YAMLNode, of key: String) -> ExpectationTree? {
        if context.refers(item, to: ShapeRecorder.expectation(of: .moqom)) { return nil }
        guard let inner = MappingReader(item, of: key, context: context) else { return nil }
        let before = context.sink.errorCount
        let tree = self.tree(inner)
        inner.finish()
        if tree == nil, context.sink.errorCount == before {
            context.error(item.span, "an item of `\(key)` expects nothing")
        }
        return tree
    }

    private func one(
        _ expectation: MoqomExpectation, _ entry: YAMLNode.Entry, _ occurrences: CountExpectation? = nil
    ) -> ExpectationTree {
        .one(
            Expectation(
                kind: .client(.moqom(expectation)), occurrences: occurrences,
                location: context.text.location(of: entry.keySpan),
                source: context.text.trimmedLine(entry.keySpan.line)))
    }

    private func nested<Value>(_ entry: YAMLNode.Entry, _ read: (MappingReader) -> Value?) -> Value? {
        guard let reader = MappingReader(entry.value, of: entry.key, at: entry.keySpan, context: context) else {
            return nil
        }
        let value = read(reader)
        reader.finish()
        return value
    }

    private func occurrences(_ reader: MappingReader) -> CountExpectation? {
        if let count = reader.count("count") { return count }
        let least = reader.integer("at_least", in: 0...ReadingContext.greatestCount)
        let most = reader.integer("at_most", in: 0...ReadingContext.greatestCount)
        guard least != nil || most != nil else { return nil }
        return CountExpectation(minimum: Int(least ?? 0), maximum: most.map { Int($0) })
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

    private func states(_ node: YAMLNode, _ key: String, among words: [String]) -> ClientStates? {
        func word(_ node: YAMLNode) -> String? {
            guard let text = context.text(node, key) else { return nil }
            guard words.contains(text) else {
                context.unknownWord(text, at: node.span, "`\(text)` is not a state of `\(key)`", among: words)
                return nil
            }
            return text
        }
        if case .sequence(let items) = node.content { return .entered(items.compactMap(word)) }
        return word(node).map(ClientStates.current)
    }

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
        let (frames, code) = (reader.count("frames") ?? occurrences(reader), reader.codes("code"))
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
