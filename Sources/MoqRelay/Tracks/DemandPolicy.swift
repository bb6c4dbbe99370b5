import MoqLite
import MoqTransport
import MoqWire

/// Somebody who wants the groups of a track: a subscriber's feed, or a reader inside the relay.
protocol TrackDemand: AnyObject {
    /// What is wanted.
    var wanted: DemandPolicy.Wanted { get }
    /// The track is there.
    func accept()
    /// The track cannot be had.
    func fail(_ code: StreamCode)
}

extension SubscriptionFeed: TrackDemand {
    var wanted: DemandPolicy.Wanted { DemandPolicy.Wanted(options: options, isFloor: startIsFloor) }
}

/// How the wishes of all viewers become one upstream subscription.
enum DemandPolicy {
    /// What one viewer wants.
    struct Wanted {
        var options: SubscribeOptions
        /// Whether its start is a floor (06) and its age decides how far back it reaches.
        var isFloor: Bool
    }

    /// The upstream request that covers all of `wanted`: the highest priority, the lowest start, the longest age, the
    /// highest end or none, in order only if all want it. `retention` is the track's own age, beyond which nothing is
    /// asked for where the publisher says what it is (moq-ffi 0.4.18, observed).
    ///
    /// Up to 05 an absent start means the latest group. In an update it leaves the publisher's position alone, while a
    /// start would skip what lies below it, so it is given only when everybody has one.
    static func merge(
        _ wanted: [Wanted], for version: Version, retention: UInt64, isUpdate: Bool
    ) -> SubscribeOptions {
        var merged = SubscribeOptions()
        merged.priority = wanted.map(\.options.priority).max() ?? 0
        merged.ordered = version.hasOrdered && !wanted.isEmpty && wanted.allSatisfy(\.options.ordered)
        merged.maxAge = wanted.map(\.options.maxAge).max() ?? 0
        if version.hasTrackStream { merged.maxAge = min(merged.maxAge, retention) }
        let starts = wanted.compactMap(\.options.groupStart)
        let allHaveStart = starts.count == wanted.count
        if version.startIsFloor {
            merged.groupStart = allHaveStart ? starts.min() : nil
            // On 06 a start alone reaches no further back than the age: one of an older version means what it says.
            if wanted.contains(where: { !$0.isFloor && $0.options.groupStart != nil }) {
                merged.maxAge = max(merged.maxAge, retention)
            }
        } else {
            merged.groupStart = isUpdate && !allHaveStart ? nil : starts.min()
        }
        guard version.hasSubscribeRange else {
            // 01 and 02 send from the latest group on, without an end.
            merged.groupStart = nil
            return merged
        }
        let ends = wanted.compactMap(\.options.groupEnd)
        merged.groupEnd = ends.count == wanted.count ? ends.max() : nil
        return merged
    }

    /// The same request for a source that takes over in the middle: from the first group that is missing.
    static func resuming(
        _ merged: SubscribeOptions, at sequence: UInt64, for version: Version, retention: UInt64
    ) -> SubscribeOptions {
        var options = merged
        guard version.hasSubscribeRange else { return options }
        options.groupStart = max(sequence, merged.groupStart ?? 0)
        if version.startIsFloor { options.maxAge = max(options.maxAge, retention) }
        return options
    }

    /// Whether the publisher must be told that `merged` is wanted after `sent`.
    static func needsUpdate(from sent: SubscribeOptions, to merged: SubscribeOptions, version: Version) -> Bool {
        guard version.hasSubscribeUpdate else { return false }
        var comparable = merged
        if merged.groupStart == nil && !version.startIsFloor { comparable.groupStart = sent.groupStart }
        return comparable != sent
    }
}
