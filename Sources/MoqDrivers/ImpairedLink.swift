import MoqBase

/// One direction of a link: takes datagrams, and gives them back when and as the conditions let them through.
///
/// It does no I/O and keeps no clock: both drivers hold two for each machine and ask `release` once `nextDue` has come.
public struct ImpairedLink {
    /// How many datagrams a link holds. More than the bandwidth-delay product of what is tested (24 MB), little enough
    /// that a flood does not take the memory of the machine.
    public static let queueLimit = 16_384
    /// How much may wait for a rate limit, in bytes, at the least: a small buffer of a router.
    static let backlogFloor: UInt64 = 64 * 1024
    /// How long the last byte may wait for a rate limit, if that is more than the floor: a large buffer of a router.
    static let backlogTime: Duration = .milliseconds(500)
    /// How long a datagram is held back to be overtaken, beside half of the delay.
    static let holdBack: Duration = .milliseconds(1)

    private struct Parcel {
        var batch: DatagramBatch
        /// How many datagrams the batch has.
        var count: Int
        /// The place in the order of entry; a copy has that of its original.
        var place: UInt64
        var entered: Instant
        var due: Instant
    }

    /// What happens to what is admitted.
    public private(set) var conditions = LinkConditions.perfect
    /// What happened so far.
    public private(set) var statistics = LinkStatistics()
    private var random: SeededRandom
    private var queue = DueQueue<Parcel>()
    private var queuedDatagrams = 0
    private var nextPlace: UInt64 = 0
    private var lastReleasedPlace: UInt64 = 0
    private var lastDue = Instant.origin
    private var lineFree = Instant.origin

    /// A perfect link whose chances will come from `random`.
    public init(random: SeededRandom) {
        self.random = random
    }

    /// Treats what is admitted from now on otherwise. What is under way arrives as it would have, unless the link is
    /// cut: then it is gone.
    public mutating func change(to conditions: LinkConditions) {
        self.conditions = conditions
        if conditions.isCut {
            statistics.cut += UInt64(queuedDatagrams)
            queuedDatagrams = 0
            queue.removeAll()
        }
    }

    /// Whether a batch may go past the link untouched, to be told with `notePassed`.
    public var isTransparent: Bool { queue.isEmpty && conditions == .perfect }

    /// Counts datagrams that went past a transparent link.
    public mutating func notePassed(_ count: Int) {
        statistics.passed += UInt64(count)
    }

    /// Counts datagrams that the driver had no room for.
    mutating func noteOverflowed(_ count: Int) {
        statistics.overflowed += UInt64(count)
    }

    /// When the next datagrams come out, if any are under way.
    public var nextDue: Instant? { queue.nextDue }

    /// Takes datagrams in.
    public mutating func admit(_ batch: DatagramBatch, at now: Instant) {
        let count = batch.segmentCount
        guard !conditions.isCut else {
            statistics.cut += UInt64(count)
            return
        }
        if conditions.treatsAllAlike || count == 0 {
            enqueue(batch, count: count, at: now, due: inOrder(now.advanced(by: conditions.delay)))
            nextPlace += 1
            return
        }
        for start in stride(from: 0, to: batch.bytes.count, by: batch.segmentSize) {
            let range = start..<min(start + batch.segmentSize, batch.bytes.count)
            admitOne(batch, range, at: now)
        }
    }

    /// The next datagrams that have come through by `now`.
    public mutating func release(at now: Instant) -> DatagramBatch? {
        guard let parcel = queue.popDue(at: now) else { return nil }
        queuedDatagrams -= parcel.count
        statistics.passed += UInt64(parcel.count)
        if parcel.due > parcel.entered { statistics.delayed += UInt64(parcel.count) }
        if parcel.place < lastReleasedPlace { statistics.reordered += UInt64(parcel.count) }
        lastReleasedPlace = max(lastReleasedPlace, parcel.place)
        return parcel.batch
    }

    private mutating func admitOne(_ batch: DatagramBatch, _ range: Range<Int>, at now: Instant) {
        defer { nextPlace += 1 }
        if conditions.loss > 0, random.chance(conditions.loss) {
            statistics.lost += 1
            return
        }
        var departure = now
        if let rate = conditions.rate {
            guard let sent = serialise(range.count, rate: max(rate, 1), at: now) else {
                statistics.overflowed += 1
                return
            }
            departure = sent
        }
        var due = departure.advanced(by: conditions.delay)
        if conditions.jitter > .zero {
            let extra = Double(conditions.jitter.wholeNanoseconds) * random.fraction()
            due = due.advanced(by: .nanoseconds(Int64(extra)))
        }
        let isHeldBack = conditions.reordering > 0 && random.chance(conditions.reordering)
        let isCopied = conditions.duplication > 0 && random.chance(conditions.duplication)
        due = isHeldBack ? max(due, lastDue).advanced(by: Self.holdBack + conditions.delay / 2) : inOrder(due)

        let whole = range.count == batch.bytes.count
        let single = whole ? batch : DatagramBatch(remote: batch.remote, datagram: Array(batch.bytes[range]))
        enqueue(single, count: 1, at: now, due: due)
        if isCopied {
            statistics.duplicated += 1
            enqueue(single, count: 1, at: now, due: due)
        }
    }

    /// Gives the instant at which the last byte is on the line, or nil when too much waits already.
    private mutating func serialise(_ bytes: Int, rate: UInt64, at now: Instant) -> Instant? {
        let perSecond: UInt64 = 1_000_000_000
        let floor = Duration.nanoseconds(Int64(clamping: Self.backlogFloor * perSecond / rate))
        if now < lineFree, now.duration(to: lineFree) > max(floor, Self.backlogTime) { return nil }
        let time = Duration.nanoseconds(Int64(clamping: UInt64(bytes) * perSecond / rate))
        lineFree = max(now, lineFree).advanced(by: time)
        return lineFree
    }

    private mutating func inOrder(_ due: Instant) -> Instant {
        lastDue = max(due, lastDue)
        return lastDue
    }

    private mutating func enqueue(_ batch: DatagramBatch, count: Int, at now: Instant, due: Instant) {
        guard queuedDatagrams < Self.queueLimit else { return noteOverflowed(count) }
        queuedDatagrams += count
        queue.insert(Parcel(batch: batch, count: count, place: nextPlace, entered: now, due: due), due: due)
    }
}

extension DatagramBatch {
    /// How many datagrams these are.
    var segmentCount: Int { (bytes.count + segmentSize - 1) / segmentSize }
}

/// Both directions of one machine's link.
struct LinkPair {
    var outbound: ImpairedLink
    var inbound: ImpairedLink

    /// Perfect links with independent chances.
    init(random: SeededRandom) {
        outbound = ImpairedLink(random: random.forked("outbound"))
        inbound = ImpairedLink(random: random.forked("inbound"))
    }

    mutating func change(to conditions: LinkConditions) {
        outbound.change(to: conditions)
        inbound.change(to: conditions)
    }

    var statistics: LinkStatistics { outbound.statistics + inbound.statistics }

    /// Whether batches pass untouched both ways.
    var isTransparent: Bool { outbound.isTransparent && inbound.isTransparent }

    var nextDue: Instant? { .earlier(outbound.nextDue, inbound.nextDue) }
}
