import MoqLite

/// The bounds of a relay, each with its reason.
///
/// What lies beyond a bound is refused or left out, never kept: the relay can be left running against hostile peers.
public struct RelayLimits: Hashable, Sendable {
    /// Sessions at once. 200 idle viewers are a scenario; ten thousand is the stream limit of the original relay.
    public var sessions = 4096
    /// TCP connections at once, whatever is spoken on them; more are closed at once.
    public var streams = 1024
    /// Requests of HTTP at once. Each may hold the answer to a fetch, at most a group.
    public var httpRequests = 64
    /// Subscriptions that one session has running or waiting: a viewer of a hundred broadcasts with eight tracks each.
    public var subscriptionsPerSession = 1024
    /// Questions for track properties that one session has waiting.
    public var trackRequestsPerSession = 1024
    /// Fetches that one session has running. Each may hold a group of `track.groupBytes`.
    public var fetchesPerSession = 64
    /// Fetches that the relay has running upstream for all.
    public var upstreamFetches = 256
    /// Announce streams that one session may have: one a prefix, with room for tests of overlap.
    public var watchersPerSession = 64
    /// Broadcasts that one session may announce: a thousand at once is a scenario.
    public var announcementsPerSession = 8192
    /// Broadcasts that all may announce together: every watcher has to be told of each, and to remember it.
    public var broadcasts = 16_384
    /// Tracks of one broadcast that somebody asked for.
    public var tracksPerBroadcast = 1024
    /// Requests that one session may make before its SETUP has arrived: packets come out of order, but not many.
    public var requestsBeforeSetup = 64
    /// What is kept of one track.
    public var track = TrackBounds()
    /// Bytes kept of all tracks together: some dozen full groups.
    public var cacheBytes = 512 << 20
    /// Bytes written for one session that its peer has not acknowledged, as an estimate: more than a fast reader
    /// needs, and little enough that many slow readers can be borne.
    public var sessionBacklog = 64 << 20

    /// How long a TCP client may take to show what it speaks: one packet and its retransmissions.
    public var firstBytesWait = Duration.seconds(10)
    /// How long a session may take to be established and to send its SETUP (05+).
    public var setupWait = Duration.seconds(10)
    /// How long a publisher may take to answer TRACK, or SUBSCRIBE up to 04: the JavaScript client waits as long.
    public var answerWait = Duration.seconds(10)
    /// How long a publisher that says where it starts may take to say it once a group of it has arrived.
    public var startWait = Duration.milliseconds(100)
    /// How long groups may still arrive after the end of their track: a few retransmissions.
    public var tailWait = Duration.seconds(1)
    /// How long the groups in flight of a publisher that was replaced are waited for.
    public var drainWait = Duration.seconds(2)
    /// How long a better source may take to deliver before it is given up for a track.
    public var candidateWait = Duration.seconds(10)
    /// How long sessions may take to go elsewhere after GOAWAY, before they are closed: a few round trips.
    public var goawayWait = Duration.milliseconds(500)
    /// How long a track that nobody watches is kept for fetches and for the next viewer.
    public var idleTrackHold = Duration.seconds(5)
    /// The longest linger that can be configured: that of the original relay.
    public var longestLinger = Duration.seconds(5)

    /// The defaults.
    public init() {}
}
