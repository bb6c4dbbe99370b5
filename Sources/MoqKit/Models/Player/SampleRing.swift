/// The ring of decoded audio, in microseconds of samples. It is full at the target latency.
struct SampleRing: Hashable, Sendable {
    /// Where it stands.
    enum State: String, Hashable, Sendable {
        /// Nothing is read until it is full.
        case refill
        /// Reading and writing; running dry does not lead back.
        case running
    }

    private(set) var state = State.refill
    /// How much it holds.
    private(set) var capacity: Int64
    /// The timestamp of the next sample to be read; nil before the first write.
    private(set) var cursor: Int64?
    private var end: Int64 = 0
    /// Timestamps are rounded: a hole or an overlap below this is none.
    private static let rounding: Int64 = 1000

    init(capacity: Int64) { self.capacity = max(1, capacity) }

    /// How much is in it.
    var fill: Int64 { cursor.map { max(0, end - $0) } ?? 0 }

    /// Whether it holds as much as it can.
    var isFull: Bool { fill >= capacity }

    /// Writes samples; false when all of them are older than the cursor.
    mutating func write(_ timestamp: Int64, _ duration: Int64) -> Bool {
        guard let start = cursor else {
            cursor = timestamp
            end = timestamp + duration
            checkFull()
            return true
        }
        guard timestamp + duration > start + Self.rounding else { return false }
        // Holes are filled with silence, what is partly old is trimmed.
        end = max(end, timestamp + duration)
        checkFull()
        return true
    }

    private mutating func checkFull() {
        guard let start = cursor, end - start >= capacity else { return }
        state = .running
        cursor = end - capacity
    }

    /// Reads up to `duration` of samples; 0 when there are none or it is filling.
    mutating func read(_ duration: Int64) -> Int64 {
        guard state == .running, let start = cursor else { return 0 }
        let given = min(duration, fill)
        cursor = start + given
        return given
    }

    /// Another target: the newest samples stay, and it fills again. An equal one changes nothing.
    mutating func resize(to capacity: Int64) {
        guard capacity != self.capacity, capacity > 0 else { return }
        self.capacity = capacity
        if cursor != nil { cursor = max(cursor ?? 0, end - capacity) }
        state = .refill
    }

    /// Forgets everything.
    mutating func reset() {
        cursor = nil
        end = 0
        state = .refill
    }
}
