import CNgtcp2

/// A connection ID (at most 20 bytes, RFC 9000 section 17.2) without heap storage: it is looked up for every datagram.
struct ConnectionID: Hashable {
    /// The length of the IDs that this side issues.
    static let issuedLength = 8

    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt32 = 0
    private(set) var count: UInt8 = 0

    /// The ID in `bytes`, or nil when it is too long.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count <= Int(NGTCP2_MAX_CIDLEN) else { return nil }
        count = UInt8(bytes.count)
        withUnsafeMutableBytes(of: &self) { $0.copyBytes(from: bytes) }
    }

    /// The ID that ngtcp2 holds.
    init(_ identifier: ngtcp2_cid) {
        let length = min(identifier.datalen, Int(NGTCP2_MAX_CIDLEN))
        count = UInt8(length)
        withUnsafeBytes(of: identifier.data) { source in
            withUnsafeMutableBytes(of: &self) { $0.copyBytes(from: source.prefix(length)) }
        }
    }

    /// An ID of the length that this side issues.
    init(word: UInt64) {
        first = word
        count = UInt8(Self.issuedLength)
    }

    /// The ID as ngtcp2 wants it.
    var library: ngtcp2_cid {
        var result = ngtcp2_cid()
        result.datalen = Int(count)
        withUnsafeBytes(of: self) { source in
            withUnsafeMutableBytes(of: &result.data) { $0.copyBytes(from: source.prefix(Int(count))) }
        }
        return result
    }
}
