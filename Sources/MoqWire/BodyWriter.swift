import MoqBase

/// Writes the fields of one message and says which field cannot be written.
struct BodyWriter {
    private var writer: ByteWriter
    let message: String

    init(message: String) {
        writer = ByteWriter()
        self.message = message
    }

    var bytes: [UInt8] { writer.bytes }

    func field(_ name: String) -> WireField { WireField(message, name) }

    mutating func byte(_ value: UInt8) {
        writer.byte(value)
    }

    mutating func flag(_ value: Bool) {
        writer.byte(value ? 1 : 0)
    }

    mutating func varint(_ value: UInt64, _ name: String) throws(WireError) {
        guard value <= VarInt.maximum else { throw .illegal(field(name), value: value, rule: "at most 2^62 - 1") }
        writer.varint(value)
    }

    /// A number that may be absent: 0, else the number + 1.
    mutating func optional(_ value: UInt64?, _ name: String) throws(WireError) {
        guard let value else { return writer.varint(0) }
        guard value < VarInt.maximum else { throw .illegal(field(name), value: value, rule: "below 2^62 - 1") }
        writer.varint(value + 1)
    }

    mutating func string(_ text: String) {
        writer.string(text)
    }

    mutating func counted(_ bytes: [UInt8]) {
        writer.counted(bytes)
    }

    mutating func append(_ bytes: [UInt8]) {
        writer.append(bytes)
    }

    mutating func path(_ path: BroadcastPath) {
        writer.string(path.text)
    }

    /// A hop list in the form of `version`.
    mutating func hops(_ hops: HopList, version: Version) throws(WireError) {
        guard version.hasHops else { return }
        writer.varint(UInt64(hops.count))
        guard version.hasHopIDs else { return }
        for id in hops.ids { try varint(id, "hop id") }
    }
}
