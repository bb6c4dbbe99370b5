import MoqBase
import MoqTransport
import MoqWire

/// The relay's answers to subscriptions.
extension SessionMonitor {
    func readSubscribeAnswer(_ subscription: SubscriptionRecord, _ record: StreamRecord, _ version: Version) -> Bool {
        guard let message = nextMessage(record, from: .relay, SubscribeAnswer.framing(in: version)) else {
            return false
        }
        let form: MonitorRule? = version.subscribeAnswerIsOK ? version.hasSubscribeRange ? .okForm03 : .okForm01 : nil
        guard let answer = decode(SubscribeAnswer.self, message, on: record, form: form) else { return false }
        if version.hasSubscribeDrop {
            if case .drop = answer {} else { held(.dropUnsaid) }
        }
        if !version.subscribeAnswerIsOK { held(.answerTypes) }
        switch answer {
        case .ok:
            if !subscription.isAccepted { held(.okFirstAnswer) }
            subscription.isAccepted = true
            fulfil(.accepted, on: record.id)
        case .start(let group, _): judgeStart(group, subscription, message, record)
        case .end(let group, _): judgeNamedEnd(group, subscription, message, record)
        case .drop(let start, let end, _):
            note(.dropUnsaid, on: record, message, "the relay says that groups \(start) to \(end) are lost")
            if start > end { note(.grammar, on: record, message, "groups \(start) to \(end) are no range") }
            if version.subscribeAnswerIsOK, !subscription.isAccepted {
                note(.okFirstAnswer, on: record, message, "SUBSCRIBE_DROP comes before the acceptance")
            }
        }
        return true
    }

    private func judgeStart(
        _ group: UInt64, _ subscription: SubscriptionRecord, _ message: TappedMessage, _ record: StreamRecord
    ) {
        if let first = subscription.start {
            return note(.startOnce, on: record, message, "the first group is named as \(group) after \(first)")
        }
        held(.startOnce)
        subscription.start = group
        _ = expectations.fulfil(.start, on: record.id)
        held(.start)
        if let floor = subscription.range.floor {
            check(
                .startGroup, group >= floor, on: record, message,
                "the first group is \(group), and \(floor) was asked for")
        }
        if let lowest = subscription.lowest, lowest < group, !subscription.isReused {
            note(.belowStart, on: record, message, "the first group is \(group), and \(lowest) was delivered")
        }
        if let end = subscription.end, group >= end {
            note(.afterEnd, on: record, message, "the first group is \(group), and the end was named as \(end)")
        }
    }

    private func judgeNamedEnd(
        _ group: UInt64, _ subscription: SubscriptionRecord, _ message: TappedMessage, _ record: StreamRecord
    ) {
        if let end = subscription.end {
            return note(.afterEnd, on: record, message, "the end is named as \(group) after \(end)")
        }
        subscription.end = group
        judgeExclusive(group, subscription, message, record)
        if let highest = subscription.highest, highest >= group, !subscription.isReused {
            note(.afterEnd, on: record, message, "the end is \(group), and group \(highest) was delivered")
        }
    }

    func judgeEnd(of subscription: SubscriptionRecord, _ record: StreamRecord) {
        guard let version, subscription.clientEndedAt == nil, record.client.end == nil else { return }
        if version.subscribeAnswerIsOK {
            check(
                .refusalIsReset, subscription.isAccepted, on: record.id,
                "a subscription was ended in good order without having been accepted")
            guard subscription.isAccepted else { return }
        } else if !subscription.range.wasBounded {
            check(
                .endMessage, subscription.end != nil, on: record.id,
                "a subscription was ended in good order without naming the end")
            // Without that it is no acceptance either.
            if subscription.end != nil { held(.refusalIsReset) }
        }
        judgeCompletion(of: subscription, record, version)
    }

    /// The relay ended a subscription in good order: only a publisher that did so is a reason.
    private func judgeCompletion(of subscription: SubscriptionRecord, _ record: StreamRecord, _ version: Version) {
        guard !subscription.range.wasBounded, let shared, shared.isOwn(subscription.track.broadcast),
            !shared.content.isUnclear, let track = shared.content.track(subscription.track)
        else { return }
        let isComplete = track.finished > 0 || !track.ends.isEmpty
        if version.subscribeAnswerIsOK, isComplete || track.failed == 0 {
            check(
                .endBefore05, isComplete, on: record.id,
                "a subscription was ended in good order, and its publisher has not ended the track")
        }
        if isComplete || track.failed > 0 || !version.subscribeAnswerIsOK {
            check(
                .noSuccess, isComplete, on: record.id,
                "a subscription was ended in good order, and no publisher has ended the track so")
        }
    }

    /// The end that the relay names, beside those that publishers named.
    private func judgeExclusive(
        _ group: UInt64, _ subscription: SubscriptionRecord, _ message: TappedMessage, _ record: StreamRecord
    ) {
        guard !subscription.range.wasBounded, let shared, shared.isOwn(subscription.track.broadcast),
            let ends = shared.content.track(subscription.track)?.ends, !ends.isEmpty
        else { return }
        let named = ends.sorted().map(String.init).joined(separator: " or ")
        check(
            .endExclusive, ends.contains(group), on: record, message,
            "the end is named as \(group), and the publisher named \(named)")
    }

    /// What the relay says of a track.
    func judge(_ info: TrackInfo, of id: TrackID, _ message: TappedMessage, _ record: StreamRecord) {
        guard let shared, shared.isOwn(id.broadcast), !shared.content.isUnclear, version?.trackAgeIsOptional == false,
            let track = shared.content.track(id)
        else { return }
        func isAlike(_ other: TrackInfo) -> Bool {
            info.priority == other.priority && info.maxAge == other.maxAge && info.timescale == other.timescale
        }
        if track.infos.isEmpty {
            // Of publishers that say nothing of their tracks the relay makes something up, always the same.
            check(
                .infoStable, track.told.map(isAlike) ?? true, on: record, message,
                "the properties of '\(id.track)' are others than before")
        } else {
            held(.infoStable)
            check(
                .infoUnchanged, track.infos.contains(where: isAlike), on: record, message,
                "the properties of '\(id.track)' are none that a publisher gave")
        }
        track.told = info
    }
}
