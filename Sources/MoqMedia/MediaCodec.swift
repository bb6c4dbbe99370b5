/// A codec that is published, decoded and written.
public enum MediaCodec: String, Sendable, CaseIterable, CustomStringConvertible {
    case h264 = "H.264"
    case h265 = "H.265"
    case av1 = "AV1"
    case aac = "AAC"
    case opus = "Opus"

    /// Pictures or sound.
    public enum Kind: String, Sendable {
        case video, audio
    }

    /// Whether it carries pictures or sound.
    public var kind: Kind {
        switch self {
        case .h264, .h265, .av1: .video
        case .aac, .opus: .audio
        }
    }

    /// The codec that a catalog's codec string names, by its family; nil for others.
    public init?(codecString: String) {
        switch codecString.prefix(while: { $0 != "." }).lowercased() {
        case "avc1", "avc3": self = .h264
        case "hvc1", "hev1": self = .h265
        case "av01": self = .av1
        case "mp4a", "aac": self = .aac
        case "opus": self = .opus
        default: return nil
        }
    }

    public var description: String { rawValue }
}
