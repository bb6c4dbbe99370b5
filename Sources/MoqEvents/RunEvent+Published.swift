/// How large the parts of an event may be: a hostile relay chooses much of what ends up in them.
public enum EventLimits {
    /// Bytes of one text, enough for a decoded message or a page of evidence.
    public static let text = 16 << 10
    /// Bytes of one name: ids, tags, names of values.
    public static let name = 1 << 10
    /// Bytes of evidence from the wire.
    public static let bytes = 4 << 10
    /// Requirements counted for one case: more than a registry has for one version.
    public static let tallies = 1 << 10
    /// Entries of one list: tags, requirements, values, capabilities.
    public static let entries = 256
}

extension RunEvent {
    /// The event as it may leave the process: without secrets, and within `EventLimits`.
    ///
    /// Doing it again changes nothing.
    public func published() -> RunEvent {
        switch self {
        case .runStarted(var event):
            event.moqspecVersion = Self.name(event.moqspecVersion)
            event.target.description = Self.text(event.target.description)
            event.target.address = Self.text(event.target.address)
            event.target.capabilities = Self.names(event.target.capabilities)
            event.target.release = event.target.release.map(Self.name)
            event.started = Self.name(event.started)
            event.profile = event.profile.map(Self.name)
            return .runStarted(event)
        case .targetProbed(var event):
            event.evidence = Self.text(event.evidence)
            event.version = event.version.map(Self.name)
            event.transport = event.transport.map(Self.name)
            event.certificateFingerprint = event.certificateFingerprint.map(Self.name)
            return .targetProbed(event)
        case .caseStarted(var event):
            event.caseID = Self.name(event.caseID)
            event.suite = Self.name(event.suite)
            event.scenario = Self.name(event.scenario)
            event.title = Self.text(event.title)
            event.place.file = Self.text(event.place.file)
            event.tags = Self.names(event.tags)
            event.requirements = Self.names(event.requirements)
            event.variables = Self.pairs(event.variables)
            return .caseStarted(event)
        case .trace(var event):
            event.caseID = Self.name(event.caseID)
            event.actor = Self.name(event.actor)
            event.text = Self.text(event.text)
            event.data = Self.pairs(event.data)
            return .trace(event)
        case .step(var event):
            event.caseID = Self.name(event.caseID)
            event.text = Self.text(event.text)
            event.indexPath = Array(event.indexPath.prefix(EventLimits.entries))
            event.place = event.place.map(Self.place)
            event.detail = event.detail.map(Self.text)
            return .step(event)
        case .finding(let event): return .finding(Self.published(event))
        case .caseFinished(var event):
            event.caseID = Self.name(event.caseID)
            event.version = event.version.map(Self.name)
            event.transport = event.transport.map(Self.name)
            event.checked = event.checked.prefix(EventLimits.tallies).map { tally in
                RequirementTally(
                    requirement: Self.member(Self.name(tally.requirement)), held: tally.held, broken: tally.broken)
            }
            event.transitions = event.transitions.prefix(EventLimits.tallies).map { tally in
                TransitionTally(
                    machine: Self.name(tally.machine), profile: Self.name(tally.profile),
                    transition: Self.name(tally.transition), taken: tally.taken)
            }
            event.reason = event.reason.map(Self.text)
            return .caseFinished(event)
        case .runFinished(var event):
            event.reasons = event.reasons.prefix(EventLimits.entries).map(Self.text)
            return .runFinished(event)
        case .unknown(let kind): return .unknown(kind: Self.name(kind))
        }
    }

    private static func published(_ finding: Finding) -> Finding {
        var event = finding
        event.caseID = name(event.caseID)
        event.headline = text(event.headline)
        event.place = event.place.map(place)
        event.sourceLine = event.sourceLine.map(text)
        event.expected = event.expected.map(text)
        event.actual = event.actual.map(text)
        event.requirements = names(event.requirements)
        event.basis = event.basis.map(text)
        event.bytes = Redaction.bytes(Array(event.bytes.prefix(EventLimits.bytes)))
        return event
    }

    private static func text(_ text: String) -> String {
        Redaction.text(text).cut(toBytes: EventLimits.text)
    }

    static func name(_ name: String) -> String {
        Redaction.text(name).cut(toBytes: EventLimits.name)
    }

    private static func names(_ names: [String]) -> [String] {
        names.prefix(EventLimits.entries).map(name)
    }

    private static func place(_ place: FilePlace) -> FilePlace {
        FilePlace(file: text(place.file), line: place.line, column: place.column)
    }

    private static func pairs(_ pairs: NamedValues) -> NamedValues {
        let isWithinBounds =
            pairs.count <= EventLimits.entries
            && pairs.allSatisfy { pair in
                pair.name.utf8.count <= EventLimits.name && pair.value.utf8.count <= EventLimits.text
                    && !pair.name.utf8.contains(0)
            }
        let redacted = Redaction.pairs(pairs)
        if isWithinBounds { return redacted }
        return NamedValues(
            redacted.prefix(EventLimits.entries).map { pair in
                (Self.member(pair.name).cut(toBytes: EventLimits.name), pair.value.cut(toBytes: EventLimits.text))
            })
    }

    /// A text as the name of a member: Jansson takes no U+0000 in it.
    private static func member(_ name: String) -> String {
        name.utf8.contains(0) ? String(name.map { $0 == "\0" ? "\u{FFFD}" : $0 }) : name
    }
}

extension String {
    /// The text itself when it has at most `limit` bytes; else as much of its beginning as fits with a note of how
    /// much is missing.
    public func cut(toBytes limit: Int) -> String {
        let size = utf8.count
        guard size > limit else { return self }
        let room = max(limit - Self.cutNote(size).utf8.count, 0)
        var end = utf8.index(startIndex, offsetBy: room)
        // Back to where a character begins: a cut inside of one would leave rubble.
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        let kept = self[..<end]
        return (kept + Self.cutNote(size - kept.utf8.count)).description
    }

    private static func cutNote(_ missing: Int) -> String {
        "… (\(missing) bytes cut)"
    }
}
