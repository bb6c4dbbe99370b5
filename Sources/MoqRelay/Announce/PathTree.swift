import MoqWire

/// Values at paths, found by path, below a prefix or along the way to a path. Everything is given in the order of the
/// paths' bytes, whatever the order in which it came.
final class PathTree<Value> {
    private final class Node {
        var value: Value?
        var children: [TrackName: Node] = [:]
        var isBare: Bool { value == nil && children.isEmpty }
    }

    private let root = Node()
    /// How many paths have a value.
    private(set) var count = 0

    /// The value at `path`.
    subscript(path: BroadcastPath) -> Value? {
        get { node(at: path)?.value }
        set {
            var trail: [(node: Node, part: TrackName)] = []
            var node = root
            // `TrackName` compares by bytes, as parts of a path must.
            for part in path.parts.map({ TrackName($0) }) {
                trail.append((node, part))
                if let child = node.children[part] {
                    node = child
                } else if newValue != nil {
                    let child = Node()
                    node.children[part] = child
                    node = child
                } else {
                    return
                }
            }
            count += (newValue == nil ? 0 : 1) - (node.value == nil ? 0 : 1)
            node.value = newValue
            while node.isBare, let last = trail.popLast() {
                last.node.children[last.part] = nil
                node = last.node
            }
        }
    }

    /// The values at and below `prefix`.
    func values(under prefix: BroadcastPath) -> [Value] {
        guard let top = node(at: prefix) else { return [] }
        var found: [Value] = []
        var stack = [top]
        while let node = stack.popLast() {
            if let value = node.value { found.append(value) }
            for key in node.children.keys.sorted(by: >) {
                if let child = node.children[key] { stack.append(child) }
            }
        }
        return found
    }

    /// The values at the prefixes of `path`, the shortest first, that of `path` itself included.
    func values(along path: BroadcastPath) -> [Value] {
        var found: [Value] = []
        var node = root
        if let value = node.value { found.append(value) }
        for part in path.parts {
            guard let child = node.children[TrackName(part)] else { break }
            if let value = child.value { found.append(value) }
            node = child
        }
        return found
    }

    private func node(at path: BroadcastPath) -> Node? {
        var node = root
        for part in path.parts {
            guard let child = node.children[TrackName(part)] else { return nil }
            node = child
        }
        return node
    }
}
