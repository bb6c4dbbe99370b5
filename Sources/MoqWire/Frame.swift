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
