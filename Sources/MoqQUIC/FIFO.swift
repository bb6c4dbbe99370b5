/// A first-in, first-out queue that keeps no memory while it is empty.
struct FIFO<Element> {
    private var items: [Element] = []
    private var head = 0

    var isEmpty: Bool { head == items.count }
    var count: Int { items.count - head }

    mutating func append(_ item: Element) {
        items.append(item)
    }

    var first: Element? { isEmpty ? nil : items[head] }

    mutating func popFirst() -> Element? {
        guard head < items.count else { return nil }
        let item = items[head]
        head += 1
        if head == items.count {
            // Short queues keep their storage; a burst gives it back.
            items.removeAll(keepingCapacity: items.count <= 16)
            head = 0
        } else if head >= 64, head > items.count / 2 {
            items.removeFirst(head)
            head = 0
        }
        return item
    }

    mutating func removeAll() {
        items = []
        head = 0
    }
}
