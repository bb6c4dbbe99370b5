/// Expectations, combined.
public indirect enum ExpectationTree: Equatable, Sendable {
    /// One.
    case one(Expectation)
    /// All of them, in any order.
    case all([ExpectationTree])
    /// At least one of them; which one is reported.
    case any([ExpectationTree])
    /// All of them, one after the other.
    case inOrder([ExpectationTree])
}

/// One thing that can be seen.
public struct Expectation: Equatable, Sendable {
    /// What is looked for.
    public var kind: ExpectationKind
    /// How often it must have been seen; nil for at least once. Only for things that happen, not for `track` and states.
    public var occurrences: CountExpectation?
    /// Where it is written.
    public var location: SourceLocation
    /// Its text, shortened to one line.
    public var source: String
}

/// A number, or a range of them.
public struct CountExpectation: Hashable, Sendable, CustomStringConvertible {
    /// At least so many.
    public var minimum: Int
    /// At most so many; nil for no limit.
    public var maximum: Int?

    /// Between two numbers.
    public init(minimum: Int, maximum: Int?) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Whether the number is in the range.
    public func contains(_ number: Int) -> Bool {
        number >= minimum && number <= (maximum ?? .max)
    }

    /// `3`, `at least 3`, `at most 3` or `3 to 7`.
    public var description: String {
        switch maximum {
        case nil: "at least \(minimum)"
        case minimum?: "\(minimum)"
        case let maximum? where minimum == 0: "at most \(maximum)"
        case let maximum?: "\(minimum) to \(maximum)"
        }
    }
}

/// What an actor can look for.
public enum ExpectationKind: Equatable, Sendable {
    /// A broadcast is announced (a state: it holds while the announcement is live).
    case announced(AnnouncementExpectation)
    /// The announcement of a broadcast has ended.
    case unannounced(AnnouncementExpectation)
    /// A live announcement was replaced by one with another route.
    case reannounced(AnnouncementExpectation)
    /// As a publisher: the relay asked for a track.
    case subscribeRequest(RequestExpectation)
    /// As a publisher: the relay changed its subscription.
    case subscribeUpdated(RequestExpectation)
    /// As a publisher: the relay left its subscription.
    case unsubscribed(TrackReference, code: CodeExpectation?)
    /// As a publisher: the relay wants a group.
    case fetchRequest(RequestExpectation)
    /// As a publisher: the relay wants the properties of a track.
    case trackInfoRequest(RequestExpectation)
    /// As a subscriber: what a subscription brought. As a publisher: what became of a track.
    case track(TrackExpectation)
    /// The answer to `track_info`.
    case trackInfo(TrackInfoExpectation)
    /// The answer to `fetch`.
    case fetched(FetchExpectation)
    /// Datagrams of a track.
    case datagrams(DatagramExpectation)
    /// The state of the session.
    case session(SessionExpectation)
    /// A catalog that arrived.
    case catalog(CatalogExpectation)
    /// The relay asked to go away, perhaps to another address.
    case goaway(uri: String?)
    /// A report on the probe stream.
    case probe
    /// What happened on a stream opened with `send_raw`.
    case stream(StreamExpectation)
    /// The relay takes a new session and serves it.
    case relayServes
    /// What the application behind a client kit sees.
    case client(ClientExpectation)
    /// What an outside program prints, and how it ends.
    case program(ProgramExpectation)
}

/// The hops of an announcement.
public enum HopsExpectation: Equatable, Sendable {
    /// So many.
    case count(CountExpectation)
    /// Exactly these, from the publisher on, the relay's own being the last.
    case list([Hop])

    /// One hop of a list.
    public enum Hop: Equatable, Sendable {
        /// That of this id.
        case id(UInt64)
        /// Any, such as the relay's own.
        case any
    }
}

/// An announcement.
public struct AnnouncementExpectation: Equatable, Sendable {
    /// The broadcast, relative to the case's path; nil for any.
    public var broadcast: String?
    /// The hops in it.
    public var hops: HopsExpectation?
    /// The cost in it (moq-lite-06).
    public var cost: CountExpectation?
}

/// A request of the relay to a publisher. What is nil may be anything.
public struct RequestExpectation: Equatable, Sendable {
    /// The track.
    public var target: TrackReference
    /// What a subscription asks for.
    public var options: SubscriptionOptions
    /// The group that is fetched.
    public var group: UInt64?
}

/// The groups that a subscription brought.
public enum GroupsExpectation: Equatable, Sendable {
    /// So many.
    case count(CountExpectation)
    /// Exactly these numbers, in any order.
    case numbers([UInt64])
}

/// The order in which groups arrived.
public enum OrderExpectation: Equatable, Sendable {
    /// Each later than the one before.
    case ascending
    /// Each earlier than the one before.
    case descending
    /// Exactly so.
    case numbers([UInt64])
}

/// What frames say their time is.
public enum TimestampExpectation: Equatable, Sendable {
    /// Each later than the one before.
    case increasing
    /// None earlier than the one before.
    case notFalling
    /// Exactly these.
    case values([UInt64])
    /// There are frames, and none of them says a time.
    case absent
}

/// How a track ended.
public enum TrackEnding: String, CaseIterable, Equatable, Sendable {
    case cleanly, any
    case withError = "with_error"
}

