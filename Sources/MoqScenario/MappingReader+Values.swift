import MoqBase

/// Optional values by key: nil when the key is absent, or wrong and reported.
extension MappingReader {
    /// A text.
    public func text(_ key: String) -> String? {
        take(key).flatMap { context.text($0.value, key) }
    }

    /// A text that must be there.
    public func neededText(_ key: String) -> String? {
        need(key).flatMap { context.text($0.value, key) }
    }

    func integer(_ key: String, in range: ClosedRange<UInt64> = 0...VarInt.maximum) -> UInt64? {
        take(key).flatMap { context.integer($0.value, key, in: range) }
    }

    func neededInteger(_ key: String) -> UInt64? {
        need(key).flatMap { context.integer($0.value, key, in: 0...VarInt.maximum) }
    }

    func byte(_ key: String) -> UInt8? {
        integer(key, in: 0...255).map { UInt8($0) }
    }

    /// `true` or `false`.
    public func truth(_ key: String) -> Bool? {
        take(key).flatMap { context.truth($0.value, key) }
    }

    /// A duration with its unit.
    public func duration(_ key: String) -> Duration? {
        take(key).flatMap { context.duration($0.value, key) }
    }

    func size(_ key: String) -> Int? {
        take(key).flatMap { context.size($0.value, key) }
    }

    func sizes(_ key: String) -> [Int]? {
        take(key).flatMap { list($0, each: context.size) }
    }

    func integers(_ key: String) -> [UInt64]? {
        take(key).flatMap { entry in
            list(entry) { context.integer($0, $1, in: 0...VarInt.maximum) }
        }
    }

    /// Texts: a list, or one that stands for a list of one.
    public func texts(_ key: String) -> [String]? {
        take(key).flatMap { list($0, each: context.text) }
    }

    func count(_ key: String) -> CountExpectation? {
        take(key).flatMap { context.count($0.value, key) }
    }

    func code(_ key: String) -> Code? {
        take(key).flatMap { context.code($0.value, key) }
    }

    func codes(_ key: String) -> CodeExpectation? {
        take(key).flatMap { context.codes($0.value, key) }
    }

    func closes(_ key: String) -> CloseExpectation? {
        take(key).flatMap { context.closes($0.value, key) }
    }

    func word<Word>(_ key: String, as type: Word.Type) -> Word?
    where Word: RawRepresentable & CaseIterable, Word.RawValue == String {
        take(key).flatMap { context.word($0.value, key, as: type) }
    }

    func version(_ key: String) -> String? {
        take(key).flatMap { context.version($0.value, key) }
    }

    /// A transport, by its name.
    func transport(_ key: String) -> String? {
        take(key).flatMap { context.transport($0.value, key) }
    }

    /// `track`, which must be there, and `broadcast`, which need not.
    func neededTrack() -> TrackReference? {
        let broadcast = text("broadcast")
        return neededText("track").map { TrackReference(broadcast: broadcast, track: $0) }
    }

    /// `track` and `broadcast`, neither of which need be there.
    func track(otherwise name: String? = nil) -> TrackReference? {
        let broadcast = text("broadcast")
        return (text("track") ?? name).map { TrackReference(broadcast: broadcast, track: $0) }
    }

    /// What a subscription asks for.
    func subscriptionOptions() -> SubscriptionOptions {
        var options = SubscriptionOptions()
        options.priority = byte("priority")
        options.ordered = truth("ordered")
        options.maxAge = duration("max_age")
        options.start = integer("start")
        options.end = integer("end")
        options.frameStart = integer("frame_start")
        options.frameEnd = integer("frame_end")
        return options
    }

    private func list<Value>(_ entry: YAMLNode.Entry, each: (YAMLNode, String) -> Value?) -> [Value]? {
        context.list(entry.value).compactMap { each($0, entry.key) }
    }
}
