import MoqBase
import MoqTransport
import MoqWire

/// Is told what happens to a track.
public protocol TrackReader: AnyObject {
    /// A group arrived, or the track ended.
    func trackChanged()
    /// A datagram passes; it is not kept.
    func trackDatagram(sequence: UInt64, timestamp: UInt64, payload: [UInt8])
}

/// The groups of one track in memory: a bounded cache in order of arrival, and the end of the track.
///
/// Producers open groups and append frames; readers attach, are told that something changed, and then look for
/// themselves. The latest group always stays; others go once their retention has passed since a newer one came.
public final class TrackStore {
    /// How the track stands.
    public enum Ending: Hashable, Sendable {
        /// More may come.
        case live
        /// It is complete; `lost` groups below `end` never arrived.
        case finished(end: UInt64, lost: [ClosedRange<UInt64>])
        /// It failed with this code.
        case aborted(StreamCode)
    }

    /// The properties of the track. Readers learn of a change with their next answer only.
    public var info: TrackInfo
    /// What is kept at most.
    public let bounds: TrackBounds
    /// How the track stands.
    public private(set) var ending = Ending.live
    /// The first group that will never exist, as declared by the publisher.
    public private(set) var declaredEnd: UInt64?
    /// The first group that the publisher said it would deliver (05+).
    public var resolvedStart: UInt64?
    /// While true, readers do not look at what arrives: the publisher has yet to say where it starts.
    public var holdsArrivals = false {
        didSet { if oldValue, !holdsArrivals { tellReaders() } }
    }
    /// The greatest group number so far.
    public private(set) var latest: UInt64?
    /// One more than the greatest number that a group or a datagram had.
    public private(set) var nextSequence: UInt64 = 0
    /// Bytes held, overhead included.
    public private(set) var storedBytes = 0
    /// When `expire(at:)` wants to be called.
    public private(set) var nextExpiry: Instant?

    private let budget: CacheBudget?
    private var bySequence: [UInt64: CachedGroup] = [:]
    private var arrivals: [CachedGroup?] = []
    private var firstArrival = 0
    private var readers: [any TrackReader] = []
    private var datagramSequences: [UInt64] = []

    /// How many numbers of datagrams are remembered to keep one from being delivered twice.
    private static let datagramMemory = 64

    /// An empty track.
    public init(info: TrackInfo, bounds: TrackBounds = TrackBounds(), budget: CacheBudget? = nil) {
        self.info = info
        self.bounds = bounds
        self.budget = budget
    }

    deinit {
        budget?.used -= storedBytes
    }

    // MARK: Reading

    /// How long a group is kept after a newer one came.
    public var retention: Duration { min(info.retention, bounds.longestRetention) }

    /// The arrival numbers that can still be asked for; groups that left the cache are nil.
    public var arrivalRange: Range<Int> { firstArrival..<firstArrival + arrivals.count }

    /// The group that arrived as number `index`, if it is kept.
    public func arrival(_ index: Int) -> CachedGroup? {
        arrivalRange.contains(index) ? arrivals[index - firstArrival] : nil
    }

    /// The group with this number, if it is kept.
    public func group(_ sequence: UInt64) -> CachedGroup? { bySequence[sequence] }

    /// The latest group, if there is one.
    public var latestGroup: CachedGroup? { latest.flatMap { bySequence[$0] } }

    /// All groups that are kept, in order of arrival.
    public var groups: [CachedGroup] { arrivals.compactMap(\.self) }

    /// The ranges of numbers from `start` up to `end` (exclusive) that never arrived; at most `limit` ranges.
    public func missing(from start: UInt64, to end: UInt64, limit: Int = 64) -> [ClosedRange<UInt64>] {
        var ranges: [ClosedRange<UInt64>] = []
        // What left the cache had arrived.
        var next = max(start, removedBelow)
        let seen = bySequence.keys + datagramSequences
        for sequence in seen.sorted() where sequence >= next && sequence < end {
            if sequence > next, ranges.count < limit { ranges.append(next...sequence - 1) }
            next = sequence + 1
        }
        if next < end, ranges.count < limit { ranges.append(next...end - 1) }
        return ranges
    }

    /// Whether a group is still being written.
    public var hasOpenGroup: Bool { arrivals.contains { $0?.state == .open } }

    /// Tells `reader` about changes from now on. It is held until `detach`.
    public func attach(_ reader: any TrackReader) {
        readers.append(reader)
    }

    /// Forgets a reader.
    public func detach(_ reader: any TrackReader) {
        readers.removeAll { $0 === reader }
    }

    // MARK: Writing

