import MoqBase
import MoqKit
import MoqPlayback

/// What is watched, and how.
public struct WatchSettings: Sendable {
    /// Which rendition of a kind is played.
    public enum Choice: Hashable, Sendable {
        /// The first of the catalog that can be played.
        case first
        /// The one of this name.
        case named(String)
        /// None.
        case none
    }

    /// The broadcast, below the path of the session; nil for the first that is found there.
    public var broadcast: String?
    /// The track that says what it has.
    public var catalog = CatalogFollower.Form.json
    /// The pictures.
    public var video = Choice.first
    /// The sound.
    public var audio = Choice.first
    /// How far behind the live edge it plays.
    public var target = PlayerModel.usualTarget
    /// Which kit's behaviour it has.
    public var platform = KitPlatform.ios
    /// Whether what arrives is decoded; else every frame passes for a picture or a sound.
    public var decodes = true
    /// Whether what arrives becomes a file.
    public var records = false
    /// Whether the steps of its objects are kept, for a trace.
    public var traces = false
    /// How long it may take until something plays; nil to wait for ever.
    public var patience: Duration?
    /// After how long it ends; nil for the end of the broadcast.
    public var duration: Duration?

    /// Settings with the defaults.
    public init() {}
}
