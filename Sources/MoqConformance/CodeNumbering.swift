import MoqScenario

/// The two spaces in which codes are numbered.
public enum RecordedCodeSpace: Hashable, Sendable {
    case stream, session
}

/// What a code of a scenario is on the wire of the relay under test.
public enum CodeNumbers: Hashable, Sendable {
    /// Any of these numbers says it.
    case numbers([UInt64])
    /// No number says it, for the reason given.
    case notTestable(String)
}

/// Gives the numbers of a code: they differ between generations of relays.
public protocol CodeNumbering: Sendable {
    /// The numbers of `code` in a space.
    func numbers(of code: Code, in space: RecordedCodeSpace) -> CodeNumbers
    /// The name of a number for people: `51 (not_found)`.
    func describe(_ number: UInt64, in space: RecordedCodeSpace) -> String
}

extension CodeNumbering {
    /// Holds an end against the codes that are right.
    func judge(_ end: RecordedEnd, against expectation: CodeExpectation, in space: RecordedCodeSpace) -> Judgement {
        let seen = describe(end, in: space)
        guard case .oneOf(let codes) = expectation else {
            return isReset(end) ? .met(seen) : .broken(seen)
        }
        var untestable: [String] = []
        for code in codes {
            switch numbers(of: code, in: space) {
            case .numbers(let numbers):
                if case .reset(let number) = end, numbers.contains(number) { return .met("\(seen): \(code)") }
            case .notTestable(let reason): untestable.append(reason)
            }
        }
        if !untestable.isEmpty { return .notTestable(untestable.joined(separator: "; ")) }
        return .broken(seen)
    }

    /// An end in words, its code named.
    func describe(_ end: RecordedEnd, in space: RecordedCodeSpace) -> String {
        if case .reset(let number) = end { return "reset with \(describe(number, in: space))" }
        return end.description
    }

    private func isReset(_ end: RecordedEnd) -> Bool {
        switch end {
        case .reset, .resetUnmapped: true
        case .finished, .sessionClosed, .local, .malformed: false
        }
    }
}
