import MoqBase
import MoqScenario

// What a subscribing actor received.
extension Judge {
    static func subscription(_ target: TrackReference, in record: SessionRecord) -> SubscriptionRecord? {
        record.subscriptions.last { $0.label == target.track && matches($0.broadcast, target) }
            ?? record.subscriptions.last { $0.track == target.track && matches($0.broadcast, target) }
    }

    func judgeTrack(_ wanted: TrackExpectation, _ record: SessionRecord, _ context: JudgeContext) -> Judgement {
        if wanted.stopped != nil { return judgeStopped(wanted, record, context) }
        guard let subscription = Self.subscription(wanted.target, in: record) else {
            return .pending("no subscription to \(wanted.target.track)")
        }
        var parts =
            wanted.group.map { judgeGroup($0, wanted, subscription, context) }
            ?? judgeAll(wanted, subscription, context)
        if let groups = wanted.groups { parts.append(judgeGroups(groups, subscription)) }
        if let order = wanted.order { parts.append(judgeOrder(order, subscription)) }
        if let first = wanted.firstGroup {
            parts.append(Self.equal(subscription.groups.map(\.sequence).min(), first, "lowest group"))
        }
        if let last = wanted.lastGroup {
            parts.append(Self.equal(subscription.groups.map(\.sequence).max(), last, "highest group"))
        }
        if let accepted = wanted.accepted {
            parts.append(
                subscription.isAccepted == accepted ? .met("accepted: \(accepted)") : .pending("no answer yet"))
        }
        if let start = wanted.startGroup { parts.append(Self.equal(subscription.startGroup, start, "announced start")) }
        if let end = wanted.endGroup { parts.append(Self.equal(subscription.endGroup, end, "announced end")) }
        if let lost = wanted.lost { parts.append(judgeLost(lost, subscription)) }
        if let ending = wanted.ended { parts.append(judgeEnding(ending, subscription, context)) }
        return parts.isEmpty ? .met("subscribed") : .all(parts)
    }

    private func judgeLost(_ wanted: [UInt64], _ subscription: SubscriptionRecord) -> Judgement {
        let seen = "told to be lost: \(subscription.lost.isEmpty ? "none" : "\(subscription.lost)")"
        let all = wanted.allSatisfy { group in subscription.lost.contains { $0.contains(group) } }
        return all ? .met(seen) : .pending(seen)
    }

    private func judgeGroup(
        _ sequence: UInt64, _ wanted: TrackExpectation, _ subscription: SubscriptionRecord, _ context: JudgeContext
    ) -> [Judgement] {
        guard let group = subscription.groups.last(where: { $0.sequence == sequence }) else {
            return [.pending("group \(sequence) has not come; \(Self.summary(subscription, context))")]
        }
        var parts: [Judgement] = []
        if let frames = wanted.frames {
            parts.append(
                Self.growing(
                    group.sizes.count, frames, "\(Counted.text(group.sizes.count, "frame")) of group \(sequence)"))
        }
        if let first = wanted.firstFrame {
            parts.append(Self.equal(UInt64(group.firstFrame), first, "first frame of group \(sequence)"))
        }
        parts += judgeContent([group], wanted, context)
        if let codes = wanted.reset {
            parts.append(Self.judge(group.end, codes, "group \(sequence) is open", context))
        }
        if let finished = wanted.finished {
            let seen = "group \(sequence) is \(group.end.map { context.codes.describe($0, on: .reset) } ?? "open")"
            parts.append(
                (group.end == .finished) == finished ? .met(seen) : group.end == nil ? .pending(seen) : .broken(seen))
        }
        return parts
    }

    private func judgeAll(
        _ wanted: TrackExpectation, _ subscription: SubscriptionRecord, _ context: JudgeContext
    ) -> [Judgement] {
        var parts: [Judgement] = []
        let summary = Self.summary(subscription, context)
        if let frames = wanted.frames {
            let number = subscription.groups.reduce(0) { $0 + $1.sizes.count }
            parts.append(Self.growing(number, frames, "\(Counted.text(number, "frame")); \(summary)"))
        }
        parts += judgeContent(subscription.groups, wanted, context)
        if let codes = wanted.reset {
            parts.append(Self.judge(subscription.end, codes, "the subscription is open; \(summary)", context))
        }
        if let finished = wanted.finished {
            let open = subscription.groups.first { ($0.end == .finished) != finished }
            parts.append(open == nil && !subscription.groups.isEmpty ? .met(summary) : .pending(summary))
        }
        return parts
    }

