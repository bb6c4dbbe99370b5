/// What a decoder has to know of a track before its first frame: what a hang catalog says of a rendition.
public struct TrackFormat: Hashable, Sendable {
    /// The codec.
    public var codec: MediaCodec
    /// The codec string of RFC 6381, as hang catalogs have it: `avc1.640028`, `hvc1.1.6.L93.B0`, `av01.0.00M.08`,
    /// `mp4a.40.2`, `opus`; `avc3` and `hev1` where parameter sets travel in the frames.
    public var codecString: String
    /// The decoder's description: avcC, hvcC, av1C, AudioSpecificConfig or OpusHead. Empty where it travels in the
    /// frames (H.264 and H.265 are then in the byte stream form of Annex B, else every unit has its length before it).
    public var setup: [UInt8]
    /// The coded width of pictures, in pixels.
    public var width: Int?
    /// The coded height of pictures, in pixels.
    public var height: Int?
    /// Pictures a second.
    public var frameRate: Double?
    /// Samples a second.
    public var sampleRate: Int?
    /// Channels of sound.
    public var channelCount: Int?
    /// Bits a second.
    public var bitrate: Int?

    /// Describes a track; what is unknown stays nil.
    public init(
        codec: MediaCodec, codecString: String, setup: [UInt8] = [], width: Int? = nil, height: Int? = nil,
        frameRate: Double? = nil, sampleRate: Int? = nil, channelCount: Int? = nil, bitrate: Int? = nil
    ) {
        self.codec = codec
        self.codecString = codecString
        self.setup = setup
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitrate = bitrate
    }

    /// Describes a track by what a catalog says of it; the codec is that of the codec string.
    ///
    /// - Throws: `unsupportedCodec` when nothing here decodes or writes that codec.
    public init(
        codecString: String, setup: [UInt8] = [], width: Int? = nil, height: Int? = nil, frameRate: Double? = nil,
        sampleRate: Int? = nil, channelCount: Int? = nil, bitrate: Int? = nil
    ) throws(MediaError) {
        guard let codec = MediaCodec(codecString: codecString) else {
            let supported = MediaCodec.allCases.map(\.rawValue).joined(separator: ", ")
            throw .unsupportedCodec("the codec '\(codecString)' is none of \(supported)")
        }
        self.init(
            codec: codec, codecString: codecString, setup: setup, width: width, height: height, frameRate: frameRate,
            sampleRate: sampleRate, channelCount: channelCount, bitrate: bitrate)
    }

    /// Whether frames are in the byte stream form of Annex B, with their parameter sets at each keyframe.
    public var isByteStream: Bool {
        (codec == .h264 || codec == .h265) && setup.isEmpty
    }
}
