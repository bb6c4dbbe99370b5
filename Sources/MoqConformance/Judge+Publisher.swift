import MoqScenario

// What a publishing actor sees of its readers.
extension Judge {
    func judgeSubscribeRequest(
        _ wanted: RequestExpectation, _ count: CountExpectation?, _ record: SessionRecord
    ) -> Judgement {
        let subscribes = requests(.subscribe, wanted, record)
        // A relay of 05 on asks for the track's properties first; a refusal of that is the whole conversation.
        let asked =
            count == nil && Self.saysNothing(wanted.options)
            ? subscribes + requests(.track, wanted, record) : subscribes
        return Self.tally(asked.count, count, seen(record))
    }

    func judgeSubscribeUpdated(
        _ wanted: RequestExpectation, _ count: CountExpectation?, _ record: SessionRecord
    ) -> Judgement {
        let updated = requests(.subscribe, wanted, record).filter { $0.updates > 0 }
        return Self.tally(updated.count, count, seen(record))
    }

    func judgeRequests(
        _ kind: RecordedRequestKind, _ wanted: RequestExpectation, _ count: CountExpectation?, _ record: SessionRecord
    ) -> Judgement {
        Self.tally(requests(kind, wanted, record).count, count, seen(record))
    }

    func judgeUnsubscribed(
        _ target: TrackReference, _ code: CodeExpectation?, _ count: CountExpectation?, _ record: SessionRecord,
        _ context: JudgeContext
    ) -> Judgement {
        let subscribes = record.requests.filter { $0.kind == .subscribe && Self.matches($0, target) }
        let ended = subscribes.filter { $0.end != nil }
        if let count { return Self.tally(ended.count, count, seen(record)) }
        guard let last = subscribes.last else { return .pending("nobody subscribed") }
        guard let end = last.end else { return .pending("still subscribed") }
        guard let code else { return .met(end.description) }
        return context.codes.judge(end, against: code, on: .reset)
    }

    func judgeStopped(_ wanted: TrackExpectation, _ record: SessionRecord, _ context: JudgeContext) -> Judgement {
        guard let codes = wanted.stopped else { return .all([]) }
        let stopped = record.stoppedGroups.last {
            $0.track == wanted.target.track && (wanted.group == nil || $0.group == wanted.group)
                && (wanted.target.broadcast == nil || $0.broadcast == wanted.target.broadcast)
        }
        return Self.judge(stopped?.end, codes, "no group was stopped", context, on: .stop)
    }

    private func requests(
        _ kind: RecordedRequestKind, _ wanted: RequestExpectation, _ record: SessionRecord
    ) -> [RequestRecord] {
        record.requests.filter { request in
            request.kind == kind && Self.matches(request, wanted.target) && Self.matches(request, wanted.options)
                && (wanted.group == nil || request.group == wanted.group)
        }
    }

    private func seen(_ record: SessionRecord) -> String {
        if record.requests.isEmpty { return "no request came" }
        let texts = record.requests.suffix(8).map {
            "\($0.kind.rawValue) \($0.track)" + ($0.end == nil ? "" : " (over)")
        }
        return "requests: \(texts.joined(separator: ", "))"
    }

    private static func matches(_ request: RequestRecord, _ target: TrackReference) -> Bool {
        request.track == target.track && (target.broadcast == nil || request.broadcast == target.broadcast)
    }

    private static func saysNothing(_ options: SubscriptionOptions) -> Bool {
        options.priority == nil && options.ordered == nil && options.maxAge == nil && options.start == nil
            && options.end == nil && options.frameStart == nil && options.frameEnd == nil
    }

    private static func matches(_ request: RequestRecord, _ options: SubscriptionOptions) -> Bool {
        if let priority = options.priority, request.priority != priority { return false }
        if let ordered = options.ordered, request.isOrdered != ordered { return false }
        if let start = options.start, request.startGroup != start { return false }
        if let end = options.end, request.endGroup != end { return false }
        if let age = options.maxAge, request.maxAge.map({ Duration.milliseconds(Int64(clamping: $0)) }) != age {
            return false
        }
        return true
    }
}
