import MoqTransport
import MoqWire

extension ProbeFindings {
    /// One line that says why there is no relay to report about, and what to try; nil when a relay answered. `token` is
    /// taken out of it.
    public func advice(token: String?) -> String? {
        guard !isRelay else { return nil }
        return ProbeWords(token: token).clean(hasAnswer ? strangersAdvice : silenceAdvice)
    }

    /// Nothing answered at all.
    private var silenceAdvice: String {
        let tried = ways.filter { way in
            if case .notTried = way.state { return false }
            return true
        }
        guard let first = tried.first else {
            if case .noAnswer(let why) = told {
                return "nobody answered at \(address): \(why). Start the relay, or check its address and port."
            }
            return "nothing was tried at \(address): \(omissions.first?.reason ?? "no transport is left")"
        }
        var isTCPTried = tried.contains { !$0.way.kind.usesDatagrams }
        if case .noAnswer = told { isTCPTried = true }
        let isUDPTried = tried.contains { $0.way.kind.usesDatagrams }
        let networks = [isUDPTried ? "UDP" : nil, isTCPTried ? "TCP" : nil].compactMap { $0 }.joined(separator: " or ")
        let isClosed = tried.allSatisfy { way in
            if case .closed = way.state { return true }
            return false
        }
        if isClosed {
            return "nobody listens at \(address) over \(networks). Start the relay, or check its address and port."
        }
        return
            "nobody answered at \(address) over \(networks) (\(first.way): \(Self.words(of: first.state))). Check that "
            + "the relay runs, its address and port, and that no firewall is between."
    }

    /// Something answered that gave no session.
    private var strangersAdvice: String {
        if isMute {
            return
                "what answers at \(address) accepts sessions, and then says nothing on them: no SETUP, and no answer "
                + "to a subscription. See its log, and check that a MoQ relay runs behind that port."
        }
        let closes = ways.compactMap { way -> (ProbeWay, SessionClose)? in
            if case .refused(let close) = way.state { return (way.way, close) }
            return nil
        }
        if let (_, close) = closes.first(where: { $0.1.cause == .certificateRefused }) {
            return
                "the certificate of the relay at \(address) was refused: \(close.reason). Pin it with --fingerprint, "
                + "trust its authority with --tls-root FILE, or, to skip the check, use --insecure."
        }
        let names = versions.map(\.name).joined(separator: ", ")
        let what = closes.first.map { " (\($0.0): \(ProbeWords.close($0.1)))" } ?? ""
        return "what answers at \(address) accepts none of moq-lite \(names) at \(path)\(what). Check that it is a MoQ "
            + "relay and that address and path are right, or try another --moq-version or --transport."
    }

    private static func words(of state: WayFindings.State) -> String {
        switch state {
        case .silent(let why), .closed(let why), .notTried(let why): why
        case .open: "open"
        case .denied(let close), .refused(let close): ProbeWords.close(close)
        }
    }
}
