/// The events that the owner has not taken yet, with what they weigh in memory.
struct EventQueue {
    /// What an event weighs besides its payload, in bytes, so that a flood of tiny ones counts too.
    static let eventWeight = 128

    private var events: [LiteEvent] = []
    private var next = 0
    /// The sum of payloads and `eventWeight`s that wait, in bytes.
    private(set) var weight = 0

    var isEmpty: Bool { next == events.count }

    mutating func append(_ event: LiteEvent) {
        weight += Self.weight(of: event)
        events.append(event)
    }

    mutating func popFirst() -> LiteEvent? {
        guard next < events.count else { return nil }
        let event = events[next]
        weight -= Self.weight(of: event)
        next += 1
        if next == events.count {
            events.removeAll(keepingCapacity: events.capacity <= 1024)
            next = 0
        } else if next >= 1024 && next * 2 >= events.count {
            events.removeFirst(next)
            next = 0
        }
        return event
    }

    private static func weight(of event: LiteEvent) -> Int {
        switch event {
        case .frame(_, _, let frame), .fetchFrame(_, _, let frame): eventWeight + frame.payload.count
        case .framePart(_, _, let part): eventWeight + part.bytes.count
        case .datagram(_, _, _, let payload), .rawBytes(_, let payload): eventWeight + payload.count
        default: eventWeight
        }
    }
}
