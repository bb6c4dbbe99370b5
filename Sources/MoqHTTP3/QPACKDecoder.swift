import CNghttp3

/// Decodes field sections (RFC 9204) with nghttp3, without dynamic table: nothing ever waits for the encoder stream.
public final class QPACKDecoder {
    private let handle: OpaquePointer

    /// A decoder for one connection.
    public init() throws(HTTP3Error) {
        var handle: OpaquePointer?
        guard nghttp3_qpack_decoder_new(&handle, 0, 0, nghttp3_mem_default()) == 0, let handle else {
            throw HTTP3Error(.internalError, "no memory for QPACK")
        }
        self.handle = handle
    }

    deinit {
        nghttp3_qpack_decoder_del(handle)
    }

    /// Decodes the section of a stream. Throws QPACK_DECOMPRESSION_FAILED when it cannot be decoded, and
    /// H3_EXCESSIVE_LOAD when it is beyond the limits.
    public func decode(_ section: [UInt8], stream: UInt64) throws(HTTP3Error) -> [HTTPField] {
        var context: OpaquePointer?
        guard nghttp3_qpack_stream_context_new(&context, Int64(clamping: stream), nghttp3_mem_default()) == 0,
            let context
        else { throw HTTP3Error(.internalError, "no memory for QPACK") }
        defer { nghttp3_qpack_stream_context_del(context) }
        var fields: [HTTPField] = []
        var size = 0
        var position = 0
        while true {
            var pair = nghttp3_qpack_nv()
            var flags: UInt8 = 0
            let count = section.withUnsafeBufferPointer { bytes in
                nghttp3_qpack_decoder_read_request(
                    handle, context, &pair, &flags, bytes.baseAddress.map { $0 + position }, bytes.count - position, 1)
            }
            guard count >= 0 else {
                throw HTTP3Error(.qpackDecompressionFailed, "a field section cannot be decoded")
            }
            position += count
            if flags & UInt8(NGHTTP3_QPACK_DECODE_FLAG_EMIT) != 0 {
                let field = HTTPField(Self.take(pair.name), Self.take(pair.value))
                size += field.size
                guard fields.count < HTTP3Limits.fields, size <= HTTP3Limits.fieldSection else {
                    throw HTTP3Error(
                        .excessiveLoad, "a field section of more than \(fields.count) fields or \(size) bytes")
                }
                fields.append(field)
            }
            if flags & UInt8(NGHTTP3_QPACK_DECODE_FLAG_FINAL) != 0 { return fields }
            // Blocked, or nothing left to go on with.
            let isStuck = count == 0 && flags & UInt8(NGHTTP3_QPACK_DECODE_FLAG_EMIT) == 0
            if isStuck || flags & UInt8(NGHTTP3_QPACK_DECODE_FLAG_BLOCKED) != 0 {
                throw HTTP3Error(.qpackDecompressionFailed, "a field section refers to a table that is empty")
            }
        }
    }

    /// Takes bytes of the peer's encoder stream. Throws QPACK_ENCODER_STREAM_ERROR when an instruction makes no sense
    /// or puts something into the table, whose size this side holds at 0.
    public func readEncoderStream(_ bytes: [UInt8]) throws(HTTP3Error) {
        let result = nghttp3_qpack_decoder_read_encoder(handle, bytes, bytes.count)
        guard result == bytes.count else {
            throw HTTP3Error(.qpackEncoderStreamError, "the QPACK encoder stream makes no sense")
        }
    }

    /// Takes a string out of nghttp3's hands.
    private static func take(_ buffer: OpaquePointer?) -> String {
        guard let buffer else { return "" }
        defer { nghttp3_rcbuf_decref(buffer) }
        let view = nghttp3_rcbuf_get_buf(buffer)
        return String(decoding: UnsafeBufferPointer(start: view.base, count: view.len), as: UTF8.self)
    }
}
