import MoqBase

/// Reads what an actor that is a client kit expects: a mapping in which every key names one thing, and all must hold.
struct ClientExpectationReader {
    let context: ReadingContext
    let kind: ActorKind

    /// The keys that name something.
    static let names = [
        "broadcast", "broadcasts", "catalog", "is", "found", "code", "event", "in_order", "stats", "session",
        "seen", "publisher", "player", "track_states", "data", "diagnostics", "audio_data",
    ]

    /// Takes the keys that say what is expected. The caller takes the others (`within`, `for`) and finishes.
    func tree(_ reader: MappingReader) -> ExpectationTree? {
        var parts: [ExpectationTree] = []
        let occurrences = self.occurrences(reader)
        if let broadcast = broadcast(reader) { parts.append(broadcast) }
        if let entry = reader.take("broadcasts") {
            let paths = context.list(entry.value).compactMap { context.text($0, entry.key) }
            parts.append(one(.broadcasts(paths), entry))
        }
        if let entry = reader.take("event"), let pattern = pattern(entry.value) {
            parts.append(one(.event(pattern), entry, occurrences))
        } else if let occurrences, !reader.has("event"), !reader.has("diagnostics") {
            _ = occurrences
            context.error(
                reader.span, "there is nothing here that `count`, `at_least` or `at_most` could count",
                expected: "the number beside an `event`")
        }
        if let entry = reader.take("in_order") {
            guard case .sequence(let items) = entry.value.content, !items.isEmpty else {
                return context.wrong(entry.value, "in_order", expected: "a list of events, such as `[track.ready]`")
            }
            parts.append(one(.events(items.compactMap(pattern)), entry))
        }
        if let entry = reader.take("stats") { parts.append(contentsOf: statistics(entry)) }
        if let entry = reader.take("seen") { parts.append(contentsOf: sights(entry)) }
        for object in ClientObject.allCases {
            guard let entry = reader.take(object.rawValue) else { continue }
            if let states = states(entry.value, entry.key, among: object.states) {
                parts.append(one(.states(object, states), entry))
            }
        }
        if let entry = reader.take("track_states") { parts.append(contentsOf: trackStates(entry)) }
        if let entry = reader.take("data"), let data = nested(entry, data) { parts.append(one(.data(data), entry)) }
        if let entry = reader.take("diagnostics"), let pattern = nested(entry, diagnostic) {
            parts.append(one(.diagnostic(pattern), entry, occurrences))
        }
        if let entry = reader.take("audio_data"), let audio = nested(entry, audio) {
            parts.append(one(.audio(audio), entry))
        }
        for (key, make) in [("any_of", ExpectationTree.any), ("all_of", ExpectationTree.all)] {
            guard let entry = reader.take(key) else { continue }
            guard case .sequence(let items) = entry.value.content, !items.isEmpty else {
                return context.wrong(entry.value, key, expected: "a list of expectations")
            }
            let branches = items.compactMap { item -> ExpectationTree? in
                if context.refers(item, to: ShapeRecorder.expectation(of: kind)) { return nil }
                guard let inner = MappingReader(item, of: key, context: context) else { return nil }
                let before = context.sink.errorCount
                let tree = self.tree(inner)
                inner.finish()
                if tree == nil, context.sink.errorCount == before {
                    context.error(item.span, "an item of `\(key)` expects nothing")
                }
                return tree
            }
            parts.append(make(branches))
        }
        return parts.count > 1 ? .all(parts) : parts.first
    }

    func one(
        _ expectation: ClientExpectation, _ entry: YAMLNode.Entry, _ occurrences: CountExpectation? = nil
    ) -> ExpectationTree {
        .one(
            Expectation(
                kind: .client(expectation), occurrences: occurrences,
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

    private func broadcast(_ reader: MappingReader) -> ExpectationTree? {
        let path = reader.take("broadcast")
        let catalog = reader.take("catalog")
        var expectation = ClientBroadcastExpectation()
        expectation.path = path.flatMap { context.text($0.value, "broadcast") }
        let state = reader.take("is")
        expectation.state = state.flatMap {
            context.word($0.value, "is", as: ClientBroadcastExpectation.State.self)
        }
        let (found, code) = (reader.take("found"), reader.take("code"))
        expectation.found = found.flatMap { context.count($0.value, "found") }
        expectation.code = code.flatMap { context.codes($0.value, "code") }
        if let catalog {
            _ = nested(catalog) { inner -> Bool? in
                expectation.video = CatalogReader.renditions(inner, "video")
                expectation.audio = CatalogReader.renditions(inner, "audio")
                return true
            }
        }
        guard let entry = path ?? catalog ?? state ?? found ?? code else { return nil }
        return one(.broadcast(expectation), entry)
    }

    // MARK: Events

    /// An event by its name, or `{ type: NAME, ... }`.
    private func pattern(_ node: YAMLNode) -> ClientEventPattern? {
        if case .scalar = node.content {
            return context.word(node, "event", as: ClientEventName.self).map { ClientEventPattern(name: $0) }
        }
        guard let reader = MappingReader(node, of: "event", context: context) else { return nil }
        let name = reader.need("type").flatMap { context.word($0.value, "type", as: ClientEventName.self) }
        let pattern = name.map {
            ClientEventPattern(
                name: $0, kind: reader.word("kind", as: ClientMediaKind.self), track: reader.text("track"),
                epoch: reader.integer("epoch"), code: reader.codes("code"), message: reader.text("message"),
                reason: reader.text("reason"))
        }
        if pattern != nil { reader.finish() }
        return pattern
    }

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

    private func trackStates(_ entry: YAMLNode.Entry) -> [ExpectationTree] {
        guard let reader = MappingReader(entry.value, of: entry.key, at: entry.keySpan, context: context) else {
            return []
        }
        return reader.takeAll().compactMap { track in
            states(track.value, track.key, among: ClientObject.trackStates).map {
                one(.trackStates(name: track.key, $0), track)
            }
        }
    }

    // MARK: Tracks

    private func data(_ reader: MappingReader) -> ClientDataExpectation? {
        let (groups, objects) = (reader.integers("groups"), reader.count("objects"))
        let (content, ascending) = (reader.text("content"), reader.truth("ascending"))
        let (ended, code) = (reader.word("ended", as: TrackEnding.self), reader.codes("code"))
        return reader.neededText("track").map {
            ClientDataExpectation(
                track: $0, groups: groups, objects: objects, content: content, isAscending: ascending, ended: ended,
                code: code)
        }
    }

    private func diagnostic(_ reader: MappingReader) -> ClientDiagnosticPattern? {
        let name = reader.word("type", as: ClientDiagnosticName.self)
        let fields = ["kind", "stage", "reason", "cause", "phase", "action", "error"].compactMap { key in
            reader.text(key).map { ClientDiagnosticPattern.Field(name: key, value: $0) }
        }
        return ClientDiagnosticPattern(name: name, fields: fields, held: reader.count("held"))
    }

    private func audio(_ reader: MappingReader) -> ClientAudioExpectation? {
        ClientAudioExpectation(
            chunks: reader.count("chunks"), waiting: reader.count("waiting"),
            ended: reader.word("ended", as: TrackEnding.self))
    }
}
