// Every rule of the monitor. An id that scenarios/requirements has means the row there; the others are new.

extension MonitorRule {
    // Grammar of streams and messages.
    static let grammar = MonitorRule(
        "wire.grammar", "Every byte of a relay can be read by the grammar of the version, up to the end of its stream.")
    static let lengths = MonitorRule("wire.relay-lengths", "Every message of a relay is exactly as long as it says.")
    static let shortest = MonitorRule(
        "wire.shortest-numbers", .observed, "A relay writes numbers in the fewest bytes.")
    static let knownTypes = MonitorRule(
        "wire.known-types", "A relay opens only streams that the version has, in the direction that they have there.")
    static let oneRequest = MonitorRule(
        "wire.one-request", "A stream that a relay opens carries one request; only subscriptions are followed by more.")
    static let answersFit = MonitorRule(
        "wire.answers-fit", "On a stream opened for a request a relay says only what may answer that request.")
    static let bothHalves = MonitorRule(
        "wire.both-halves", "When one direction of a stream was ended, the other is ended too, in time.")
    static let unknownType = MonitorRule(
        "wire.unknown-stream-type", "A stream of a type that the version does not have is reset or stopped, in time.")
    static let refusedLength = MonitorRule(
        "wire.message-length", "A request with bytes to spare is refused, in time.")

    // Setup.
    static let setupOnce = MonitorRule(
        "setup.once", "The relay's SETUP is one message on one stream, which it ends.")
    static let setupSent = MonitorRule(
        "setup.relay-sends-its-own", "The relay answers a SETUP with its own, in time.")
    static let setupNone = MonitorRule("setup.none-before-05", "Up to 04 nobody sends SETUP.")
    static let setupClientOnly = MonitorRule(
        "setup.no-client-parameters", "The SETUP of a relay carries neither a path nor a role.")
    static let setupHop = MonitorRule(
        "setup.hop", .observed, "The hop of the relay's SETUP is the one that it names in ANNOUNCE_OK and its requests."
    )
    static let setupHopBound = MonitorRule(
        "setup.hop-bound", .observed, "The hop that a relay names for itself is not 0 and below 2^53.")
    static let exchangeAnswer = MonitorRule(
        "exchange.answer", "SERVER_SETUP answers on the same stream, in time, and names a version that was offered.")
    static let exchangeParameters = MonitorRule(
        "exchange.no-parameters", .observed, "The relay's SERVER_SETUP carries no parameters.")

    // Announcements.
    static let initFirst = MonitorRule(
        "announce.init-first", "On 01 and 02 the answer begins with the list of live paths, each once.")
    static let okFirst = MonitorRule("announce.ok-first", "From 05 on the answer begins with ANNOUNCE_OK.")
    static let answerPrompt = MonitorRule(
        "announce.answer-prompt", "A request for announcements is answered in time, also when nothing is live.")
    static let activeCount = MonitorRule(
        "announce.active-count", "As many live broadcasts as ANNOUNCE_OK counts follow it, before anything else.")
    static let announcedOnce = MonitorRule(
        "announce.relay-once", "A relay does not announce as new what it announced on that stream and has not ended.")
    static let knownEnd = MonitorRule("announce.known-end", "A relay ends only what it has announced on that stream.")
    static let announceIDs = MonitorRule(
        "announce.ids", "From 06 on ends and updates name an announcement of that stream that is live.")
    static let idRetired = MonitorRule(
        "announce.id-retired", "The id of an announcement that was ended is never used again.")
    static let statuses = MonitorRule(
        "announce.statuses", .observed, "Of the states of an announcement a relay sends only ended and active.")
    static let endedHops = MonitorRule(
        "announce.ended-without-hops", "In the end of an announcement the list of hops is there and empty.")
    static let normalPaths = MonitorRule(
        "announce.normal-paths", .observed, "No path of a relay begins or ends with a slash or has two in a row.")
    static let compressed = MonitorRule(
        "announce.compressed", "On 07 what an announcement takes over from an earlier one exists there.")
    static let hidden = MonitorRule(
        "announce.hidden", "On 07 hidden routes are told only to those who asked for them.")
    static let announceHops = MonitorRule(
        "announce.hops", "On 03 and 04 the hops of an announcement are at least one: the relay itself.")
    static let ownLast = MonitorRule("hop.own-last", "On 04 the relay's own hop is the last of every list.")
    static let ownLeftOut = MonitorRule("hop.own-left-out", "From 05 on the relay's own hop is not in the list.")
    static let noRepeat = MonitorRule("hop.no-repeat", "No list of a relay has the same hop twice, unless it is 0.")
    static let longestSent = MonitorRule("hop.longest-sent", "No list of a relay is longer than 32.")
    static let excluded = MonitorRule(
        "hop.excluded", "A watcher that leaves out a hop is not told of paths whose list has it.")
    static let notToOrigin = MonitorRule(
        "hop.not-to-origin", "From 06 on a path is not announced to a session whose hop is in its list.")

