/// Which numbers a relay uses. They belong to the release, not to the version that it speaks.
public enum CodeGeneration: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// Releases up to 0.3: one space for streams and sessions.
    case first
    /// Releases from 0.4 on: a space for streams and one for sessions.
    case second

    public var description: String {
        switch self {
        case .first: "first (releases up to 0.3)"
        case .second: "second (releases from 0.4 on)"
        }
    }
}

/// What carries a code.
public enum CodeSignal: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// RESET_STREAM: the sender gives up its half.
    case reset
    /// STOP_SENDING: the receiver wants no more.
    case stop
    /// The close of the session.
    case close

    public var description: String {
        switch self {
        case .reset: "a reset of a stream"
        case .stop: "a stop of a stream"
        case .close: "a close of the session"
        }
    }
}

/// One number of one generation, and what it stands for.
public struct CodeEntry: Hashable, Sendable {
    /// What it means.
    public var condition: ErrorCondition
    /// The number, as moq-lite numbers it (before a binding maps it).
    public var number: UInt64
    /// What puts it on the wire. Empty: registered, but nothing that speaks moq-lite sends it.
    public var signals: [CodeSignal]
    /// Whether the number is of the space of sessions; nil in the first generation, which has one space.
    public var isSessionCode: Bool?
    /// Where that is known from.
    public var source: String
}

/// How a condition shows on the wire.
public enum CodeExpression: Hashable, Sendable {
    /// By one of these numbers, the usual one first, and by nothing else.
    case exact([UInt64])
    /// By one of these numbers, the usual one first; but the number can also mean the other conditions.
    case ambiguous([UInt64], alsoMeans: [ErrorCondition])
    /// Not at all, for the reason given: an expectation of it is not testable.
    case notExpressible(String)

    /// The numbers, if it can be expressed.
    public var numbers: [UInt64] {
        switch self {
        case .exact(let numbers), .ambiguous(let numbers, _): numbers
        case .notExpressible: []
        }
    }
}

/// The numbers of both generations, as data.
public enum CodeTable {
    /// The rows of a generation; of several rows for one condition the usual one comes first.
    public static func entries(of generation: CodeGeneration) -> [CodeEntry] {
        switch generation {
        case .first: firstGeneration
        case .second: secondGeneration
        }
    }

    /// How `condition` shows when `signal` carries it.
    public static func expression(
        of condition: ErrorCondition, in generation: CodeGeneration, on signal: CodeSignal
    ) -> CodeExpression {
        if case .app(let number) = condition { return .exact([ErrorCondition.appOffset + UInt64(number)]) }
        let rows = entries(of: generation).filter { $0.condition == condition }
        let numbers = rows.filter { $0.signals.contains(signal) }.map(\.number)
        guard !numbers.isEmpty else {
            return .notExpressible(reason(condition, rows: rows, generation: generation, signal: signal))
        }
        var others: [ErrorCondition] = []
        for number in numbers {
            for other in conditions(of: number, in: generation, on: signal)
            where other != condition && !others.contains(other) {
                others.append(other)
            }
        }
        return others.isEmpty ? .exact(numbers) : .ambiguous(numbers, alsoMeans: others)
    }

    private static func reason(
        _ condition: ErrorCondition, rows: [CodeEntry], generation: CodeGeneration, signal: CodeSignal
    ) -> String {
        let elsewhere = CodeSignal.allCases.filter { other in rows.contains { $0.signals.contains(other) } }
        if !elsewhere.isEmpty {
            let carriers = elsewhere.map(\.description).joined(separator: " or ")
            return "\(condition) shows as \(carriers) only, never as \(signal), in generation \(generation)"
        }
        if let row = rows.first {
            return "\(condition) has the number \(row.number) in generation \(generation), but nothing sends it"
        }
        return "\(condition) has no number in generation \(generation)"
    }

    /// What a number that came on `signal` can mean, what is known to be sent there first; empty for a number that is
    /// not registered. Numbers of the application's range always mean `app`.
    public static func conditions(
        of number: UInt64, in generation: CodeGeneration, on signal: CodeSignal
    ) -> [ErrorCondition] {
        if number >= ErrorCondition.appOffset {
            return UInt16(exactly: number - ErrorCondition.appOffset).map { [.app($0)] } ?? []
        }
        let rows = entries(of: generation).filter { row in
            row.number == number && (row.isSessionCode == nil || row.isSessionCode == (signal == .close))
        }
        let sent = rows.filter { $0.signals.contains(signal) }
        return (sent.isEmpty ? rows : sent).map(\.condition)
    }

    /// The number to send for a condition: the usual one, or where it cannot be expressed the one for a failure inside
    /// (streams: 0 in both generations; sessions: 1).
    public static func numberToSend(
        for condition: ErrorCondition, in generation: CodeGeneration, on signal: CodeSignal
    ) -> UInt64 {
        expression(of: condition, in: generation, on: signal).numbers.first ?? (signal == .close ? 1 : 0)
    }

    /// A number for people: `13 (not_found)`, `0 (internal or dropped)`, `40`.
    public static func describe(_ number: UInt64, in generation: CodeGeneration, on signal: CodeSignal) -> String {
        let names = conditions(of: number, in: generation, on: signal).map(\.name)
        return names.isEmpty ? "\(number)" : "\(number) (\(names.joined(separator: " or ")))"
    }
}
