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

    /// Nobody answered within the deadline.
    var silence: String {
        let isStream = choice.candidates.allSatisfy { !$0.usesDatagrams }
        return
            "nobody answered at \(place) within \(access.connectTimeout.text). Check that the relay runs, that it listens for "
            + "\(choice) on that \(isStream ? "TCP" : "UDP") port, and that no firewall is between."
    }

    /// The network says that nobody listens.
    var closedPort: String {
        "nobody listens at \(place). Start the relay, or check its address and port."
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
        guard case .refused(let refusal) = close?.cause else {
            return "the relay at \(place) accepts none of \(names): \(what). "
                + "Try another --moq-version or --transport, or check that it speaks moq-lite."
        }
        switch refusal {
        case .status(let status) where status == 401 || status == 403:
            return "the relay at \(place) denies access with HTTP status \(status). "
                + "Give a token in the URL (?jwt=...), or another path."
        case .status(let status):
            return "what answers at \(place) refused with HTTP status \(status). "
                + "Check that it is a MoQ relay and that the path is right, or try another --transport."
        case .notSpoken(let words):
            return
                "what answers at \(place) is no MoQ relay: \(words). Check address and port, or try another --transport."
        case .notOffered(let name):
            return "the relay at \(place) picked `\(name)`, which was not offered (\(names)). "
                + "It breaks the protocol; try another --moq-version."
        case .noProtocol:
            return "the relay at \(place) picked none of \(names). "
                + "Try another --moq-version, or check that it speaks moq-lite."
        }
    }
}
