import MoqBase

/// Which end of a connection this is.
public enum EndpointRole: String, Hashable, Sendable {
    case client, server
}

/// Whether a stream carries bytes one way or both.
public enum StreamDirection: String, Hashable, Sendable, CaseIterable {
    case unidirectional, bidirectional
}

/// A stream of one session, numbered as QUIC numbers streams (RFC 9000 section 2.1).
public struct StreamID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    public var rawValue: UInt64

    /// The stream with a number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// One way or both.
    public var direction: StreamDirection { rawValue & 2 == 0 ? .bidirectional : .unidirectional }

    /// Who opened it.
    public var initiator: EndpointRole { rawValue & 1 == 0 ? .client : .server }

    public static func < (left: StreamID, right: StreamID) -> Bool { left.rawValue < right.rawValue }

    public var description: String { "stream \(rawValue)" }
}

/// The code of a RESET_STREAM or STOP_SENDING as moq-lite numbers it.
public enum StreamCode: Hashable, Sendable, CustomStringConvertible {
    /// A number of moq-lite's code space.
    case code(UInt64)
    /// A number on the wire that the binding's mapping does not cover. A bare 0 comes from QUIC libraries that drop
    /// a stream half unread (moq-ffi 0.2 to 0.4 do) and means that nobody is interested any more.
    case unmapped(raw: UInt64)

    public var description: String {
        switch self {
        case .code(let number): "\(number)"
        case .unmapped(let raw): "unmapped 0x\(String(raw, radix: 16))"
        }
    }
}

/// How a session ended.
public struct SessionClose: Hashable, Sendable, CustomStringConvertible {
    /// Who ended it.
    public enum Initiator: String, Hashable, Sendable {
        case local, peer
    }

    /// In which words.
    public enum Cause: Hashable, Sendable {
        /// An application close with moq-lite's session code.
        case application(code: UInt64)
        /// A close of the transport itself (QUIC's own code space), TLS alerts among them.
        case transport(code: UInt64)
        /// Nothing was heard for the idle timeout.
        case idleTimeout
        /// The handshake did not complete in time; the reason says how far it came, and is empty where nobody answered.
        case handshakeTimeout
        /// The certificate of the peer was refused by this side.
        case certificateRefused
        /// The handshake of the binding itself failed, above QUIC or TCP.
        case refused(HandshakeRefusal)
        /// A stateless reset, a broken connection, and the like.
        case lost
    }

    /// Which side closed.
    public var initiator: Initiator
    /// Why.
    public var cause: Cause
    /// The reason phrase of the peer, or a sentence for people; may be empty.
    public var reason: String

    /// A close of its parts.
    public init(initiator: Initiator, cause: Cause, reason: String) {
        self.initiator = initiator
        self.cause = cause
        self.reason = reason
    }

    public var description: String {
        let who = initiator == .local ? "closed here" : "closed by the peer"
        let what =
            switch cause {
            case .application(let code): "\(who) with code \(code)"
            case .transport(let code): "\(who) by the transport with 0x\(String(code, radix: 16))"
            case .idleTimeout: "lost: nothing was heard for the idle timeout"
            case .handshakeTimeout where reason.isEmpty: "never established: nobody answered the handshake"
            case .handshakeTimeout: "not established within the time for connecting"
            case .certificateRefused: "refused: the certificate was not accepted"
            case .refused(let refusal): "refused: \(refusal)"
            case .lost: "lost"
            }
        return reason.isEmpty ? what : "\(what) (\(reason))"
    }
}

/// In which order streams get to send: the greater first, `urgency` before `sequence`.
public struct SendPriority: Hashable, Comparable, Sendable {
    /// 255 is sent before 0. Streams that carry requests and answers use `control`.
    public var urgency: UInt16
    /// Among equal urgencies the greater goes first (newer groups before older ones).
    public var sequence: UInt64

    /// A priority of its parts.
    public init(urgency: UInt16, sequence: UInt64 = 0) {
        self.urgency = urgency
        self.sequence = sequence
    }

    /// Before all groups.
    public static let control = SendPriority(urgency: .max)

    public static func < (left: SendPriority, right: SendPriority) -> Bool {
        (left.urgency, left.sequence) < (right.urgency, right.sequence)
    }
}

/// What was read from a stream.
public struct StreamRead: Sendable {
    /// The bytes, in order; may be empty when only the end is reported.
    public var bytes: [UInt8]
    /// Whether the peer finished the stream right behind these bytes.
    public var isFinished: Bool

