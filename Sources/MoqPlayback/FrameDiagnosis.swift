import MoqMedia

/// What is wrong with a frame that a decoder refused, by its own bytes: decoders say little more than "invalid data".
///
/// Sources: ISO/IEC 14496-15 (lengths before units), the Annexes B of H.264 and H.265 (start codes), their tables 7-1
/// (types of units), ISO/IEC 14496-3 (ADTS).
struct FrameDiagnosis {
    /// The types of the units, in order; empty where the codec has none.
    private(set) var units: [UInt8] = []
    /// A unit that is longer than what is left: its length, and what is left.
    private(set) var cut: (length: Int, left: Int)?
    private let payload: [UInt8]
    private let format: TrackFormat

    init(_ payload: [UInt8], _ format: TrackFormat) {
        (self.payload, self.format) = (payload, format)
        guard format.codec == .h264 || format.codec == .h265 else { return }
        if format.isByteStream { readByteStream() } else { readLengths() }
    }

    private var type: (UInt8) -> UInt8 { format.codec == .h264 ? { $0 & 0x1F } : { ($0 >> 1) & 0x3F } }

    private mutating func readByteStream() {
        guard payload.count > 3 else { return }
        for index in 0..<(payload.count - 3)
        where payload[index] == 0 && payload[index + 1] == 0 && payload[index + 2] == 1 {
            units.append(type(payload[index + 3]))
        }
    }

    private mutating func readLengths() {
        // The two low bits of a byte of avcC and hvcC say how many bytes a length has.
        let place = format.codec == .h264 ? 4 : 21
        let size = format.setup.count > place ? Int(format.setup[place] & 3) + 1 : 4
        var index = 0
        while index < payload.count {
            guard payload.count - index > size else {
                cut = (size + 1, payload.count - index)
                return
            }
            let length = payload[index..<(index + size)].reduce(0) { $0 << 8 | Int($1) }
            index += size
            units.append(type(payload[index]))
            guard length <= payload.count - index else {
                cut = (length, payload.count - index)
                return
            }
            index += max(1, length)
        }
    }

    /// Whether a decoder can begin here; nil where that is not known from the bytes.
    var isKeyframe: Bool? {
        switch format.codec {
        case .h264: units.contains(5)
        case .h265: units.contains { (16...21).contains($0) }
        case .av1, .aac, .opus: nil
        }
    }

    /// Whether decoding may begin here: at a keyframe, and where supplementary information may mark a point of recovery.
    var canBeFirst: Bool {
        guard isKeyframe == false, cut == nil, !units.isEmpty else { return true }
        return units.contains { format.codec == .h264 ? $0 == 6 : $0 == 39 }
    }

    private var hasSlice: Bool {
        format.codec == .h264
            ? units.contains { $0 == 1 || $0 == 5 } : units.contains { $0 <= 9 || (16...21).contains($0) }
    }

    /// The headers of the one codec's slices are, read as the other's, of types that are not defined.
    private var hasUndefinedUnit: Bool {
        units.contains { format.codec == .h264 ? $0 == 0 || $0 > 21 : $0 > 40 }
    }

    private var hasParameterSets: Bool { units.contains(format.codec == .h264 ? 7 : 33) }
    private var beginsWithStartCode: Bool { payload.starts(with: [0, 0, 1]) || payload.starts(with: [0, 0, 0, 1]) }

    /// The cause that the bytes show, and how; nil when they show none.
    ///
    /// - Parameters:
    ///   - beginsGroup: whether it is the first frame of its group.
    ///   - lacksKeyframe: whether the group of a later frame began without a keyframe.
    func cause(beginsGroup: Bool, lacksKeyframe: Bool) -> (cause: DecodeFault.Cause, text: String)? {
        guard !payload.isEmpty else { return (.empty, "a frame without a byte") }
        let codec = format.codec
        switch codec {
        case .av1, .opus: return nil
        case .aac:
            guard payload.count > 1, payload[0] == 0xFF, payload[1] & 0xF6 == 0xF0 else { return nil }
            return (.otherCodec, "the frame has an ADTS header, where raw AAC was said")
        case .h264, .h265: break
        }
        if format.isByteStream, !beginsWithStartCode {
            return (
                .noConfiguration,
                "the catalog has no description, and the frame is not in the form with start codes that goes without one"
            )
        }
        if !format.isByteStream, beginsWithStartCode, cut != nil {
            return (.otherCodec, "the frame has start codes, where the catalog's description says lengths")
        }
        if !units.isEmpty, cut == nil, !hasSlice || beginsGroup && isKeyframe == false && hasUndefinedUnit {
            return (.otherCodec, "the units of the frame are none of \(codec)")
        }
        if format.isByteStream, beginsGroup, isKeyframe == true, !hasParameterSets {
            return (.noConfiguration, "the catalog has no description, and the keyframe no parameter sets")
        }
        if let cut {
            return (.truncated, "a unit of \(cut.length) bytes is to come, and \(cut.left) are there")
        }
        if beginsGroup, isKeyframe == false { return (.noKeyframe, "the first frame of the group is no keyframe") }
        if lacksKeyframe { return (.noKeyframe, "its group began without a keyframe") }
        return nil
    }
}