    /// Opens a group. A group whose first copy was cut may be opened again.
    @discardableResult
    public func openGroup(
        _ sequence: UInt64, firstIndex: Int = 0, at now: Instant
    ) throws(TrackStoreError) -> CachedGroup {
        guard ending == .live else { throw .trackEnded }
        if let end = declaredEnd, sequence >= end { throw .pastEnd(sequence: sequence, end: end) }
        if let earlier = bySequence[sequence] {
            guard case .aborted = earlier.state else { throw .duplicateGroup(sequence) }
            forget(earlier)
        }
        let group = CachedGroup(
            sequence: sequence, arrival: arrivalRange.upperBound, firstIndex: firstIndex, at: now)
        arrivals.append(group)
        bySequence[sequence] = group
        nextSequence = max(nextSequence, sequence &+ 1)
        if let previous = latest, previous != sequence {
            let older = sequence > previous ? latestGroup : group
            older?.supersededAt = now
            if older != nil { nextExpiry = Instant?.earlier(nextExpiry, now.advanced(by: retention)) }
        }
        latest = max(latest ?? 0, sequence)
        keepBounds()
        tellReaders()
        return group
    }

    /// Adds a frame to an open group.
    public func append(_ frame: Frame, to group: CachedGroup, at now: Instant) {
        account(group.append(frame, window: bounds.groupBytes, at: now))
        if storedBytes > bounds.trackBytes { keepBounds() }
    }

    /// Adds bytes to a frame of an open group that is not whole yet.
    public func extend(_ part: FramePart, in group: CachedGroup, at now: Instant) {
        group.extend(part, at: now)
    }

    /// Ends a group.
    public func finishGroup(_ group: CachedGroup, at now: Instant) {
        group.finish(at: now)
    }

    /// Cuts a group.
    public func abortGroup(_ group: CachedGroup, code: StreamCode) {
        account(group.abort(code))
    }

    /// Passes a datagram on to the readers of this moment.
    public func datagram(sequence: UInt64, timestamp: UInt64, payload: [UInt8]) {
        // A group may come in both ways, and then goes on in both: who reads them takes one (draft; 0.4.18, observed).
        guard ending == .live, !datagramSequences.contains(sequence) else { return }
        if let end = declaredEnd, sequence >= end { return }
        datagramSequences.append(sequence)
        if datagramSequences.count > Self.datagramMemory { datagramSequences.removeFirst() }
        nextSequence = max(nextSequence, sequence &+ 1)
        for reader in readers { reader.trackDatagram(sequence: sequence, timestamp: timestamp, payload: payload) }
    }

    /// The publisher says where the track ends; groups below may still come.
    public func declareEnd(_ end: UInt64) {
        declaredEnd = end
    }

    /// The track is complete.
    public func finish(end: UInt64, lost: [ClosedRange<UInt64>] = []) {
        guard ending == .live else { return }
        declaredEnd = end
        ending = .finished(end: end, lost: lost)
        tellReaders()
    }

    /// The track failed: open groups are cut with the same code.
    public func abort(_ code: StreamCode) {
        guard ending == .live else { return }
        ending = .aborted(code)
        for group in groups where group.state == .open { abortGroup(group, code: code) }
        tellReaders()
    }

    /// Lets go of groups whose time has passed.
    public func expire(at now: Instant) {
        guard let due = nextExpiry, due <= now else { return }
        var next: Instant?
        for group in groups {
            guard let since = group.supersededAt else { continue }
            let expiry = max(since, group.lastTouched).advanced(by: retention)
            if expiry <= now {
                remove(group, .old)
            } else {
                next = Instant?.earlier(next, expiry)
            }
        }
        // Not more often than sixteen times in the retention: with thousands of groups each look costs.
        nextExpiry = next.map { max($0, now.advanced(by: retention / 16)) }
        trimArrivals()
    }

    /// Lets go of the oldest group but the latest; false when there is none.
    @discardableResult
    public func evictOldest() -> Bool {
        guard let victim = arrivals.first(where: { $0 != nil && $0?.sequence != latest }) ?? nil else { return false }
        remove(victim, .evicted)
        trimArrivals()
        return true
    }

    /// Lets go of the older half of the latest group's frames; readers that want them lag. False when there is nothing.
    public func shrinkLatest() -> Bool {
        guard let group = latestGroup else { return false }
        let change = group.shrink(to: group.storedBytes / 2)
        account(change)
        return change < 0
    }

    // MARK: Inside

    /// One more than the greatest number that left the cache by age or bound.
    private var removedBelow: UInt64 = 0

    private func keepBounds() {
        while storedBytes > bounds.trackBytes || bySequence.count > bounds.groups, evictOldest() {}
    }

    private func remove(_ group: CachedGroup, _ why: CachedGroup.Removal) {
        account(group.remove(why))
        removedBelow = max(removedBelow, group.sequence &+ 1)
        forget(group)
    }

    private func forget(_ group: CachedGroup) {
        if bySequence[group.sequence] === group { bySequence[group.sequence] = nil }
        if arrivalRange.contains(group.arrival) { arrivals[group.arrival - firstArrival] = nil }
    }

    private func trimArrivals() {
        let gone = arrivals.prefix { $0 == nil }.count
        arrivals.removeFirst(gone)
        firstArrival += gone
    }

    private func account(_ change: Int) {
        storedBytes += change
        budget?.used += change
    }

    private func tellReaders() {
        for reader in readers { reader.trackChanged() }
    }
}
