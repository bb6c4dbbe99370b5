// Verbs about media: where frames come from, how they are packed, and what is done to them.
extension ClientVerb {
    static func source(_ reader: MappingReader, _ key: String) -> CaptureAction.Source? {
        reader.text(key).map { $0 == "synthetic" ? .synthetic : .file($0) }
    }

    static func track(_ reader: MappingReader, _ kind: AddTrackAction.Kind) -> ClientAction? {
        var action = AddTrackAction(kind: kind, name: "")
        if kind != .data {
            action.codec = reader.text("codec")
            action.source = source(reader, "source")
            action.container = reader.word("container", as: ClientContainer.self)
            action.description = reader.word("description", as: ClientDescription.self) ?? .whole
        }
        return reader.neededText("name").map { name in
            action.name = name
            return .addTrack(action)
        }
    }

    static func moveClock(_ reader: MappingReader) -> MoveClockAction? {
        let saysWhat = reader.has("video") || reader.has("audio")
        let (video, audio) = (reader.duration("video"), reader.duration("audio"))
        let isBack = reader.truth("back") ?? false
        if !saysWhat {
            reader.context.error(
                reader.span, "`\(reader.what)` moves no clock", expected: "`video`, `audio` or both",
                suggestion: "video: 5s")
        }
        let (pictures, sound) = (video ?? .zero, audio ?? .zero)
        return MoveClockAction(video: isBack ? .zero - pictures : pictures, audio: isBack ? .zero - sound : sound)
    }

    static func damage(_ reader: MappingReader) -> DamageAction? {
        let kind = reader.word("frames", as: DamageAction.Kind.self) ?? .any
        let count = reader.integer("count", in: 1...StepReader.mostRounds) ?? 1
        return reader.neededText("name").map { DamageAction(name: $0, kind: kind, count: Int(count)) }
    }
}
