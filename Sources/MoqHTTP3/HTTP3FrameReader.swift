import MoqBase

/// The types of HTTP/3's frames (RFC 9114 section 7.2).
public enum HTTP3FrameType {
    /// Bytes of a body; behind a CONNECT, of its tunnel.
    public static let data: UInt64 = 0x00
    /// A field section: the head of a message, or its trailer.
    public static let headers: UInt64 = 0x01
    /// A push is not wanted; pushes are never allowed here.
    public static let cancelPush: UInt64 = 0x03
    /// The settings of the sender, first on its control stream.
    public static let settings: UInt64 = 0x04
    /// A request that the server makes up; never allowed here.
    public static let pushPromise: UInt64 = 0x05
    /// The sender winds the connection up.
    public static let goaway: UInt64 = 0x07
    /// How many pushes the client allows.
    public static let maximumPushID: UInt64 = 0x0D
    /// How a bidirectional WebTransport stream begins; not a frame anywhere else.
    public static let webTransportStream: UInt64 = 0x41
    /// Frames of HTTP/2 that have no meaning here, and must not appear.
    static let forbidden: [UInt64] = [0x02, 0x06, 0x08, 0x09]
}

/// Frames as bytes.
public enum HTTP3Frame {
    /// A frame with its payload.
    public static func encode(_ type: UInt64, _ payload: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(capacity: payload.count + 16)
        writer.varint(type)
        writer.counted(payload)
        return writer.bytes
    }
}

/// Takes the frames of one stream apart, however its bytes are cut.
struct HTTP3FrameReader: Sendable {
    /// What to do with the payload of a frame.
    enum Handling: Sendable {
        /// Collect it, and hand it over whole.
        case whole
        /// Hand it over in pieces as it comes.
        case pieces
        /// Read past it.
        case skip
    }

    /// What comes out.
    enum Item: Hashable, Sendable {
        case frame(type: UInt64, payload: [UInt8])
        case piece(type: UInt64, bytes: [UInt8])
    }

    private enum State: Sendable {
        case header
        case payload(type: UInt64, handling: Handling)
    }

    private var state = State.header
    private var buffer: [UInt8] = []
    private var position = 0
    /// Bytes of the payload that are still to come, in addition to what is collected.
    private var left: UInt64 = 0
    private var collected: [UInt8] = []

    /// Whether the bytes so far end with a whole frame.
    var isBetweenFrames: Bool {
        if case .header = state { return position == buffer.count }
        return false
    }

    /// Takes bytes of the stream. Ask for all items before more bytes are given.
    mutating func append(_ bytes: [UInt8]) {
        if position == buffer.count {
            buffer = bytes
        } else {
            buffer.removeSubrange(..<position)
            buffer += bytes
        }
        position = 0
    }

    /// The next item, or nil when more bytes are needed. `handling` judges a frame by its type and size before any of
    /// its payload is kept.
    mutating func next(
        _ handling: (_ type: UInt64, _ size: UInt64) throws(HTTP3Error) -> Handling
    ) throws(HTTP3Error) -> Item? {
        while true {
            switch state {
            case .header:
                var reader = ByteReader(buffer, in: position..<buffer.count)
                guard let type = try? reader.varint(), let size = try? reader.varint() else { return nil }
                position = reader.position
                left = size
                state = .payload(type: type, handling: try handling(type, size))
            case .payload(let type, let handling):
                let count = Int(min(left, UInt64(buffer.count - position)))
                let bytes = buffer[position..<position + count]
                position += count
                left -= UInt64(count)
                if left == 0 { state = .header }
                switch handling {
                case .whole:
                    collected += bytes
                    guard left == 0 else { return nil }
                    defer { collected = [] }
                    return .frame(type: type, payload: collected)
                case .pieces where count > 0:
                    return .piece(type: type, bytes: Array(bytes))
                case .pieces, .skip:
                    guard left == 0 else { return nil }
                }
            }
        }
    }
}
