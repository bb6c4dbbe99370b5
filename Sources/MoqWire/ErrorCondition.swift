/// Why something failed, by name and without a number: the numbers differ between generations (`CodeTable`).
public enum ErrorCondition: Hashable, Sendable, CustomStringConvertible {
    /// Nothing is wrong: a session that is closed in order.
    case noError
    /// Something inside the peer failed.
    case internalError
    /// Nobody is interested any more.
    case cancelled
    /// The broadcast is there, the track or group is not.
    case notFound
    /// The producer went away without finishing.
    case dropped
    /// An operation on something that has already ended.
    case closed
    /// The reader is too far behind: what it wanted has left the window.
    case lagged
    /// A group aged out of the track's retention.
    case old
    /// A group was removed for want of memory.
    case evicted
    /// A token does not allow it.
    case unauthorized
    /// No route to that broadcast for this requester.
    case unroutable
    /// The same group, track or announcement twice.
    case duplicate
    /// A frame shorter or longer than declared.
    case wrongSize
    /// A frame over the limit.
    case frameTooLarge
    /// A group over the limit.
    case groupTooLarge
    /// A timestamp that does not fit the track's timescale.
    case timestamp
    /// A number out of its range (a timestamp's sum, a group number).
    case boundsExceeded
    /// The peer broke a rule.
    case protocolViolation
    /// A message could not be read.
    case malformed
    /// A message could not be written for this version.
    case unencodable
    /// Something could not be delivered in time.
    case deliveryTimeout
    /// A request was not answered in time.
    case controlTimeout
    /// The peer did not leave in time after GOAWAY.
    case goawayTimeout
    /// The session that something depended on is over.
    case sessionClosed
    /// The peer is about to end the session.
    case goingAway
    /// The connection failed, or a code came that its mapping does not cover.
    case transport
    /// No common version, or the version lacks the feature.
    case version
    /// A stream type that is not allowed now.
    case unexpectedStream
    /// The right message at the wrong moment.
    case unexpectedMessage
    /// A feature that is not implemented.
    case unsupported
    /// A needed extension is missing.
    case requiredExtension
    /// Something against the announced role.
    case invalidRole
    /// More parameters than allowed.
    case tooManyParameters
    /// A list of keys and values that is not well formed.
    case keyValueFormatting
    /// More requests than allowed.
    case tooManyRequests
    /// The group exists but cannot be fetched.
    case notFetchable
    /// A code that the application chose, without the offset of 64.
    case app(UInt16)

    /// What is added to an application's code on the wire.
    public static let appOffset: UInt64 = 64

    /// All conditions but the application's.
    public static let named: [ErrorCondition] = [
        .noError, .internalError, .cancelled, .notFound, .dropped, .closed, .lagged, .old, .evicted, .unauthorized,
        .unroutable, .duplicate, .wrongSize, .frameTooLarge, .groupTooLarge, .timestamp, .boundsExceeded,
        .protocolViolation, .malformed, .unencodable, .deliveryTimeout, .controlTimeout, .goawayTimeout, .sessionClosed,
        .goingAway, .transport, .version, .unexpectedStream, .unexpectedMessage, .unsupported, .requiredExtension,
        .invalidRole, .tooManyParameters, .keyValueFormatting, .tooManyRequests, .notFetchable,
    ]

    /// The names that `init(name:)` takes, for suggestions; `app(n)` stands for all n.
    public static let allNames: [String] = named.map(\.name) + ["app(n)"]

    /// The name that scenarios and reports use: `not_found`, `app(7)`.
    public var name: String {
        switch self {
        case .noError: "no_error"
        case .internalError: "internal"
        case .cancelled: "cancelled"
        case .notFound: "not_found"
        case .dropped: "dropped"
        case .closed: "closed"
        case .lagged: "lagged"
        case .old: "old"
        case .evicted: "evicted"
        case .unauthorized: "unauthorized"
        case .unroutable: "unroutable"
        case .duplicate: "duplicate"
        case .wrongSize: "wrong_size"
        case .frameTooLarge: "frame_too_large"
        case .groupTooLarge: "group_too_large"
        case .timestamp: "timestamp"
        case .boundsExceeded: "bounds_exceeded"
        case .protocolViolation: "protocol_violation"
        case .malformed: "malformed"
        case .unencodable: "unencodable"
        case .deliveryTimeout: "delivery_timeout"
        case .controlTimeout: "control_timeout"
        case .goawayTimeout: "goaway_timeout"
        case .sessionClosed: "session_closed"
        case .goingAway: "going_away"
        case .transport: "transport"
        case .version: "version"
        case .unexpectedStream: "unexpected_stream"
        case .unexpectedMessage: "unexpected_message"
        case .unsupported: "unsupported"
        case .requiredExtension: "required_extension"
        case .invalidRole: "invalid_role"
        case .tooManyParameters: "too_many_parameters"
        case .keyValueFormatting: "key_value_formatting"
        case .tooManyRequests: "too_many_requests"
        case .notFetchable: "not_fetchable"
        case .app(let number): "app(\(number))"
        }
    }

    /// The condition of a name: one of `allNames`, `app(7)`, or `decode` for `malformed` as the original stack has it.
    public init?(name: some StringProtocol) {
        if let condition = Self.named.first(where: { $0.name == name }) {
            self = condition
        } else if name == "decode" {
            self = .malformed
        } else if name.hasPrefix("app("), name.hasSuffix(")"), let number = UInt16(name.dropFirst(4).dropLast()) {
            self = .app(number)
        } else {
            return nil
        }
    }

    public var description: String { name }
}
