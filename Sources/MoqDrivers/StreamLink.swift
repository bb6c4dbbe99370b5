import MoqBase

/// What travels on a byte stream.
enum StreamPiece {
    /// The first knock (SYN).
    case opening
    /// Its answer (SYN-ACK).
    case accepted
    /// The answer to that (ACK).
    case acknowledged
    /// Bytes, in order.
    case bytes([UInt8])
    /// Nothing more follows (FIN).
    case end
    /// The stream broke (RST), in words.
    case failure(String)

    var byteCount: Int {
        if case .bytes(let bytes) = self { bytes.count } else { 0 }
    }
}

/// One direction of a byte stream's link: takes pieces, and gives them back in order, when the conditions let them
/// through.
///
/// TCP repairs what a network does, so its users see only time: a lost segment arrives a round trip later and holds up
/// what is behind it, one that was overtaken holds up those that overtook it, and a copy is thrown away. What a cut
/// holds back is sent again once the link is restored. There is no slow start: congestion is modelled by the bound on
/// what is under way (`allowance`).
struct StreamLink {
    /// How many bytes a segment has: an Ethernet frame's, less the headers.
    static let segmentSize = 1448
    /// How many bytes of one direction are under way at most: what the buffers of a real connection hold.
    static let window = 1 << 20
    /// How many bytes wait for a rate limit at most: little, so that what is urgent does not wait behind much.
    static let rateBacklog = 32 * 1024
    /// How long the sender takes to notice a loss, beside a round trip: about what tail loss probes take.
    static let lossNoticed: Duration = .milliseconds(10)
    /// How often one segment is lost in a row at most: as often as Linux sends again before it gives up.
    static let retransmissionLimit = 15

    private struct Parcel {
        var piece: StreamPiece
        var entered: Instant
        var due: Instant
    }

    private(set) var conditions = LinkConditions.perfect
    private(set) var statistics = LinkStatistics()
    private var random: SeededRandom
    private var queue: [Parcel] = []
    private var first = 0
    private var lastDue = Instant.origin
    private var lineFree = Instant.origin
    /// How many bytes are under way.
    private(set) var heldBytes = 0

    /// A perfect link whose chances will come from `random`.
    init(random: SeededRandom) {
        self.random = random
    }

    /// Whether a piece may go past the link untouched, to be told with `notePassed`.
    var isTransparent: Bool { first == queue.count && conditions == .perfect }

    /// Whether nothing is under way.
    var isEmpty: Bool { first == queue.count }

    /// When the next piece comes out, if any does.
    var nextDue: Instant? { conditions.isCut || isEmpty ? nil : queue[first].due }

    /// How many bytes may be under way over this link, and `other` behind it, to keep both busy.
    func allowance(with other: LinkConditions = .perfect) -> Int {
        guard let rate = [conditions.rate, other.rate].compactMap({ $0 }).min() else { return Self.window }
        let time = conditions.delay + conditions.jitter + other.delay + other.jitter
        let underWay = Double(rate) * time.inSeconds
        return min(Self.window, Int(min(underWay, Double(Self.window))) + Self.rateBacklog)
    }

    /// Treats what is admitted from now on otherwise. What is under way arrives as it would have; what a cut held back
    /// is sent anew.
    mutating func change(to conditions: LinkConditions, at now: Instant) {
        let wasCut = self.conditions.isCut
        self.conditions = conditions
        if conditions.isCut, !wasCut {
            for parcel in queue[first...] { statistics.cut += Self.segments(of: parcel.piece) }
        } else if wasCut, !conditions.isCut {
            let held = queue[first...]
            queue = []
            first = 0
            heldBytes = 0
            lastDue = now
            lineFree = now
            for parcel in held { admit(parcel.piece, at: now) }
        }
    }

    /// Counts a piece that went past a transparent link.
    mutating func notePassed(_ piece: StreamPiece) {
        statistics.passed += Self.segments(of: piece)
    }

    /// Takes a piece in.
    mutating func admit(_ piece: StreamPiece, at now: Instant) {
        heldBytes += piece.byteCount
        if conditions.isCut { statistics.cut += Self.segments(of: piece) }
        guard case .bytes(let bytes) = piece, !conditions.treatsAllAlike, !conditions.isCut else {
            return enqueue(piece, at: now)
        }
        for start in stride(from: 0, to: bytes.count, by: Self.segmentSize) {
            let end = min(start + Self.segmentSize, bytes.count)
            enqueue(.bytes(Array(bytes[start..<end])), at: now)
        }
    }

