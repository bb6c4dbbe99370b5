import MoqScenario
import MoqWire

// Expectations of the application behind a client kit.
extension Judge {
    /// `before` is how many events there were when the step began, for what must not happen; nil for what must.
    static func judge(
        _ wanted: ClientExpectation, _ count: CountExpectation?, _ record: ClientRecord, _ context: JudgeContext,
        since before: Int?
    ) -> Judgement {
        switch wanted {
        case .broadcast(let wanted): return judge(wanted, record, context)
        case .broadcasts(let paths):
            let found = record.broadcasts.map(\.path)
            let seen =
                found.isEmpty ? "no broadcast was found" : "found \(found.map { "`\($0)`" }.joined(separator: ", "))"
            if found.contains(where: { !paths.contains($0) }) { return .broken(seen) }
            return paths.allSatisfy(found.contains) ? .met(seen) : .pending(seen)
        case .event(let pattern):
            let matching = record.events.dropFirst(before ?? 0).filter { matches($0, pattern, context) }.count
            return tally(
                matching, count, "\(pattern.name.rawValue) was told \(Counted.text(matching, "time")); \(tail(record))")
        case .events(let patterns): return judge(patterns, record, context)
        case .statistics(let figures): return .all(figures.map { judge($0, record) })
        case .seen(let figures): return .all(figures.map { judge($0, record) })
        case .states(let object, let states):
            return judge(states, record.states[object] ?? [], of: object.rawValue, initially: object.states[0])
        case .trackStates(let name, let states):
            return judge(
                states, record.trackStates[name] ?? [], of: "track \(name)", initially: ClientObject.trackStates[0])
        case .data(let wanted): return judge(wanted, record, context)
        case .diagnostic(let pattern): return judge(pattern, count, record)
        case .audio(let wanted): return judge(wanted, record.audio, context)
        case .moqom(let wanted): return judge(wanted, count, record, context, since: before.map { _ in record })
        }
    }

    // MARK: Broadcasts

    private static func judge(
        _ wanted: ClientBroadcastExpectation, _ record: ClientRecord, _ context: JudgeContext
    ) -> Judgement {
        let known = record.broadcasts.filter { wanted.path == nil || $0.path == wanted.path }
        guard let broadcast = known.last else {
            return .pending(
                record.broadcasts.isEmpty
                    ? "no broadcast was found" : "found \(record.broadcasts.map(\.path).joined(separator: ", "))")
        }
        var parts: [Judgement] = []
        let state = broadcast.isLive.map { $0 ? "live" : "offline" } ?? "waiting for a catalog"
        if let wanted = wanted.state {
            parts.append(state == wanted.rawValue ? .met("it is \(state)") : .pending("it is \(state)"))
        }
        for (wanted, names, kind) in [
            (wanted.video, broadcast.video, "video"), (wanted.audio, broadcast.audio, "audio"),
        ] {
            guard let wanted else { continue }
            guard let names else {
                parts.append(.pending("no catalog has come"))
                continue
            }
            let isMet =
                switch wanted {
                case .count(let count): count.contains(names.count)
                case .names(let expected): expected.sorted() == names.sorted()
                }
            let seen = "\(kind): \(names.isEmpty ? "nothing" : names.joined(separator: ", "))"
            parts.append(isMet ? .met(seen) : .pending(seen))
        }
        if let found = wanted.found {
            parts.append(tally(broadcast.found, found, "found \(Counted.text(broadcast.found, "time"))"))
        }
        if let code = wanted.code {
            parts.append(judge(code, broadcast.code, isOver: broadcast.isLive == false, context))
        }
        return parts.isEmpty ? .met("`\(broadcast.path)` was found") : .all(parts)
    }

    static func judge(
        _ wanted: CodeExpectation, _ code: UInt64?, isOver: Bool, _ context: JudgeContext
    ) -> Judgement {
        guard let code else { return isOver ? .broken("it ended without a code") : .pending("no code came") }
        let seen = context.codes.describe(code, on: .reset)
        return switch context.codes.matches(code, wanted, on: .reset) {
        case true?: .met(seen)
        case false?: .broken(seen)
        case nil: .notTestable("the codes of the relay are not known, or have no number for it")
        }
    }

    // MARK: Events

    private static func matches(
        _ event: ClientRecord.Event, _ pattern: ClientEventPattern, _ context: JudgeContext
    ) -> Bool {
        guard event.name == pattern.name.rawValue else { return false }
        if let kind = pattern.kind, event["kind"] != kind.rawValue { return false }
        if let track = pattern.track, (event["track"] ?? event["name"]) != track { return false }
        if let epoch = pattern.epoch, event["epoch"] != String(epoch) { return false }
        if let message = pattern.message, event["message"]?.contains(message) != true { return false }
        if let reason = pattern.reason, (event["reason"] ?? "none") != reason { return false }
        if let code = pattern.code {
            guard let number = event.code else { return false }
            return context.codes.matches(number, code, on: .reset) ?? true
        }
        return true
    }

    private static func judge(
        _ patterns: [ClientEventPattern], _ record: ClientRecord, _ context: JudgeContext
    ) -> Judgement {
        var rest = record.events[...]
        for (index, pattern) in patterns.enumerated() {
            guard let place = rest.firstIndex(where: { matches($0, pattern, context) }) else {
                return .pending(
                    "\(index) of \(patterns.count) were told in order; \(pattern.name.rawValue) was not; \(tail(record))"
                )
            }
            rest = rest[(place + 1)...]
        }
        return .met("all \(patterns.count) were told in order")
    }

