// The words of scenarios about client kits: what their public interfaces call things.

/// Which published client kit a model behaves as.
public enum ClientProfile: String, CaseIterable, Equatable, Sendable {
    /// moq-kit for iOS.
    case ios
    /// moq-kit for Android.
    case android
}

/// Why a call of the application is turned down, whatever the profile's own error type is called.
public enum ClientFault: String, CaseIterable, Equatable, Sendable {
    /// Any error.
    case any
    case alreadyConnected = "already_connected"
    case alreadyClosed = "already_closed"
    case notConnected = "not_connected"
    case connectionFailed = "connection_failed"
    case alreadySubscribed = "already_subscribed"
    case alreadyRegistered = "already_registered"
    case pathInUse = "path_in_use"
    case notRegistered = "not_registered"
    case alreadyStarted = "already_started"
    case duplicateTrack = "duplicate_track"
    case unsupportedCodec = "unsupported_codec"
    case noTracksSelected = "no_tracks_selected"
    case unknownTrack = "unknown_track"
    case playerClosed = "player_closed"
    case broadcastClosed = "broadcast_closed"
    case singleConsumer = "single_consumer"
    case invalidAudioFormat = "invalid_audio_format"
    // Of MoqomKit.
    case alreadyJoined = "already_joined"
    case notInRoom = "not_in_room"
    case unknownParticipant = "unknown_participant"
    case notGranted = "not_granted"
    case notOpen = "not_open"
    case notPrepared = "not_prepared"
    case stageLocked = "stage_locked"
}

/// The kinds of media that a player tells apart.
public enum ClientMediaKind: String, CaseIterable, Equatable, Sendable {
    case video, audio
}

/// What a publisher and a player tell the application, by the names that they have there.
public enum ClientEventName: String, CaseIterable, Equatable, Sendable {
    case trackStarted, trackStopped, trackError
    case playerInit = "player.init"
    case trackSelect = "track.select"
    case playbackRequest = "playback.request"
    case subscribeStart = "track.subscribe.start"
    case playbackResume = "playback.resume"
    case trackReady = "track.ready"
    case trackPlaying = "track.playing"
    case playbackStart = "playback.start"
    case trackSwitch = "track.switch"
    case stallStart = "track.stall.start"
    case stallEnd = "track.stall.end"
    case rebufferStart = "rebuffer.start"
    case rebufferEnd = "rebuffer.end"
    case decodeError = "decode.error"
    case subscribeEnd = "track.subscribe.end"
    case subscribeError = "track.subscribe.error"
    case playbackPause = "playback.pause"
    case playbackEnd = "playback.end"
    case playerDestroy = "player.destroy"
}

/// The figures of a player's statistics, and two sums over both kinds of media.
public enum ClientStatistic: String, CaseIterable, Equatable, Sendable {
    /// Stalls of both kinds; 0 before any.
    case stalls
    /// Dropped frames of both kinds; 0 before any.
    case droppedFrames = "dropped_frames"
    /// The greater of the two latencies.
    case latency
    case videoLatency = "video_latency"
    case audioLatency = "audio_latency"
    case videoStalls = "video_stalls"
    case audioStalls = "audio_stalls"
    case videoStallTime = "video_stall_time"
    case audioStallTime = "audio_stall_time"
    case videoRebufferingRatio = "video_rebuffering_ratio"
    case audioRebufferingRatio = "audio_rebuffering_ratio"
    case videoBitrate = "video_bitrate_kbps"
    case audioBitrate = "audio_bitrate_kbps"
    case videoFPS = "video_fps"
    case videoFramesDropped = "video_frames_dropped"
    case audioFramesDropped = "audio_frames_dropped"
    case firstVideoFrame = "time_to_first_video_frame"
    case firstAudioFrame = "time_to_first_audio_frame"
    case firstVideoPlaying = "time_to_first_video_playing"
    case firstAudioPlaying = "time_to_first_audio_playing"
    case videoJitterBuffer = "video_jitter_buffer"
    case audioRingBuffer = "audio_ring_buffer"
    case videoArrivalRate = "video_arrival_rate"
    case audioArrivalRate = "audio_arrival_rate"
    case videoOutOfOrder = "video_out_of_order"
    case audioOutOfOrder = "audio_out_of_order"
    case videoDiscontinuities = "video_discontinuities"
    case audioDiscontinuities = "audio_discontinuities"
    case videoSwitchesRequested = "video_switches_requested"
    case videoSwitchesCompleted = "video_switches_completed"
    case audioSwitchesRequested = "audio_switches_requested"
    case audioSwitchesCompleted = "audio_switches_completed"
    /// How many samples there were.
    case samples

