/// Reads `relays` of a scenario.
struct FurtherRelayReader {
    let context: ReadingContext

    /// More than any topology that a scenario can tell.
    static let most = 8

    func relays(_ entry: YAMLNode.Entry) -> [FurtherRelay] {
        guard case .mapping(let entries) = entry.value.content, !entries.isEmpty else {
            context.error(
                entry.keySpan, "`relays` is \(entry.value.kindDescription)",
                expected: "further relays by name, such as `{ edge: { joins: relay } }`")
            return []
        }
        if entries.count > Self.most {
            context.error(
                entry.keySpan, "\(entries.count) further relays are too many", expected: "at most \(Self.most)")
        }
        var found: [FurtherRelay] = []
        for entry in entries.prefix(Self.most) {
            if let relay = relay(entry, before: found.map(\.name)) { found.append(relay) }
        }
        return found
    }

    private func relay(_ entry: YAMLNode.Entry, before: [String]) -> FurtherRelay? {
        let name = entry.key
        if !ActorReader.isName(name) || ["relay", "network"].contains(name) {
            context.error(
                entry.keySpan, "`\(name)` cannot be the name of a further relay",
                expected: "a letter, then letters, digits, `_` and `-`; `relay` is the one under test")
        }
        guard let reader = MappingReader(entry.value, of: name, context: context) else { return nil }
        var relay = FurtherRelay(name: name, location: context.text.location(of: entry.keySpan), joins: [])
        let known = [FurtherRelay.underTest] + before
        if let joins = reader.need("joins") {
            for item in context.list(joins.value) {
                guard let other = context.text(item, "joins") else { continue }
                if !known.contains(other) {
                    context.unknownWord(
                        other, at: item.span, "no relay before this is called `\(other)`", among: known)
                }
                relay.joins.append(other)
            }
        } else {
            context.error(entry.keySpan, "the relay `\(name)` joins no other", expected: "`joins: relay`")
        }
        relay.hop = reader.integer("hop")
        relay.cost = reader.integer("cost")
        relay.version = reader.version("version")
        relay.transport = reader.transport("transport")
        if let link = reader.take("link"), let inner = MappingReader(link.value, of: "link", context: context) {
            relay.link = HarnessVerbs.conditions(inner)
            inner.finish()
        }
        reader.finish()
        return relay
    }
}