    /// How many of the newest events are named in what was seen.
    private static let eventsNamed = 12

    private static func tail(_ record: ClientRecord) -> String {
        record.events.isEmpty
            ? "nothing was told"
            : "told last: \(record.events.suffix(eventsNamed).map(\.name).joined(separator: ", "))"
    }

    static func judge(
        _ wanted: ClientStates, _ entered: [String], of object: String, initially first: String
    ) -> Judgement {
        let seen = "\(object): \(([first] + entered).joined(separator: ", "))"
        switch wanted {
        case .current(let state): return (entered.last ?? first) == state ? .met(seen) : .pending(seen)
        case .entered(let states):
            if entered == states { return .met(seen) }
            return states.starts(with: entered) ? .pending(seen) : .broken(seen)
        }
    }

    // MARK: Figures

    private static func judge(_ wanted: ClientStatisticExpectation, _ record: ClientRecord) -> Judgement {
        compare(
            record.statistics[wanted.statistic], wanted.comparison, wanted.value, wanted.statistic.rawValue,
            isDuration: wanted.statistic.isDuration)
    }

    private static func judge(_ wanted: ClientSightExpectation, _ record: ClientRecord) -> Judgement {
        compare(
            record.seen[wanted.sight], wanted.comparison, wanted.value, wanted.sight.rawValue,
            isDuration: wanted.sight.isDuration, beside: record.undecoded)
    }

    private static func compare(
        _ value: Double?, _ comparison: ClientStatisticExpectation.Comparison, _ expected: Double?, _ name: String,
        isDuration: Bool, beside reasons: [String] = []
    ) -> Judgement {
        let shown = value.map { isDuration ? "\(($0 / 1e6 * 10).rounded() / 10) ms" : "\($0)" } ?? "none"
        let seen = (["\(name) is \(shown)"] + reasons.prefix(eventsNamed)).joined(separator: "; ")
        guard let expected else { return value == nil ? .met(seen) : .pending(seen) }
        guard let value else { return .pending(seen) }
        let isMet =
            switch comparison {
            case .less: value < expected
            case .lessOrEqual: value <= expected
            case .greater: value > expected
            case .greaterOrEqual: value >= expected
            case .equal: value == expected
            }
        return isMet ? .met(seen) : .pending(seen)
    }

    private static func judge(
        _ wanted: ClientDataExpectation, _ record: ClientRecord, _ context: JudgeContext
    ) -> Judgement {
        let track = record.data[wanted.track] ?? ClientRecord.DataTrack()
        var parts: [Judgement] = []
        let seen = "\(Counted.text(track.groups.count, "object")), of groups \(track.groups.suffix(eventsNamed))"
        if let groups = wanted.groups {
            parts.append(
                track.groups == groups
                    ? .met(seen) : groups.starts(with: track.groups) ? .pending(seen) : .broken(seen))
        }
        if let objects = wanted.objects { parts.append(tally(track.groups.count, objects, seen)) }
        if let content = wanted.content {
            let text = String(decoding: track.last, as: UTF8.self)
            parts.append(text == content ? .met("the last is `\(text)`") : .pending("the last is `\(text.prefix(80))`"))
        }
        if let ascending = wanted.isAscending {
            let isSo = zip(track.groups, track.groups.dropFirst()).allSatisfy { $0 < $1 }
            parts.append(isSo == ascending ? .met(seen) : ascending ? .broken(seen) : .pending(seen))
        }
        if let ended = wanted.ended { parts.append(judge(ended, track.endedCleanly)) }
        if let code = wanted.code { parts.append(judge(code, track.code, isOver: track.endedCleanly != nil, context)) }
        return parts.isEmpty ? tally(track.groups.count, nil, seen) : .all(parts)
    }

    static func judge(_ wanted: TrackEnding, _ endedCleanly: Bool?) -> Judgement {
        guard let endedCleanly else { return .pending("it has not ended") }
        let seen = endedCleanly ? "it ended in good order" : "it ended with an error"
        let isMet = wanted == .any || (wanted == .cleanly) == endedCleanly
        return isMet ? .met(seen) : .broken(seen)
    }

    private static func judge(
        _ pattern: ClientDiagnosticPattern, _ count: CountExpectation?, _ record: ClientRecord
    ) -> Judgement {
        if let held = pattern.held, pattern.name == nil {
            return tally(record.diagnosticsHeld, held, "\(record.diagnosticsHeld) are held")
        }
        let matching = record.diagnostics.filter { entry in
            (pattern.name == nil || entry.name == pattern.name?.rawValue)
                && pattern.fields.allSatisfy { field in
                    entry.fields.contains { $0.name == field.name && $0.value == field.value }
                }
        }
        let number = matching.reduce(0) { $0 + $1.count }
        let others = record.diagnostics.map { entry in
            "\(entry.name)\(entry.fields.map { " \($0.value)" }.joined()) ×\(entry.count)"
        }
        return tally(
            number, count, "it came \(Counted.text(number, "time")); \(others.suffix(20).joined(separator: ", "))")
    }
}
