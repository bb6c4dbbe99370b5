/// Finds times of decoding for pictures that only say when they are shown.
struct DecodeTimes {
    /// By how much pictures are decoded before the one that takes their place in the order of showing, in microseconds.
    private var delay: Int64 = 0
    /// How many pictures may be decoded before one that is shown earlier, where that is known before any came.
    var reorderDepth = 0
    /// The longest usual step between two pictures, in microseconds: a picture every ten seconds.
    private static let greatestStep: Int64 = 10_000_000
    /// The newest time that was given.
    private var newest = Int64.min

    /// Times for the pictures of a group, in the order of decoding.
    ///
    /// Every time is later than the one before it and not later than its picture's showing, as files want it. The
    /// first group settles by how much decoding runs ahead; in a stream that keeps its order all later ones follow it.
    /// Nil when a picture is to be shown before one that was decoded already.
    mutating func assign(_ presentations: [Int64]) -> [Int64]? {
        let sorted = presentations.sorted()
        if newest == .min, reorderDepth > 0, sorted.count > 1 {
            // As far ahead as the stream's encoder was, though its first group may not need all of it.
            let steps = zip(sorted.dropFirst(), sorted).map { $0 - $1 }.sorted()
            delay = max(delay, Int64(reorderDepth) * max(0, min(steps[steps.count / 2], Self.greatestStep)))
        }
        for (place, shown) in zip(sorted, presentations) { delay = max(delay, place - shown) }
        var times: [Int64] = []
        times.reserveCapacity(sorted.count)
        var latest = newest
        for place in sorted {
            latest = max(place - delay, latest == .min ? .min : latest + 1)
            times.append(latest)
        }
        // From the back, so that none is later than its picture or than what follows it.
        var limit = Int64.max
        for index in times.indices.reversed() {
            times[index] = min(times[index], presentations[index], limit == .max ? .max : limit - 1)
            limit = times[index]
        }
        guard let first = times.first, let last = times.last else { return times }
        guard first > newest else { return nil }
        newest = last
        return times
    }
}
