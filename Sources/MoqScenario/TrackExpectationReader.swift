import MoqBase

/// Reads `track` and its properties, which stand beside it in the same mapping.
enum TrackExpectationReader {
    static let properties = [
        "group", "groups", "frames", "first_frame", "sizes", "size", "content", "order", "timestamps", "first_group",
        "last_group", "finished", "reset", "stopped", "accepted", "start_group", "end_group", "ended",
        "lost",
    ]

    static func read(_ reader: MappingReader, context: ReadingContext) -> TrackExpectation? {
        let broadcast = reader.text("broadcast")
        let track = reader.text("track")
        let present = properties.filter { reader.has($0) }
        var expectation = TrackExpectation(target: TrackReference(broadcast: broadcast, track: track ?? ""))
        expectation.group = reader.integer("group")
        expectation.groups = groups(reader, context)
        expectation.frames = reader.count("frames")
        expectation.firstFrame = reader.integer("first_frame")
        expectation.sizes = reader.sizes("sizes")
        expectation.size = reader.size("size")
        expectation.content = reader.text("content")
        expectation.order = order(reader, context)
        expectation.timestamps = timestamps(reader, context)
        expectation.firstGroup = reader.integer("first_group")
        expectation.lastGroup = reader.integer("last_group")
        expectation.finished = reader.truth("finished")
        expectation.reset = reader.codes("reset")
        expectation.stopped = reader.codes("stopped")
        expectation.accepted = reader.truth("accepted")
        expectation.startGroup = reader.integer("start_group")
        expectation.endGroup = reader.integer("end_group")
        expectation.ended = reader.word("ended", as: TrackEnding.self)
        expectation.lost = reader.integers("lost")
        reader.exclude("group", "groups", because: "`group` asks about one group, `groups` about all")
        for key in ["stopped", "first_frame"] where reader.has(key) && !reader.has("group") && track != nil {
            context.error(
                reader.take(key)?.keySpan ?? reader.span, "`\(key)` is about one group",
                expected: "`group: N` beside it")
        }
        if let first = present.first, !reader.has("track") {
            context.error(
                reader.take(first)?.keySpan ?? reader.span, "`\(first)` says something about a track",
                expected: "`track: NAME` beside it")
        }
        guard track != nil else { return nil }
        // A property whose name is wrong is reported as such.
        let isSlip = reader.keys.contains { !properties.contains($0) && !ExpectationReader.otherKeys.contains($0) }
        if present.isEmpty, !isSlip {
            context.error(
                reader.take("track")?.keySpan ?? reader.span, "nothing is expected of the track",
                expected: "what should have come of it, such as `groups: 1`, `frames: 3` or `reset: not_found`")
        }
        return expectation
    }

    private static func groups(_ reader: MappingReader, _ context: ReadingContext) -> GroupsExpectation? {
        guard let entry = reader.take("groups") else { return nil }
        if case .sequence(let items) = entry.value.content {
            return .numbers(items.compactMap { context.integer($0, "groups", in: 0...VarInt.maximum) })
        }
        return context.count(entry.value, "groups").map(GroupsExpectation.count)
    }

    private static func order(_ reader: MappingReader, _ context: ReadingContext) -> OrderExpectation? {
        guard let entry = reader.take("order") else { return nil }
        _ = context.notes(.words(["ascending", "descending"]), entry.value.span)
        switch entry.value.content {
        case .scalar("ascending", _): return .ascending
        case .scalar("descending", _): return .descending
        case .sequence(let items):
            return .numbers(items.compactMap { context.integer($0, "order", in: 0...VarInt.maximum) })
        case .scalar(let text, _):
            let meant = NearestWord.of(text, among: ["ascending", "descending"])
            return context.wrong(
                entry.value, "order", expected: "`ascending`, `descending`, or the groups in a list", suggestion: meant)
        case .mapping:
            return context.wrong(
                entry.value, "order", expected: "`ascending`, `descending`, or the groups in a list")
        }
    }

    private static func timestamps(_ reader: MappingReader, _ context: ReadingContext) -> TimestampExpectation? {
        guard let entry = reader.take("timestamps") else { return nil }
        _ = context.notes(.words(["increasing", "not_falling", "none"]), entry.value.span)
        switch entry.value.content {
        case .scalar("increasing", _): return .increasing
        case .scalar("not_falling", _): return .notFalling
        case .scalar("none", _): return .absent
        case .sequence(let items):
            return .values(items.compactMap { context.integer($0, "timestamps", in: 0...VarInt.maximum) })
        case .scalar, .mapping:
            return context.wrong(
                entry.value, "timestamps", expected: "`increasing`, `not_falling`, `none`, or the values in a list")
        }
    }
}
