import MoqJSON

/// JSON merge patches (RFC 7396): how a frame of a group changes what the frames before it made.
public enum JSONMergePatch {
    /// What a patch makes of a document. Members keep their places; new ones come behind them.
    public static func apply(_ patch: JSONValue, to document: JSONValue?) -> JSONValue {
        guard let changes = patch.members else { return patch }
        let before = document?.members ?? []
        let index = MemberIndex(before)
        var members: [JSONValue.Member?] = before
        for change in changes {
            let place = index[change.name]
            if change.value == .null {
                if let place { members[place] = nil }
                continue
            }
            let value = apply(change.value, to: place.map { before[$0].value })
            if let place {
                members[place]?.value = value
            } else {
                members.append(.init(name: change.name, value: value))
            }
        }
        return .object(members.compactMap { $0 })
    }

    /// The patch that makes `new` of `old`, an empty object when they say the same; nil when no patch can: one of them
    /// is no object, or `new` has a `null` that `old` has not (which a patch would delete).
    public static func difference(from old: JSONValue, to new: JSONValue) -> JSONValue? {
        guard let before = old.members, let after = new.members else { return nil }
        let (beforeIndex, afterIndex) = (MemberIndex(before), MemberIndex(after))
        var changes: [JSONValue.Member] = []
        for member in after {
            let former = beforeIndex[member.name].map { before[$0].value }
            if let former, former.isEquivalent(to: member.value) { continue }
            if let former, former.members != nil, member.value.members != nil {
                guard let inner = difference(from: former, to: member.value) else { return nil }
                changes.append(.init(name: member.name, value: inner))
            } else if isPatchable(member.value) {
                changes.append(member)
            } else {
                return nil
            }
        }
        for member in before where afterIndex[member.name] == nil {
            changes.append(.init(name: member.name, value: .null))
        }
        return .object(changes)
    }

    /// Whether a patch can set the value: no object in it has a `null` member. In a list it stands for itself.
    private static func isPatchable(_ value: JSONValue) -> Bool {
        switch value {
        case .null: false
        case .object(let members): members.allSatisfy { isPatchable($0.value) }
        default: true
        }
    }
}

/// Finds members by the bytes of their names, quickly even among many.
private struct MemberIndex {
    private var places: [[UInt8]: Int]

    init(_ members: [JSONValue.Member]) {
        places = Dictionary(minimumCapacity: members.count)
        for (place, member) in members.enumerated() { places[Array(member.name.utf8)] = place }
    }

    subscript(name: String) -> Int? { places[Array(name.utf8)] }
}
