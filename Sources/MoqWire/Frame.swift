/// The head of a frame.
public struct FrameHeader: Hashable, Sendable {
    /// When the frame is due, in units of the track's timescale, 0 to 2^62 - 1. Nil up to 04, which has none.
    public var timestamp: UInt64?
    /// The bytes of the payload, 0 to `WireLimits.frameBytes`.
    public var size: Int

    /// A head of its parts.
    public init(timestamp: UInt64?, size: Int) {
        self.timestamp = timestamp
        self.size = size
    }
}

/// A whole frame.
public struct Frame: Hashable, Sendable {
    /// When the frame is due, in units of the track's timescale, 0 to 2^62 - 1. Nil up to 04, which has none.
    public var timestamp: UInt64?
    /// The content, which moq-lite does not look at.
    public var payload: [UInt8]

    /// A frame of its parts.
    public init(timestamp: UInt64?, payload: [UInt8]) {
        self.timestamp = timestamp
        self.payload = payload
    }
}

/// Bytes of a frame that is not whole yet, as they arrived.
public struct FramePart: Hashable, Sendable {
    /// The head of the frame, with the size of the whole payload.
    public var header: FrameHeader
    /// How many bytes of the payload came before these.
    public var offset: Int
    /// The bytes; empty where nothing but the head has come.
    public var bytes: [UInt8]

    /// A part of its parts.
    public init(header: FrameHeader, offset: Int, bytes: [UInt8]) {
        self.header = header
        self.offset = offset
        self.bytes = bytes
    }
}
