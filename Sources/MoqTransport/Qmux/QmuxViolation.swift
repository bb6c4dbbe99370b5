/// What a peer did that ends the connection, with the code that tells it so (RFC 9000 section 20.1).
public struct QmuxViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// QUIC's code space, which Qmux shares.
    public enum Code: UInt64, Hashable, Sendable {
        case internalError = 0x1
        case flowControl = 0x3
        case streamLimit = 0x4
        case streamState = 0x5
        case finalSize = 0x6
        case frameEncoding = 0x7
        case transportParameter = 0x8
        case protocolViolation = 0xA
        /// TLS alert 120: the lists of application protocols have nothing in common.
        case noApplicationProtocol = 0x178
    }

    /// The code that goes out.
    public var code: Code
    /// The type of the frame that did it, 0 when none did.
    public var frameType: UInt64
    /// A sentence for people; goes out as the reason.
    public var reason: String

    /// A violation of its parts.
    public init(_ code: Code, frameType: UInt64 = 0, _ reason: String) {
        self.code = code
        self.frameType = frameType
        self.reason = reason
    }

    /// A record that is larger than this end said that it takes.
    static func largeRecord(_ size: some BinaryInteger) -> QmuxViolation {
        QmuxViolation(.frameEncoding, "\(largeRecordWords) \(size) bytes")
    }

    /// Whether the reason of a close says so. The code says less: frames that make no sense have the same.
    public static func isLargeRecord(_ reason: String) -> Bool { reason.hasPrefix(largeRecordWords) }

    private static let largeRecordWords = "a record larger than was announced:"

    public var description: String { "\(code) (0x\(String(code.rawValue, radix: 16))): \(reason)" }
}
