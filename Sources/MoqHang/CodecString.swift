import MoqBase

/// The name of a codec as catalogs write it (the WebCodecs registry, and hang's `pcm`), taken apart.
public struct CodecString: Hashable, Sendable, CustomStringConvertible {
    /// What the codec is.
    public enum Family: String, CaseIterable, Hashable, Sendable {
        case h264, h265, vp8, vp9, av1
        case aac, opus, pcm, flac, mp3, mp2, ac3, ec3
        /// A name that this reader has no rules for; it stands as it is.
        case unknown
    }

    /// What the name says besides the family.
    public enum Details: Hashable, Sendable {
        /// `avc1.PPCCLL`, `avc3.PPCCLL`: profile, constraints, level (ISO/IEC 14496-15).
        case h264(profile: UInt8, constraints: UInt8, level: UInt8)
        /// `hvc1.…`, `hev1.…`; the compatibility flags as they are written (bit-reversed), at most six constraint bytes.
        case h265(
            profileSpace: UInt8, profile: UInt8, compatibility: UInt32, highTier: Bool, level: UInt8,
            constraints: [UInt8])
        /// `vp09.PP.LL.DD` and, when there are, the five further numbers.
        case vp9(profile: UInt8, level: UInt8, bitDepth: UInt8)
        /// `av01.P.LLT.DD` and, when there are, the further fields.
        case av1(profile: UInt8, level: UInt8, highTier: Bool, bitDepth: UInt8)
        /// `mp4a.40.N`: the audio object type.
        case aac(objectType: UInt8)
        /// Nothing.
        case none
    }

    /// The name as it stands in the catalog.
    public let text: String
    /// What the codec is.
    public let family: Family
    /// What the name says besides.
    public let details: Details

    /// Takes a name apart as the original stack does: a structured family with a malformed suffix is an error
    /// (`CodecError`); a bare family (`avc1`) and any other text is `unknown`.
    public init(_ text: String, kind: MediaKind) throws(CodecError) {
        self.text = text
        (family, details) = try kind == .video ? Self.video(text) : Self.audio(text)
    }

    /// Takes a name apart as far as it goes: one that `init(_:kind:)` refuses is `unknown`. The JavaScript reader does
    /// not look into the name.
    public init(anything text: String, kind: MediaKind) {
        self.text = text
        let parts = (try? kind == .video ? Self.video(text) : Self.audio(text)) ?? (.unknown, .none)
        (family, details) = parts
    }

    public var description: String { text }

    /// Whether the stream itself carries what a decoder needs to start (`avc3`, `hev1`), and not the catalog.
    public var isInBand: Bool { text.hasPrefix("avc3.") || text.hasPrefix("hev1.") }

    /// The name of an H.264 stream: `avc1.64001f`.
    public static func h264(profile: UInt8, constraints: UInt8, level: UInt8, inBand: Bool = false) -> CodecString {
        let digits = Hexadecimal.encode([profile, constraints, level])
        return CodecString(anything: "\(inBand ? "avc3" : "avc1").\(digits)", kind: .video)
    }

    // MARK: Families

