/// What a session actor can do. An actor that has not connected yet connects before its first action.
public enum SessionAction: Equatable, Sendable {
    /// Connects, or connects anew after `close` or `vanish`.
    case connect(ConnectAction)
    /// Announces a broadcast and says which tracks it has.
    case publish(PublishAction)
    /// Announces a live broadcast again with another route.
    case reannounce(ReannounceAction)
    /// Withdraws a broadcast.
    case unpublish(broadcast: String)
    /// Asks for the announcements under a prefix, besides those asked for at connect. `exclude` is a hop whose routes are
    /// not wanted (04 and 05).
    case announcements(prefix: String, exclude: UInt64?)
    /// Subscribes to a track.
    case subscribe(SubscribeAction)
    /// Changes a subscription.
    case update(UpdateAction)
    /// Leaves a subscription: an orderly end, or a reset with a code.
    case unsubscribe(TrackReference, code: Code?)
    /// Fetches one group.
    case fetch(FetchAction)
    /// Asks for the properties of a track.
    case trackInfo(TrackReference)
    /// Answers the oldest request for a track that is waiting, or else the next, with yes. `startGroup` is what the
    /// answer says the first group is; nil leaves it to the engine.
    case accept(TrackReference, startGroup: UInt64?)
    /// Answers the oldest request for a track that is waiting, or else the next, with a reset.
    case refuse(RefuseAction)
    /// Leaves the requests of a kind for a track unanswered from now on, also if the track was published.
    case hold(TrackReference, request: RequestKind = .any)
    /// Writes frames.
    case write(WriteAction)
    /// Writes datagrams, each a group of one frame.
    case datagram(DatagramAction)
    /// Changes the catalog that this actor keeps, and writes it as a new group of one frame.
    case catalog(CatalogAction)
    /// Ends a group, or the track, in good order.
    case finish(TrackReference, group: UInt64?)
    /// Lets go of a group, or of the track, unfinished: what a producer that is dropped does.
    case drop(TrackReference, group: UInt64?)
    /// Resets a group, or the track, with a code.
    case abort(TrackReference, group: UInt64?, code: Code)
    /// As a subscriber, refuses the rest of one group.
    case stopGroup(TrackReference, group: UInt64, code: Code)
    /// Stops reading a track, or everything when nil.
    case pauseReading(TrackReference?)
    /// Reads on.
    case resumeReading(TrackReference?)
    /// Opens a probe stream.
    case probe
    /// Tells the relay that this end goes away.
    case goaway(uri: String)
    /// Writes bytes of the author's choice on a stream.
    case sendRaw(SendRawAction)
    /// Asks over HTTP/1.1, on the TCP connection of a raw actor.
    case get(GetAction)
    /// Closes the session.
    case close(code: Code?, reason: String)
    /// Is gone without a word: no close, no more packets.
    case vanish
}

/// A track of a broadcast, or a subscription by its label.
public struct TrackReference: Hashable, Sendable {
    /// The broadcast, relative to the case's path; nil where only one comes into question.
    public var broadcast: String?
    /// The track's name, or the label that `subscribe` or `fetch` was given with `as`; a label goes first.
    public var track: String
}

/// What a `connect` must lead to.
public enum ConnectOutcome: Equatable, Sendable {
    /// Either is fine.
    case any
    /// A session.
    case connected
    /// No session: the handshake fails, or the relay closes it at once.
    case refused(CloseExpectation)
}

/// Connects a session.
public struct ConnectAction: Equatable, Sendable {
    /// The path given to the relay, instead of the actor's.
    public var path: String?
    /// The one version that is offered, instead of the actor's.
    public var version: String?
    /// The transport that is dialled, instead of the actor's.
    public var transport: String?
    /// The protocol names that are offered, in this order, instead of the actor's.
    public var protocols: [String]?
    /// What it must lead to.
    public var expect: ConnectOutcome
    /// How long it may take.
    public var within: Duration
}

/// A track, as its publisher describes it.
public struct TrackDefinition: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// The publisher's priority, 0 to 255.
    public var priority: UInt8?
    /// How long old groups are kept.
    public var maxAge: Duration?
    /// Timestamp units a second.
    public var timescale: UInt64?
    /// Whether groups are wanted in order (up to moq-lite-05).
    public var ordered: Bool?
}

/// A hop that an announcement claims to have passed.
public enum HopWord: Equatable, Sendable {
    /// That of this id.
    case id(UInt64)
    /// The relay under test itself, so that the announcement is a loop.
    case relay
}

/// Announces a broadcast.
public struct PublishAction: Equatable, Sendable {
    /// The broadcast, relative to the case's path.
    public var broadcast: String
    /// Its tracks. Requests for them are accepted; a request for any other waits for `accept` or `refuse`.
    public var tracks: [TrackDefinition]
    /// The hops that the announcement claims to have passed; nil for none.
    public var hops: [HopWord]?
    /// The cost that the announcement names (moq-lite-06).
    public var cost: UInt64?
}

