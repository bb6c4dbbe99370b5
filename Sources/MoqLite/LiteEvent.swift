import MoqTransport
import MoqWire

/// Something that happened on a session.
///
/// Every request and group that was reported or returned gets exactly one end event, and nothing after it. After
/// `closed` there is nothing at all.
public enum LiteEvent: Hashable, Sendable {
    // MARK: The session

    /// The transport is there and the version known.
    case established(Version)
    /// The peer's SETUP (05 and later).
    case peerSetup(Setup)
    /// The peer's measurement on the session's stream (01 and 02).
    case sessionInfo(SessionInfo)
    /// The peer wants the session to end and this side to go on elsewhere; empty for the same place.
    case goaway(uri: String)
    /// A measurement of the peer, after `openProbe`.
    case probe(Probe)
    /// The peer sends no more measurements.
    case probeEnded(StreamEnd)
    /// `openGroup` had returned nil for want of a stream; now there is one.
    case streamsAvailable
    /// The peer did what it must not; the text says what. Where a request or group ended by it, its end event follows.
    case violation(StreamID?, String, ViolationAction)
    /// The session is over; everything open was ended before.
    case closed(SessionClose)

    // MARK: Raw streams

    /// Bytes of the peer on a stream of `openRawStream`.
    case rawBytes(StreamID, [UInt8])
    /// The peer wants no more on a raw stream.
    case rawStopped(StreamID, StreamCode)
    /// The peer's half of a raw stream is over.
    case rawEnded(StreamID, StreamEnd)

    // MARK: Requests of this side

    /// ANNOUNCE_OK (05 and later): the peer's hop id, and how many announcements of the present set follow. On 01 and 02
    /// ANNOUNCE_INIT says it, and the hop is 0; 03 and 04 have no such answer.
    case announceAnswered(AnnounceRequestID, hop: UInt64, activeCount: UInt64)
    /// A broadcast is there, or (`isUpdate`) there is another way to it or another instance of it.
    case announced(AnnounceRequestID, Announced, isUpdate: Bool)
    /// A broadcast is gone; the full path.
    case unannounced(AnnounceRequestID, BroadcastPath)
    /// Nothing more comes of a request: everything announced on it is gone, without `unannounced` for each.
    case announcementsEnded(AnnounceRequestID, StreamEnd)

    /// SUBSCRIBE_OK up to 04. From 05 on only `subscribeStart` confirms a subscription.
    case subscribeAccepted(SubscriptionID, SubscribeOptions)
    /// The first group that will be delivered (05 and later).
    case subscribeStart(SubscriptionID, group: UInt64)
    /// The first group that will never exist (05 and later).
    case subscribeEnd(SubscriptionID, group: UInt64)
    /// Groups that will not be delivered, both ends inclusive.
    case subscribeDrop(SubscriptionID, start: UInt64, end: UInt64, code: UInt64)
    /// The publisher ended its half. Groups already opened go on, unless this side had unsubscribed; behind `finished`
    /// those that were still on their way may begin, until `unsubscribe`.
    case subscriptionEnded(SubscriptionID, StreamEnd)
    /// A group begins; `frameStart` is the number of its first frame on this stream (0 before 06).
    case groupOpened(IncomingGroupID, SubscriptionID, sequence: UInt64, frameStart: UInt64)
    /// Bytes of a frame that is not whole yet, if `LiteConfiguration.tellsFrameParts`; the whole frame follows as `frame`.
    case framePart(IncomingGroupID, index: UInt64, FramePart)
    /// A whole frame; `index` is its number within the group.
    case frame(IncomingGroupID, index: UInt64, Frame)
    /// A group is over. An end inside a frame is `malformed`.
    case groupEnded(IncomingGroupID, StreamEnd)
    /// A group of one frame that came as a datagram (05 and later).
    case datagram(SubscriptionID, sequence: UInt64, timestamp: UInt64, payload: [UInt8])

    /// The properties of a track.
    case trackInfo(TrackRequestID, TrackInfo)
    /// A track request is over; without `trackInfo` before it, it was refused.
    case trackEnded(TrackRequestID, StreamEnd)
    /// A frame of a fetched group; `index` is its number within the group.
    case fetchFrame(FetchID, index: UInt64, Frame)
    /// A fetch is over: `finished` when the group, or the part asked for, is complete.
    case fetchEnded(FetchID, StreamEnd)

    // MARK: Requests of the peer

    /// The peer asks for announcements; answer with `answerAnnounce`.
    case announceRequested(IncomingAnnounceID, prefix: BroadcastPath, excludeHop: UInt64)
    /// The peer wants no more announcements.
    case announceCancelled(IncomingAnnounceID, StreamEnd)
    /// The peer subscribes.
    case subscribeRequested(IncomingSubscriptionID, Subscribe)
    /// The peer replaced the options of its subscription.
    case subscribeUpdated(IncomingSubscriptionID, SubscribeUpdate)
    /// The peer left a subscription. The engine has reset its open groups and ended the stream.
    case subscribeCancelled(IncomingSubscriptionID, StreamEnd)
    /// The peer asks for the properties of a track; answer with `answerTrack` or `refuseTrack`.
    case trackRequested(IncomingTrackID, broadcast: BroadcastPath, track: TrackName)
    /// The peer withdrew a track request that was not answered yet.
    case trackCancelled(IncomingTrackID, StreamEnd)
    /// The peer asks for a group; answer with `writeFetchFrame` and `finishFetch`, or `refuseFetch`.
    case fetchRequested(IncomingFetchID, Fetch)
    /// The peer withdrew a fetch that was not finished yet.
    case fetchCancelled(IncomingFetchID, StreamEnd)
    /// The peer wants no more of a group; the group is gone.
    case groupStopped(OutgoingGroupID, StreamCode)
    /// The peer has all of a finished group.
    case groupDelivered(OutgoingGroupID)
    /// A group for which `canWrite` was false has room again.
    case writable(OutgoingGroupID)
    /// A fetch for which `canWriteFetch` was false has room again.
    case fetchWritable(IncomingFetchID)
    /// The peer has everything of a subscription that was finished here.
    case subscriptionDelivered(IncomingSubscriptionID)
}
