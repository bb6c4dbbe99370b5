/// Which stream sends next: the greatest priority, and among equals the one that waited longest.
///
/// A binary heap. An entry is stale, and passed over, when its stream was scheduled anew or taken off since.
struct QmuxSchedule {
    private struct Entry {
        var priority: SendPriority
        var turn: UInt64
        var stream: QmuxStream

        func precedes(_ other: Entry) -> Bool {
            priority == other.priority ? turn < other.turn : priority > other.priority
        }
    }

    private var heap: [Entry] = []
    private var nextTurn: UInt64 = 1

    /// How many entries there are, stale ones among them.
    var entryCount: Int { heap.count }

    /// Puts a stream behind all others of its priority.
    mutating func push(_ stream: QmuxStream) {
        stream.turn = nextTurn
        nextTurn += 1
        heap.append(Entry(priority: stream.priority, turn: stream.turn, stream: stream))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].precedes(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes the first stream.
    mutating func pop() -> QmuxStream? {
        while let entry = removeFirst() {
            guard entry.stream.turn == entry.turn else { continue }
            entry.stream.turn = 0
            return entry.stream
        }
        return nil
    }

    /// Takes a stream off, wherever it stands.
    mutating func remove(_ stream: QmuxStream) {
        stream.turn = 0
    }

    /// Lets a new priority of a scheduled stream count.
    mutating func reprioritize(_ stream: QmuxStream) {
        guard stream.turn != 0 else { return }
        push(stream)
        // An owner that changes its mind for ever must not make the heap grow.
        if heap.count > 64 { dropStale() }
    }

    mutating func removeAll() {
        heap = []
    }

    /// Rebuilds the heap without stale entries once they outnumber the others.
    private mutating func dropStale() {
        let live = heap.filter { $0.stream.turn == $0.turn }
        guard live.count * 2 < heap.count else { return }
        // A sorted array is a heap.
        heap = live.sorted { $0.precedes($1) }
    }

    private mutating func removeFirst() -> Entry? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if heap.isEmpty { return first }
        heap[0] = last
        var parent = 0
        while true {
            var best = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].precedes(heap[best]) {
                best = child
            }
            if best == parent { return first }
            heap.swapAt(parent, best)
            parent = best
        }
    }
}
