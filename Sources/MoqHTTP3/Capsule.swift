import MoqBase

/// What the CONNECT stream of a WebTransport session carries in its DATA frames (RFC 9297 section 3.2).
public enum Capsule: Hashable, Sendable {
    /// The sender ends the session (draft-ietf-webtrans-http3: WT_CLOSE_SESSION, once CLOSE_WEBTRANSPORT_SESSION).
    case closeSession(code: UInt32, reason: String)
    /// The sender asks to wind the session up (WT_DRAIN_SESSION).
    case drainSession

    static let closeType: UInt64 = 0x2843
    static let drainType: UInt64 = 0x78AE

    /// The capsule's bytes. A reason is cut to 1024 bytes, between characters.
    public var encoded: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .closeSession(let code, let reason):
            var payload = ByteWriter()
            payload.uint16(UInt16(code >> 16))
            payload.uint16(UInt16(truncatingIfNeeded: code))
            payload.append(reason.prefixOfBytes(HTTP3Limits.closeReason).utf8)
            writer.varint(Self.closeType)
            writer.counted(payload.bytes)
        case .drainSession:
            writer.varint(Self.drainType)
            writer.counted([])
        }
        return writer.bytes
    }
}

extension String {
    /// The longest beginning of at most `count` bytes that ends between characters.
    public func prefixOfBytes(_ count: Int) -> String {
        guard utf8.count > count else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: max(0, count))
        while String.Index(end, within: self) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}

/// Takes the capsules of a session apart, however their bytes are cut.
public struct CapsuleReader: Sendable {
    private enum State: Sendable {
        case header
        case close
        case skip
    }

    private var state = State.header
    private var buffer: [UInt8] = []
    private var left: UInt64 = 0

    /// At the start of the first capsule.
    public init() {}

    /// Whether the bytes so far end with a whole capsule.
    public var isBetweenCapsules: Bool {
        if case .header = state { return buffer.isEmpty }
        return false
    }

    /// Takes bytes and gives the capsules that are known; others are read past. Throws H3_MESSAGE_ERROR, for the
    /// stream, when one is malformed.
    public mutating func receive(_ bytes: [UInt8]) throws(HTTP3Error) -> [Capsule] {
        var capsules: [Capsule] = []
        buffer += bytes
        var position = 0
        loop: while true {
            switch state {
            case .header:
                var reader = ByteReader(buffer, in: position..<buffer.count)
                guard let type = try? reader.varint(), let size = try? reader.varint() else { break loop }
                position = reader.position
                left = size
                if let capsule = try begin(type, size) { capsules.append(capsule) }
            case .close:
                guard UInt64(buffer.count - position) >= left else { break loop }
                let end = position + Int(left)
                capsules.append(try Self.close(Array(buffer[position..<end])))
                position = end
                state = .header
            case .skip:
                let count = min(left, UInt64(buffer.count - position))
                position += Int(count)
                left -= count
                guard left == 0 else { break loop }
                state = .header
            }
        }
        buffer.removeSubrange(..<position)
        return capsules
    }

    private mutating func begin(_ type: UInt64, _ size: UInt64) throws(HTTP3Error) -> Capsule? {
        switch type {
        case Capsule.closeType:
            guard (4...UInt64(4 + HTTP3Limits.closeReason)).contains(size) else {
                throw CheckedFields.malformed("a close capsule of \(size) bytes; 4 to 1028 are allowed")
            }
            state = .close
            return nil
        case Capsule.drainType:
            guard size == 0 else { throw CheckedFields.malformed("a drain capsule with \(size) bytes in it") }
            return .drainSession
        default:
            state = .skip
            return nil
        }
    }

    private static func close(_ payload: [UInt8]) throws(HTTP3Error) -> Capsule {
        let code = payload.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard let reason = String(validating: payload.dropFirst(4), as: UTF8.self) else {
            throw CheckedFields.malformed("the reason of a close capsule is not UTF-8")
        }
        return .closeSession(code: code, reason: reason)
    }
}
