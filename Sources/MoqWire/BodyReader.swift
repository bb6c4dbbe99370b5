import MoqBase

/// Reads the fields of one message and says which field failed.
struct BodyReader {
    private var reader: ByteReader
    let message: String

    init(_ body: [UInt8], message: String) {
        reader = ByteReader(body)
        self.message = message
    }

    func field(_ name: String) -> WireField { WireField(message, name) }

    var isAtEnd: Bool { reader.isAtEnd }

    mutating func byte(_ name: String) throws(WireError) -> UInt8 {
        do throws(ByteError) { return try reader.byte() } catch { throw .truncated(field(name)) }
    }

    /// A flag: any byte but 0 is true.
    mutating func flag(_ name: String) throws(WireError) -> Bool {
        try byte(name) != 0
    }

    mutating func varint(_ name: String) throws(WireError) -> UInt64 {
        do throws(ByteError) { return try reader.varint() } catch { throw .truncated(field(name)) }
    }

    /// A number that may be absent: 0, else the number + 1.
    mutating func optional(_ name: String) throws(WireError) -> UInt64? {
        let value = try varint(name)
        return value == 0 ? nil : value - 1
    }

    mutating func string(_ name: String) throws(WireError) -> String {
        do throws(ByteError) {
            return try reader.string()
        } catch {
            switch error {
            case .truncated: throw .truncated(field(name))
            case .invalidUTF8: throw .invalidUTF8(field(name))
            }
        }
    }

    mutating func counted(_ name: String) throws(WireError) -> [UInt8] {
        do throws(ByteError) { return try reader.counted() } catch { throw .truncated(field(name)) }
    }

    mutating func path(_ name: String) throws(WireError) -> BroadcastPath {
        let text = try string(name)
        do throws(WireError) {
            return try BroadcastPath(text)
        } catch {
            guard case .tooMany(_, let count, let limit) = error else { throw error }
            throw .tooMany(field(name), count: count, limit: limit)
        }
    }

    /// A hop list in the form of `version`; empty where there is none.
    mutating func hops(version: Version) throws(WireError) -> HopList {
        guard version.hasHops else { return .empty }
        let count = try varint("hop count")
        guard count <= UInt64(WireLimits.hops) else {
            throw .tooMany(field("hops"), count: count, limit: WireLimits.hops)
        }
        var ids = [UInt64](repeating: 0, count: Int(count))
        if version.hasHopIDs {
            for index in ids.indices { ids[index] = try varint("hop id") }
        }
        let hops = try HopList(ids)
        if version.hasAnnounceIDs, let id = hops.repeatedID { throw .repeated(field("hops"), value: id) }
        return hops
    }

    mutating func rest() -> [UInt8] { reader.rest() }

    /// Everything must have been read.
    func finish() throws(WireError) {
        guard reader.isAtEnd else { throw .spareBytes(message: message, count: reader.remaining) }
    }
}
