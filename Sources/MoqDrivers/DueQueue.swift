import MoqBase

/// A queue ordered by due instant and, among equals, by order of entry.
///
/// A binary heap of small keys over a slab of elements: an element is moved once in and once out, however the heap is
/// sorted.
struct DueQueue<Element> {
    private struct Key {
        var due: Instant
        var sequence: UInt64
        var slot: Int

        func precedes(_ other: Key) -> Bool {
            due != other.due ? due < other.due : sequence < other.sequence
        }
    }

    private var heap: [Key] = []
    private var slab: [Element?] = []
    private var free: [Int] = []
    private var nextSequence: UInt64 = 0

    /// How many elements wait.
    var count: Int { heap.count }

    /// Whether nothing waits.
    var isEmpty: Bool { heap.isEmpty }

    /// When the first element is due.
    var nextDue: Instant? { heap.first?.due }

    /// Adds an element.
    mutating func insert(_ element: Element, due: Instant) {
        let slot: Int
        if let reused = free.popLast() {
            slot = reused
            slab[slot] = element
        } else {
            slot = slab.count
            slab.append(element)
        }
        heap.append(Key(due: due, sequence: nextSequence, slot: slot))
        nextSequence += 1
        siftUp(heap.count - 1)
    }

    /// Takes the first element out if it is due at `now`.
    mutating func popDue(at now: Instant) -> Element? {
        guard let first = heap.first, first.due <= now else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            siftDown()
        }
        free.append(first.slot)
        defer { slab[first.slot] = nil }
        return slab[first.slot]
    }

    /// Drops everything.
    mutating func removeAll() {
        heap.removeAll()
        slab.removeAll()
        free.removeAll()
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        let key = heap[child]
        while child > 0 {
            let parent = (child - 1) / 2
            guard key.precedes(heap[parent]) else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = key
    }

    private mutating func siftDown() {
        var parent = 0
        let key = heap[0]
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
            guard heap[child].precedes(key) else { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = key
    }
}
