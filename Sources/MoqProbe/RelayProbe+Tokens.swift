import MoqTransport
import MoqWire

/// What speaks for or against a want of tokens.
enum TokenEvidence {
    /// Whether a close says that the session lacks permission: HTTP status 401 or 403, or `unauthorized` in the numbers
    /// of either generation.
    static func isDenial(_ close: SessionClose) -> Bool {
        switch close.cause {
        case .refused(.status(let status)): status == 401 || status == 403
        case .application(let code) where close.initiator == .peer:
            CodeGeneration.allCases.contains {
                CodeTable.expression(of: .unauthorized, in: $0, on: .close).numbers.contains(code)
            }
        default: false
        }
    }
}

extension RelayProbe {
    /// Concludes whether tokens are wanted. Where one was given and accepted, one more session goes without it.
    func judgeTokens() throws(ProbeError) {
        let denials = denials
        let open = findings.ways.first { !$0.accepted.isEmpty }
        guard let open else {
            guard let denial = denials.first else { return }
            findings.tokens = request.hasToken ? .refused(denial) : .wanted(denial)
            return
        }
        guard request.hasToken else {
            findings.tokens = denials.isEmpty ? .notWanted : .wanted("\(denials[0]); not so on \(place(of: open))")
            return
        }
        guard denials.isEmpty else {
            findings.tokens = .refused("\(denials[0]); not so on \(place(of: open))")
            return
        }
        findings.tokens = .accepted(without: try lookWithoutToken(open))
    }

    /// Each way that denies, with how.
    private var denials: [String] {
        findings.ways.flatMap { found -> [String] in
            if case .denied(let close) = found.state { return ["\(found.way): \(ProbeWords.close(close))"] }
            return found.answers.compactMap { entry in
                guard case .closed(let close) = entry.answer, TokenEvidence.isDenial(close) else { return nil }
                return "\(found.way) with \(entry.version.name): \(ProbeWords.close(close))"
            }
        }
    }

    private func place(of found: WayFindings) -> String {
        "\(found.way) with \(found.accepted.map(\.name).joined(separator: ", "))"
    }

    private func lookWithoutToken(_ open: WayFindings) throws(ProbeError) -> String {
        if let stop { return "not tried: \(stop)" }
        // A version that carries the path on every transport, if there is one.
        let result = try visit(open.way, Array(open.accepted.prefix(1)), path: request.tokenlessPath)
        switch result.ending {
        case .accepted(let version): return "\(open.way) with \(version.name) is accepted too"
        case .closed(let version, let close):
            return "\(open.way) with \(version.name) is denied: \(ProbeWords.close(close))"
        case .refused(let close): return "\(open.way) is denied: \(ProbeWords.close(close))"
        case .silent, .closedPort: return "nobody answered"
        }
    }
}
