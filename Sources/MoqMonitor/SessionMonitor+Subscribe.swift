import MoqBase
import MoqTransport
import MoqWire

/// The relay's answers to subscriptions.
extension SessionMonitor {
    func readSubscribeAnswer(_ subscription: SubscriptionRecord, _ record: StreamRecord, _ version: Version) -> Bool {
        guard let message = nextMessage(record, from: .relay, SubscribeAnswer.framing(in: version)) else {
            return false
        }
        guard let answer = decode(SubscribeAnswer.self, message, on: record) else { return false }
        switch answer {
        case .ok: subscription.isAccepted = true
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
        subscription.start = group
        expectations.fulfil(.start, on: record.id)
        if let floor = subscription.range.floor, group < floor {
            note(.startGroup, on: record, message, "the first group is \(group), and \(floor) was asked for")
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
        if let highest = subscription.highest, highest >= group, !subscription.isReused {
            note(.afterEnd, on: record, message, "the end is \(group), and group \(highest) was delivered")
        }
    }

    func judgeEnd(of subscription: SubscriptionRecord, _ record: StreamRecord) {
        guard let version, subscription.clientEndedAt == nil, record.client.end == nil else { return }
        if version.subscribeAnswerIsOK {
            guard !subscription.isAccepted else { return }
            note(.refusalIsReset, on: record.id, "a subscription was ended in good order without having been accepted")
        } else if subscription.end == nil, !subscription.range.wasBounded {
            note(.endMessage, on: record.id, "a subscription was ended in good order without naming the end")
        }
    }
}