    /// Whether it is a duration, and so needs a unit.
    public var isDuration: Bool {
        switch self {
        case .latency, .videoLatency, .audioLatency, .videoStallTime, .audioStallTime, .firstVideoFrame,
            .firstAudioFrame, .firstVideoPlaying, .firstAudioPlaying, .videoJitterBuffer, .audioRingBuffer:
            true
        default: false
        }
    }
}

/// What somebody in front of a player that decodes sees and hears, by the marks of the fixtures.
public enum ClientSight: String, CaseIterable, Equatable, Sendable {
    /// How many pictures came out of decoders, shown or not.
    case decoded
    /// Numbers that were left out of what came out of the decoder of a rendition.
    case missingFrames = "missing_frames"
    /// Pictures that came out of the decoder of a rendition twice or too late.
    case disorderedFrames = "disordered_frames"
    /// Pictures without a number.
    case unreadableFrames = "unreadable_frames"
    /// How many pictures were shown.
    case pictures
    /// The number in the first of them.
    case firstPicture = "first_picture"
    /// How many pictures after a keyframe the first one came that was decoded; 0 where it was one.
    case firstInGroup = "first_in_group"
    /// The number in the newest picture.
    case newestPicture = "newest_picture"
    /// The height of the newest picture, in pixels.
    case pictureHeight = "picture_height"
    /// Numbers that were left out of what was shown.
    case missingPictures = "missing_pictures"
    /// Pictures that were shown twice or too late.
    case disorderedPictures = "disordered_pictures"
    /// How often another tone began.
    case tones
    /// Tones that were left out.
    case missingTones = "missing_tones"
    /// How far pictures and sound were apart when the tone last changed.
    case offset = "av_offset"
    /// The greatest of these.
    case greatestOffset = "greatest_av_offset"
    /// Frames that did not decode.
    case undecodable

    /// Whether it is a duration, and so needs a unit.
    public var isDuration: Bool { self == .offset || self == .greatestOffset }
}

/// What a player tells of its pipeline.
public enum ClientDiagnosticName: String, CaseIterable, Equatable, Sendable {
    case frameArrived, frameAdmitted, frameDropped, discontinuity, bufferDepthChanged, decoderInputQueued
    case decoderOutputReady, frameRendered, stallStarted, stallEnded, latencySample, bandwidthSample
    case decoderRecovery, decoderFlushed, switchProgress, clockRetarget, transportClosed
}

/// How the samples of an audio data stream are written, little endian.
public enum ClientSampleFormat: String, CaseIterable, Equatable, Sendable {
    case float32, int16
}

/// What ended an audio data stream with an error.
public enum ClientAudioCause: String, CaseIterable, Equatable, Sendable {
    /// A frame that does not decode: the first ends it.
    case decode
    /// The track.
    case upstream
}

/// The objects of a client whose states can be looked at.
public enum ClientObject: String, CaseIterable, Equatable, Sendable {
    case session, publisher, player

    /// The states that it can be in.
    public var states: [String] {
        switch self {
        case .session: ["idle", "connecting", "connected", "error", "closed"]
        case .publisher: ["idle", "publishing", "stopped", "error"]
        case .player: ["created", "playing", "paused", "ended", "stopped", "destroyed"]
        }
    }

    /// The states of a published track.
    public static let trackStates = ["idle", "starting", "active", "stopped"]
}
