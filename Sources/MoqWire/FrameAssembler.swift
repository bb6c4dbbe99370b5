/// Collects the frames of a group stream or a fetch answer as whole frames.
///
/// Holds at most one frame that is not complete, and of it no more than has arrived.
public struct FrameAssembler: Sendable {
    private var decoder: FrameDecoder
    private var open: Frame?

    /// Collects frames of at most `frameLimit` bytes.
    public init(version: Version, frameLimit: Int = WireLimits.frameBytes) {
        decoder = FrameDecoder(version: version, frameLimit: frameLimit)
    }

    /// Takes bytes that arrived.
    public mutating func feed(_ more: [UInt8]) {
        decoder.feed(more)
    }

    /// The next whole frame; nil when more bytes are needed. Throws as `FrameDecoder.next()`.
    public mutating func next() throws(WireError) -> Frame? {
        while let piece = try decoder.next() {
            switch piece {
            case .header(let header): open = Frame(timestamp: header.timestamp, payload: [])
            case .payload(let bytes): open?.payload.append(contentsOf: bytes)
            case .end:
                defer { open = nil }
                return open
            }
        }
        return nil
    }

    /// Whether the stream may end here.
    public var isBetweenFrames: Bool { decoder.isBetweenFrames }

    /// The stream ended: throws `endedInside` when that is in the middle of a frame.
    public func finish() throws(WireError) {
        try decoder.finish()
    }
}
