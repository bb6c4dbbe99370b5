/// What can be said of raw actors only where their level is known.
struct RawCheck {
    let context: ReadingContext

    private func level(of actor: String) -> RawLevel? {
        context.actors.first { $0.name == actor }?.level
    }

    /// Bytes that are sent: whether there is such a place at the level of the actor.
    func check(_ action: SendRawAction, of actor: String, _ reader: MappingReader) {
        let level = level(of: actor)
        if (level?.isConnection ?? false) != (action.stream == .connection) {
            context.error(
                reader.span,
                level?.isConnection == true
                    ? "`\(actor)` writes on a TCP connection, where there are no streams"
                    : "`\(actor)` has no TCP connection of its own to write on",
                expected: level?.isConnection == true
                    ? "`stream: connection`" : "`bidi`, `uni`, `datagram`, or a raw actor `at: websocket` or `at: tcp`")
        }
        if case .group = action.stream, level != nil {
            context.error(
                reader.span, "`\(actor)` is a raw actor, which publishes no groups",
                expected: "`stream`, or a session that has the group open")
        }
        if action.headers != nil, level != .http3 {
            context.error(
                reader.span, "`\(actor)` does not speak HTTP/3 here, so it cannot send `headers`",
                expected: "a raw actor `at: http3`")
        }
        if action.bytes.isEmpty, action.headers == nil, !action.finish, action.reset == nil, action.stop == nil,
            case .named = action.stream
        {
            context.warning(reader.span, "`\(reader.what)` sends nothing and ends nothing")
        }
    }

    /// A request of HTTP/1.1: whether the actor writes where it can be read.
    func checkGet(of actor: String, _ reader: MappingReader) {
        guard level(of: actor) != .websocket else { return }
        context.error(
            reader.span, "`\(actor)` does not write where HTTP/1.1 is read",
            expected: "a raw actor `at: websocket`")
    }

    /// What a raw actor can look for: it has no session that understands anything.
    func check(_ tree: ExpectationTree, of actor: String, _ reader: MappingReader) {
        for leaf in tree.leaves {
            switch leaf.kind {
            case .session, .stream: break
            default:
                return context.error(
                    reader.span, "`\(actor)` is a raw actor, which understands nothing of what it receives",
                    expected: "`session` or `stream`")
            }
        }
    }
}

extension MappingReader {
    /// A size of bytes that are made up: 16 MiB at most.
    func rawSize(_ key: String) -> Int? {
        guard let entry = take(key), let size = context.size(entry.value, key) else { return nil }
        guard size <= Self.mostZeros else {
            context.error(entry.value.span, "`\(key)` is over \(Self.mostZeros >> 20) MiB")
            return nil
        }
        return size
    }

    /// Enough to exceed every bound of a relay that can be exceeded by one message.
    private static let mostZeros = 16 << 20
}

extension ReadingContext {
    /// Headers of an HTTP/3 message: a mapping of names to values.
    func headers(_ entry: YAMLNode.Entry) -> [HeaderText] {
        guard let reader = MappingReader(entry.value, of: entry.key, at: entry.keySpan, context: self) else {
            return []
        }
        return reader.takeAll().compactMap { field in
            // An empty value is one, too.
            if case .scalar("", _) = field.value.content { return HeaderText(name: field.key, value: "") }
            return text(field.value, field.key).map { HeaderText(name: field.key, value: $0) }
        }
    }
}
