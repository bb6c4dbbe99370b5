import CNghttp3

/// Encodes field sections (RFC 9204) with nghttp3, without dynamic table: its sections need no encoder stream.
public final class QPACKEncoder {
    private let handle: OpaquePointer

    /// An encoder for one connection.
    public init() throws(HTTP3Error) {
        var handle: OpaquePointer?
        guard nghttp3_qpack_encoder_new(&handle, 0, nghttp3_mem_default()) == 0, let handle else {
            throw HTTP3Error(.internalError, "no memory for QPACK")
        }
        self.handle = handle
    }

    deinit {
        nghttp3_qpack_encoder_del(handle)
    }

    /// Encodes the section of a stream.
    public func encode(_ fields: [HTTPField], stream: UInt64) throws(HTTP3Error) -> [UInt8] {
        var bytes: [UInt8] = []
        var ranges: [(name: Int, nameCount: Int, valueCount: Int)] = []
        for field in fields {
            ranges.append((bytes.count, field.name.utf8.count, field.value.utf8.count))
            bytes += field.name.utf8
            bytes += field.value.utf8
        }
        // Never empty, so that there is an address to point to.
        bytes.append(0)
        var prefix = nghttp3_buf()
        var section = nghttp3_buf()
        var instructions = nghttp3_buf()
        defer {
            for buffer in [prefix, section, instructions] {
                var buffer = buffer
                nghttp3_buf_free(&buffer, nghttp3_mem_default())
            }
        }
        let result = bytes.withUnsafeMutableBufferPointer { storage -> Int32 in
            guard let base = storage.baseAddress else { return Int32(NGHTTP3_ERR_NOMEM) }
            let values = zip(fields, ranges).map { field, range in
                // A path may hold a token: no proxy shall keep it in a table.
                let isSecret = field.name == ":path" || field.name == "authorization"
                return nghttp3_nv(
                    name: base + range.name, value: base + range.name + range.nameCount, namelen: range.nameCount,
                    valuelen: range.valueCount,
                    flags: UInt8(isSecret ? NGHTTP3_NV_FLAG_NEVER_INDEX : NGHTTP3_NV_FLAG_NONE))
            }
            return nghttp3_qpack_encoder_encode(
                handle, &prefix, &section, &instructions, Int64(clamping: stream), values, values.count)
        }
        guard result == 0 else { throw HTTP3Error(.internalError, "QPACK encoding failed: \(Self.words(result))") }
        return Self.bytes(prefix) + Self.bytes(section)
    }

    /// Takes bytes of the peer's decoder stream. Throws QPACK_DECODER_STREAM_ERROR when an instruction makes no sense.
    public func readDecoderStream(_ bytes: [UInt8]) throws(HTTP3Error) {
        let result = nghttp3_qpack_encoder_read_decoder(handle, bytes, bytes.count)
        guard result == bytes.count else {
            throw HTTP3Error(.qpackDecoderStreamError, "the QPACK decoder stream makes no sense")
        }
    }

    private static func bytes(_ buffer: nghttp3_buf) -> [UInt8] {
        guard let start = buffer.pos, let end = buffer.last else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: end - start))
    }

    static func words(_ error: Int32) -> String {
        nghttp3_strerror(error).map { String(cString: $0) } ?? "error \(error)"
    }
}
