import MoqBase
import MoqHTTP3

/// Heads of HTTP/3 messages, for those who write the streams of a connection by hand. Nothing is checked: a head that
/// breaks the rules is what they may want.
public enum HTTP3Text {
    /// A HEADERS frame with these fields, encoded without a dynamic table. Throws only when there is no memory.
    public static func headersFrame(_ fields: [(name: String, value: String)], on stream: StreamID) throws(HTTP3Error)
        -> [UInt8]
    {
        let section = try QPACKEncoder().encode(fields.map { HTTPField($0.name, $0.value) }, stream: stream.rawValue)
        return HTTP3Frame.encode(HTTP3FrameType.headers, section)
    }

    /// The fields of the first HEADERS frame among the bytes of a stream; nil while it is not whole, or when it cannot
    /// be decoded.
    public static func fields(in bytes: [UInt8], of stream: StreamID) -> [(name: String, value: String)]? {
        var reader = ByteReader(bytes)
        while let type = try? reader.varint(), let payload = try? reader.counted() {
            guard type == HTTP3FrameType.headers else { continue }
            return (try? QPACKDecoder().decode(payload, stream: stream.rawValue))?.map { ($0.name, $0.value) }
        }
        return nil
    }
}
