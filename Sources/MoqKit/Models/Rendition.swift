/// How frames are packed, as a catalog says it.
public enum RenditionContainer: Hashable, Sendable {
    case legacy
    /// With the ftyp and moov that come before all fragments.
    case cmaf(initialization: [UInt8])
    case loc
}

/// A track of media, as a catalog lists it.
public struct Rendition: Hashable, Sendable {
    /// Video or audio.
    public var kind: TrackKind
    /// The name of the track.
    public var name: String
    /// The codec, as RFC 6381 writes it.
    public var codec: String
    /// What a decoder is set up with.
    public var description: [UInt8]?
    /// Pixels.
    public var width: Int?
    /// Pixels.
    public var height: Int?
    /// Frames a second.
    public var frameRate: Double?
    /// Bits a second.
    public var bitrate: Int?
    /// Samples a second.
    public var sampleRate: Int?
    /// Channels.
    public var channels: Int?
    /// How its frames are packed.
    public var container: RenditionContainer

    /// A rendition; what is not given is not said.
    public init(
        kind: TrackKind, name: String, codec: String, description: [UInt8]? = nil, width: Int? = nil,
        height: Int? = nil, frameRate: Double? = nil, bitrate: Int? = nil, sampleRate: Int? = nil,
        channels: Int? = nil, container: RenditionContainer = .legacy
    ) {
        self.kind = kind
        self.name = name
        self.codec = codec
        self.description = description
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.bitrate = bitrate
        self.sampleRate = sampleRate
        self.channels = channels
        self.container = container
    }

    /// Whether the kits play it, by the beginning of its codec; a device without the decoder plays less.
    public var isPlayable: Bool {
        let codec = codec.lowercased()
        return switch kind {
        case .video: ["avc", "hev", "hvc", "av0"].contains { codec.hasPrefix($0) }
        case .audio: ["mp4a", "aac", "opus"].contains { codec.hasPrefix($0) }
        }
    }

    /// How long one frame of audio lasts, in microseconds: what Opus and AAC encoders make of it.
    var audioFrameDuration: Int64 {
        let rate = max(1, sampleRate ?? 48_000)
        return codec.lowercased().hasPrefix("opus") ? 20_000 : Int64(1024) * 1_000_000 / Int64(rate)
    }
}

/// What a catalog lists, in the order of their names: the kits keep none.
public struct CatalogSnapshot: Hashable, Sendable {
    /// Everything that the kit shows.
    public var renditions: [Rendition]

    /// A catalog of these.
    public init(_ renditions: [Rendition]) {
        self.renditions = renditions.sorted { ($0.kind.rawValue, $0.name) < ($1.kind.rawValue, $1.name) }
    }

    /// The renditions of a kind.
    public func renditions(_ kind: TrackKind) -> [Rendition] { renditions.filter { $0.kind == kind } }

    /// The rendition of a kind with a name.
    public func rendition(_ kind: TrackKind, _ name: String) -> Rendition? {
        renditions.first { $0.kind == kind && $0.name == name }
    }
}
