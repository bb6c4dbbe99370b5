/// A call that the application behind a client kit makes, and what it must come to.
public struct ClientCall: Equatable, Sendable {
    /// The call.
    public var action: ClientAction
    /// The error that it must be turned down with; nil where it must go through.
    public var fault: ClientFault?
    /// How long a call may take that waits for the relay.
    public var within: Duration
    /// What must come of it afterwards, within the same time; nil for nothing in particular.
    public var outcome: ExpectationTree?
}

/// What the application behind a publisher or a player can do. One that has no session yet connects first.
public enum ClientAction: Equatable, Sendable {
    // MARK: Session

    /// `Session.connect`. `path` is what the relay is given instead of the actor's.
    case connect(path: String?)
    /// `Session.close`.
    case disconnect
    /// Makes a new session object, as an application does that comes back: sessions are one-shot.
    case newSession
    /// Is gone without a word: no close, no more packets.
    case vanish

    // MARK: Publisher

    /// Lets cameras and microphones deliver.
    case startCapture(CaptureAction)
    /// Lets them deliver nothing more.
    case stopCapture
    /// Sets the clocks of cameras and microphones to another time.
    case moveClock(MoveClockAction)
    /// Spoils frames as they leave an encoder.
    case damage(DamageAction)
    /// Adds a track to the publisher, which is made by its first track.
    case addTrack(AddTrackAction)
    /// `Session.publish`: announces the broadcast.
    case publish(path: String)
    /// `Publisher.start`.
    case start
    /// `Publisher.stop`.
    case stop
    /// `Session.unpublish`.
    case unpublish(path: String)
    /// `PublishedTrack.stop`.
    case stopTrack(name: String)
    /// `DataTrackEmitter.send`.
    case send(SendAction)
    /// Makes a new publisher object: publishers are single-use.
    case newPublisher
    /// Adds renditions to the catalog that no track is behind, or takes some away.
    case catalog([CatalogChange])

    // MARK: Player

    /// `Session.subscribe`: broadcasts under a prefix. Every one that comes is asked for its catalogs, in this form.
    case subscribe(prefix: String, catalog: ClientCatalogForm)
    /// `BroadcastSubscription.cancel`.
    case unsubscribe(prefix: String)
    /// `Broadcast.subscribeTrack`.
    case subscribeTrack(SubscribeTrackAction)
    /// `TrackSubscription.close`.
    case closeTrack(name: String)
    /// `Broadcast.close` of Android.
    case closeBroadcast(path: String?)
    /// `Player.play`; makes the player first where there is none.
    case play(PlayAction)
    /// `Player.pause`.
    case pause
    /// `Player.stopAll`.
    case stopAll(reason: String)
    /// `Player.close` of Android; on iOS the last reference goes.
    case closePlayer
    /// `Player.switchTrack`: another rendition, or none of a kind.
    case `switch`(SwitchAction)
    /// `Player.updateTargetLatency`.
    case setTargetBuffering(Duration)
    /// Makes a new audio data stream of an audio track.
    case readAudio(ReadAudioAction)
    /// Closes the audio data stream.
    case closeAudio

    // MARK: MoqomKit

    /// A call on a session of MoqomKit, or in one of its rooms.
    case moqom(MoqomCall)
}

/// What cameras and microphones deliver.
public struct CaptureAction: Equatable, Sendable {
    /// Where the frames come from.
    public enum Source: Equatable, Sendable {
        /// Frames of the size and the pace that encoders give, without a picture.
        case synthetic
        /// The track of this kind of a media file.
        case file(String)
    }
    /// The camera; nil for none.
    public var video: Source?
    /// The microphone; nil for none.
    public var audio: Source?
    /// Whether files begin anew at their end.
    public var loops: Bool
    /// Frames a second of a synthetic camera.
    public var framesPerSecond: UInt64
    /// Between two keyframes of a synthetic camera.
    public var keyInterval: Duration
    /// The bit rate of a synthetic camera, in bytes a second.
    public var rate: UInt64
    /// What the clock of the camera reads at the beginning, where it is not that of the host.
    public var videoStart: Duration?
    /// The same of the microphone.
    public var audioStart: Duration?
}

