/// Reads what describes a codec's decoder: the codec string that it amounts to, and the parameter sets in it.
///
/// Sources: ISO/IEC 14496-15 (avcC, hvcC and their codec strings), the AV1 binding to ISO BMFF (av1C), ISO/IEC 14496-3
/// (AudioSpecificConfig), RFC 7845 (OpusHead), RFC 6381 (codec strings).
enum CodecDescription {
    /// The codec string, in the form of frames that have their lengths before their units.
    static func codecString(_ codec: MediaCodec, _ setup: [UInt8]) throws(MediaError) -> String {
        switch codec {
        case .h264: try "avc1." + avcProfile(setup)
        case .h265: try "hvc1." + hevcProfile(setup)
        case .av1: try av1(setup)
        case .aac: try "mp4a.40.\(audioObjectType(setup))"
        case .opus: "opus"
        }
    }

    /// The parameter sets of avcC or hvcC, in the order in which a decoder wants them.
    static func parameterSets(_ codec: MediaCodec, _ setup: [UInt8]) throws(MediaError) -> [[UInt8]] {
        switch codec {
        case .h264: try avcParameterSets(setup)
        case .h265: try hevcParameterSets(setup)
        case .av1, .aac, .opus: []
        }
    }

    /// How many bytes the length before a unit has: 1, 2 or 4.
    static func lengthSize(_ codec: MediaCodec, _ setup: [UInt8]) throws(MediaError) -> Int {
        let offset = codec == .h264 ? 4 : 21
        guard setup.count > offset, setup[0] == 1 else { throw tooShort(codec) }
        return Int(setup[offset] & 3) + 1
    }

    /// An AudioSpecificConfig of AAC-LC for catalogs that give none.
    static func audioSpecificConfig(sampleRate: Int, channelCount: Int) -> [UInt8]? {
        let rates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000]
        guard let index = rates.firstIndex(of: sampleRate), (1...7).contains(channelCount) else { return nil }
        return [UInt8(2 << 3 | index >> 1), UInt8(index & 1) << 7 | UInt8(channelCount) << 3]
    }

    /// An OpusHead for catalogs that give none: mapping family 0, so at most two channels.
    static func opusHead(sampleRate: Int, channelCount: Int) -> [UInt8]? {
        guard (1...2).contains(channelCount), let rate = UInt32(exactly: sampleRate) else { return nil }
        let little = (0..<4).map { UInt8(truncatingIfNeeded: rate >> ($0 * 8)) }
        return Array("OpusHead".utf8) + [1, UInt8(channelCount), 0, 0] + little + [0, 0, 0]
    }

    private static func avcProfile(_ setup: [UInt8]) throws(MediaError) -> String {
        guard setup.count >= 7, setup[0] == 1 else { throw tooShort(.h264) }
        return setup[1...3].map { hex($0, digits: 2) }.joined()
    }

    private static func avcParameterSets(_ setup: [UInt8]) throws(MediaError) -> [[UInt8]] {
        var cursor = Cursor(bytes: setup, position: 5, codec: .h264)
        var sets: [[UInt8]] = []
        for mask: UInt8 in [0x1F, 0xFF] {
            for _ in 0..<(try cursor.byte() & mask) { sets.append(try cursor.counted()) }
        }
        return sets
    }

    private static func hevcProfile(_ setup: [UInt8]) throws(MediaError) -> String {
        guard setup.count >= 23, setup[0] == 1 else { throw tooShort(.h265) }
        let space = ["", "A", "B", "C"][Int(setup[1] >> 6)]
        var flags: UInt32 = 0
        for byte in setup[2...5] { flags = flags << 8 | UInt32(byte) }
        var reversed: UInt32 = 0
        for bit in 0..<32 where flags >> bit & 1 == 1 { reversed |= 1 << (31 - bit) }
        let tier = setup[1] & 0x20 == 0 ? "L" : "H"
        var parts = ["\(space)\(setup[1] & 0x1F)", hex(reversed), "\(tier)\(setup[12])"]
        var constraints = Array(setup[6...11])
        while constraints.last == 0 { constraints.removeLast() }
        parts += constraints.map { hex($0) }
        return parts.joined(separator: ".")
    }

    private static func hevcParameterSets(_ setup: [UInt8]) throws(MediaError) -> [[UInt8]] {
        var cursor = Cursor(bytes: setup, position: 22, codec: .h265)
        var sets: [[UInt8]] = []
        for _ in 0..<(try cursor.byte()) {
            _ = try cursor.byte()
            for _ in 0..<(try cursor.uint16()) { sets.append(try cursor.counted()) }
        }
        return sets
    }

    private static func av1(_ setup: [UInt8]) throws(MediaError) -> String {
        guard setup.count >= 4, setup[0] == 0x81 else { throw tooShort(.av1) }
        let level = Int(setup[1] & 0x1F)
        let depth = setup[2] & 0x40 == 0 ? "08" : setup[2] & 0x20 == 0 ? "10" : "12"
        let tier = setup[2] & 0x80 == 0 ? "M" : "H"
        return "av01.\(setup[1] >> 5).\(level < 10 ? "0" : "")\(level)\(tier).\(depth)"
    }

    private static func audioObjectType(_ setup: [UInt8]) throws(MediaError) -> Int {
        guard setup.count >= 2 else { throw tooShort(.aac) }
        let type = Int(setup[0] >> 3)
        return type == 31 ? 32 + Int(setup[0] & 7) << 3 + Int(setup[1] >> 5) : type
    }

    private static func hex(_ value: some BinaryInteger, digits: Int = 1) -> String {
        let text = String(value, radix: 16, uppercase: digits == 1)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    fileprivate static func tooShort(_ codec: MediaCodec) -> MediaError {
        .badDescription("the description of a track of \(codec) is cut short or is of another kind")
    }
}

/// A cursor over a description.
private struct Cursor {
    let bytes: [UInt8]
    var position: Int
    let codec: MediaCodec

    mutating func byte() throws(MediaError) -> UInt8 {
        guard position < bytes.count else { throw CodecDescription.tooShort(codec) }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func uint16() throws(MediaError) -> Int {
        Int(try byte()) << 8 | Int(try byte())
    }

    mutating func counted() throws(MediaError) -> [UInt8] {
        let count = try uint16()
        guard count <= bytes.count - position else { throw CodecDescription.tooShort(codec) }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }
}