    private func judgeContent(
        _ groups: [GroupRecord], _ wanted: TrackExpectation, _ context: JudgeContext
    ) -> [Judgement] {
        var parts: [Judgement] = []
        // Asked after every turn, so what a scenario does not ask for is not put together.
        let sizes = wanted.sizes == nil && wanted.size == nil ? [] : groups.flatMap(\.sizes)
        if let expected = wanted.sizes {
            parts.append(
                sizes == expected
                    ? .met("sizes \(sizes)")
                    : expected.starts(with: sizes) ? .pending("sizes \(sizes)") : .broken("sizes \(sizes)"))
        }
        if let size = wanted.size {
            let other = sizes.first { $0 != size }
            parts.append(
                other.map { .broken("a frame of \(Counted.text($0, "byte"))") }
                    ?? (sizes.isEmpty ? .pending("no frame") : .met("\(Counted.text(size, "byte")) each")))
        }
        if let content = wanted.content {
            let last = groups.last?.literal.map { String(decoding: $0, as: UTF8.self) }
            parts.append(last == content ? .met("its content") : .pending(last.map { "content \($0)" } ?? "no frame"))
        }
        if let timestamps = wanted.timestamps {
            parts.append(
                judgeTimestamps(
                    groups.flatMap(\.timestamps), of: groups.reduce(0) { $0 + $1.sizes.count }, timestamps, context))
        }
        return parts
    }

