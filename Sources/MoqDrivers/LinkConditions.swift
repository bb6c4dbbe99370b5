/// How a link treats datagrams on their way out of and in to one machine.
///
/// Every field counts for each direction by itself: a delay of 10 ms makes a round trip of 20 ms. On a byte stream the
/// same happens to the segments of TCP, which repairs it: what is lost, held back or cut arrives late and in order.
public struct LinkConditions: Hashable, Sendable {
    /// One-way delay.
    public var delay: Duration = .zero
    /// Uniformly added to the delay, up to this much. Jitter alone never changes the order.
    public var jitter: Duration = .zero
    /// Probability that a datagram is lost, 0 to 1.
    public var loss: Double = 0
    /// Probability that a datagram is delivered twice, 0 to 1.
    public var duplication: Double = 0
    /// Probability that a datagram is held back so that later ones overtake it, 0 to 1.
    public var reordering: Double = 0
    /// Bytes a second, nil for no limit.
    public var rate: UInt64?
    /// Whether nothing passes at all, in either direction. What is under way when a link is cut is gone.
    public var isCut = false

    /// A link that does nothing to what passes.
    public init() {}

    /// A link that does nothing to what passes.
    public static let perfect = LinkConditions()

    /// Whether every datagram of a batch meets the same fate, so that a batch can stay whole.
    var treatsAllAlike: Bool {
        loss <= 0 && duplication <= 0 && reordering <= 0 && jitter <= .zero && rate == nil
    }
}

/// What a link did so far, both directions together: proof that an impairment really hit.
///
/// Every datagram that came in, and every copy made, is in exactly one of `passed`, `lost`, `cut` and `overflowed`, or
/// still under way. The segments of a byte stream all pass in the end, so that they may be counted twice: `lost` and
/// `cut` are those that had to be sent again, `reordered` those that held up what had overtaken them.
public struct LinkStatistics: Hashable, Sendable {
    /// Datagrams that came out at the other side, copies included.
    public var passed: UInt64 = 0
    /// Datagrams lost by chance.
    public var lost: UInt64 = 0
    /// Copies made.
    public var duplicated: UInt64 = 0
    /// Datagrams that came out after one that had come in later.
    public var reordered: UInt64 = 0
    /// Datagrams that came out later than they came in.
    public var delayed: UInt64 = 0
    /// Datagrams lost because the link was cut.
    public var cut: UInt64 = 0
    /// Datagrams dropped because the link's queue was full.
    public var overflowed: UInt64 = 0

    /// A link that nothing passed.
    public init() {}

    /// The sums of both.
    public static func + (left: LinkStatistics, right: LinkStatistics) -> LinkStatistics {
        var sum = left
        sum.passed += right.passed
        sum.lost += right.lost
        sum.duplicated += right.duplicated
        sum.reordered += right.reordered
        sum.delayed += right.delayed
        sum.cut += right.cut
        sum.overflowed += right.overflowed
        return sum
    }
}
