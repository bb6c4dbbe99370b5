/// What a player makes of a rendition.
public enum Playability: Equatable, Sendable, CustomStringConvertible {
    /// It is listed and can be played, as far as codec and container decide.
    case playable
    /// It is listed and cannot be played, in the player's words.
    case unsupported(String)
    /// The player does not see it at all.
    case notListed(String)

    public var description: String {
        switch self {
        case .playable: "playable"
        case .unsupported(let reason): reason
        case .notListed(let reason): "not listed: \(reason)"
        }
    }

    /// Whether it can be played.
    public var isPlayable: Bool { self == .playable }
}

/// The players whose rules are known.
public enum PlayerProfile: String, CaseIterable, Hashable, Sendable {
    /// moq-kit on iOS: by the beginning of the codec.
    case ios
    /// moq-kit on Android: as iOS, with `aac` as a beginning.
    case android
    /// The web watcher: what WebCodecs has a name for, and hang's `pcm`.
    case web

    func playability(_ codec: CodecString, _ container: Container, _ kind: MediaKind) -> Playability {
        guard container.isKnown else {
            return .notListed("container \(container.kind ?? "without a kind") is unknown")
        }
        if self == .web {
            switch codec.family {
            case .mp2, .ac3, .ec3, .unknown: return .unsupported("Unsupported \(kind.rawValue) codec: \(codec.text)")
            default: return .playable
            }
        }
        let text = codec.text.lowercased()
        let isKnown =
            switch (kind, self) {
            case (.video, _): ["avc", "hev", "hvc", "av0"].contains { text.hasPrefix($0) }
            case (.audio, .android): ["mp4a", "aac", "opus"].contains { text.hasPrefix($0) }
            case (.audio, _): text == "aac" || ["mp4a", "opus"].contains { text.hasPrefix($0) }
            }
        return isKnown ? .playable : .unsupported("Unsupported \(kind.rawValue) codec: \(codec.text)")
    }
}

extension VideoRendition {
    /// What a player makes of it; which decoders the device has is left aside.
    public func playability(on player: PlayerProfile) -> Playability {
        player.playability(codec, container, .video)
    }
}

extension AudioRendition {
    /// What a player makes of it; which decoders the device has is left aside.
    public func playability(on player: PlayerProfile) -> Playability {
        player.playability(codec, container, .audio)
    }
}

extension Catalog {
    /// The video renditions that a player lists and can play, in the order of the document.
    public func playableVideo(on player: PlayerProfile) -> [VideoRendition] {
        (video?.renditions ?? []).filter { $0.playability(on: player).isPlayable }
    }

    /// The audio renditions that a player lists and can play, in the order of the document.
    public func playableAudio(on player: PlayerProfile) -> [AudioRendition] {
        (audio?.renditions ?? []).filter { $0.playability(on: player).isPlayable }
    }
}
