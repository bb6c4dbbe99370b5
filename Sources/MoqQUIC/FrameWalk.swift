/// Finds STOP_SENDING among the frames of a decrypted 1-RTT packet.
///
/// ngtcp2 has no callback for a STOP_SENDING of the peer: it answers with RESET_STREAM by itself and says nothing.
/// The walk never reads past the bytes it was given and ends at the first frame that it does not know.
struct FrameWalk {
    /// A STOP_SENDING frame (RFC 9000 section 19.5).
    struct Stop: Hashable {
        var stream: UInt64
        var code: UInt64
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Reports every STOP_SENDING in `bytes`.
    static func stops(in bytes: UnsafeBufferPointer<UInt8>, report: (Stop) -> Void) {
        var walk = FrameWalk(bytes: bytes)
        while walk.position < bytes.count {
            guard walk.passFrame(report) else { return }
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Passes over one frame; false when the walk cannot go on.
    private mutating func passFrame(_ report: (Stop) -> Void) -> Bool {
        guard let type = varint() else { return false }
        switch type {
        case 0x00, 0x01, 0x1E:  // PADDING, PING, HANDSHAKE_DONE
            return true
        case 0x02, 0x03:  // ACK
            return passAcknowledgement(hasECN: type == 0x03)
        case 0x04:  // RESET_STREAM
            return pass(varints: 3)
        case 0x05:  // STOP_SENDING
            guard let stream = varint(), let code = varint() else { return false }
            report(Stop(stream: stream, code: code))
            return true
        case 0x06:  // CRYPTO
            return pass(varints: 1) && passCounted()
        case 0x07:  // NEW_TOKEN
            return passCounted()
        case 0x08...0x0F:  // STREAM
            return pass(varints: type & 4 == 0 ? 1 : 2) && (type & 2 == 0 ? passRest() : passCounted())
        case 0x10, 0x12, 0x13, 0x14, 0x16, 0x17, 0x19:  // MAX_DATA, MAX_STREAMS, BLOCKED, RETIRE_CONNECTION_ID
            return pass(varints: 1)
        case 0x11, 0x15:  // MAX_STREAM_DATA, STREAM_DATA_BLOCKED
            return pass(varints: 2)
        case 0x18:  // NEW_CONNECTION_ID
            guard pass(varints: 2), position < bytes.count else { return false }
            return pass(1 + Int(bytes[position]) + 16)
        case 0x1A, 0x1B:  // PATH_CHALLENGE, PATH_RESPONSE
            return pass(8)
        case 0x30:  // DATAGRAM
            return passRest()
        case 0x31:
            return passCounted()
        default:  // CONNECTION_CLOSE (nothing of interest follows) and what this walk does not know
            return false
        }
    }

    private mutating func passAcknowledgement(hasECN: Bool) -> Bool {
        guard pass(varints: 2), let ranges = varint(), pass(varints: 1) else { return false }
        // Every range takes at least two bytes: a larger number ends the walk at the end of the bytes.
        var left = ranges
        while left > 0 {
            guard pass(varints: 2) else { return false }
            left -= 1
        }
        return !hasECN || pass(varints: 3)
    }

    private mutating func varint() -> UInt64? {
        guard position < bytes.count else { return nil }
        let length = 1 << Int(bytes[position] >> 6)
        guard length <= bytes.count - position else { return nil }
        var value = UInt64(bytes[position] & 0x3F)
        for offset in 1..<max(length, 1) {
            value = value << 8 | UInt64(bytes[position + offset])
        }
        position += length
        return value
    }

    private mutating func pass(varints count: Int) -> Bool {
        for _ in 0..<count where varint() == nil { return false }
        return true
    }

    private mutating func pass(_ count: Int) -> Bool {
        guard count <= bytes.count - position else { return false }
        position += count
        return true
    }

    private mutating func passCounted() -> Bool {
        guard let count = varint(), count <= UInt64(bytes.count - position) else { return false }
        return pass(Int(count))
    }

    private mutating func passRest() -> Bool {
        position = bytes.count
        return true
    }
}