    /// The next piece that has come through by `now`; bytes that came through together come together.
    mutating func release(at now: Instant) -> StreamPiece? {
        guard let due = nextDue, due <= now else { return nil }
        var piece = take()
        guard case .bytes(var bytes) = piece else { return piece }
        while let next = nextDue, next <= now, case .bytes = queue[first].piece, bytes.count < Self.window {
            guard case .bytes(let more) = take() else { break }
            bytes += more
        }
        piece = .bytes(bytes)
        return piece
    }

    private mutating func take() -> StreamPiece {
        let parcel = queue[first]
        first += 1
        if first == queue.count {
            queue.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= 1024 {
            queue.removeFirst(first)
            first = 0
        }
        let count = Self.segments(of: parcel.piece)
        heldBytes -= parcel.piece.byteCount
        statistics.passed += count
        if parcel.due > parcel.entered { statistics.delayed += count }
        return parcel.piece
    }

    private mutating func enqueue(_ piece: StreamPiece, at now: Instant) {
        var due = now
        if let rate = conditions.rate {
            let time = Duration.nanoseconds(
                Int64(clamping: UInt64(piece.byteCount) * 1_000_000_000 / max(rate, 1)))
            lineFree = max(now, lineFree).advanced(by: time)
            due = lineFree
        }
        due = due.advanced(by: conditions.delay)
        if conditions.jitter > .zero {
            let extra = Double(conditions.jitter.wholeNanoseconds) * random.fraction()
            due = due.advanced(by: .nanoseconds(Int64(extra)))
        }
        if conditions.loss > 0 { due = due.advanced(by: retransmissions()) }
        if conditions.reordering > 0, random.chance(conditions.reordering) {
            statistics.reordered += 1
            due = due.advanced(by: ImpairedLink.holdBack + conditions.delay / 2)
        }
        if conditions.duplication > 0, random.chance(conditions.duplication) { statistics.duplicated += 1 }
        lastDue = max(due, lastDue)
        queue.append(Parcel(piece: piece, entered: now, due: lastDue))
    }

    /// How much later a segment arrives because it was lost, and perhaps lost again.
    private mutating func retransmissions() -> Duration {
        var wait = conditions.delay * 2 + Self.lossNoticed
        var sum = Duration.zero
        for _ in 0..<Self.retransmissionLimit {
            guard random.chance(conditions.loss) else { break }
            statistics.lost += 1
            sum += wait
            wait *= 2
        }
        return sum
    }

    private static func segments(of piece: StreamPiece) -> UInt64 {
        UInt64(max((piece.byteCount + segmentSize - 1) / segmentSize, 1))
    }
}

/// Both directions of one byte stream's link.
struct StreamLinkPair {
    var outbound: StreamLink
    var inbound: StreamLink
    /// Whether anybody ever set conditions.
    private(set) var wasSet = false

    /// Perfect links with independent chances.
    init(random: SeededRandom) {
        outbound = StreamLink(random: random.forked("outbound"))
        inbound = StreamLink(random: random.forked("inbound"))
    }

    mutating func change(to conditions: LinkConditions, at now: Instant) {
        wasSet = true
        outbound.change(to: conditions, at: now)
        inbound.change(to: conditions, at: now)
    }

    var isCut: Bool { outbound.conditions.isCut }

    var statistics: LinkStatistics { outbound.statistics + inbound.statistics }

    var nextDue: Instant? { .earlier(outbound.nextDue, inbound.nextDue) }
}

/// The statistics of byte streams that are over, for as long as their machines are kept by somebody.
struct PastStreams {
    private struct Entry {
        weak var machine: (any ByteStreamMachine)?
        var statistics: LinkStatistics
    }

    private var entries: [Entry] = []

    /// Keeps what a link did, if anybody ever set conditions on it.
    mutating func keep(_ links: StreamLinkPair, of machine: any ByteStreamMachine) {
        entries.removeAll { $0.machine == nil }
        if links.wasSet { entries.append(Entry(machine: machine, statistics: links.statistics)) }
    }

    /// What the link of a machine did; nil for a stranger.
    func statistics(of machine: any ByteStreamMachine) -> LinkStatistics? {
        entries.last { $0.machine === machine }?.statistics
    }
}
