import MoqBase

/// The `legacy` container: a timestamp in microseconds as QUIC's variable-length integer, whatever varint the version of
/// moq-lite has, and the payload.
public enum LegacyFrame {
    /// Reads a frame. It says nothing of keyframes: the first of a group is taken for one. An empty payload is a marker.
    public static func decode(_ bytes: [UInt8], isFirstOfGroup: Bool) throws(ContainerError) -> MediaFrame {
        var reader = ByteReader(bytes)
        do throws(ByteError) {
            // 62 bits fit.
            let timestamp = Int(try reader.varint())
            return MediaFrame(timestamp: timestamp, isKeyframe: isFirstOfGroup, payload: reader.rest())
        } catch {
            throw .truncated("the timestamp")
        }
    }

    /// Writes a frame.
    public static func encode(_ frame: MediaFrame) throws(ContainerError) -> [UInt8] {
        try frame.checkTimestamp()
        var writer = ByteWriter(capacity: frame.payload.count + 8)
        writer.varint(UInt64(frame.timestamp))
        writer.append(frame.payload)
        return writer.bytes
    }
}

extension MediaFrame {
    func checkTimestamp() throws(ContainerError) {
        guard (0...Self.greatestTimestamp).contains(timestamp) else {
            throw .timeOutOfRange("\(timestamp) µs is not from 0 to 2^62 - 1")
        }
    }
}
