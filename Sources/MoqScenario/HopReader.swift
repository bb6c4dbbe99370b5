import MoqBase

// Hops, as steps name them and as they are expected.
extension MappingReader {
    /// `hops`: the ids that an announcement claims to have passed.
    func hopWords(_ key: String) -> [HopWord]? {
        take(key).map { entry in
            context.list(entry.value).compactMap { node in
                _ = context.notes(.words(["relay"]), node.span)
                if case .scalar("relay", _) = node.content { return .relay }
                return context.integer(node, key, in: 0...VarInt.maximum).map(HopWord.id)
            }
        }
    }

    /// `hops` as they are expected: how many, or a list of exactly these.
    func hopsExpectation(_ key: String) -> HopsExpectation? {
        guard let entry = take(key) else { return nil }
        guard case .sequence(let items) = entry.value.content else {
            return context.count(entry.value, key).map(HopsExpectation.count)
        }
        return .list(
            items.compactMap { node -> HopsExpectation.Hop? in
                _ = context.notes(.words(["any"]), node.span)
                if case .scalar("any", _) = node.content { return .any }
                return context.integer(node, key, in: 0...VarInt.maximum).map(HopsExpectation.Hop.id)
            })
    }
}
