import MoqBase

/// The kinds of frames (RFC 6455 section 5.2).
enum WebSocketOpcode: UInt8 {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    var isControl: Bool { rawValue & 0x8 != 0 }
}

/// The four bytes that a client's payload is masked with (section 5.3).
struct WebSocketMask: Hashable {
    /// The bytes in the order of the wire, the first lowest.
    var word: UInt32

    init(word: UInt32) {
        self.word = word
    }

    init(_ bytes: some Collection<UInt8>) {
        word = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    var bytes: [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) }
    }

    /// Masks, or unmasks, what stands in `bytes` from `start` on.
    func apply(to bytes: inout [UInt8], from start: Int) {
        let wide = (UInt64(word) << 32 | UInt64(word)).littleEndian
        bytes.withUnsafeMutableBytes { buffer in
            var position = start
            while position + 8 <= buffer.count {
                let value = buffer.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                buffer.storeBytes(of: value ^ wide, toByteOffset: position, as: UInt64.self)
                position += 8
            }
            var shift: UInt32 = 0
            while position < buffer.count {
                buffer[position] ^= UInt8(truncatingIfNeeded: word >> shift)
                shift = (shift + 8) & 31
                position += 1
            }
        }
    }
}

/// Writes frames. A client's are masked.
struct WebSocketWriter {
    /// The largest payload of a control frame (section 5.5).
    static let maximumControlPayload = 125

    /// Draws the masks; nil at a server.
    private var random: SeededRandom?

    /// A writer for one side. A client's masks come from `random`, so that equal runs put equal bytes on the wire.
    init(client random: SeededRandom) {
        self.random = random
    }

    init(server: Void) {
        random = nil
    }

    /// One frame that is a whole message, or a whole control message.
    mutating func frame(_ opcode: WebSocketOpcode, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
        var bytes: [UInt8] = []
        append(opcode, payload, isFinal: isFinal, to: &bytes)
        return bytes
    }

    mutating func append(
        _ opcode: WebSocketOpcode, _ payload: [UInt8], isFinal: Bool = true, to bytes: inout [UInt8]
    ) {
        let maskBit: UInt8 = random == nil ? 0 : 0x80
        bytes.reserveCapacity(bytes.count + payload.count + 14)
        bytes.append(opcode.rawValue | (isFinal ? 0x80 : 0))
        switch payload.count {
        case 0...125:
            bytes.append(maskBit | UInt8(payload.count))
        case 126...0xFFFF:
            bytes.append(maskBit | 126)
            bytes.append(UInt8(payload.count >> 8))
            bytes.append(UInt8(truncatingIfNeeded: payload.count))
        default:
            bytes.append(maskBit | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        guard let word = random?.next() else {
            bytes.append(contentsOf: payload)
            return
        }
        let mask = WebSocketMask(word: UInt32(truncatingIfNeeded: word))
        bytes.append(contentsOf: mask.bytes)
        let start = bytes.count
        bytes.append(contentsOf: payload)
        mask.apply(to: &bytes, from: start)
    }

    /// A close with its code and as much of the reason as fits without cutting a character.
    mutating func close(_ code: WebSocketCloseCode, _ reason: String) -> [UInt8] {
        var payload = [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)]
        for character in reason {
            guard payload.count + character.utf8.count <= Self.maximumControlPayload else { break }
            payload += character.utf8
        }
        return frame(.close, payload)
    }
}
