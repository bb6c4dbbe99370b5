import MoqBase

/// Cuts the bytes of a group stream (behind GROUP) or a fetch answer into frames, whatever pieces they arrive in.
///
/// Feed what arrives and take pieces until nil. Payload is handed on as it comes, in slices of what was fed, so nothing
/// is ever kept or reserved for a size that a peer merely claims. After an error the decoder stays failed.
public struct FrameDecoder: Sendable {
    /// A part of the stream.
    public enum Piece: Hashable, Sendable {
        /// A frame begins; `size` bytes of payload follow in `payload` pieces.
        case header(FrameHeader)
        /// Bytes of the frame that began; never empty.
        case payload(ArraySlice<UInt8>)
        /// The frame is complete.
        case end
    }

    private enum State {
        case between
        case inside(remaining: Int)
        case failed(WireError)
    }

    private static let name = "FRAME"

    private let version: Version
    private let frameLimit: Int
    private var state = State.between
    private var timestamp: UInt64 = 0
    // Never changed in place, so that slices of it are handed out without a copy.
    private var chunk: [UInt8] = []
    private var position = 0

    /// Decodes frames of at most `frameLimit` bytes.
    public init(version: Version, frameLimit: Int = WireLimits.frameBytes) {
        self.version = version
        self.frameLimit = frameLimit
    }

    /// Takes bytes that arrived.
    public mutating func feed(_ more: [UInt8]) {
        if case .failed = state { return }
        chunk = position == chunk.count ? more : Array(chunk[position...]) + more
        position = 0
    }

    /// Whether the stream may end here: no frame is open, and no piece of a head waits.
    public var isBetweenFrames: Bool {
        if case .between = state { return position == chunk.count }
        return false
    }

    /// The next piece; nil when more bytes are needed. Throws for a frame beyond the limit and for a running timestamp
    /// below 0 or above 2^62 - 1.
    public mutating func next() throws(WireError) -> Piece? {
        switch state {
        case .failed(let error): throw error
        case .inside(0):
            state = .between
            return .end
        case .inside(let remaining):
            let end = min(chunk.count, position + remaining)
            guard end > position else { return nil }
            let slice = chunk[position..<end]
            state = .inside(remaining: remaining - slice.count)
            position = end
            return .payload(slice)
        case .between:
            do throws(WireError) {
                return try nextHeader()
            } catch {
                state = .failed(error)
                chunk = []
                position = 0
                throw error
            }
        }
    }

    private mutating func nextHeader() throws(WireError) -> Piece? {
        var reader = ByteReader(chunk, in: position..<chunk.count)
        var running: UInt64?
        if version.hasFrameTimestamps {
            guard let word = try? reader.varint() else { return nil }
            running = try advance(by: VarInt.unzigzag(word))
        }
        guard let size = try? reader.varint() else { return nil }
        guard size <= UInt64(frameLimit) else {
            throw .tooLarge(WireField(Self.name, "payload"), size: size, limit: frameLimit)
        }
        position = reader.position
        timestamp = running ?? 0
        state = .inside(remaining: Int(size))
        return .header(FrameHeader(timestamp: running, size: Int(size)))
    }

    private func advance(by delta: Int64) throws(WireError) -> UInt64 {
        // The running value is below 2^62 and the difference within 2^61, so the sum fits.
        let sum = Int64(timestamp) + delta
        guard sum >= 0, sum <= Int64(VarInt.maximum) else {
            throw .timestampOutOfRange(previous: timestamp, delta: delta)
        }
        return UInt64(sum)
    }

    /// The stream ended: throws `endedInside` when that is in the middle of a frame.
    public func finish() throws(WireError) {
        if case .failed(let error) = state { throw error }
        guard isBetweenFrames else { throw .endedInside(message: Self.name) }
    }
}
