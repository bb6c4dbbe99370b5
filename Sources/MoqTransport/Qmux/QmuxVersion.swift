/// The wire formats of Qmux, QUIC's streams over one reliable byte stream or over WebSocket messages.
public enum QmuxVersion: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// draft-ietf-quic-qmux-02: as 01, with stricter rules for transport parameters and pings.
    case draft02 = "qmux-02"
    /// draft-ietf-quic-qmux-01: records, pings, idle timeout.
    case draft01 = "qmux-01"
    /// draft-ietf-quic-qmux-00: QUIC's frames without records; nothing to keep an idle connection alive.
    case draft00 = "qmux-00"
    /// What the Rust and JavaScript stacks spoke over WebSocket before Qmux: one frame a message, no transport
    /// parameters and no flow control.
    case webTransport = "webtransport"

    /// Whether frames travel in records: the size of each stands before it on a byte stream, and pings exist.
    public var usesRecords: Bool { self == .draft02 || self == .draft01 }

    /// Whether transport parameters are exchanged, and with them windows and stream limits.
    public var hasFlowControl: Bool { self != .webTransport }

    public var description: String { rawValue }
}

/// A name of ALPN or `Sec-WebSocket-Protocol` taken apart: a Qmux version, and the application protocol upon it.
///
/// `qmux-01.moq-lite-05` is both; a bare `qmux-01` or `webtransport` agrees on no application protocol
/// (observed, moq-ffi 0.2 to 0.4.18; the draft of moq-lite wants the bare name of the application instead).
public struct QmuxSubprotocol: Hashable, Sendable, CustomStringConvertible {
    /// The wire format.
    public var version: QmuxVersion
    /// The application protocol, nil when the name agrees on none.
    public var applicationProtocol: String?

    /// A name of its parts. The oldest format carries no application protocol in its name.
    public init(version: QmuxVersion, applicationProtocol: String?) {
        self.version = version
        self.applicationProtocol = version == .webTransport ? nil : applicationProtocol
    }

    /// Takes a name apart; nil when it names no Qmux.
    public init?(name: String) {
        for version in QmuxVersion.allCases {
            if name == version.rawValue {
                self.init(version: version, applicationProtocol: nil)
                return
            }
            let prefix = "\(version.rawValue)."
            if version != .webTransport, name.hasPrefix(prefix), name.utf8.count > prefix.utf8.count {
                self.init(version: version, applicationProtocol: String(name.dropFirst(prefix.count)))
                return
            }
        }
        return nil
    }

    /// The name on the wire.
    public var name: String {
        guard let applicationProtocol else { return version.rawValue }
        return "\(version.rawValue).\(applicationProtocol)"
    }

    /// The names to offer for application protocols, in the order of the Rust stack: every protocol with the newest
    /// version first, then the bare versions unless `requiresProtocol`.
    public static func offers(
        for protocols: [String], versions: [QmuxVersion] = QmuxVersion.allCases, requiresProtocol: Bool = false
    ) -> [QmuxSubprotocol] {
        let named = protocols.flatMap { name in
            versions.filter { $0 != .webTransport }.map { QmuxSubprotocol(version: $0, applicationProtocol: name) }
        }
        return named
            + (requiresProtocol ? [] : versions.map { QmuxSubprotocol(version: $0, applicationProtocol: nil) })
    }

    public var description: String { name }
}