/// What a subscription brought, or what became of a published track. Everything that is not nil must hold.
public struct TrackExpectation: Equatable, Sendable {
    /// The track or subscription.
    public var target: TrackReference
    /// The one group that `frames`, `sizes`, `content`, `reset`, `stopped` and `finished` are about.
    public var group: UInt64?
    /// The groups that arrived.
    public var groups: GroupsExpectation?
    /// Whole frames that arrived, in `group` or else in all groups.
    public var frames: CountExpectation?
    /// The number of the first frame of `group` that the stream carries (moq-lite-06).
    public var firstFrame: UInt64?
    /// Sizes of the frames in bytes, in order.
    public var sizes: [Int]?
    /// Size in bytes of every frame.
    public var size: Int?
    /// The payload of the last frame.
    public var content: String?
    /// The order in which the groups arrived.
    public var order: OrderExpectation?
    /// The timestamps of the frames.
    public var timestamps: TimestampExpectation?
    /// The lowest group that arrived.
    public var firstGroup: UInt64?
    /// The highest group that arrived.
    public var lastGroup: UInt64?
    /// Whether `group`, or every group that arrived, ended in good order.
    public var finished: Bool?
    /// `group` was reset, or without it the subscription (refused, or failed later).
    public var reset: CodeExpectation?
    /// As a publisher: the relay stopped `group`.
    public var stopped: CodeExpectation?
    /// Whether the relay accepted the subscription in so many words (where the version has that message).
    public var accepted: Bool?
    /// The first group according to the relay's answer (moq-lite-05 on).
    public var startGroup: UInt64?
    /// The first group that will never exist, according to the relay (moq-lite-05 on).
    public var endGroup: UInt64?
    /// The subscription has ended, and how.
    public var ended: TrackEnding?
    /// Groups of which the relay said that they will not come (SUBSCRIBE_DROP, moq-lite-03 to 06).
    public var lost: [UInt64]?
}

/// The answer to `track_info`. What is nil may be anything.
public struct TrackInfoExpectation: Equatable, Sendable {
    /// The track.
    public var target: TrackReference
    /// The publisher's priority.
    public var priority: UInt8?
    /// How long old groups are kept.
    public var maxAge: Duration?
    /// Timestamp units a second.
    public var timescale: UInt64?
    /// Whether groups are wanted in order (moq-lite-05).
    public var ordered: Bool?
    /// The request was reset instead.
    public var reset: CodeExpectation?
}

/// The answer to `fetch`. What is nil may be anything.
public struct FetchExpectation: Equatable, Sendable {
    /// The track, or the label of the fetch; nil where there was only one fetch.
    public var target: TrackReference?
    /// The group that was fetched.
    public var group: UInt64?
    /// Frames that arrived.
    public var frames: CountExpectation?
    /// Sizes of the frames in bytes, in order.
    public var sizes: [Int]?
    /// Size in bytes of every frame.
    public var size: Int?
    /// The payload of the last frame.
    public var content: String?
    /// Whether the answer ended in good order.
    public var finished: Bool?
    /// The answer was reset.
    public var reset: CodeExpectation?
}

/// Datagrams that arrived.
public struct DatagramExpectation: Equatable, Sendable {
    /// The track.
    public var target: TrackReference
    /// How many.
    public var count: CountExpectation
}

/// The state of a session.
public enum SessionExpectation: Equatable, Sendable {
    /// It is up, and agreed on this.
    case connected(AgreementExpectation)
    /// It was up, and the relay closed it in this way, or (with `any`) it is gone for whatever reason.
    case closed(CloseExpectation)
    /// It never came up.
    case refused(CloseExpectation)
}

/// The renditions of one kind in a catalog.
public enum RenditionsExpectation: Equatable, Sendable {
    /// So many.
    case count(CountExpectation)
    /// Exactly these names.
    case names([String])
}

/// A catalog that arrived. What is nil may be anything.
public struct CatalogExpectation: Equatable, Sendable {
    /// The catalog's track.
    public var target: TrackReference
    /// The video renditions.
    public var video: RenditionsExpectation?
    /// The audio renditions.
    public var audio: RenditionsExpectation?
    /// A catalog arrived that is older than one seen before. Only for `never`.
    public var olderThanSeen: Bool?
    /// The last catalog that arrived is the last one that was written.
    public var newest: Bool?
}

/// A header of an HTTP/3 message. What stands for one that must be missing is `none`.
public struct HeaderText: Hashable, Sendable {
    /// In lower case; pseudo-headers begin with a colon.
    public var name: String
    /// The value.
    public var value: String

    /// What stands for a header that is not there.
    public static let missing = "none"
}

/// What happened on a stream opened with `send_raw`, or by the relay.
public struct StreamExpectation: Equatable, Sendable {
    /// The label that `send_raw` gave it, or that it has by itself.
    public var label: String
    /// The relay reset its half.
    public var reset: CodeExpectation?
    /// The relay refused to read on.
    public var stopped: CodeExpectation?
    /// The relay ended its half in good order.
    public var finished: Bool?
    /// What the relay sent on it so far begins with these bytes.
    public var bytes: [UInt8]?
    /// What the relay sent on it so far holds these bytes somewhere.
    public var contained: [UInt8]?
    /// The head of the HTTP/3 message on it has these headers.
    public var headers: [HeaderText]?
    /// What the relay sent on it so far holds the SHA-256 of its certificate, in hexadecimal digits.
    public var namesCertificate = false
}