    private static func video(_ text: String) throws(CodecError) -> (Family, Details) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard parts.count > 1 else { return (text == "vp8" ? .vp8 : .unknown, .none) }
        switch parts[0] {
        case "avc1", "avc3": return (.h264, try h264(text, parts))
        case "hvc1", "hev1": return (.h265, try h265(text, parts))
        case "vp09": return (.vp9, try vp9(text, parts))
        case "av01": return (.av1, try av1(text, parts))
        default: return (.unknown, .none)
        }
    }

    private static func audio(_ text: String) throws(CodecError) -> (Family, Details) {
        let plain: [String: Family] = [
            "opus": .opus, "pcm": .pcm, "flac": .flac, "mp3": .mp3, "mp2": .mp2, "ac-3": .ac3, "ec-3": .ec3,
        ]
        if let family = plain[text] { return (family, .none) }
        guard text.hasPrefix("mp4a.40.") else { return (.unknown, .none) }
        guard let type = decimal(text.dropFirst("mp4a.40.".count)) else {
            throw CodecError(text: text, problem: "behind `mp4a.40.` stands an audio object type from 0 to 255")
        }
        return (.aac, .aac(objectType: type))
    }

    private static func h264(_ text: String, _ parts: [String]) throws(CodecError) -> Details {
        guard parts[1].utf8.count == 6, let bytes = Hexadecimal.decode(parts[1]) else {
            throw CodecError(
                text: text, problem: "behind `\(parts[0]).` stand six hexadecimal digits: profile, constraints, level")
        }
        return .h264(profile: bytes[0], constraints: bytes[1], level: bytes[2])
    }

    private static func h265(_ text: String, _ parts: [String]) throws(CodecError) -> Details {
        let shape = "profile, compatibility, tier and level, constraints, such as `\(parts[0]).1.6.L93.B0`"
        guard parts.count >= 4, let first = parts[1].utf8.first else { throw CodecError(text: text, problem: shape) }
        let hasSpace = (65...90).contains(first)
        guard let profile = decimal(parts[1].dropFirst(hasSpace ? 1 : 0)) else {
            throw CodecError(text: text, problem: "`\(parts[1])` is no profile: \(shape)")
        }
        guard let compatibility = hexadecimal(parts[2], UInt32.self) else {
            throw CodecError(text: text, problem: "`\(parts[2])` are no compatibility flags: \(shape)")
        }
        let tier = parts[3].utf8.first
        guard tier == UInt8(ascii: "L") || tier == UInt8(ascii: "H"), let level = decimal(parts[3].dropFirst()) else {
            throw CodecError(text: text, problem: "`\(parts[3])` is no tier (L or H) with a level: \(shape)")
        }
        var constraints: [UInt8] = []
        for (index, part) in parts.dropFirst(4).enumerated() where !part.isEmpty {
            guard index < 6, let byte = hexadecimal(part, UInt8.self) else {
                throw CodecError(
                    text: text, problem: "`\(part)` is no constraint byte, of which there are six: \(shape)")
            }
            while constraints.count < index { constraints.append(0) }
            constraints.append(byte)
        }
        return .h265(
            profileSpace: hasSpace ? first - 64 : 0, profile: profile, compatibility: compatibility,
            highTier: tier == UInt8(ascii: "H"), level: level, constraints: constraints)
    }

    private static func vp9(_ text: String, _ parts: [String]) throws(CodecError) -> Details {
        let numbers = parts.dropFirst().map { decimal($0) }
        guard numbers.count == 3 || numbers.count == 8, !numbers.contains(nil) else {
            throw CodecError(text: text, problem: "behind `vp09.` stand three numbers or eight, each from 0 to 255")
        }
        return .vp9(profile: numbers[0] ?? 0, level: numbers[1] ?? 0, bitDepth: numbers[2] ?? 0)
    }

    private static func av1(_ text: String, _ parts: [String]) throws(CodecError) -> Details {
        let shape = "profile, level and tier, bit depth, such as `av01.0.04M.08`"
        let level = Array(parts.count > 2 ? parts[2].utf8 : "".utf8)
        let widths = [1, 3, 2, 1, 3, 2, 2, 2, 1]
        let fields = parts.dropFirst().map { Array($0.utf8) }
        guard fields.count == 3 || fields.count == 9, zip(fields, widths).allSatisfy({ $0.count == $1 }),
            fields.enumerated().allSatisfy({ index, digits in
                (index == 1 ? digits.prefix(2) : digits[...]).allSatisfy { (48...57).contains($0) }
            }), fields[0][0] <= 49, isWord(level[2]),
            fields.count == 3 || (fields[4][0] <= 49 && fields[4][1] <= 49 && fields[4][2] <= 51 && fields[8][0] <= 49)
        else { throw CodecError(text: text, problem: shape) }
        return .av1(
            profile: fields[0][0] - 48, level: (level[0] - 48) * 10 + level[1] - 48,
            highTier: level[2] == UInt8(ascii: "H"), bitDepth: (fields[2][0] - 48) * 10 + fields[2][1] - 48)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "_")
    }

    private static func decimal(_ text: some StringProtocol) -> UInt8? {
        guard text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return UInt8(text)
    }

    private static func hexadecimal<Number: FixedWidthInteger>(_ text: String, _: Number.Type) -> Number? {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }) else { return nil }
        return Number(text, radix: 16)
    }
}

/// Why a text names no codec.
public struct CodecError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text.
    public var text: String
    /// What is wrong with it.
    public var problem: String

    /// An error of its parts.
    public init(text: String, problem: String) {
        self.text = text
        self.problem = problem
    }

    public var description: String { "`\(text)` is an invalid codec: \(problem)" }
}
