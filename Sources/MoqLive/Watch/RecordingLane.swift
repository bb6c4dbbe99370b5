import MoqBase
import MoqKit
import MoqLite

/// The groups of one track on their way into a file: they come in any order, and are written in that of their numbers.
struct RecordingLane {
    let rendition: Rendition
    let id: SubscriptionID
    /// When the subscription ended, if it did.
    private(set) var over: Instant?
    private var groups: [Group] = []
    /// The group that is written next; nil before any is known.
    private var next: UInt64?
    /// The first group that there will not be, where the publisher said so.
    private var last: UInt64?

    private struct Group {
        let sequence: UInt64
        var frames: [MediaFrame] = []
        var isOver = false
    }

    /// Groups that wait at most for one that does not come.
    private static let mostWaiting = 256

    init(_ rendition: Rendition, _ id: SubscriptionID) {
        self.rendition = rendition
        self.id = id
    }

    /// The publisher says which group is the first.
    mutating func start(at group: UInt64) {
        if next == nil { next = group }
    }

    /// The publisher says which group is the first that there will not be.
    mutating func finish(at group: UInt64) { last = group }

    /// The subscription has ended.
    mutating func finish(at now: Instant) { over = over ?? now }

    /// When everything is there that is to come: at once where the publisher said what its last group is, else so long
    /// after the end; nil while that is not known.
    func whole(after grace: Duration) -> Instant? {
        guard let over else { return nil }
        if let last, let next, next >= last { return over }
        return last == nil ? over.advanced(by: grace) : nil
    }

    /// These groups will not come.
    mutating func skip(_ start: UInt64, through end: UInt64) {
        if let next, (start...max(start, end)).contains(next) { self.next = end &+ 1 }
    }

    mutating func open(_ sequence: UInt64) {
        guard next.map({ sequence >= $0 }) ?? true, !groups.contains(where: { $0.sequence == sequence }) else { return }
        let place = groups.firstIndex { $0.sequence > sequence } ?? groups.endIndex
        groups.insert(Group(sequence: sequence), at: place)
    }

    mutating func add(_ frames: [MediaFrame], to sequence: UInt64) {
        guard let place = groups.firstIndex(where: { $0.sequence == sequence }) else { return }
        groups[place].frames += frames
    }

    mutating func end(_ sequence: UInt64) {
        guard let place = groups.firstIndex(where: { $0.sequence == sequence }) else { return }
        groups[place].isOver = true
    }

    /// The frames of groups that can be written: whole ones in their order, or everything that is there.
    mutating func take(everything: Bool) -> [[MediaFrame]] {
        var taken: [[MediaFrame]] = []
        while let first = groups.first {
            let isNext = next.map { first.sequence <= $0 } ?? true
            guard everything || groups.count > Self.mostWaiting || first.isOver && isNext else { break }
            groups.removeFirst()
            next = first.sequence &+ 1
            taken.append(first.frames)
        }
        return taken
    }
}
