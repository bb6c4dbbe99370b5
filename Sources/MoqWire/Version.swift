/// A version of moq-lite, oldest first.
///
/// The raw value is the number of the draft, so versions compare by age. 07 is not frozen: it is spoken only where it is
/// asked for by name, and as far as it is known.
public enum Version: Int, CaseIterable, Comparable, Hashable, Sendable, CustomStringConvertible {
    case lite01 = 1
    case lite02 = 2
    case lite03 = 3
    case lite04 = 4
    case lite05 = 5
    case lite06 = 6
    case lite07 = 7

    /// The protocol name of 01 and 02, which agree on the version by the setup exchange.
    public static let exchangeName = "moql"

    /// The released versions, the newest first: the order in which they are offered. 07 is not among them.
    public static let byPreference: [Version] = allCases.filter(\.isReleased).sorted(by: >)

    /// Whether the version is frozen, and offered without being asked for.
    public var isReleased: Bool { self <= .lite06 }

    /// The version's number as people write it: "03", "07-wip".
    public var name: String { isReleased ? "0\(rawValue)" : "0\(rawValue)-wip" }

    /// The name in ALPN, and wherever else a binding agrees on a protocol: "moq-lite-03". 01 and 02 share `moql`, so it
    /// does not tell these two apart; `description` does.
    public var alpn: String { usesSetupExchange ? Self.exchangeName : description }

    /// The number of the version in the setup exchange (01 and 02; the numbers of later ones are never sent).
    public var setupCode: UInt64 { 0xFF0D_AD00 + UInt64(rawValue) }

    /// The version of a name: "03" or "moq-lite-03". Nil for anything else ("moq-lite-06-wip" is not 06, and "moql" is
    /// not one version).
    public init?(name: some StringProtocol) {
        guard let version = Self.byName[String(name)] else { return nil }
        self = version
    }

    private static let byName = Dictionary(
        uniqueKeysWithValues: allCases.flatMap { [($0.name, $0), ($0.description, $0)] })

    /// The version that a protocol name stands for. Nil for anything else, `moql` among it.
    public init?(alpn: some StringProtocol) {
        guard let version = Self.allCases.first(where: { $0.description == alpn && !$0.usesSetupExchange }) else {
            return nil
        }
        self = version
    }

    /// The version of a number in the setup exchange: 01 or 02. Nil for anything else.
    public init?(setupCode: UInt64) {
        guard let version = Self.allCases.first(where: { $0.setupCode == setupCode && $0.usesSetupExchange }) else {
            return nil
        }
        self = version
    }

    /// The protocol names to offer for versions, in the order of the first mention and each once.
    public static func protocolNames(for versions: [Version]) -> [String] {
        var names: [String] = []
        for name in versions.map(\.alpn) where !names.contains(name) { names.append(name) }
        return names
    }

    /// What tells the version from all others, for people and reports: "moq-lite-03".
    public var description: String { "moq-lite-\(name)" }

    public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
}

// What the versions have. Source of all of it: the moq-lite drafts 01 to 06 and their running
// implementations; of 07 the newest public sources, which no release speaks.
extension Version {
    /// Client and server agree on the version on the first bidirectional stream (CLIENT_SETUP, SERVER_SETUP), which then
    /// stays open as the session's stream.
    public var usesSetupExchange: Bool { self <= .lite02 }
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
    /// ANNOUNCE_INIT lists the present set before the announcements.
    public var hasAnnounceInit: Bool { self <= .lite02 }
    /// Announcements are typed messages, and are ended and updated by their number on the stream.
    public var hasAnnounceIDs: Bool { self >= .lite06 }
    /// Announcements carry what the route costs.
    public var hasCosts: Bool { self >= .lite06 }
    /// Announcements say how many hops there were.
    public var hasHops: Bool { self >= .lite03 }
    /// Announcements list the ids of the hops; 03 has only their count.
    public var hasHopIDs: Bool { self >= .lite04 }
    /// The sender of an announcement writes itself into the hop list (03: counts itself).
    public var hopsIncludeSender: Bool { self == .lite03 || self == .lite04 }
    /// ANNOUNCE_REQUEST names a hop whose routes are not wanted.
    public var hasExcludeHop: Bool { self == .lite04 || self == .lite05 }
    /// A second `active` for a live path replaces the first; before, it is a violation.
    public var repeatedActiveReplaces: Bool { self == .lite05 }
    /// The route to a live broadcast can change without the broadcast seeming to end.
    public var announcementsCanChange: Bool { repeatedActiveReplaces || hasAnnounceIDs }
    /// The answer to ANNOUNCE_REQUEST says how many broadcasts there are at present.
    public var tellsActiveCount: Bool { hasAnnounceInit || hasAnnounceOK }
    /// A FIN behind TRACK or FETCH withdraws it; on 05 it only ends the question.
    public var endWithdrawsRequests: Bool { self >= .lite06 }
    /// Frames carry timestamps.
    public var hasFrameTimestamps: Bool { self >= .lite05 }
    /// SUBSCRIBE and TRACK_INFO say whether groups are wanted in order.
    public var hasOrdered: Bool { self >= .lite03 && self <= .lite05 }
    /// SUBSCRIBE says how old groups may get, and where it starts and ends; before, it has only a priority.
    public var hasSubscribeRange: Bool { self >= .lite03 }
    /// SUBSCRIBE_UPDATE exists.
    public var hasSubscribeUpdate: Bool { self >= .lite03 }
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
    /// Answers to SUBSCRIBE have a type; before, SUBSCRIBE_OK is the only one.
    public var subscribeAnswersAreTyped: Bool { self >= .lite03 }
    /// SUBSCRIBE_OK repeats the priority asked for; on 02 it is empty.
    public var subscribeOKHasPriority: Bool { self == .lite01 || self == .lite03 || self == .lite04 }
    /// Broadcasts, subscriptions and fetches name the instance of the publisher.
    public var hasEpochs: Bool { self >= .lite07 }
    /// ANNOUNCE_REQUEST says whether hidden routes are wanted.
    public var hasHiddenRoutes: Bool { self >= .lite07 }
    /// Announcements may borrow parts of their path and hops from earlier ones of the stream.
    public var hasBorrowedRoutes: Bool { self >= .lite07 }
    /// A route has two costs, warm and cold; 07 has one (the newest sources, and the plan).
    public var hasColdCost: Bool { self == .lite06 }
    /// SUBSCRIBE_OK says how far the track has come.
    public var hasLargestPosition: Bool { self >= .lite07 }
    /// SUBSCRIBE_END says how many group streams there were, and the publisher ends its half only behind the
    /// subscriber's.
    public var subscriberEndsFirst: Bool { self >= .lite07 }
    /// The age in TRACK_INFO is written plus one, and 0 stands for no limit.
    public var trackAgeIsOptional: Bool { self >= .lite07 }
    /// SUBSCRIBE_DROP exists.
    public var hasSubscribeDrop: Bool { self >= .lite03 && self <= .lite06 }
    /// A publisher must send START (SUBSCRIBE_OK) before its first group: relays of the 0.4 releases forward nothing
    /// without it (observed on 0.4.9 and 0.4.18).
    public var requiresSubscribeStart: Bool { self >= .lite06 }
}
