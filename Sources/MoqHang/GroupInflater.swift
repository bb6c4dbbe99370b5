import CZlib

/// Why a compressed frame does not inflate.
public enum CompressionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The bytes are no raw DEFLATE data, or not the continuation of the group's.
    case corrupt(frame: Int, String)
    /// The frame inflates to more than is taken.
    case tooLong(frame: Int, limit: Int)
    /// An earlier frame of the group failed, so that this one has no beginning.
    case afterFailure(frame: Int)

    public var description: String {
        switch self {
        case .corrupt(let frame, let problem): "frame \(frame) of the group does not inflate: \(problem)"
        case .tooLong(let frame, let limit): "frame \(frame) of the group inflates to more than \(limit) bytes"
        case .afterFailure(let frame):
            "frame \(frame) of the group cannot be inflated: one before it was not, and each builds on all before it"
        }
    }
}

/// Inflates the frames of one group of a compressed track (`.z`), in their order from the first.
///
/// A group is one raw DEFLATE stream (RFC 1951); each frame ends with a sync flush whose last four bytes, always the
/// same, are not sent. A new group needs a new inflater. Source: moq-flate, as 0.3.19 and 0.4.18 write.
public final class GroupInflater {
    /// What a sync flush ends with.
    static let marker: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
    private static let chunk = 16_384

    /// The bytes that a frame may become.
    public let limit: Int
    /// How many frames have been inflated.
    public private(set) var frames = 0
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool
    private var hasFailed = false
    private var hasEnded = false

    /// An inflater for one group; `limit` bounds what one frame may become, in bytes.
    public init(limit: Int = HangLimits.inflatedBytes) {
        self.limit = limit
        // zlib's state points back at the stream, which therefore must not move.
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        isReady = inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, size) == Z_OK
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Inflates the next frame. An empty frame is an empty value and does not touch the stream.
    public func inflate(_ frame: [UInt8]) throws(CompressionError) -> [UInt8] {
        guard !frame.isEmpty else { return [] }
        guard isReady, !hasFailed else { throw .afterFailure(frame: frames) }
        do throws(CompressionError) {
            guard !hasEnded else {
                throw .corrupt(frame: frames, "the group's stream has ended with a frame before it")
            }
            var output = try run(frame, [])
            // A stream that its writer has ended has no flush, and so no marker either.
            if !hasEnded { output = try run(Self.marker, output) }
            frames += 1
            return output
        } catch {
            hasFailed = true
            throw error
        }
    }

    private func run(_ input: [UInt8], _ before: [UInt8]) throws(CompressionError) -> [UInt8] {
        var output = before
        var input = input
        var room = [UInt8](repeating: 0, count: Self.chunk)
        var failure: CompressionError?
        input.withUnsafeMutableBufferPointer { source in
            stream.pointee.next_in = source.baseAddress
            stream.pointee.avail_in = UInt32(source.count)
            // Ends: every turn takes input or gives output, and the output is bounded.
            while failure == nil, !hasEnded {
                let status = room.withUnsafeMutableBufferPointer { target in
                    stream.pointee.next_out = target.baseAddress
                    stream.pointee.avail_out = UInt32(target.count)
                    return CZlib.inflate(stream, Z_SYNC_FLUSH)
                }
                let produced = Self.chunk - Int(stream.pointee.avail_out)
                if output.count + produced > limit {
                    failure = .tooLong(frame: frames, limit: limit)
                    break
                }
                output.append(contentsOf: room[..<produced])
                hasEnded = status == Z_STREAM_END
                if status == Z_BUF_ERROR || (status == Z_OK && produced < Self.chunk && stream.pointee.avail_in == 0) {
                    break
                }
                if status != Z_OK && status != Z_STREAM_END {
                    let words = stream.pointee.msg.map { String(cString: $0) }
                    failure = .corrupt(frame: frames, words ?? "zlib's status \(status)")
                }
            }
            if failure == nil, stream.pointee.avail_in > 0 {
                failure = .corrupt(frame: frames, "\(stream.pointee.avail_in) bytes stand behind the end of the stream")
            }
            stream.pointee.next_in = nil
        }
        if let failure { throw failure }
        return output
    }
}
