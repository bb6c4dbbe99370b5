import MoqBase
import MoqEvents
import MoqHTTP3
import MoqReport
import MoqTransport
import MoqWire

/// How findings are put into words: safe to show, and without the token.
struct ProbeWords {
    /// The token of the probe, as it was given.
    var token: String?

    /// A text of which the relay may have chosen parts, for a terminal or a report.
    func clean(_ text: String) -> String {
        var text = text
        if let token, !token.isEmpty { text = text.replacing(token, with: Redaction.mark) }
        return Printable.line(Redaction.text(text))
    }

    /// How a session ended, in one line of a bounded length: a server's page of HTML is no reason.
    static func close(_ close: SessionClose) -> String {
        var text: String
        switch close.cause {
        case .certificateRefused: text = "refused: the certificate was not accepted"
        case .refused(let refusal) where refusal.description == close.reason: text = "refused: \(refusal)"
        case .refused(.status(let status)): text = "refused: HTTP status \(status)"
        default: text = close.description
        }
        if text.count > longestReason { text = "\(text.prefix(longestReason))..." }
        return text
    }

    /// The longest reason that is shown, in characters: two lines of a terminal.
    private static let longestReason = 160

    // MARK: Numbers

    /// `12 MiB`, `64 KiB` or `1250000 bytes`.
    static func bytes(_ count: UInt64) -> String {
        if count == VarInt.maximum { return "no limit" }
        if count > 0, count % (1 << 20) == 0 { return "\(count >> 20) MiB" }
        if count > 0, count % (1 << 10) == 0 { return "\(count >> 10) KiB" }
        return "\(count) bytes"
    }

    /// `0.3 ms`, `40 ms` or `10 s`.
    static func time(_ duration: Duration) -> String {
        let tenths = duration.wholeNanoseconds / 100_000
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) ms" : duration.words
    }

    /// `2026-11-30 12:00:00 UTC` of seconds since 1970 (days to dates: the proleptic Gregorian calendar in eras of 400
    /// years that begin in March).
    static func date(_ seconds: Int) -> String {
        let (days, rest) = seconds.floored(by: 86_400)
        let (era, day) = (days + 719_468).floored(by: 146_097)
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let date = "\(year + era * 400 + (month <= 2 ? 1 : 0))-\(two(month))-\(two(dayOfMonth))"
        return "\(date) \(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60)) UTC"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    // MARK: Names

    /// The name of an HTTP/3 setting; its number where it has none here.
    static func setting(_ identifier: UInt64) -> String {
        switch identifier {
        case HTTP3Settings.Identifier.qpackMaximumTableCapacity: "QPACK_MAX_TABLE_CAPACITY"
        case HTTP3Settings.Identifier.maximumFieldSectionSize: "MAX_FIELD_SECTION_SIZE"
        case HTTP3Settings.Identifier.qpackBlockedStreams: "QPACK_BLOCKED_STREAMS"
        case HTTP3Settings.Identifier.enableConnectProtocol: "ENABLE_CONNECT_PROTOCOL"
        case HTTP3Settings.Identifier.datagram: "H3_DATAGRAM"
        case HTTP3Settings.Identifier.datagramDraft: "H3_DATAGRAM (draft)"
        case HTTP3Settings.Identifier.enableWebTransport: "ENABLE_WEBTRANSPORT (draft 02)"
        case HTTP3Settings.Identifier.webTransportMaximumSessionsDraft: "WEBTRANSPORT_MAX_SESSIONS (drafts behind 02)"
        case HTTP3Settings.Identifier.webTransportMaximumSessions: "WEBTRANSPORT_MAX_SESSIONS (drafts 07 to 12)"
        case HTTP3Settings.Identifier.webTransportMaximumSessionsLate: "WT_MAX_SESSIONS (drafts 13 and 14)"
        case HTTP3Settings.Identifier.webTransportEnabled: "WT_ENABLED (drafts from 15 on)"
        // Numbers of the form 0x1f * N + 0x21 mean nothing (RFC 9114 section 7.2.4.1).
        case let number where number >= 0x21 && (number - 0x21) % 0x1F == 0: "reserved"
        default: "unknown"
        }
    }

    /// A parameter of SETUP: its name, and its value in words.
    static func parameter(_ parameter: SetupParameter) -> (name: String, value: String) {
        switch parameter {
        case .probe(let level):
            ("probe", ProbeLevel(rawValue: level).map { "\($0)" } ?? "\(level)")
        case .path(let path): ("path", "`\(path)`")
        case .role(let role): ("role", SetupRole(rawValue: role).map { "\($0)" } ?? "\(role)")
        case .cost(let cost): ("cost", "\(cost)")
        case .hop(let hop): ("origin", "\(hop)")
        case .unknown(let id, let bytes): ("parameter \(id)", Hex.text(bytes))
        }
    }

    /// A parameter of SERVER_SETUP.
    static func parameter(_ parameter: ExchangeParameter) -> (name: String, value: String) {
        switch parameter {
        case .number(let id, let number): ("parameter \(id)", "\(number)")
        case .bytes(ExchangeParameter.nameID, let bytes): ("implementation", String(decoding: bytes, as: UTF8.self))
        case .bytes(let id, let bytes): ("parameter \(id)", Hex.text(bytes))
        }
    }
}

extension Int {
    /// Quotient and remainder of a division that rounds towards minus infinity.
    fileprivate func floored(by divisor: Int) -> (Int, Int) {
        let remainder = (self % divisor + divisor) % divisor
        return ((self - remainder) / divisor, remainder)
    }
}
