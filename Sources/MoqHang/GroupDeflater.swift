import CZlib

/// Compresses the frames of one group of a compressed track (`.z`): the inverse of `GroupInflater`.
///
/// Level 6 as the original stack; other writers may give other bytes for the same values, so that only what they inflate
/// to can be compared.
public final class GroupDeflater {
    private static let chunk = 16_384
    private static let level: Int32 = 6
    private let stream: UnsafeMutablePointer<z_stream>

    /// A deflater for one group.
    public init() {
        // zlib's state points back at the stream, which therefore must not move.
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        let status = deflateInit2_(
            stream, Self.level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        // It fails for want of memory only.
        precondition(status == Z_OK, "zlib has no memory for a stream")
    }

    deinit {
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Compresses the next value; an empty value is an empty frame.
    public func deflate(_ value: [UInt8]) -> [UInt8] {
        guard !value.isEmpty else { return [] }
        var output: [UInt8] = []
        var input = value
        var room = [UInt8](repeating: 0, count: Self.chunk)
        input.withUnsafeMutableBufferPointer { source in
            stream.pointee.next_in = source.baseAddress
            stream.pointee.avail_in = UInt32(source.count)
            // A flush is complete when it leaves room in the output.
            var isComplete = false
            while !isComplete {
                room.withUnsafeMutableBufferPointer { target in
                    stream.pointee.next_out = target.baseAddress
                    stream.pointee.avail_out = UInt32(target.count)
                    _ = CZlib.deflate(stream, Z_SYNC_FLUSH)
                }
                output.append(contentsOf: room[..<(Self.chunk - Int(stream.pointee.avail_out))])
                isComplete = stream.pointee.avail_out > 0
            }
            stream.pointee.next_in = nil
        }
        output.removeLast(GroupInflater.marker.count)
        return output
    }
}