    // Subscriptions and tracks.
    static let okFirstAnswer = MonitorRule(
        "subscribe.ok-first", "Up to 04 nothing but the acceptance is the first answer.")
    static let answerTypes = MonitorRule(
        "subscribe.answer-types", "The answers to a subscription are of the types that the version has.")
    static let start = MonitorRule(
        "subscribe.start", "From 05 on the first group of a subscription is named when groups are delivered.")
    static let startOnce = MonitorRule("subscribe.start-once", "The first group is named once for a subscription.")
    static let startGroup = MonitorRule(
        "subscribe.start-group", "The group named as the first is not below the one that was asked for.")
    static let belowStart = MonitorRule(
        "subscribe.nothing-below-start", "No group below the one that was named as the first is delivered.")
    static let dropUnsaid = MonitorRule(
        "subscribe.lost-groups-unsaid", .observed, profile: .deployed, "A relay never sends SUBSCRIBE_DROP.")
    static let refusalIsReset = MonitorRule(
        "subscribe.refusal-is-reset", "A subscription is never ended as complete before it was accepted.")
    static let refusalPrompt = MonitorRule(
        "subscribe.refusal-prompt", "A request for what is not live is refused or answered in time, never left silent.")
    static let cancelAnswered = MonitorRule(
        "subscribe.cancel-answered", "When a subscriber ends its half the relay ends the other, in time.")
    static let cancelled = MonitorRule(
        "subscribe.cancel", "A subscriber that ended its subscription gets nothing more of it after some time.")
    static let endMessage = MonitorRule(
        "track.end-message", "From 05 on an unbounded subscription is ended only behind the message that names the end."
    )
    static let afterEnd = MonitorRule(
        "track.nothing-after-end", "No group at or past the named end is delivered, and the end is named once.")
    static let infoOnce = MonitorRule(
        "track.info-once", "A request for properties is answered with one TRACK_INFO and the end of the stream.")
    static let timescale = MonitorRule("track.timescale", "No relay says that a track has 0 units a second.")

    // Groups, frames, fetches, datagrams.
    static let knownSubscription = MonitorRule(
        "group.known-subscription", "Groups are sent only for subscriptions that were made.")
    static let inRange = MonitorRule("group.in-range", "No group outside of the range that was asked for is sent.")
    static let groupOnce = MonitorRule("group.once", "A subscriber gets a group whole at most once.")
    static let frameRange = MonitorRule(
        "group.frame-range", "No frame outside of the range that was asked for is sent.")
    static let frameWhole = MonitorRule(
        "frame.whole", "A group or a fetched group ends between two frames and never inside one.")
    static let frameLimit = MonitorRule("frame.too-large", "No frame of a relay is above 32 MiB.")
    static let timestampBounds = MonitorRule(
        "frame.timestamp.bounds", "No timestamp of a relay is below 0 or above 2^62-1.")
    static let datagramVersion = MonitorRule("datagram.from-05", "There are no datagrams on 01 to 04.")
    static let datagramTransport = MonitorRule(
        "datagram.quic-only", "There are no datagrams over TCP and WebSocket.")
    static let datagramID = MonitorRule("datagram.own-id", "A datagram names a subscription of whom it is sent to.")
    static let datagramSize = MonitorRule(
        "datagram.size", .should, profile: .draft, "No datagram is sent with a body above 1200 bytes.")

    // What a relay asks, probes, GOAWAY.
    static let relayIDs = MonitorRule("subscribe.relay-ids", "A relay uses a subscribe id once in a session.")
    static let relayIDsCount = MonitorRule(
        "subscribe.relay-ids-count", .observed, profile: .deployed, "The subscribe ids of a relay count from 0.")
    static let propertiesFirst = MonitorRule(
        "subscribe.properties-first", .observed, profile: .deployed,
        "A relay subscribes only when it has the properties of the track.")
    static let requestForm = MonitorRule(
        "announce.request-form", .observed, profile: .deployed,
        "On 04 and 05 the relay's own request leaves out its own hop.")
    static let asksAnnounced = MonitorRule(
        "relay.asks-what-was-announced", "A relay asks a client only for what the client has announced.")
    static let probeAble = MonitorRule(
        "probe.only-the-able", .observed, profile: .deployed,
        "From 05 on a relay opens no probe towards a client whose SETUP does not say that it can report.")
    static let probeSilent = MonitorRule(
        "probe.no-request", .observed, profile: .deployed, "The relay's own probe is the type of the stream alone.")
    static let probePace = MonitorRule(
        "probe.pace", .observed, profile: .deployed, "Reports come no more often than every 100 ms.")
    static let goawayOnce = MonitorRule(
        "goaway.once", "A relay sends at most one GOAWAY in a session, with one message on its stream.")

    // Codes.
    static let mapping = MonitorRule(
        "codes.mapping", .observed, "Codes of streams lie in the range that they are mapped to, or are a bare 0.")
    static let knownCodes = MonitorRule(
        "errors.known-codes", .observed, profile: .deployed,
        "What a relay raises by itself has a number of its generation, of the right space.")
    static let noSecrets = MonitorRule(
        "errors.no-secrets", "No reason or message of a relay holds the token of a session.")
}

extension MonitorRule {
    /// Every rule there is, in the order of their subjects.
    public static let all: [MonitorRule] = [
        grammar, lengths, shortest, knownTypes, oneRequest, answersFit, bothHalves, unknownType, refusedLength,
        setupOnce, setupSent, setupNone, setupClientOnly, setupHop, setupHopBound, exchangeAnswer, exchangeParameters,
        initFirst, okFirst, answerPrompt, activeCount, announcedOnce, knownEnd, announceIDs, idRetired,
        statuses, endedHops, normalPaths, compressed, hidden, announceHops, ownLast, ownLeftOut, noRepeat, longestSent,
        excluded, notToOrigin,
        okFirstAnswer, answerTypes, start, startOnce, startGroup, belowStart, dropUnsaid, refusalIsReset, refusalPrompt,
        cancelAnswered, cancelled, endMessage, afterEnd, infoOnce, timescale,
        knownSubscription, inRange, groupOnce, frameRange, frameWhole, frameLimit, timestampBounds,
        datagramVersion, datagramTransport, datagramID, datagramSize,
        relayIDs, relayIDsCount, propertiesFirst, requestForm, asksAnnounced, probeAble, probeSilent, probePace,
        goawayOnce, mapping, knownCodes, noSecrets,
    ]
}
