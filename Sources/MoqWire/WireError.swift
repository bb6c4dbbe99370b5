/// A field of a message, for error texts.
public struct WireField: Hashable, Sendable, CustomStringConvertible {
    /// The message as the drafts call it: `SUBSCRIBE`.
    public var message: String
    /// The field in words: `track`.
    public var name: String

    /// Names a field of a message.
    public init(_ message: String, _ name: String) {
        self.message = message
        self.name = name
    }

    public var description: String { "\(message): \(name)" }
}

/// Why bytes are not the message they should be, or why a message cannot be written.
public enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The message's bytes end inside the field.
    case truncated(WireField)
    /// Bytes are left over behind the last field.
    case spareBytes(message: String, count: Int)
    /// The stream ended inside a message or a frame.
    case endedInside(message: String)
    /// A string is not UTF-8.
    case invalidUTF8(WireField)
    /// Something declares or has more bytes than allowed.
    case tooLarge(WireField, size: UInt64, limit: Int)
    /// Something declares or has more entries than allowed.
    case tooMany(WireField, count: UInt64, limit: Int)
    /// A value that must be unique is there twice.
    case repeated(WireField, value: UInt64)
    /// A value that the field cannot have; `rule` says what it can have.
    case illegal(WireField, value: UInt64, rule: String)
    /// A message type that the version does not define.
    case unknownType(message: String, type: UInt64)
    /// The running timestamp of a group went below 0 or above 2^62 - 1.
    case timestampOutOfRange(previous: UInt64, delta: Int64)
    /// The version has no such message or field.
    case notInVersion(WireField, Version)
    /// A value that must be set for this version is absent.
    case missing(WireField, Version)

    public var description: String {
        switch self {
        case .truncated(let field): "\(field) is cut short by the end of the message"
        case .spareBytes(let message, let count): "\(message) has \(count) bytes more than its fields"
        case .endedInside(let message): "the stream ended inside a \(message)"
        case .invalidUTF8(let field): "\(field) is not valid UTF-8"
        case .tooLarge(let field, let size, let limit): "\(field) has \(size) bytes, more than the \(limit) allowed"
        case .tooMany(let field, let count, let limit): "\(field) has \(count) entries, more than the \(limit) allowed"
        case .repeated(let field, let value): "\(field) has \(value) twice"
        case .illegal(let field, let value, let rule): "\(field) is \(value), but must be \(rule)"
        case .unknownType(let message, let type): "\(message) has the unknown type \(type)"
        case .timestampOutOfRange(let previous, let delta):
            "FRAME: timestamp \(previous) changed by \(delta) leaves the range from 0 to 2^62 - 1"
        case .notInVersion(let field, let version): "\(field) does not exist in \(version)"
        case .missing(let field, let version): "\(field) must be given in \(version)"
        }
    }

    /// The condition that a receiver names when it refuses such bytes.
    public var condition: ErrorCondition {
        switch self {
        case .tooLarge(let field, _, _) where field.message == "FRAME": .frameTooLarge
        case .endedInside("FRAME"): .wrongSize
        case .timestampOutOfRange: .boundsExceeded
        case .repeated: .duplicate
        case .notInVersion, .missing: .version
        case .unknownType: .protocolViolation
        default: .malformed
        }
    }
}
