import MoqBase

/// Reads the arguments of the verbs that write media.
enum WriteReader {
    /// More frames in one step than any scenario writes on purpose.
    static let mostFrames: UInt64 = 10_000_000
    /// More groups in one step than any scenario writes on purpose.
    static let mostGroups: UInt64 = 100_000
    /// Payload bytes of a frame whose size does not matter: enough to tell case, track, group, frame and hash.
    static let usualSize = 256

    static func write(_ reader: MappingReader) -> WriteAction? {
        let target = reader.neededTrack()
        let (groups, isSingle) = self.groups(reader)
        let frames = self.frames(reader)
        let content = reader.text("content")
        reader.exclude("content", "size", because: "the text has its own")
        reader.exclude("content", "sizes", because: "the text has its own")
        let pace = self.pace(reader)
        let timestamps = self.timestamps(reader)
        let finish = reader.truth("finish") ?? !isSingle
        let isUnanswered = reader.truth("unanswered") ?? false
        return target.map {
            WriteAction(
                target: $0, groups: groups, frames: frames, content: content, pace: pace, finish: finish,
                timestamps: timestamps, isUnanswered: isUnanswered)
        }
    }

    static func datagram(_ reader: MappingReader) -> DatagramAction? {
        let target = reader.neededTrack()
        let group = reader.integer("group")
        let count = reader.integer("count", in: 1...mostGroups) ?? 1
        let size = reader.size("size") ?? usualSize
        let (pace, timestamps) = (self.pace(reader), self.timestamps(reader))
        return target.map {
            DatagramAction(target: $0, group: group, count: Int(count), size: size, pace: pace, timestamps: timestamps)
        }
    }

    /// The groups, and whether one was named with `group`, which stays open.
    private static func groups(_ reader: MappingReader) -> (GroupSelection, isSingle: Bool) {
        let context = reader.context
        let start = reader.integer("start_group")
        reader.exclude("group", "groups", because: "`group` writes into one group, `groups` writes whole ones")
        reader.exclude("group", "start_group", because: "`start_group` is where `groups` begin")
        if let group = reader.integer("group") {
            _ = reader.take("groups")
            return (.numbers([group]), true)
        }
        guard let groups = reader.take("groups") else {
            return (start.map { .numbers([$0]) } ?? .next(1), false)
        }
        if case .sequence(let items) = groups.value.content {
            return (.numbers(items.compactMap { context.integer($0, "groups", in: 0...VarInt.maximum) }), false)
        }
        guard let count = context.integer(groups.value, "groups", in: 1...mostGroups) else { return (.next(1), false) }
        guard let start else { return (.next(Int(count)), false) }
        guard start <= VarInt.maximum - count else {
            context.error(groups.value.span, "there are no \(count) groups after \(start)")
            return (.next(1), false)
        }
        return (.numbers(Array(start..<start + count)), false)
    }

    private static func frames(_ reader: MappingReader) -> FrameSizes {
        let count = reader.integer("frames", in: 0...mostFrames)
        let size = reader.size("size")
        reader.exclude("size", "sizes", because: "`size` is for all frames, `sizes` for each")
        guard let entry = reader.take("sizes"), let sizes = sizes(entry, reader.context) else {
            return .uniform(count: Int(count ?? 1), size: size ?? usualSize)
        }
        if let count, Int(count) != sizes.count {
            reader.context.error(
                entry.keySpan, "`frames` is \(count), but `sizes` has \(sizes.count)",
                expected: "`sizes` alone: it says how many")
        }
        return .each(sizes)
    }

    private static func sizes(_ entry: YAMLNode.Entry, _ context: ReadingContext) -> [Int]? {
        guard case .sequence(let items) = entry.value.content else {
            return context.wrong(entry.value, entry.key, expected: "a list of sizes, such as `[1 KiB, 0 B]`")
        }
        return items.compactMap { context.size($0, entry.key) }
    }

    private static func pace(_ reader: MappingReader) -> Pace {
        guard let entry = reader.take("pace") else { return .asFastAsPossible }
        let context = reader.context
        if context.notes(.text, entry.value.span) { return .asFastAsPossible }
        let expected = "`as_fast_as_possible`, the time between frames (`20ms`), or frames a second (`50/s`)"
        guard case .scalar(let text, _) = entry.value.content else {
            return context.wrong(entry.value, "pace", expected: expected) ?? .asFastAsPossible
        }
        if text == "as_fast_as_possible" { return .asFastAsPossible }
        if text.hasSuffix("/s"), let rate = Double(text.dropLast(2)), rate >= 0.01, rate <= 1_000_000 {
            return .every(.nanoseconds(Int64(1e9 / rate + 0.5)))
        }
        if text.first?.isNumber == true, !text.hasSuffix("/s") {
            return context.duration(entry.value, "pace").map(Pace.every) ?? .asFastAsPossible
        }
        let meant = NearestWord.of(text, among: ["as_fast_as_possible"])
        return context.wrong(entry.value, "pace", expected: expected, suggestion: meant) ?? .asFastAsPossible
    }

    private static func timestamps(_ reader: MappingReader) -> Timestamps? {
        let step = reader.integer("timestamp_step")
        guard let start = reader.integer("timestamp") else {
            return step.map { Timestamps(start: 0, step: $0) }
        }
        return Timestamps(start: start, step: step ?? 0)
    }
}
