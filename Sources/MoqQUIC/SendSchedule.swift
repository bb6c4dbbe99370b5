/// Which stream sends next: the greatest priority, and among equals the one that waited longest.
///
/// A binary heap. An entry is stale, and skipped, when its stream was scheduled anew or taken off since.
struct SendSchedule {
    private struct Entry {
        var priority: QUICStreamPriority
        var turn: UInt64
        var stream: QUICStream

        func precedes(_ other: Entry) -> Bool {
            priority == other.priority ? turn < other.turn : priority > other.priority
        }
    }

    private var heap: [Entry] = []
    /// Turn 0 stands for a stream that is not scheduled.
    private var nextTurn: UInt64 = 1

    var isEmpty: Bool { heap.isEmpty }

    /// Puts a stream behind all others of its priority.
    mutating func push(_ stream: QUICStream) {
        stream.turn = nextTurn
        insert(Entry(priority: stream.priority, turn: nextTurn, stream: stream))
        nextTurn += 1
    }

    /// Puts a stream that was just taken back where it was.
    mutating func putBack(_ stream: QUICStream, turn: UInt64) {
        stream.turn = turn
        insert(Entry(priority: stream.priority, turn: turn, stream: stream))
    }

    /// Takes the first stream, with its turn.
    mutating func pop() -> (stream: QUICStream, turn: UInt64)? {
        while let entry = removeFirst() {
            if entry.stream.turn == entry.turn {
                entry.stream.turn = 0
                return (entry.stream, entry.turn)
            }
        }
        return nil
    }

    mutating func removeAll() {
        heap = []
    }

    private mutating func insert(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].precedes(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
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
