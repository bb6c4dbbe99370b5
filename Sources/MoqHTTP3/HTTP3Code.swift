/// An error code of HTTP/3, QPACK or WebTransport, as QUIC carries it in closes, resets and stops.
public struct HTTP3Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    public var rawValue: UInt64

    /// The code with a number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    // HTTP datagrams (RFC 9297 section 5.2).
    /// A datagram or capsule could not be read.
    public static let datagramError = HTTP3Code(rawValue: 0x33)

    // HTTP/3 (RFC 9114 section 8.1).
    /// Nothing went wrong.
    public static let noError = HTTP3Code(rawValue: 0x100)
    /// A protocol violation without a code of its own.
    public static let generalProtocolError = HTTP3Code(rawValue: 0x101)
    /// An error within the HTTP stack.
    public static let internalError = HTTP3Code(rawValue: 0x102)
    /// A stream that the peer may not open, or a second one where only one is allowed.
    public static let streamCreationError = HTTP3Code(rawValue: 0x103)
    /// The control stream or a QPACK stream ended.
    public static let closedCriticalStream = HTTP3Code(rawValue: 0x104)
    /// A frame that is not allowed here or now.
    public static let frameUnexpected = HTTP3Code(rawValue: 0x105)
    /// A frame whose size or layout is wrong.
    public static let frameError = HTTP3Code(rawValue: 0x106)
    /// More of something than this side bears.
    public static let excessiveLoad = HTTP3Code(rawValue: 0x107)
    /// A stream or push identifier used wrongly.
    public static let idError = HTTP3Code(rawValue: 0x108)
    /// Something wrong in the SETTINGS.
    public static let settingsError = HTTP3Code(rawValue: 0x109)
    /// The control stream does not begin with SETTINGS.
    public static let missingSettings = HTTP3Code(rawValue: 0x10A)
    /// A request was not looked at.
    public static let requestRejected = HTTP3Code(rawValue: 0x10B)
    /// A request, or its answer, is no longer wanted.
    public static let requestCancelled = HTTP3Code(rawValue: 0x10C)
    /// A request ended before it was whole.
    public static let requestIncomplete = HTTP3Code(rawValue: 0x10D)
    /// A message that is malformed.
    public static let messageError = HTTP3Code(rawValue: 0x10E)
    /// The connection that a CONNECT led to broke.
    public static let connectError = HTTP3Code(rawValue: 0x10F)
    /// The peer should come back with HTTP/1.1.
    public static let versionFallback = HTTP3Code(rawValue: 0x110)

    // QPACK (RFC 9204 section 6).
    /// A field section could not be decoded.
    public static let qpackDecompressionFailed = HTTP3Code(rawValue: 0x200)
    /// An instruction of the encoder stream could not be followed.
    public static let qpackEncoderStreamError = HTTP3Code(rawValue: 0x201)
    /// An instruction of the decoder stream could not be followed.
    public static let qpackDecoderStreamError = HTTP3Code(rawValue: 0x202)

    // WebTransport (draft-ietf-webtrans-http3 section 9.5 and before).
    /// A stream that arrived before its session, and could not be held.
    public static let webTransportBufferedStreamRejected = HTTP3Code(rawValue: 0x3994_BD84)
    /// A stream of a session that is over.
    public static let webTransportSessionGone = HTTP3Code(rawValue: 0x170D_7B68)

    /// The name that the specifications give it, if they do.
    public var name: String? {
        switch self {
        case .datagramError: "H3_DATAGRAM_ERROR"
        case .noError: "H3_NO_ERROR"
        case .generalProtocolError: "H3_GENERAL_PROTOCOL_ERROR"
        case .internalError: "H3_INTERNAL_ERROR"
        case .streamCreationError: "H3_STREAM_CREATION_ERROR"
        case .closedCriticalStream: "H3_CLOSED_CRITICAL_STREAM"
        case .frameUnexpected: "H3_FRAME_UNEXPECTED"
        case .frameError: "H3_FRAME_ERROR"
        case .excessiveLoad: "H3_EXCESSIVE_LOAD"
        case .idError: "H3_ID_ERROR"
        case .settingsError: "H3_SETTINGS_ERROR"
        case .missingSettings: "H3_MISSING_SETTINGS"
        case .requestRejected: "H3_REQUEST_REJECTED"
        case .requestCancelled: "H3_REQUEST_CANCELLED"
        case .requestIncomplete: "H3_REQUEST_INCOMPLETE"
        case .messageError: "H3_MESSAGE_ERROR"
        case .connectError: "H3_CONNECT_ERROR"
        case .versionFallback: "H3_VERSION_FALLBACK"
        case .qpackDecompressionFailed: "QPACK_DECOMPRESSION_FAILED"
        case .qpackEncoderStreamError: "QPACK_ENCODER_STREAM_ERROR"
        case .qpackDecoderStreamError: "QPACK_DECODER_STREAM_ERROR"
        case .webTransportBufferedStreamRejected: "WEBTRANSPORT_BUFFERED_STREAM_REJECTED"
        case .webTransportSessionGone: "WEBTRANSPORT_SESSION_GONE"
        default: nil
        }
    }

    public var description: String {
        name ?? "0x\(String(rawValue, radix: 16))"
    }
}

/// What a peer did wrong in HTTP/3, and how to answer.
public struct HTTP3Error: Error, Hashable, Sendable, CustomStringConvertible {
    /// What has to end.
    public enum Scope: Hashable, Sendable {
        /// The whole connection.
        case connection
        /// Only the stream on which it happened, by a reset.
        case stream
    }

    /// What has to end.
    public var scope: Scope
    /// With which code.
    public var code: HTTP3Code
    /// What was wrong, for people.
    public var reason: String

    /// An error of its parts.
    public init(_ code: HTTP3Code, _ reason: String, scope: Scope = .connection) {
        self.scope = scope
        self.code = code
        self.reason = reason
    }

    public var description: String { "\(code): \(reason)" }
}
