/// Which published moq-kit a model behaves as. Where documentation and code of a release disagree, the models follow the
/// code (moq-kit 0.4.1 for iOS, 0.4.0 for Android, moq-ffi 0.3).
public enum KitPlatform: String, CaseIterable, Hashable, Sendable {
    /// moq-kit for iOS.
    case ios
    /// moq-kit for Android.
    case android
}

/// Video or audio.
public enum TrackKind: String, CaseIterable, Hashable, Sendable {
    case video, audio
}
