/// What the application behind a client kit can see. Everything that is not nil must hold.
public enum ClientExpectation: Equatable, Sendable {
    /// A broadcast as the application has it.
    case broadcast(ClientBroadcastExpectation)
    /// The paths of the broadcasts that were found, each once, in any order.
    case broadcasts([String])
    /// Something was told.
    case event(ClientEventPattern)
    /// These were told, in this order, whatever stood between them.
    case events([ClientEventPattern])
    /// The newest statistics.
    case statistics([ClientStatisticExpectation])
    /// What is seen and heard of what a player decodes.
    case seen([ClientSightExpectation])
    /// The state of an object, or the states that it entered.
    case states(ClientObject, ClientStates)
    /// The state of a published track, or the states that it entered.
    case trackStates(name: String, ClientStates)
    /// What a data track brought.
    case data(ClientDataExpectation)
    /// What the pipeline told.
    case diagnostic(ClientDiagnosticPattern)
    /// What an audio data stream gave.
    case audio(ClientAudioExpectation)
    /// What a session of MoqomKit tells and shows.
    case moqom(MoqomExpectation)
}

/// States of an object.
public enum ClientStates: Equatable, Sendable {
    /// It is in this one now.
    case current(String)
    /// It has entered exactly these, one after the other; the one that it was made in does not count.
    case entered([String])
}

/// A broadcast as the application has it.
public struct ClientBroadcastExpectation: Equatable, Sendable {
    /// Whether there is anything to see.
    public enum State: String, CaseIterable, Equatable, Sendable {
        /// Its catalogs are still coming.
        case live
        /// Its catalogs have ended, however they did.
        case offline
    }
    /// Its path below the prefix that was asked for; nil where there is one only.
    public var path: String?
    /// Whether there is anything to see.
    public var state: State?
    /// The renditions that its newest catalog lists and the kit shows.
    public var video: RenditionsExpectation?
    /// Those of audio.
    public var audio: RenditionsExpectation?
    /// How often it was found anew.
    public var found: CountExpectation?
    /// With what its catalogs ended.
    public var code: CodeExpectation?
}

/// Something that was told, by its name and what came with it.
public struct ClientEventPattern: Equatable, Sendable {
    /// Its name.
    public var name: ClientEventName
    /// What must stand in it; other fields may be anything.
    public var kind: ClientMediaKind?
    /// The track it is about.
    public var track: String?
    /// The epoch of the track it is about.
    public var epoch: UInt64?
    /// The code inside its message.
    public var code: CodeExpectation?
    /// A part of its message.
    public var message: String?
    /// Its reason; `none` for none.
    public var reason: String?
}

/// A figure of the statistics.
public struct ClientStatisticExpectation: Equatable, Sendable {
    /// How it compares.
    public enum Comparison: String, CaseIterable, Equatable, Sendable {
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case less = "<"
        case greater = ">"
        case equal = "="
    }
    /// Which figure.
    public var statistic: ClientStatistic
    /// How it compares with the value.
    public var comparison: Comparison
    /// In nanoseconds, or a plain number; nil where the figure must be absent.
    public var value: Double?
    /// As it is written.
    public var source: String
}

/// A figure of what is seen and heard.
public struct ClientSightExpectation: Equatable, Sendable {
    /// Which figure.
    public var sight: ClientSight
    /// How it compares with the value.
    public var comparison: ClientStatisticExpectation.Comparison
    /// In nanoseconds, or a plain number; nil where the figure must be absent.
    public var value: Double?
}

/// What a data track brought.
public struct ClientDataExpectation: Equatable, Sendable {
    /// The track.
    public var track: String
    /// The groups of the objects, exactly and in this order.
    public var groups: [UInt64]?
    /// How many objects came.
    public var objects: CountExpectation?
    /// The payload of the last object.
    public var content: String?
    /// Whether each object is of a later group than the one before.
    public var isAscending: Bool?
    /// That it is over, and how.
    public var ended: TrackEnding?
    /// With which code.
    public var code: CodeExpectation?
}

/// What the pipeline told.
public struct ClientDiagnosticPattern: Equatable, Sendable {
    /// Its name; nil for any.
    public var name: ClientDiagnosticName?
    /// What must stand in it.
    public var fields: [Field]
    /// How many are held, of the newest.
    public var held: CountExpectation?

    /// A field of an event of the pipeline.
    public struct Field: Equatable, Sendable {
        /// Its name.
        public var name: String
        /// Its value.
        public var value: String
    }
}

/// What an audio data stream gave.
public struct ClientAudioExpectation: Equatable, Sendable {
    /// How many chunks.
    public var chunks: CountExpectation?
    /// How many wait to be read.
    public var waiting: CountExpectation?
    /// That it is over, and how.
    public var ended: TrackEnding?
    /// What ended it with an error.
    public var cause: ClientAudioCause?
    /// With which code of the track.
    public var code: CodeExpectation?
    /// How many chunks were lost because nobody read them.
    public var lost: CountExpectation?
    /// How many samples of each channel were read.
    public var samples: CountExpectation?
    /// How many every chunk had.
    public var chunkSamples: CountExpectation?
    /// Samples a second of the newest chunk.
    public var sampleRate: CountExpectation?
    /// Channels of the newest chunk.
    public var channels: CountExpectation?
    /// How the samples of the newest chunk were written.
    public var format: ClientSampleFormat?
    /// How often timestamps left time out between two chunks.
    public var gaps: CountExpectation?
    /// How often the timestamp of a chunk was before the end of the one before.
    public var overlaps: CountExpectation?
    /// How often another tone of the fixtures began.
    public var tones: CountExpectation?
    /// Tones that were left out.
    public var missingTones: CountExpectation?

    /// Whether it is about samples, which only a player that decodes has.
    public var needsDecoding: Bool {
        [samples, chunkSamples, sampleRate, channels, gaps, overlaps, tones, missingTones].contains { $0 != nil }
            || format != nil
    }
}
