import MoqScenario

/// All that the application behind a client kit has seen so far.
public struct ClientRecord: Sendable {
    /// Something that it was told.
    public struct Event: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// What came with it.
        public var fields: [Field]
        /// The code in its message, where there is one.
        public var code: UInt64?

        /// An event of its parts.
        public init(name: String, fields: [Field], code: UInt64? = nil) {
            self.name = name
            self.fields = fields
            self.code = code
        }

        /// The value of a field; nil when it has none.
        public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
    }

    /// A value by its name.
    public struct Field: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Its value.
        public var value: String

        /// A field of its parts.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A broadcast.
    public struct Broadcast: Hashable, Sendable {
        /// Its path below the prefix that was asked for.
        public var path: String
        /// How often it was found.
        public var found = 1
        /// Whether its catalogs are still coming; nil before the first.
        public var isLive: Bool?
        /// The renditions of its newest catalog; nil before the first.
        public var video: [String]?
        /// Those of audio.
        public var audio: [String]?
        /// The code that its catalogs ended with.
        public var code: UInt64?

        /// A broadcast that was just found.
        public init(path: String) { self.path = path }
    }

    /// A data track.
    public struct DataTrack: Hashable, Sendable {
        /// The group of each object, in order.
        public var groups: [UInt64] = []
        /// The payload of the last.
        public var last: [UInt8] = []
        /// Whether it is over, and whether in good order.
        public var endedCleanly: Bool?
        /// The code that it ended with.
        public var code: UInt64?

        /// A track of which nothing has come.
        public init() {}
    }

    /// What the pipeline did, each different thing once.
    public struct Diagnostic: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// What it says.
        public var fields: [Field]
        /// How often.
        public var count: Int

        /// An entry of its parts.
        public init(name: String, fields: [Field], count: Int) {
            self.name = name
            self.fields = fields
            self.count = count
        }
    }

    /// What an audio data stream gave.
    public struct Audio: Hashable, Sendable {
        /// Chunks that came out of the decoder.
        public var chunks = 0
        /// Chunks that nobody has read.
        public var waiting = 0
        /// Chunks that were lost because nobody read them.
        public var lost = 0
        /// Whether it is over, and whether in good order.
        public var endedCleanly: Bool?
        /// What ended it with an error.
        public var cause: ClientAudioCause?
        /// What was thrown, in words.
        public var problem: String?
        /// The code that its track ended with.
        public var code: UInt64?
        /// What the application read; nil where the player does not decode.
        public var heard: Heard?

        /// What an application made of samples.
        public struct Heard: Hashable, Sendable {
            /// Samples of each channel.
            public var samples = 0
            /// The least and the most of a chunk.
            public var sizes: ClosedRange<Int>?
            /// Samples a second of the newest chunk.
            public var sampleRate: Int?
            /// Channels of the newest chunk.
            public var channels: Int?
            /// How its samples were written.
            public var format: ClientSampleFormat?
            /// How often timestamps left time out between two chunks.
            public var gaps = 0
            /// How often a chunk began before the end of the one before.
            public var overlaps = 0
            /// How many chunks had not the bytes that their form and their count make.
            public var malformed = 0
            /// How often another tone began.
            public var tones = 0
            /// Tones that were left out.
            public var missingTones = 0

            /// Nothing yet.
            public init() {}
        }

        /// A stream that has given nothing.
        public init() {}
    }

    /// Everything that was told, in order.
    public var events: [Event] = []
    /// The states that each object entered since it was made, in order; the newest object of a kind.
    public var states: [ClientObject: [String]] = [:]
    /// The same of the tracks of the newest publisher.
    public var trackStates: [String: [String]] = [:]
    /// The broadcasts, in the order in which they were first found.
    public var broadcasts: [Broadcast] = []
    /// The figures of the newest statistics; what is nil is absent.
    public var statistics: [ClientStatistic: Double] = [:]
    /// What was seen and heard of what the newest player decoded; durations in nanoseconds, and what is nil is absent.
    public var seen: [ClientSight: Double] = [:]
    /// Why frames of the newest player did not decode, a sentence for each rendition and cause.
    public var undecoded: [String] = []
    /// The data tracks that were asked for.
    public var data: [String: DataTrack] = [:]
    /// What the pipeline of the newest player did.
    public var diagnostics: [Diagnostic] = []
    /// How many of those it holds for a reader.
    public var diagnosticsHeld = 0
    /// The newest audio data stream.
    public var audio: Audio?
    /// What a session of MoqomKit has seen; nil for any other client.
    public var moqom: MoqomRecord?

    /// An application that has seen nothing.
    public init() {}
}
