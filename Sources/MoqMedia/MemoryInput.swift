import CFFmpeg
import CMediaShim

/// Bytes in memory as what libavformat reads from.
final class MemoryInput {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    /// How much is handed over at a time.
    private static let bufferSize: Int32 = 32 * 1024

    init(_ bytes: [UInt8], _ library: Library) throws(MediaError) {
        self.bytes = bytes
        guard let buffer = library.av.pointee.av_malloc(Int(Self.bufferSize)) else { throw .library("no memory") }
        context = library.av.pointee.avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0,
            // Unretained: the input outlives the context, which it frees.
            Unmanaged.passUnretained(self).toOpaque(),
            { opaque, target, count in MemoryInput.of(opaque)?.read(target, count) ?? -1 }, nil,
            { opaque, offset, origin in MemoryInput.of(opaque)?.seek(offset, origin) ?? -1 })
        guard context != nil else {
            library.av.pointee.av_free(buffer)
            throw .library("no memory")
        }
    }

    deinit {
        moqspec_libav_free_io(context)
    }

    private static func of(_ opaque: UnsafeMutableRawPointer?) -> MemoryInput? {
        opaque.map { Unmanaged<MemoryInput>.fromOpaque($0).takeUnretainedValue() }
    }

    private func read(_ target: UnsafeMutablePointer<UInt8>?, _ wanted: Int32) -> Int32 {
        let count = min(Int(wanted), bytes.count - position)
        guard count > 0, let target else { return moqspec_libav_end_of_file }
        bytes.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            target.update(from: start + position, count: count)
        }
        position += count
        return Int32(count)
    }

    private func seek(_ offset: Int64, _ origin: Int32) -> Int64 {
        if origin & moqspec_libav_seek_size != 0 { return Int64(bytes.count) }
        // Of the three origins of lseek; the library itself only uses the first and the size.
        let base = [Int64(0), Int64(position), Int64(bytes.count)]
        guard base.indices.contains(Int(origin & 3)) else { return -1 }
        let (target, isTooFar) = base[Int(origin & 3)].addingReportingOverflow(offset)
        guard !isTooFar, (0...Int64(bytes.count)).contains(target) else { return -1 }
        position = Int(target)
        return target
    }
}
