import MoqConformance
import MoqWire

/// What comes out of a relay where a code went in.
public enum HopOutcome: Hashable, Sendable {
    /// A code of moq-lite.
    case code(UInt64)
    /// A number that the transport does not map to one.
    case unmapped(UInt64)
    /// The stream was finished in good order.
    case finished
    /// Nothing at all, within the time that the case gave it.
    case nothing
    /// The session of the far side ended.
    case sessionEnded
    /// Something that cannot be read.
    case malformed

    init(_ end: RecordedEnd?) {
        self =
            switch end {
            case .reset(let code): .code(code)
            case .resetUnmapped(let raw): .unmapped(raw)
            case .finished: .finished
            case .sessionClosed: .sessionEnded
            case .malformed: .malformed
            case .local, nil: .nothing
            }
    }

    /// As it is written in reports.
    public var text: String {
        switch self {
        case .code(let code): String(code)
        case .unmapped(let raw): "unmapped \(raw)"
        case .finished: "finished"
        case .nothing: "nothing"
        case .sessionEnded: "session ended"
        case .malformed: "malformed"
        }
    }

    /// What is written in reports; nil for a text that is none.
    public init?(text: String) {
        let words = text.split(separator: " ")
        if words.count == 2, words[0] == "unmapped", let raw = UInt64(words[1]) {
            self = .unmapped(raw)
        } else if let code = UInt64(text) {
            self = .code(code)
        } else if let known = [Self.finished, .nothing, .sessionEnded, .malformed].first(where: { $0.text == text }) {
            self = known
        } else {
            return nil
        }
    }
}

/// What a relay did to a code on its way.
public enum HopFate: String, CaseIterable, Sendable {
    /// It came out as it went in.
    case unchanged
    /// Another number came out that says the same.
    case mapped
    /// It came out as a failure, but not which.
    case degraded
    /// It did not come out, and did not have to: what a subscriber says is the relay's own affair.
    case kept
    /// A failure came out as none, or as one of the session.
    case illegal

    /// What became of `code`, which went in on `way`, for a relay of a generation.
    public init(_ code: UInt64, on way: HopWay, as outcome: HopOutcome, in generation: CodeGeneration) {
        switch outcome {
        case .code(code): self = .unchanged
        case .code(let out):
            let before = CodeTable.conditions(of: code, in: generation, on: way.signal)
            let after = CodeTable.conditions(of: out, in: generation, on: way.signalOut)
            if before.contains(where: after.contains) {
                self = .mapped
            } else {
                self = way.isTowardsSubscriber ? .degraded : .kept
            }
        case .unmapped: self = way.isTowardsSubscriber ? .degraded : .kept
        case .finished, .nothing: self = way.isTowardsSubscriber ? .illegal : .kept
        case .sessionEnded, .malformed: self = .illegal
        }
    }
}
