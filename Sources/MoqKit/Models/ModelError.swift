/// Why a model turns a call down.
public struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why, whatever the platform's own type is called.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
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
    }

    /// Why.
    public var reason: Reason
    /// What the application is shown.
    public var text: String
    /// Whose error it is.
    public var platform: KitPlatform

    /// An error of its parts.
    public init(_ reason: Reason, _ text: String, on platform: KitPlatform) {
        self.reason = reason
        self.text = text
        self.platform = platform
    }

    /// The type of the error as the platform's documentation names it: a case of `SessionError` on iOS, a class of
    /// exceptions on Android.
    public var type: String {
        switch (platform, reason) {
        case (.ios, .alreadyConnected): "alreadyConnected"
        case (.ios, .alreadyClosed): "alreadyClosed"
        case (.ios, .alreadySubscribed): "alreadySubscribed"
        case (.ios, .noTracksSelected): "noTracksSelected"
        case (.ios, .unsupportedCodec): "unsupportedCodec"
        case (.ios, .connectionFailed): "connectionFailed"
        case (.ios, _): "invalidConfiguration"
        case (.android, .unsupportedCodec): "UnsupportedCodecException"
        case (.android, .unknownTrack), (.android, .duplicateTrack), (.android, .invalidAudioFormat):
            "IllegalArgumentException"
        case (.android, .connectionFailed): "MoqException"
        case (.android, _): "IllegalStateException"
        }
    }

    /// `invalidConfiguration: Publisher already started`.
    public var description: String { "\(type): \(text)" }
}
