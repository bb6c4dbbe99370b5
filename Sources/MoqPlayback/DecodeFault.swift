import MoqKit

/// Why frames of a rendition did not decode: one entry for each cause.
public struct DecodeFault: Hashable, Sendable {
    /// What was wrong, as far as the bytes and libavcodec tell.
    public enum Cause: String, CaseIterable, Hashable, Sendable {
        /// Nothing here decodes the codec that the catalog names.
        case noDecoder = "no-decoder"
        /// Neither the catalog nor the frames have what sets the decoder up.
        case noConfiguration = "no-configuration"
        /// The decoder refuses what the catalog sets it up with.
        case badConfiguration = "bad-configuration"
        /// The frames are of another codec, or in another form, than the catalog says.
        case otherCodec = "other-codec"
        /// A group does not begin with a keyframe; also what follows in it.
        case noKeyframe = "no-keyframe"
        /// A frame ends before what it announces.
        case truncated
        /// A frame without a byte.
        case empty
        /// The frame on the wire could not be taken apart: libavcodec never saw it.
        case container
        /// The decoder found damage: bits that mean nothing, or macroblocks that had to be mended.
        case damaged

        /// The same in words.
        public var words: String {
            switch self {
            case .noDecoder: "no decoder"
            case .noConfiguration: "no configuration record"
            case .badConfiguration: "damaged configuration record"
            case .otherCodec: "another codec than in the catalog"
            case .noKeyframe: "no keyframe at the start of a group"
            case .truncated: "truncated frame"
            case .empty: "empty frame"
            case .container: "damaged container"
            case .damaged: "damaged frame"
            }
        }
    }

    /// Pictures or sound.
    public let kind: TrackKind
    /// The rendition's name.
    public let rendition: String
    /// What was wrong.
    public let cause: Cause
    /// How it was with the first such frame, a sentence.
    public let text: String
    /// When the first such frame is shown, in microseconds; nil where it could not be taken apart.
    public let timestamp: Int64?
    /// How many frames.
    public internal(set) var frames = 1

    /// A fault of one frame.
    public init(
        kind: TrackKind, rendition: String, cause: Cause, text: String, timestamp: Int64? = nil, frames: Int = 1
    ) {
        (self.kind, self.rendition, self.cause) = (kind, rendition, cause)
        (self.text, self.timestamp, self.frames) = (text, timestamp, frames)
    }

    /// A line for people.
    public var summary: String {
        "\(kind.rawValue) `\(rendition)`: \(frames) × \(cause.words) (first: \(text))"
    }
}

/// Counts faults by rendition and cause.
public struct DecodeFaults: Hashable, Sendable {
    /// What there was, in the order in which each first came.
    public private(set) var entries: [DecodeFault] = []

    /// Renditions times causes at most: more renditions are not watched in one go, and the first tell enough.
    private static let entriesKept = 144

    /// No fault.
    public init() {}

    /// Counts one more; true when it is the first of its rendition and cause.
    @discardableResult public mutating func note(_ fault: DecodeFault) -> Bool {
        let place = entries.firstIndex {
            $0.kind == fault.kind && $0.rendition == fault.rendition && $0.cause == fault.cause
        }
        if let place {
            entries[place].frames += fault.frames
            return false
        }
        guard entries.count < Self.entriesKept else { return false }
        entries.append(fault)
        return true
    }
}
