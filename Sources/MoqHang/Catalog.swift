import MoqJSON

/// What a broadcast offers: the hang catalog, whatever shape it was written in.
public struct Catalog: Equatable, Sendable {
    /// The track that carries it as JSON.
    public static let trackName = "catalog.json"
    /// The track that carries the same, compressed (since moq-mux 0.19.3).
    public static let compressedTrackName = "catalog.json.z"
    /// The delivery priority that the original stack asks for it with; audio has 80, video 60.
    public static let priority: UInt8 = 100

    /// The video renditions; nil when there is no such section.
    public var video: VideoSection?
    /// The audio renditions; nil when there is no such section.
    public var audio: AudioSection?
    /// All other members of the root, in their order and untouched: sections of applications, and those that are newer
    /// than this reader (0.4.18 writes `archive`, `clock`, `json`, `binary`, `text`).
    public var sections: [JSONValue.Member]

    /// A catalog of its parts.
    public init(video: VideoSection? = nil, audio: AudioSection? = nil, sections: [JSONValue.Member] = []) {
        self.video = video
        self.audio = audio
        self.sections = sections
    }

    /// The video rendition of a name.
    public func video(_ name: String) -> VideoRendition? {
        video?.renditions.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// The audio rendition of a name.
    public func audio(_ name: String) -> AudioRendition? {
        audio?.renditions.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// The section of an application.
    public func section(_ name: String) -> JSONValue? {
        sections.first { $0.name == name }?.value
    }
}

/// The `video` section.
public struct VideoSection: Equatable, Sendable {
    /// A size in pixels.
    public struct Size: Equatable, Sendable {
        /// Pixels across.
        public var width: Int
        /// Pixels down.
        public var height: Int

        /// A size.
        public init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// The renditions in the order of the document.
    public var renditions: [VideoRendition]
    /// How large to show it, after rotation.
    public var display: Size?
    /// Degrees clockwise.
    public var rotation: Double?
    /// Whether to mirror it horizontally, after rotation.
    public var flip: Bool?
    /// All other fields, untouched.
    public var other: [JSONValue.Member]

    /// A section of its parts.
    public init(
        renditions: [VideoRendition] = [], display: Size? = nil, rotation: Double? = nil, flip: Bool? = nil,
        other: [JSONValue.Member] = []
    ) {
        self.renditions = renditions
        self.display = display
        self.rotation = rotation
        self.flip = flip
        self.other = other
    }
}

/// The `audio` section.
public struct AudioSection: Equatable, Sendable {
    /// The renditions in the order of the document.
    public var renditions: [AudioRendition]
    /// All other fields, untouched.
    public var other: [JSONValue.Member]

    /// A section of its parts.
    public init(renditions: [AudioRendition] = [], other: [JSONValue.Member] = []) {
        self.renditions = renditions
        self.other = other
    }
}

/// Where the timeline of a rendition is (from 2026-07; 0.4.18 writes none, and `archive` in the root instead).
public struct TimelineReference: Equatable, Sendable {
    /// What `timescale` is when it is not written.
    public static let usualTimescale = 1000
    /// Seconds from 1970 to the epoch of `wall`, 2020-01-01T00:00:00Z.
    public static let epochSeconds: Int64 = 1_577_836_800

    /// The track with the records, in the broadcast of the rendition.
    public var track: String
    /// Units a second of the records' times and of `wall`. Readers take 0 too, by which no time is known.
    public var timescale: Int
    /// The wall time of media time 0, in units since the epoch.
    public var wall: Int64?

    /// A reference of its parts.
    public init(track: String, timescale: Int = Self.usualTimescale, wall: Int64? = nil) {
        self.track = track
        self.timescale = timescale
        self.wall = wall
    }
}
