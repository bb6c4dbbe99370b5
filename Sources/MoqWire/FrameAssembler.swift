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
    // How much of the open frame was told in parts; nil while not even its head was.
    private var told: Int?

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
                told = nil
            case .payload(let bytes): append(bytes)
            case .end:
                defer { open = nil }
                return open
            }
        }
        return nil
    }

    /// What arrived of a frame that is not whole yet and was not told before; nil when there is nothing. Ask when `next`
    /// has nothing more. The whole frame comes from `next` all the same.
    public mutating func nextPart() -> FramePart? {
        guard let open, told ?? -1 < open.payload.count else { return nil }
        let offset = told ?? 0
        told = open.payload.count
        return FramePart(
            header: FrameHeader(timestamp: open.timestamp, size: openSize), offset: offset,
            bytes: Array(open.payload[offset...]))
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