    private func judgeTimestamps(
        _ seen: [UInt64], of frames: Int, _ wanted: TimestampExpectation, _ context: JudgeContext
    ) -> Judgement {
        if !context.carriesTimestamps, wanted != .absent { return .notTestable("this version carries no timestamps") }
        switch wanted {
        case .absent:
            if !seen.isEmpty { return .broken("timestamps \(seen.suffix(20))") }
            return frames == 0 ? .pending("no frame") : .met("\(Counted.text(frames, "frame")) without timestamps")
        case .increasing:
            let increasing = zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 }
            return increasing
                ? (seen.isEmpty ? .pending("no frame") : .met("increasing")) : .broken("timestamps \(seen.suffix(20))")
        case .notFalling:
            let falling = zip(seen, seen.dropFirst()).contains { $0 > $1 }
            if falling { return .broken("timestamps \(seen.suffix(20))") }
            return seen.isEmpty ? .pending("no frame") : .met("not falling")
        case .values(let values):
            if seen == values { return .met("timestamps \(seen)") }
            return values.starts(with: seen) ? .pending("timestamps \(seen)") : .broken("timestamps \(seen.prefix(20))")
        }
    }

    private func judgeGroups(_ wanted: GroupsExpectation, _ subscription: SubscriptionRecord) -> Judgement {
        // Read in place: a copy of every record would cost more than all the rest.
        let groups = subscription.groups
        let complete = groups.indices.filter { groups[$0].isComplete }.map { groups[$0].sequence }
        let seen = "whole groups: \(Self.list(complete.sorted()))"
        switch wanted {
        case .count(let count):
            return Self.growing(complete.count, count, seen)
        case .numbers(let numbers):
            if complete.sorted() == numbers.sorted() { return .met(seen) }
            return Set(complete).isSubset(of: Set(numbers)) ? .pending(seen) : .broken(seen)
        }
    }

    private func judgeOrder(_ wanted: OrderExpectation, _ subscription: SubscriptionRecord) -> Judgement {
        let order = subscription.groups.map(\.sequence)
        let seen = "groups came as \(Self.list(order))"
        switch wanted {
        case .ascending:
            return zip(order, order.dropFirst()).allSatisfy { $0 < $1 } ? .met(seen) : .broken(seen)
        case .descending:
            return zip(order, order.dropFirst()).allSatisfy { $0 > $1 } ? .met(seen) : .broken(seen)
        case .numbers(let numbers):
            if order == numbers { return .met(seen) }
            return numbers.starts(with: order) ? .pending(seen) : .broken(seen)
        }
    }

    private func judgeEnding(
        _ wanted: TrackEnding, _ subscription: SubscriptionRecord, _ context: JudgeContext
    ) -> Judgement {
        guard let end = subscription.end else {
            return .pending("the subscription is open; \(Self.summary(subscription, context))")
        }
        let seen = "the subscription was \(context.codes.describe(end, on: .reset))"
        switch wanted {
        case .any: return .met(seen)
        case .cleanly: return end == .finished ? .met(seen) : .broken(seen)
        case .withError:
            switch end {
            case .reset, .resetUnmapped, .sessionClosed: return .met(seen)
            case .finished, .local, .malformed: return .broken(seen)
            }
        }
    }

    func judgeTrackInfo(
        _ wanted: TrackInfoExpectation, _ record: SessionRecord, _ context: JudgeContext
    ) -> Judgement {
        let answer = record.trackInfos.last {
            $0.track == wanted.target.track && Self.matches($0.broadcast, wanted.target)
        }
        guard let answer else { return .pending("nothing was asked") }
        if let codes = wanted.reset { return Self.judge(answer.end, codes, "no refusal", context) }
        guard let age = answer.maxAge else {
            return answer.end.map { .broken(context.codes.describe($0, on: .reset)) } ?? .pending("no answer")
        }
        var parts: [Judgement] = [.met("answered")]
        if let priority = wanted.priority {
            parts.append(Self.equal(answer.priority.map(UInt64.init), UInt64(priority), "priority"))
        }
        if let wantedAge = wanted.maxAge {
            parts.append(Self.equal(age, UInt64(clamping: wantedAge.wholeNanoseconds / 1_000_000), "max age"))
        }
        if let timescale = wanted.timescale { parts.append(Self.equal(answer.timescale, timescale, "timescale")) }
        if let ordered = wanted.ordered, let isOrdered = answer.isOrdered {
            parts.append(isOrdered == ordered ? .met("ordered") : .broken("ordered is \(isOrdered)"))
        }
        return .all(parts)
    }

    func judgeFetched(_ wanted: FetchExpectation, _ record: SessionRecord, _ context: JudgeContext) -> Judgement {
        let fetch = record.fetches.last { fetch in
            guard let target = wanted.target else { return true }
            return (fetch.label == target.track || fetch.track == target.track)
                && Self.matches(fetch.broadcast, target) && (wanted.group == nil || wanted.group == fetch.group)
        }
        guard let fetch else { return .pending("nothing was fetched") }
        var parts: [Judgement] = []
        if let codes = wanted.reset { parts.append(Self.judge(fetch.end, codes, "the fetch is open", context)) }
        if let frames = wanted.frames {
            parts.append(Self.growing(fetch.sizes.count, frames, Counted.text(fetch.sizes.count, "frame")))
        }
        if let sizes = wanted.sizes {
            parts.append(fetch.sizes == sizes ? .met("sizes") : .pending("sizes \(fetch.sizes)"))
        }
        if let size = wanted.size, let other = fetch.sizes.first(where: { $0 != size }) {
            parts.append(.broken("a frame of \(Counted.text(other, "byte"))"))
        }
        if let content = wanted.content {
            let last = fetch.literal.map { String(decoding: $0, as: UTF8.self) }
            parts.append(last == content ? .met("its content") : .pending("content \(last ?? "none")"))
        }
        if wanted.reset == nil {
            let finished = wanted.finished ?? true
            let seen = "the fetch is \(fetch.end.map { context.codes.describe($0, on: .reset) } ?? "open")"
            let isFinished = fetch.end == .finished
            parts.append(isFinished == finished ? .met(seen) : fetch.end == nil ? .pending(seen) : .broken(seen))
        }
        return .all(parts)
    }

    func judgeCatalog(_ wanted: CatalogExpectation, _ record: SessionRecord, _ context: JudgeContext) -> Judgement {
        guard let subscription = Self.subscription(wanted.target, in: record) else {
            return .pending("no subscription to \(wanted.target.track)")
        }
        if wanted.olderThanSeen == true {
            let byGroup = subscription.catalogs.sorted { $0.group < $1.group }
            let older = zip(byGroup, byGroup.dropFirst()).first { $0.group < $1.group && $0.index > $1.index }
            return older.map { .met("group \($1.group) brought catalog \($1.index) after \($0.index)") }
                ?? .pending("none older")
        }
        guard let newest = subscription.catalogs.max(by: { $0.group < $1.group }) else { return .pending("no catalog") }
        let seen = "catalog \(newest.index): video \(newest.video), audio \(newest.audio)"
        var parts: [Judgement] = []
        if let video = wanted.video { parts.append(Self.renditions(newest.video, video, seen)) }
        if let audio = wanted.audio { parts.append(Self.renditions(newest.audio, audio, seen)) }
        if wanted.newest == true {
            let written =
                context.catalogsWritten[TrackKey(broadcast: subscription.broadcast, track: subscription.track)] ?? 0
            parts.append(newest.index == written - 1 ? .met(seen) : .pending("\(seen); \(written) were written"))
        }
        return parts.isEmpty ? .met(seen) : .all(parts)
    }

    // MARK: Parts

    private static func renditions(_ names: [String], _ wanted: RenditionsExpectation, _ seen: String) -> Judgement {
        switch wanted {
        case .count(let count): count.contains(names.count) ? .met(seen) : .pending(seen)
        case .names(let wanted): Set(names) == Set(wanted) ? .met(seen) : .pending(seen)
        }
    }

    private static func matches(_ broadcast: String, _ target: TrackReference) -> Bool {
        target.broadcast == nil || target.broadcast == broadcast
    }

    private static func growing(_ number: Int, _ wanted: CountExpectation, _ seen: String) -> Judgement {
        if let maximum = wanted.maximum, number > maximum { return .broken(seen) }
        return number >= wanted.minimum ? .met(seen) : .pending(seen)
    }

    private static func equal(_ value: UInt64?, _ wanted: UInt64, _ what: String) -> Judgement {
        guard let value else { return .pending("\(what): not known") }
        return value == wanted ? .met("\(what) \(value)") : .pending("\(what) is \(value)")
    }

    /// A subscription in a few words, for evidence.
    static func summary(_ subscription: SubscriptionRecord, _ context: JudgeContext) -> String {
        let groups = subscription.groups.suffix(6).map { group in
            "group \(group.sequence): \(Counted.text(group.sizes.count, "frame")), "
                + (group.end.map { context.codes.describe($0, on: .reset) } ?? "open")
        }
        let end = subscription.end.map { "subscription \(context.codes.describe($0, on: .reset))" }
        let parts = groups + (end.map { [$0] } ?? [])
        return parts.isEmpty ? "no group has come" : parts.joined(separator: "; ")
    }

    private static func list(_ numbers: [UInt64]) -> String {
        numbers.isEmpty ? "none" : numbers.suffix(40).map(String.init).joined(separator: " ")
    }
}