    /// A read of its parts.
    public init(bytes: [UInt8], isFinished: Bool) {
        self.bytes = bytes
        self.isFinished = isFinished
    }
}

/// Something that happened on a session.
public enum TransportEvent: Sendable {
    /// The handshake is complete; `negotiatedProtocol` of the session is set.
    case established
    /// The peer opened a stream. Its bytes are announced by `readable`.
    case streamOpened(StreamID)
    /// Bytes, or the end, wait on a stream. Announced again only after a `read` that emptied the stream.
    case readable(StreamID)
    /// A stream whose write buffer was full (`canWrite` was false) has room again.
    case writable(StreamID)
    /// The peer acknowledged everything written to a stream, and its end.
    case delivered(StreamID)
    /// The peer reset its half of a stream: what was not read is gone.
    case reset(StreamID, StreamCode)
    /// The peer asks to send nothing more on a stream. The binding resets our half, if it was open, with the same code.
    case stopped(StreamID, StreamCode)
    /// The peer allows more streams of this direction after `openStream` had returned nil.
    case streamsAvailable(StreamDirection)
    /// A datagram arrived.
    case datagram([UInt8])
    /// The session is over; nothing follows.
    case closed(SessionClose)
}

/// What a transport measures about its path.
public struct PathEstimate: Hashable, Sendable {
    /// Smoothed round trip.
    public var roundTrip: Duration
    /// Bytes a second that the congestion controller would send now, if it knows.
    public var sendRate: UInt64?

    /// An estimate of its parts.
    public init(roundTrip: Duration, sendRate: UInt64?) {
        self.roundTrip = roundTrip
        self.sendRate = sendRate
    }
}

/// One connection to one peer, whatever carries it.
///
/// Bounds: a stream's write buffer takes what it is given, and `canWrite` tells when to hold back (`writeBudget`
/// bytes unsent and more); received bytes stay within the flow-control window until they are read.
/// Calls that name a stream which is gone, or come after the close, do nothing.
public protocol TransportSession: AnyObject {
    /// Which end this is.
    var role: EndpointRole { get }
    /// The protocol name that was agreed on (ALPN on raw QUIC), once established.
    var negotiatedProtocol: String? { get }
    /// What carries the session.
    var kind: TransportKind { get }
    /// The path and query that the binding's own request carried; nil where the binding has no request URL.
    var requestPath: String? { get }
    /// The far end.
    var remoteAddress: NetworkAddress { get }

    /// The next thing that happened, or nil.
    func poll() -> TransportEvent?

    /// Opens a stream, or returns nil when the peer's limit is reached (`streamsAvailable` follows).
    func openStream(_ direction: StreamDirection) -> StreamID?
    /// Appends bytes to a stream.
    func write(_ bytes: [UInt8], to stream: StreamID)
    /// Whether the write buffer of a stream has room.
    func canWrite(_ stream: StreamID) -> Bool
    /// Ends our half of a stream behind what was written.
    func finish(_ stream: StreamID)
    /// Resets our half of a stream.
    func reset(_ stream: StreamID, code: StreamCode)
    /// Asks the peer to send nothing more on a stream; bytes that still arrive are dropped.
    func stop(_ stream: StreamID, code: StreamCode)
    /// Takes up to `limit` bytes; nil when nothing waits. Reading opens the flow-control window again.
    func read(_ stream: StreamID, limit: Int) -> StreamRead?
    /// In which order streams with unsent bytes go out.
    func setPriority(_ priority: SendPriority, of stream: StreamID)

    /// The largest datagram that can be sent now, or nil where there are none.
    var maximumDatagramSize: Int? { get }
    /// Queues a datagram; false when it is too large, unsupported, or too many wait.
    func sendDatagram(_ bytes: [UInt8]) -> Bool

    /// What is known of the path, once something is.
    var pathEstimate: PathEstimate? { get }

    /// What was reached of the handshake and what did not come behind it, as one clause for people; nil where nothing
    /// at all was heard of the peer. It may be asked while the session is not established, and after its close.
    var handshakeStanding: String? { get }

    /// Closes the session with a session code and a reason.
    func close(code: UInt64, reason: String)
}

extension TransportSession {
    public var handshakeStanding: String? { nil }
}

/// What bindings say of a handshake that got as far as a session.
enum HandshakeWords {
    /// All that a binding does is done, and the version is still open (moq-lite 01 and 02).
    static let exchange = "the session was agreed on, and the setup exchange of moq-lite was not answered"
}
