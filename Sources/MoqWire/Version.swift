/// A version of moq-lite, oldest first.
///
/// The raw value is the number of the draft, so versions compare by age. 01 and 02 (with their setup exchange) and
/// 07 (not frozen) are not spoken.
public enum Version: Int, CaseIterable, Comparable, Hashable, Sendable, CustomStringConvertible {
    case lite03 = 3
    case lite04 = 4
    case lite05 = 5
    case lite06 = 6

    /// All versions, the newest first: the order in which they are offered.
    public static let byPreference: [Version] = allCases.sorted(by: >)

    /// The version's number as people write it: "03".
    public var name: String { "0\(rawValue)" }

    /// The name in ALPN, and wherever else a binding agrees on a protocol: "moq-lite-03".
    public var alpn: String { "moq-lite-\(name)" }

    /// The version of a name: "03" or "moq-lite-03". Nil for anything else ("moq-lite-06-wip" is not 06).
    public init?(name: some StringProtocol) {
        guard let version = Self.allCases.first(where: { $0.name == name || $0.alpn == name }) else { return nil }
        self = version
    }

    /// The version that a protocol name stands for. Nil for anything else.
    public init?(alpn: some StringProtocol) {
        guard let version = Self.allCases.first(where: { $0.alpn == alpn }) else { return nil }
        self = version
    }

    public var description: String { alpn }

    public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
}

// What the versions have. Source of all of it: the moq-lite drafts 03 to 06 and their running implementations.
extension Version {
    /// Both sides open a unidirectional stream with SETUP first.
    public var hasSetup: Bool { self >= .lite05 }
    /// TRACK and TRACK_INFO exist.
    public var hasTrackStream: Bool { self >= .lite05 }
    /// FETCH is served. 03 and 04 have the message on paper, but publishers refuse it.
    public var hasFetch: Bool { self >= .lite05 }
    /// Groups of one frame may travel as datagrams.
    public var hasDatagrams: Bool { self >= .lite05 }
    /// ANNOUNCE_OK answers ANNOUNCE_REQUEST before the announcements.
    public var hasAnnounceOK: Bool { self >= .lite05 }
    /// Announcements are typed messages, and are ended and updated by their number on the stream.
    public var hasAnnounceIDs: Bool { self >= .lite06 }
    /// Announcements carry what the route costs.
    public var hasCosts: Bool { self >= .lite06 }
    /// Announcements list the ids of the hops; 03 has only their count.
    public var hasHopIDs: Bool { self >= .lite04 }
    /// The sender of an announcement writes itself into the hop list (03: counts itself).
    public var hopsIncludeSender: Bool { self <= .lite04 }
    /// ANNOUNCE_REQUEST names a hop whose routes are not wanted.
    public var hasExcludeHop: Bool { self == .lite04 || self == .lite05 }
    /// A second `active` for a live path replaces the first; before, it is a violation.
    public var repeatedActiveReplaces: Bool { self == .lite05 }
    /// Frames carry timestamps.
    public var hasFrameTimestamps: Bool { self >= .lite05 }
    /// SUBSCRIBE and TRACK_INFO say whether groups are wanted in order.
    public var hasOrdered: Bool { self <= .lite05 }
    /// SUBSCRIBE, FETCH and GROUP can name frames inside a group.
    public var hasFrameRanges: Bool { self >= .lite06 }
    /// The start in SUBSCRIBE is the number of the lowest group wanted; before, absent means the latest group.
    public var startIsFloor: Bool { self >= .lite06 }
    /// GOAWAY exists.
    public var hasGoaway: Bool { self >= .lite04 }
    /// PROBE exists.
    public var hasProbe: Bool { self >= .lite03 }
    /// PROBE reports the round trip as well.
    public var probeHasRoundTrip: Bool { self >= .lite04 }
    /// The first answer to SUBSCRIBE is a confirmation that echoes the request. From 05 on the stream only stays open,
    /// and START, END and DROP follow.
    public var subscribeAnswerIsOK: Bool { self <= .lite04 }
    /// A publisher must send START (SUBSCRIBE_OK) before its first group: relays of the 0.4 releases forward nothing
    /// without it (observed on 0.4.9 and 0.4.18).
    public var requiresSubscribeStart: Bool { self >= .lite06 }
}
