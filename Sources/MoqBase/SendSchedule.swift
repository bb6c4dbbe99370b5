/// Something that waits for its turn to send.
public protocol Scheduled: AnyObject {
    associatedtype Priority: Comparable
    /// The greater goes first.
    var priority: Priority { get }
    /// The turn that it has in the schedule, 0 for none. Nobody else writes it.
    var turn: UInt64 { get set }
}

/// Which stream sends next: the greatest priority, and among equals the one that waited longest.
///
/// A binary heap. An entry is stale, and passed over, when its stream was scheduled anew or taken off since. What is
/// inlinable here is so that other rooms get code of their own for their streams.
public struct SendSchedule<Stream: Scheduled> {
    @usableFromInline struct Entry {
        @usableFromInline var priority: Stream.Priority
        @usableFromInline var turn: UInt64
        @usableFromInline var stream: Stream

        @inlinable init(priority: Stream.Priority, turn: UInt64, stream: Stream) {
            self.priority = priority
            self.turn = turn
            self.stream = stream
        }

        @inlinable func precedes(_ other: Entry) -> Bool {
            priority == other.priority ? turn < other.turn : priority > other.priority
        }
    }

    @usableFromInline var heap: [Entry] = []
    /// Turn 0 stands for a stream that is not scheduled.
    @usableFromInline var nextTurn: UInt64 = 1

    /// An empty schedule.
    @inlinable public init() {}

    /// Whether there is no entry, not even a stale one.
    @inlinable public var isEmpty: Bool { heap.isEmpty }
    /// How many entries there are, stale ones among them.
    @inlinable public var entryCount: Int { heap.count }

    /// Puts a stream behind all others of its priority.
    @inlinable public mutating func push(_ stream: Stream) {
        stream.turn = nextTurn
        insert(Entry(priority: stream.priority, turn: nextTurn, stream: stream))
        nextTurn += 1
    }

    /// Puts a stream that was just taken back where it was.
    @inlinable public mutating func putBack(_ stream: Stream, turn: UInt64) {
        stream.turn = turn
        insert(Entry(priority: stream.priority, turn: turn, stream: stream))
    }

    /// Takes the first stream, with its turn.
    @inlinable public mutating func pop() -> (stream: Stream, turn: UInt64)? {
        while let entry = removeFirst() {
            if entry.stream.turn == entry.turn {
                entry.stream.turn = 0
                return (entry.stream, entry.turn)
            }
        }
        return nil
    }

    /// Takes a stream off, wherever it stands.
    @inlinable public mutating func remove(_ stream: Stream) {
        stream.turn = 0
    }

    /// Lets a new priority of a scheduled stream count; it stands behind all others of that.
    @inlinable public mutating func reprioritize(_ stream: Stream) {
        guard stream.turn != 0 else { return }
        push(stream)
        // An owner that changes its mind for ever must not make the heap grow.
        if heap.count > 64 { dropStale() }
    }

    /// Forgets everything.
    @inlinable public mutating func removeAll() {
        heap = []
    }

    /// Rebuilds the heap without stale entries once they outnumber the others.
    @inlinable mutating func dropStale() {
        let live = heap.filter { $0.stream.turn == $0.turn }
        guard live.count * 2 < heap.count else { return }
        // A sorted array is a heap.
        heap = live.sorted { $0.precedes($1) }
    }

    @inlinable mutating func insert(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].precedes(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    @inlinable mutating func removeFirst() -> Entry? {
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
