/// The clock of a publisher: the first frame of any of its tracks is its zero.
public struct PublisherClock: Hashable, Sendable {
    private var epoch: Int64?

    /// A clock without a zero.
    public init() {}

    /// The timestamp of a frame, in microseconds: never below zero. `time` is that of the source's own clock.
    public mutating func timestamp(of time: Int64) -> Int64 {
        let zero = epoch ?? time
        epoch = zero
        let (difference, overflow) = time.subtractingReportingOverflow(zero)
        return overflow ? 0 : max(0, difference)
    }

    /// Forgets its zero.
    public mutating func reset() { epoch = nil }
}
