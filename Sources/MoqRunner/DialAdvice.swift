import MoqBase
import MoqTransport
import MoqWire

/// What a person is told when the relay cannot be met over a transport: one line, with what to try.
struct DialAdvice {
    let access: TargetAccess
    let choice: TransportChoice

    private var place: String { access.place(choice) }

    /// Whether nobody answered at all.
    func isSilence(_ close: SessionClose) -> Bool {
        close.cause == .handshakeTimeout
    }

    /// Whether a byte stream was refused or broke before anything was said.
    func isClosedPort(_ close: SessionClose) -> Bool {
        close.cause == .lost && ["refused", "nobody listens"].contains { close.reason.contains($0) }
    }

    /// No session came about within the deadline; `standing` is how far the handshake came, nil or empty where nobody
    /// answered.
    func silence(_ standing: String?) -> String {
        if let standing, !standing.isEmpty {
            return
                "no session came about at \(place) within \((access.connectTimeout * access.patience).text): \(standing). "
                + "Check that it is a MoQ relay, and its log, or try another --transport."
        }
        let isStream = choice.candidates.allSatisfy { !$0.usesDatagrams }
        return
            "nobody answered at \(place) within \((access.connectTimeout * access.patience).text). Check that the relay runs, that it listens for "
            + "\(choice) on that \(isStream ? "TCP" : "UDP") port, and that no firewall is between."
    }

    /// The network says that nobody listens.
    var closedPort: String {
        "nobody listens at \(place). Start the relay, or check its address and port."
    }

    /// Every session was accepted, and then not a byte of moq-lite came.
    func mute(_ version: Version, within wait: Duration) -> String {
        "the relay at \(place) accepts \(version), and then says nothing: not one byte came within \(wait.text), "
            + "neither of its own nor in answer to a subscription. See its log, and check that a MoQ relay runs behind "
            + "that port, or try another --transport or --moq-version."
    }

    /// The certificate was refused here.
    func certificate(_ close: SessionClose) -> String {
        "the certificate of the relay at \(place) was refused: \(close.reason). "
            + "Pin it with --fingerprint, trust its authority with --tls-root FILE, or, to skip the check, use --insecure."
    }

    /// No version was accepted; `close` is how the last attempt ended.
    func refused(_ close: SessionClose?, versions: [Version]) -> String {
        let names = versions.map(\.description).joined(separator: ", ")
        let what = close.map(\.description) ?? "no reason given"
        if let close, let words = brokenOff(close) { return words }
        guard case .refused(let refusal) = close?.cause else {
            return "the relay at \(place) accepts none of \(names): \(what). "
                + "Try another --moq-version or --transport, or check that it speaks moq-lite."
        }
        switch refusal {
        case .status(let status) where status == 401 || status == 403:
            return "the relay at \(place) denies access with HTTP status \(status). "
                + "Give a token that allows the path (--token-file FILE), or take another path."
        case .status(let status):
            return "what answers at \(place) refused with HTTP status \(status). "
                + "Check that it is a MoQ relay and that the path is right, or try another --transport."
        case .notSpoken(let words):
            return
                "what answers at \(place) is no MoQ relay: \(words). Check address and port, or try another --transport."
        case .notOffered(let name):
            return "the relay at \(place) picked `\(name)`, which was not offered (\(names)). "
                + "It breaks the protocol; try another --moq-version."
        case .extensionNotOffered(let name):
            return "the relay at \(place) picked the WebSocket extension `\(name)`, which was not offered. "
                + "It breaks the rules of WebSocket (RFC 6455 section 9.1), whichever version is asked for; try another "
                + "--transport."
        case .noProtocol:
            return "the relay at \(place) picked none of \(names). "
                + "Try another --moq-version, or check that it speaks moq-lite."
        }
    }

    /// The session ended at once although nobody spoke of versions: the connection broke, the relay closed it, or what
    /// came is not what its transport is made of. Nil for anything else.
    private func brokenOff(_ close: SessionClose) -> String? {
        let isStream = choice.candidates.allSatisfy { !$0.usesDatagrams }
        switch close.cause {
        case .lost:
            return "what answers at \(place) broke the connection off before there was a session: \(close.reason). "
                + "Check address and port, whether it wants TLS, and its log, or try another --transport."
        case .transport where close.initiator == .local && isStream,
            .application where close.initiator == .local:
            return "what answers at \(place) breaks the protocol: \(close.reason). "
                + "Check that it is a MoQ relay, or try another --moq-version or --transport."
        case .application:
            return "the relay at \(place) ends every session at once: \(close). "
                + "If it wants a token, give one that allows the path (--token-file FILE), or try another path or "
                + "--moq-version."
        default: return nil
        }
    }
}
