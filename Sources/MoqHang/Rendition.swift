import MoqJSON

/// One video track as the catalog describes it.
public struct VideoRendition: Equatable, Sendable {
    /// The name of the track: the key in the map.
    public var name: String
    /// The broadcast that has the track, relative to the catalog's (`BroadcastReference`); nil for the same.
    public var broadcast: String?
    /// What decodes it.
    public var codec: CodecString
    /// What the decoder is set up with: an avcC, hvcC or av1C record.
    public var description: [UInt8]?
    /// Pixels across, before aspect.
    public var codedWidth: Int?
    /// Pixels down, before aspect.
    public var codedHeight: Int?
    /// The aspect's width; means nothing without the height.
    public var displayAspectWidth: Int?
    /// The aspect's height; means nothing without the width.
    public var displayAspectHeight: Int?
    /// Bits a second.
    public var bitrate: Int64?
    /// Frames a second.
    public var framerate: Double?
    /// Whether the publisher would rather see another one chosen (since 0.20.6).
    public var stalled: Bool?
    /// Whether the decoder shall optimise for latency.
    public var optimizeForLatency: Bool?
    /// How its frames are packed.
    public var container: Container
    /// The longest time between two frames' flushes, in milliseconds; nil when each is flushed at once.
    public var jitter: Int64?
    /// Its timeline.
    public var timeline: TimelineReference?
    /// All other fields, untouched.
    public var other: [JSONValue.Member]

    /// A rendition of its parts.
    public init(
        name: String, codec: CodecString, description: [UInt8]? = nil, codedWidth: Int? = nil, codedHeight: Int? = nil,
        displayAspectWidth: Int? = nil, displayAspectHeight: Int? = nil, bitrate: Int64? = nil,
        framerate: Double? = nil, stalled: Bool? = nil, optimizeForLatency: Bool? = nil, container: Container = .legacy,
        jitter: Int64? = nil, timeline: TimelineReference? = nil, broadcast: String? = nil,
        other: [JSONValue.Member] = []
    ) {
        self.name = name
        self.broadcast = broadcast
        self.codec = codec
        self.description = description
        self.codedWidth = codedWidth
        self.codedHeight = codedHeight
        self.displayAspectWidth = displayAspectWidth
        self.displayAspectHeight = displayAspectHeight
        self.bitrate = bitrate
        self.framerate = framerate
        self.stalled = stalled
        self.optimizeForLatency = optimizeForLatency
        self.container = container
        self.jitter = jitter
        self.timeline = timeline
        self.other = other
    }

    /// The coded size, when both of its numbers are there.
    public var codedSize: VideoSection.Size? {
        guard let codedWidth, let codedHeight else { return nil }
        return VideoSection.Size(width: codedWidth, height: codedHeight)
    }

    /// The aspect, when both of its numbers are there; half a pair is ignored.
    public var displayAspect: VideoSection.Size? {
        guard let displayAspectWidth, let displayAspectHeight else { return nil }
        return VideoSection.Size(width: displayAspectWidth, height: displayAspectHeight)
    }
}

/// One audio track as the catalog describes it.
public struct AudioRendition: Equatable, Sendable {
    /// The name of the track: the key in the map.
    public var name: String
    /// The broadcast that has the track, relative to the catalog's (`BroadcastReference`); nil for the same.
    public var broadcast: String?
    /// What decodes it.
    public var codec: CodecString
    /// Samples a second.
    public var sampleRate: Int
    /// How many channels.
    public var numberOfChannels: Int
    /// Bits a second.
    public var bitrate: Int64?
    /// What the decoder is set up with: an AudioSpecificConfig, an OpusHead.
    public var description: [UInt8]?
    /// How its frames are packed.
    public var container: Container
    /// The longest time between two frames' flushes, in milliseconds; nil when each is flushed at once.
    public var jitter: Int64?
    /// Its timeline.
    public var timeline: TimelineReference?
    /// All other fields, untouched.
    public var other: [JSONValue.Member]

    /// A rendition of its parts.
    public init(
        name: String, codec: CodecString, sampleRate: Int, numberOfChannels: Int, bitrate: Int64? = nil,
        description: [UInt8]? = nil, container: Container = .legacy, jitter: Int64? = nil,
        timeline: TimelineReference? = nil, broadcast: String? = nil, other: [JSONValue.Member] = []
    ) {
        self.name = name
        self.broadcast = broadcast
        self.codec = codec
        self.sampleRate = sampleRate
        self.numberOfChannels = numberOfChannels
        self.bitrate = bitrate
        self.description = description
        self.container = container
        self.jitter = jitter
        self.timeline = timeline
        self.other = other
    }
}
