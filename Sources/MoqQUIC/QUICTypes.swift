import MoqBase

/// Which end of a connection this is.
public enum QUICRole: String, Hashable, Sendable {
    case client, server
}

/// Whether a stream carries bytes one way or both.
public enum QUICStreamDirection: String, Hashable, Sendable {
    case unidirectional, bidirectional
}

/// A stream's number (RFC 9000 section 2.1).
public struct QUICStreamID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    public var rawValue: UInt64

    /// The stream with this number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// One way or both.
    public var direction: QUICStreamDirection { rawValue & 2 == 0 ? .bidirectional : .unidirectional }

    /// Who opened it.
    public var initiator: QUICRole { rawValue & 1 == 0 ? .client : .server }

    public static func < (left: QUICStreamID, right: QUICStreamID) -> Bool { left.rawValue < right.rawValue }

    public var description: String { "stream \(rawValue)" }

    /// As ngtcp2 names it.
    var signed: Int64 { Int64(bitPattern: rawValue) }
}

/// In which order streams with unsent bytes go out: the greater first; equals take turns, packet by packet.
public struct QUICStreamPriority: Hashable, Comparable, Sendable {
    /// The greater goes first.
    public var urgency: UInt16
    /// Among equal urgencies the greater goes first.
    public var sequence: UInt64

    /// A priority of its two parts.
    public init(urgency: UInt16, sequence: UInt64 = 0) {
        self.urgency = urgency
        self.sequence = sequence
    }

    /// Before everything else; what bidirectional streams start with. Unidirectional streams start with urgency 0.
    public static let control = QUICStreamPriority(urgency: .max)

    public static func < (left: QUICStreamPriority, right: QUICStreamPriority) -> Bool {
        (left.urgency, left.sequence) < (right.urgency, right.sequence)
    }
}

/// What was read from a stream.
public struct QUICStreamRead: Hashable, Sendable {
    /// The bytes, in order; may be empty when only the end is reported.
    public var bytes: [UInt8]
    /// Whether the peer finished the stream right behind these bytes.
    public var isFinished: Bool

    /// Bytes and whether the stream ends behind them.
    public init(bytes: [UInt8], isFinished: Bool) {
        self.bytes = bytes
        self.isFinished = isFinished
    }
}

/// Something that happened on a connection.
public enum QUICEvent: Hashable, Sendable {
    /// The handshake is complete.
    case established
    /// The peer opened a stream.
    case streamOpened(QUICStreamID)
    /// Bytes, or the end, wait on a stream. Announced again only after a `read` that emptied the stream.
    case readable(QUICStreamID)
    /// A stream whose send buffer was over its budget has less than half of it left to send.
    case writable(QUICStreamID)
    /// The peer acknowledged everything written to a stream, and its end.
    case delivered(QUICStreamID)
    /// The peer reset its half of a stream with this code; what was not read is gone.
    case reset(QUICStreamID, code: UInt64)
    /// The peer asked with this code (STOP_SENDING) to send nothing more. If our half was open it is reset now, with
    /// the same code.
    case stopped(QUICStreamID, code: UInt64)
    /// The peer allows more streams of this direction after `openStream` had returned nil.
    case streamsAvailable(QUICStreamDirection)
    /// A datagram (RFC 9221) arrived.
    case datagram([UInt8])
    /// The connection is over; nothing follows.
    case closed(QUICClose)
}

/// How a connection ended.
public struct QUICClose: Hashable, Sendable, CustomStringConvertible {
    /// Who ended it.
    public enum Initiator: String, Hashable, Sendable {
        case local, peer
    }

    /// In which words.
    public enum Cause: Hashable, Sendable {
        /// An application's close.
        case application(code: UInt64)
        /// A close of the transport (RFC 9000 section 20.1); 0x100 + n is the TLS alert n.
        case transport(code: UInt64)
        /// Nothing was heard for the idle timeout.
        case idleTimeout
        /// The handshake did not complete in time.
        case handshakeTimeout
        /// This side refused the peer's certificate.
        case certificateRefused(CertificateRefusal)
        /// The peer forgot the connection (stateless reset), or it could not be started at all.
        case lost
    }

    /// Which side closed.
    public var initiator: Initiator
    /// Why.
    public var cause: Cause
    /// The peer's reason phrase, or a sentence for people; may be empty.
    public var reason: String

    /// A close of its parts.
    public init(initiator: Initiator, cause: Cause, reason: String) {
        self.initiator = initiator
        self.cause = cause
        self.reason = reason
    }

    public var description: String {
        let what =
            switch cause {
            case .application(let code): "\(initiator) application close \(code)"
            case .transport(let code): "\(initiator) transport close 0x\(String(code, radix: 16))"
            case .idleTimeout: "idle timeout"
            case .handshakeTimeout: "handshake timeout"
            case .certificateRefused: "certificate refused"
            case .lost: "lost"
            }
        return reason.isEmpty ? what : "\(what): \(reason)"
    }
}

/// What is measured of the path to the peer.
public struct QUICPathEstimate: Hashable, Sendable {
    /// Smoothed round trip.
    public var roundTrip: Duration
    /// Congestion window, in bytes.
    public var congestionWindow: UInt64
    /// Bytes sent and neither acknowledged nor lost yet.
    public var bytesInFlight: UInt64

    /// Bytes a second that the window allows on this round trip.
    public var sendRate: UInt64? {
        let seconds = roundTrip.inSeconds
        return seconds > 0 ? UInt64(Double(congestionWindow) / seconds) : nil
    }
}

/// The transport parameters that a peer announced (RFC 9000 section 18.2, RFC 9221), for reports.
public struct QUICPeerParameters: Hashable, Sendable {
    /// Unread bytes that all streams together may hold, at first.
    public var maximumData: UInt64
    /// Unread bytes of a one-way stream, at first.
    public var maximumStreamDataUnidirectional: UInt64
    /// Unread bytes of a two-way stream that the peer opened, at first.
    public var maximumStreamDataBidirectionalLocal: UInt64
    /// Unread bytes of a two-way stream that this side opened, at first.
    public var maximumStreamDataBidirectionalRemote: UInt64
    /// One-way streams that this side may open, at first.
    public var maximumStreamsUnidirectional: UInt64
    /// Two-way streams that this side may open, at first.
    public var maximumStreamsBidirectional: UInt64
    /// Zero when the peer set none.
    public var idleTimeout: Duration
    /// The largest UDP payload that the peer takes.
    public var maximumUDPPayload: UInt64
    /// Zero when the peer takes no datagrams.
    public var maximumDatagramFrame: UInt64
    /// Connection ids that the peer keeps of this side.
    public var activeConnectionIDs: UInt64
}

/// What TLS agreed on, for reports.
public struct QUICSecurityFacts: Hashable, Sendable {
    /// Such as `TLS1.3`.
    public var version: String
    /// Such as `AES-128-GCM`.
    public var cipher: String
    /// Key exchange group, such as `X25519`.
    public var group: String
    /// SHA-256 of the peer's leaf certificate in hexadecimal, if it sent one.
    public var peerFingerprint: String?

    /// Facts of their parts.
    public init(version: String, cipher: String, group: String, peerFingerprint: String?) {
        self.version = version
        self.cipher = cipher
        self.group = group
        self.peerFingerprint = peerFingerprint
    }
}
