/// A first-in, first-out queue that keeps little memory while it is empty.
///
/// What is inlinable here is so that other rooms get code of their own for their elements.
public struct FIFO<Element> {
    @usableFromInline var items: [Element] = []
    @usableFromInline var head = 0

    /// An empty queue.
    @inlinable public init() {}

    /// Whether nothing waits.
    @inlinable public var isEmpty: Bool { head == items.count }
    /// How many wait.
    @inlinable public var count: Int { items.count - head }
    /// The one that waits longest, or nil.
    @inlinable public var first: Element? { isEmpty ? nil : items[head] }

    /// Puts something behind all others.
    @inlinable public mutating func append(_ item: Element) {
        items.append(item)
    }

    /// Takes the one that waits longest, or nil.
    @inlinable public mutating func popFirst() -> Element? {
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

    /// Forgets everything.
    @inlinable public mutating func removeAll() {
        items = []
        head = 0
    }
}
