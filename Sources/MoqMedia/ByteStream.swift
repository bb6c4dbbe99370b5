/// The two forms in which units of H.264 and H.265 travel: with their lengths before them, or as the byte stream of
/// Annex B, with start codes between them.
enum ByteStream {
    private static let startCode: [UInt8] = [0, 0, 0, 1]

    /// Turns units with lengths before them into a byte stream, after `parameterSets`.
    static func from(
        lengthPrefixed payload: [UInt8], lengthSize: Int, parameterSets: [[UInt8]]
    ) throws(MediaError) -> [UInt8] {
        var stream: [UInt8] = []
        stream.reserveCapacity(payload.count + 64)
        for set in parameterSets { stream += startCode + set }
        var position = 0
        while position < payload.count {
            guard payload.count - position >= lengthSize else { throw overrun(payload) }
            var length = 0
            for byte in payload[position..<position + lengthSize] { length = length << 8 | Int(byte) }
            position += lengthSize
            guard length <= payload.count - position else { throw overrun(payload) }
            stream += startCode
            stream += payload[position..<position + length]
            position += length
        }
        return stream
    }

    /// The units of a byte stream, without start codes and the zeros before them.
    static func units(_ stream: [UInt8]) -> [ArraySlice<UInt8>] {
        var units: [ArraySlice<UInt8>] = []
        var start: Int?
        var position = 0
        while position + 2 < stream.count {
            if stream[position + 2] > 1 {
                position += 3
            } else if stream[position] == 0, stream[position + 1] == 0, stream[position + 2] == 1 {
                if let start { units.append(trimmed(stream[start..<position])) }
                start = position + 3
                position += 3
            } else {
                position += 1
            }
        }
        if let start { units.append(trimmed(stream[start...])) }
        return units.filter { !$0.isEmpty }
    }

    /// The parameter sets of a byte stream, as one; empty when it has none.
    static func parameterSets(_ codec: MediaCodec, _ stream: [UInt8]) -> [UInt8] {
        units(stream).filter { unit in
            let header = unit[unit.startIndex]
            // Sequence and picture parameter sets; H.265 has video ones too.
            return codec == .h264 ? [7, 8].contains(header & 0x1F) : [32, 33, 34].contains(header >> 1 & 0x3F)
        }.reduce(into: []) { $0 += startCode + $1 }
    }

    private static func trimmed(_ unit: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        unit[..<((unit.lastIndex { $0 != 0 } ?? unit.startIndex - 1) + 1)]
    }

    private static func overrun(_ payload: [UInt8]) -> MediaError {
        .badDescription("a unit is longer than its frame of \(payload.count) bytes")
    }
}