/// Announces a live broadcast again.
public struct ReannounceAction: Equatable, Sendable {
    /// The broadcast, relative to the case's path.
    public var broadcast: String
    /// The hops of the new route; nil for none.
    public var hops: [HopWord]?
    /// The cost of the new route (moq-lite-06).
    public var cost: UInt64?
}

/// What a subscription asks for; nil is what the message has when nothing is wanted.
public struct SubscriptionOptions: Equatable, Sendable {
    /// Priority, 0 to 255.
    public var priority: UInt8?
    /// Groups in order (up to moq-lite-05).
    public var ordered: Bool?
    /// How old groups may be.
    public var maxAge: Duration?
    /// First group.
    public var start: UInt64?
    /// Last group, inclusive.
    public var end: UInt64?
    /// First frame of the first group (moq-lite-06).
    public var frameStart: UInt64?
    /// Last frame of the last group, inclusive (moq-lite-06).
    public var frameEnd: UInt64?
}

/// Subscribes to a track.
public struct SubscribeAction: Equatable, Sendable {
    /// The broadcast, relative to the case's path.
    public var broadcast: String
    /// The track.
    public var track: String
    /// What is asked for.
    public var options: SubscriptionOptions
    /// The name by which later steps mean this subscription, besides the track's.
    public var label: String?
}

/// Changes a subscription: every field that is nil keeps its value.
public struct UpdateAction: Equatable, Sendable {
    /// The subscription.
    public var target: TrackReference
    /// What is asked for from here on.
    public var options: SubscriptionOptions
}

/// Fetches one group.
public struct FetchAction: Equatable, Sendable {
    /// The broadcast, relative to the case's path.
    public var broadcast: String
    /// The track.
    public var track: String
    /// The group.
    public var group: UInt64
    /// Priority, 0 to 255.
    public var priority: UInt8?
    /// First frame (moq-lite-06).
    public var frameStart: UInt64?
    /// Last frame, inclusive (moq-lite-06).
    public var frameEnd: UInt64?
    /// The name by which later steps mean this fetch, besides the track's.
    public var label: String?
}

/// What kind of request is meant.
public enum RequestKind: String, CaseIterable, Equatable, Sendable {
    case any, subscribe, fetch
    case trackInfo = "track_info"
}

/// Refuses a request.
public struct RefuseAction: Equatable, Sendable {
    /// The track asked for.
    public var target: TrackReference
    /// With what it is reset.
    public var code: Code
    /// Which kind of request is refused.
    public var request: RequestKind
}

/// Bytes of the author's choice on a stream.
public struct SendRawAction: Equatable, Sendable {
    /// The stream.
    public enum Stream: Equatable, Sendable {
        /// A new unidirectional stream.
        case newUnidirectional
        /// A new bidirectional stream.
        case newBidirectional
        /// A stream opened by an earlier `send_raw` with that label.
        case named(String)
        /// The stream of a request: of the relay's newest one of this kind for the track, or else of one's own.
        case request(RequestKind, TrackReference)
        /// A datagram.
        case datagram
        /// The TCP connection itself, for actors that write beneath WebSocket or Qmux.
        case connection
        /// The streams on which the actor has an open group of a track that it publishes, one for each subscription.
        case group(TrackReference, UInt64)
    }

    /// The label under which the TCP connection is looked at.
    public static let connectionLabel = "connection"
    /// How the labels of streams begin that the relay opens: `relay-uni-1` is a raw actor's first unidirectional one,
    /// `announcements` the one on which it asked a session for announcements (`announcements-2` the second).
    public static let relayLabels = ["relay-uni-", "relay-bidi-", setupLabel, announcementsLabel]
    /// The label of the relay's SETUP, where the actor has sent its own by itself.
    public static let setupLabel = "relay-setup"
    /// The label of the first stream on which the relay asked a session for announcements.
    public static let announcementsLabel = "announcements"
    /// Where the bytes go.
    public var stream: Stream
    /// The name by which later steps mean a new stream.
    public var label: String?
    /// The bytes; behind the headers, if there are any.
    public var bytes: [RawBytes]
    /// A HEADERS frame of HTTP/3 with these headers.
    public var headers: [HeaderText]?
    /// Whether every byte goes out by itself, in a turn of its own.
    public var isByteByByte = false
    /// Whether this end is finished after them.
    public var finish: Bool
    /// With what this end is reset after them; nil for not.
    public var reset: Code?
    /// With what the relay is asked to send nothing more on the stream; nil for not.
    public var stop: Code?
}
