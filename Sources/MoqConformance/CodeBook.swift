import MoqScenario
import MoqWire

/// What the codes of a scenario are on the wire of the relay under test: that depends on its generation.
public struct CodeBook: Hashable, Sendable {
    /// The generation of the target, nil when it could not be found out.
    public var generation: CodeGeneration?

    /// The codes of a generation.
    public init(generation: CodeGeneration?) {
        self.generation = generation
    }

    /// Which numbers say a code as a signal; nil with the reason when none does.
    public func numbers(of code: Code, on signal: CodeSignal) -> Result<[UInt64], NotExpressible> {
        switch code {
        case .number(let number): return .success([number])
        case .application(let number): return .success([ErrorCondition.appOffset + number])
        case .wire(let number):
            return .failure(NotExpressible(reason: "\(number) of the wire is for sending, and names no code"))
        case .condition(let name):
            guard let condition = ErrorCondition(name: name) else {
                return .failure(NotExpressible(reason: "`\(name)` is no known condition"))
            }
            guard let generation else {
                return .failure(
                    NotExpressible(
                        reason: "the code generation of the relay is not known (`--generation first|second` says it)"))
            }
            switch CodeTable.expression(of: condition, in: generation, on: signal) {
            case .exact(let numbers), .ambiguous(let numbers, _): return .success(numbers)
            case .notExpressible(let reason): return .failure(NotExpressible(reason: reason))
            }
        }
    }

    /// The number to send for a code. A condition without a number in the target's generation goes out as 0.
    public func numberToSend(for code: Code, on signal: CodeSignal) -> UInt64 {
        if case .success(let numbers) = numbers(of: code, on: signal) { return numbers.first ?? 0 }
        return 0
    }

    /// Holds an end against the codes that are right.
    func judge(_ end: RecordedEnd, against expectation: CodeExpectation, on signal: CodeSignal) -> Judgement {
        let seen = describe(end, on: signal)
        guard case .oneOf(let codes) = expectation else {
            switch end {
            case .reset, .resetUnmapped: return .met(seen)
            case .finished, .sessionClosed, .local, .malformed: return .broken(seen)
            }
        }
        var untestable: [String] = []
        for code in codes {
            switch numbers(of: code, on: signal) {
            case .success(let numbers):
                if case .reset(let number) = end, numbers.contains(number) { return .met(seen) }
            case .failure(let reason): untestable.append(reason.reason)
            }
        }
        return untestable.isEmpty ? .broken(seen) : .notTestable(untestable.joined(separator: "; "))
    }

    /// TLS alert 120, which QUIC and Qmux both say as a code of the transport (RFC 9001 section 4.8).
    private static let noApplicationProtocol: UInt64 = 0x178
    /// TLS alerts as codes of QUIC begin here.
    private static let firstAlert: UInt64 = 0x100

    /// Holds the end of a session against the ways that are right.
    public func judge(_ close: RecordedClose, against expectation: CloseExpectation) -> Judgement {
        guard case .oneOf(let ways) = expectation else { return .met(close.text) }
        var judgements: [Judgement] = []
        for way in ways { judgements.append(judge(close, way)) }
        if let met = judgements.first(where: \.isMet) { return met }
        return judgements.first { if case .notTestable = $0 { true } else { false } } ?? .broken(close.text)
    }

    private func judge(_ close: RecordedClose, _ wanted: CloseWay) -> Judgement {
        let isMet: Bool
        switch (wanted, close.way) {
        case (.code(.condition(let name)), .status): isMet = close.condition?.name == name
        case (.code(let code), _):
            guard close.byPeer, let number = close.code else { return .broken(close.text) }
            return judge(.reset(code: number), against: .oneOf([code]), on: .close)
        case (.status(let status), .status(let seen)): isMet = status == seen
        case (.noProtocol, .noProtocol): isMet = true
        case (.noProtocol, .transport(let seen)): isMet = seen == Self.noApplicationProtocol
        case (.transport(let code), .transport(let seen)): isMet = close.byPeer && code == seen
        case (.alert(let alert), .transport(let seen)): isMet = close.byPeer && Self.firstAlert + alert == seen
        default: isMet = false
        }
        return isMet ? .met(close.text) : .broken(close.text)
    }

    /// Whether a number is one of the codes that are right; nil when the target's generation cannot show it.
    public func matches(_ number: UInt64, _ expectation: CodeExpectation, on signal: CodeSignal) -> Bool? {
        switch judge(.reset(code: number), against: expectation, on: signal) {
        case .met: true
        case .notTestable: nil
        case .pending, .broken: false
        }
    }

    /// An end in words, its code named.
    public func describe(_ end: RecordedEnd, on signal: CodeSignal) -> String {
        guard case .reset(let number) = end else { return end.description }
        let verb = signal == .stop ? "stopped" : signal == .close ? "closed" : "reset"
        return "\(verb) with \(describe(number, on: signal))"
    }

    /// A number with its name in the target's generation: `51 (not_found)`.
    public func describe(_ number: UInt64, on signal: CodeSignal) -> String {
        generation.map { CodeTable.describe(number, in: $0, on: signal) } ?? "\(number)"
    }
}

/// Why no number says a code.
public struct NotExpressible: Error, Hashable, Sendable {
    /// A sentence.
    public var reason: String
}
