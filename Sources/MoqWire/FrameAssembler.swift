/// Collects the frames of a group stream or a fetch answer as whole frames.
///
/// Holds at most one frame that is not complete, and reserves for it no more than a few times what has arrived.
public struct FrameAssembler: Sendable {
    /// How many bytes are reserved for each that has arrived, as far as the frame has so many. Frames mostly come in a
    /// few pieces: most are then written once, into memory of their size, and what a peer merely claims costs little.
    private static let reserve = 8

    private var decoder: FrameDecoder
    private var open: Frame?
    private var openSize = 0

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
            case .header(let header):
                open = Frame(timestamp: header.timestamp, payload: [])
                openSize = header.size
            case .payload(let bytes): append(bytes)
            case .end:
                defer { open = nil }
                return open
            }
        }
        return nil
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        let count = (open?.payload.count ?? 0) + bytes.count
        if open?.payload.capacity ?? 0 < count { open?.payload.reserveCapacity(min(openSize, Self.reserve * count)) }
        open?.payload.append(contentsOf: bytes)
    }

    /// Whether the stream may end here.
    public var isBetweenFrames: Bool { decoder.isBetweenFrames }

    /// The stream ended: throws `endedInside` when that is in the middle of a frame.
    public func finish() throws(WireError) {
        try decoder.finish()
    }
}
