/// The kinds of media that a catalog has sections for.
public enum MediaKind: String, CaseIterable, Hashable, Sendable {
    case video, audio
}
