import MoqBase

/// The `loc` container (draft-ietf-moq-loc): a block of properties by ascending id, and the payload.
public enum LOCFrame {
    private static let timestamp: UInt64 = 0x10
    /// What the timestamp had until draft 03; still read.
    private static let formerTimestamp: UInt64 = 0x06
    private static let timescale: UInt64 = 0x08

    /// Reads a frame. Properties that are not known are skipped: an odd id has bytes, an even one a number.
    public static func decode(_ bytes: [UInt8], isFirstOfGroup: Bool) throws(ContainerError) -> MediaFrame {
        var reader = ByteReader(bytes)
        var properties = try read("the properties' block") { () throws(ByteError) in try reader.confined() }
        var (time, scale): (UInt64?, UInt64?) = (nil, nil)
        var id: UInt64 = 0
        while !properties.isAtEnd {
            let delta = try read("a property's id") { () throws(ByteError) in try properties.varint() }
            // Two numbers of 62 bits fit, and a further one is caught when the sum grows beyond them.
            id += delta
            guard id <= VarInt.maximum else { throw .malformed("a property's id exceeds 62 bits") }
            guard id.isMultiple(of: 2) else {
                _ = try read("property \(id)") { () throws(ByteError) in try properties.confined() }
                continue
            }
            let value = try read("property \(id)") { () throws(ByteError) in try properties.varint() }
            switch id {
            case timestamp, formerTimestamp: time = value
            case timescale where value == 0: throw .malformed("the timescale is 0")
            case timescale: scale = value
            default: continue
            }
        }
        guard let time else { throw .missingTimestamp }
        return MediaFrame(
            timestamp: try MediaTime.microseconds(Int(time), timescale: Int(scale ?? 1_000_000)),
            isKeyframe: isFirstOfGroup, payload: reader.rest())
    }

    /// Writes a frame, with no property but the timestamp in microseconds, as the original stack does.
    public static func encode(_ frame: MediaFrame) throws(ContainerError) -> [UInt8] {
        try frame.checkTimestamp()
        let stamp = UInt64(frame.timestamp)
        var writer = ByteWriter(capacity: frame.payload.count + 10)
        writer.varint(UInt64(1 + VarInt.length(stamp)))
        writer.varint(timestamp)
        writer.varint(stamp)
        writer.append(frame.payload)
        return writer.bytes
    }

    private static func read<Value>(
        _ what: String, _ body: () throws(ByteError) -> Value
    ) throws(ContainerError) -> Value {
        do throws(ByteError) {
            return try body()
        } catch {
            throw .truncated(what)
        }
    }
}
