/// A frame as an encoder gives it.
public struct EncodedFrame: Hashable, Sendable {
    /// In microseconds, by the clock of its source.
    public var time: Int64
    /// Whether nothing before it is needed to decode it.
    public var isKeyframe: Bool
    /// The bytes of the codec.
    public var payload: [UInt8]

    /// A frame of its parts.
    public init(time: Int64, isKeyframe: Bool, payload: [UInt8]) {
        self.time = time
        self.isKeyframe = isKeyframe
        self.payload = payload
    }
}

/// A codec as an encoder is set up with it: what the catalog says of it, and the format that the muxer names the track by.
public struct EncoderConfiguration: Hashable, Sendable {
    /// Video or audio.
    public var kind: TrackKind
    /// As the catalog writes it: `avc1.64001f`, `mp4a.40.2`, `opus`.
    public var codec: String
    /// What a decoder is set up with.
    public var description: [UInt8]?
    /// Pixels.
    public var width: Int?
    /// Pixels.
    public var height: Int?
    /// Frames a second.
    public var frameRate: Double?
    /// Samples a second.
    public var sampleRate: Int?
    /// How many channels.
    public var channels: Int?
    /// How frames are packed. The kits' own is legacy; other publishers use the others.
    public var container: RenditionContainer

    /// A configuration; what is not given is not said.
    public init(
        kind: TrackKind, codec: String, description: [UInt8]? = nil, width: Int? = nil, height: Int? = nil,
        frameRate: Double? = nil, sampleRate: Int? = nil, channels: Int? = nil, container: RenditionContainer = .legacy
    ) {
        self.kind = kind
        self.codec = codec
        self.description = description
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.sampleRate = sampleRate
        self.channels = channels
        self.container = container
    }

    /// What the kits' muxer calls it, which is the end of the track's name; nil for what they do not publish.
    public var format: String? {
        let codec = codec.lowercased()
        switch kind {
        case .video:
            if codec.hasPrefix("avc") || codec == "h264" { return "avc1" }
            if codec.hasPrefix("hev") || codec.hasPrefix("hvc") || codec == "h265" { return "hev1" }
        case .audio:
            if codec.hasPrefix("mp4a") || codec == "aac" { return "aac" }
            if codec == "opus" { return "opus" }
        }
        return nil
    }

    /// The rendition that the muxer lists for it.
    func rendition(named name: String) -> Rendition {
        Rendition(
            kind: kind, name: name, codec: codec == "aac" ? "mp4a.40.2" : codec, description: description,
            width: width, height: height, frameRate: frameRate, sampleRate: sampleRate, channels: channels,
            container: container)
    }
}
