import MoqBase

/// Reads what an actor that is a client kit expects: a mapping in which every key names one thing, and all must hold.
struct ClientExpectationReader: ExpectationTreeReader {
    let context: ReadingContext
    let kind: ActorKind

    /// The keys that name something.
    static let names = [
        "broadcast", "broadcasts", "catalog", "is", "found", "code", "event", "in_order", "stats", "session",
        "seen", "publisher", "player", "track_states", "data", "diagnostics", "audio_data",
    ]

    static func kind(of seen: ClientExpectation) -> ExpectationKind { .client(seen) }

    /// Takes the keys that say what is expected. The caller takes the others (`within`, `for`) and finishes.
    func tree(_ reader: MappingReader) -> ExpectationTree? {
        var parts: [ExpectationTree] = []
        let occurrences = reader.occurrences()
        if let broadcast = broadcast(reader) { parts.append(broadcast) }
        if let entry = reader.take("broadcasts") {
            let paths = context.list(entry.value).compactMap { context.text($0, entry.key) }
            parts.append(one(.broadcasts(paths), entry))
        }
        if let entry = reader.take("event"), let pattern = pattern(entry.value) {
            parts.append(one(.event(pattern), entry, occurrences))
        } else if occurrences != nil, !reader.has("event"), !reader.has("diagnostics") {
            countsNothing(reader, expected: "the number beside an `event`")
        }
        if let (entry, items) = items(reader, "in_order", expected: "a list of events, such as `[track.ready]`") {
            parts.append(one(.events(items.compactMap(pattern)), entry))
        }
        if let entry = reader.take("stats") { parts.append(contentsOf: statistics(entry)) }
        if let entry = reader.take("seen") { parts.append(contentsOf: sights(entry)) }
        for object in ClientObject.allCases {
            guard let entry = reader.take(object.rawValue) else { continue }
            if let states = context.states(entry, among: object.states) {
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
        if let branches = branches(reader, "any_of") { parts.append(.any(branches)) }
        if let branches = branches(reader, "all_of") { parts.append(.all(branches)) }
        return parts.count > 1 ? .all(parts) : parts.first
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

    private func trackStates(_ entry: YAMLNode.Entry) -> [ExpectationTree] {
        guard let reader = MappingReader(entry.value, of: entry.key, at: entry.keySpan, context: context) else {
            return []
        }
        return reader.takeAll().compactMap { track in
            context.states(track, among: ClientObject.trackStates).map {
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
            ended: reader.word("ended", as: TrackEnding.self), cause: reader.word("cause", as: ClientAudioCause.self),
            code: reader.codes("code"), lost: reader.count("lost"), samples: reader.count("samples"),
            chunkSamples: reader.count("chunk_samples"), sampleRate: reader.count("sample_rate"),
            channels: reader.count("channels"), format: reader.word("format", as: ClientSampleFormat.self),
            gaps: reader.count("gaps"), overlaps: reader.count("overlaps"), tones: reader.count("tones"),
            missingTones: reader.count("missing_tones"))
    }
}

extension ReadingContext {
    /// The state that an object of a client is in, or, in a list, those that it entered.
    func states(_ entry: YAMLNode.Entry, among words: [String]) -> ClientStates? {
        func word(_ node: YAMLNode) -> String? {
            guard let text = text(node, entry.key) else { return nil }
            guard words.contains(text) else {
                unknownWord(text, at: node.span, "`\(text)` is not a state of `\(entry.key)`", among: words)
                return nil
            }
            return text
        }
        if case .sequence(let items) = entry.value.content { return .entered(items.compactMap(word)) }
        return word(entry.value).map(ClientStates.current)
    }
}
