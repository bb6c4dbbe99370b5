import MoqBase

/// Something that wants to be called at an instant.
protocol Timed: AnyObject {
    /// The instant for which it stands in the queue; kept by the queue.
    var queuedFor: Instant? { get set }
    /// The instant has come. It may be called earlier than it wants, and then asks again.
    func due(at now: Instant)
}

/// Who wants to be called when: a heap that holds its members weakly and passes over those that are gone.
struct TimerQueue {
    private struct Entry {
        let due: Instant
        let order: UInt64
        weak var member: (any Timed)?

        func precedes(_ other: Entry) -> Bool { (due, order) < (other.due, other.order) }
    }

    private var heap: [Entry] = []
    private var order: UInt64 = 0

    /// Calls `member` at `instant` at the latest. An earlier appointment stands.
    mutating func schedule(_ member: any Timed, at instant: Instant?) {
        guard let instant else { return }
        if let queued = member.queuedFor, queued <= instant { return }
        member.queuedFor = instant
        heap.append(Entry(due: instant, order: order, member: member))
        order += 1
        siftUp(heap.count - 1)
    }

    /// The earliest appointment.
    var next: Instant? {
        mutating get {
            while let first = heap.first {
                if let member = first.member, member.queuedFor == first.due { return first.due }
                removeFirst()
            }
            return nil
        }
    }

    /// Takes out the next member that is due.
    mutating func popDue(at now: Instant) -> (any Timed)? {
        guard let due = next, due <= now else { return nil }
        let member = heap[0].member
        removeFirst()
        member?.queuedFor = nil
        return member
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        siftDown()
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0, heap[index].precedes(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func siftDown() {
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child].precedes(heap[least]) {
                least = child
            }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
