/// Why a WebSocket is closed (RFC 6455 section 7.4.1).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    public var rawValue: UInt16

    /// The code with a number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// All is said.
    public static let normal = WebSocketCloseCode(rawValue: 1000)
    /// The peer goes away.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// Frames break the rules.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// A message of a kind that is not taken: text.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// Text that is not UTF-8.
    public static let invalidText = WebSocketCloseCode(rawValue: 1007)
    /// A message of the right kind whose content is refused.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// A message that is too large.
    public static let tooLarge = WebSocketCloseCode(rawValue: 1009)

    /// Whether it may stand in a frame: some numbers only exist in programs (section 7.4.1), others are reserved.
    var mayBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    public var description: String {
        let meaning: String? =
            switch rawValue {
            case 1000: "all is said"
            case 1001: "going away"
            case 1002: "protocol error"
            case 1003: "unsupported data"
            case 1007: "invalid text"
            case 1008: "policy violation"
            case 1009: "message too large"
            case 1010: "an extension is missing"
            case 1011: "internal error"
            case 1012: "restart"
            case 1013: "try again later"
            case 1014: "bad gateway"
            default: nil
            }
        return meaning.map { "\(rawValue), \($0)" } ?? "\(rawValue)"
    }
}

/// What a peer did that ends a WebSocket, with the code that tells it so.
public struct WebSocketViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code that goes out.
    public var code: WebSocketCloseCode
    /// A sentence for people; goes out as the reason.
    public var reason: String

    /// A violation of its parts.
    public init(_ code: WebSocketCloseCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { "WebSocket close \(code): \(reason)" }
}