/// Adds a track to a publisher.
public struct AddTrackAction: Equatable, Sendable {
    /// What kind of track.
    public enum Kind: String, Equatable, Sendable {
        case video, audio, data
    }
    /// What kind of track.
    public var kind: Kind
    /// The local label of a media track, or the name of a data track.
    public var name: String
    /// The codec that the encoder is set to, instead of that of the source.
    public var codec: String?
    /// Where its frames come from, instead of from the capture.
    public var source: CaptureAction.Source?
    /// How its frames are packed; nil for the kits' own container.
    public var container: ClientContainer?
    /// What becomes of the description that decoders are set up with.
    public var description = ClientDescription.whole
}

/// How frames of media are packed.
public enum ClientContainer: String, CaseIterable, Equatable, Sendable {
    case legacy, cmaf, loc
}

/// What the catalog says for decoders to be set up with.
public enum ClientDescription: String, CaseIterable, Equatable, Sendable {
    /// What the source has.
    case whole
    /// Bytes that are none.
    case damaged
    /// Nothing.
    case none
}

/// In which of its forms a catalog is read.
public enum ClientCatalogForm: String, CaseIterable, Equatable, Sendable {
    /// `catalog.json`, which is what the kits read.
    case json
    /// `catalog.json.z`.
    case compressed
    /// `catalog`, the mirror for MSF.
    case msf
}

/// Another time on the clocks of captures.
public struct MoveClockAction: Equatable, Sendable {
    /// By how much the camera's clock jumps; negative for back.
    public var video: Duration
    /// By how much the microphone's clock jumps; negative for back.
    public var audio: Duration
}

/// Frames that are spoiled.
public struct DamageAction: Equatable, Sendable {
    /// Which frames.
    public enum Kind: String, CaseIterable, Equatable, Sendable {
        case any, keyframe, delta
    }
    /// The local label of the track.
    public var name: String
    /// Which frames.
    public var kind: Kind
    /// How many of them, from the next on.
    public var count: Int
}

/// Objects sent on a data track.
public struct SendAction: Equatable, Sendable {
    /// The data track.
    public var track: String
    /// How many objects.
    public var count: Int
    /// Between two of them.
    public var every: Duration
    /// Bytes of each.
    public var size: Int
    /// The payload, instead of one that names itself.
    public var content: String?
}

/// How a data track is delivered.
public enum ClientDelivery: String, CaseIterable, Equatable, Sendable {
    /// Only what is newer than everything before.
    case monotonic
    /// As it comes.
    case arrival
}

/// Subscribes to a data track.
public struct SubscribeTrackAction: Equatable, Sendable {
    /// The broadcast by the path that the application sees; nil where there is one only.
    public var broadcast: String?
    /// The track.
    public var track: String
    /// How it is delivered.
    public var delivery: ClientDelivery
}

/// What a player is to play.
public struct PlayAction: Equatable, Sendable {
    /// The broadcast by the path that the application sees; nil where there is one only.
    public var broadcast: String?
    /// The rendition of video; nil for the first playable one of the catalog, `none` for none.
    public var video: String?
    /// The rendition of audio, as that of video.
    public var audio: String?
    /// Whether a new player is made although there is one.
    public var isNew: Bool
    /// What stands for no track of a kind.
    public static let none = "none"
}

/// Another rendition.
public struct SwitchAction: Equatable, Sendable {
    /// The video rendition; nil to leave it, `none` for none.
    public var video: String?
    /// The audio rendition; nil to leave it, `none` for none.
    public var audio: String?
}

/// Reads the samples of an audio track.
public struct ReadAudioAction: Equatable, Sendable {
    /// The broadcast by the path that the application sees; nil where there is one only.
    public var broadcast: String?
    /// The audio rendition; nil for the first.
    public var track: String?
    /// Whether nobody reads what comes out.
    public var isUnread: Bool
    /// How samples are written; nil for the usual one.
    public var format: ClientSampleFormat?
    /// Samples a second; nil for those of the track.
    public var sampleRate: Int?
    /// Channels; nil for those of the track.
    public var channels: Int?
}
