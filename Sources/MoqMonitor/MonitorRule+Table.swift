// Every rule of the monitor has a row in the registry (scenarios/requirements) under its id.

extension MonitorRule {
    /// What is known of the rule.
    var row: Row {
        switch self {
        // Grammar of streams and messages.
        case .grammar:
            Row(
                "wire.grammar",
                "Every byte of a relay can be read by the grammar of the version, up to the end of its stream.")
        case .lengths: Row("wire.relay-lengths", "Every message of a relay is exactly as long as it says.")
        case .shortest: Row("wire.shortest-numbers", .observed, "A relay writes numbers in the fewest bytes.")
        case .knownTypes:
            Row(
                "wire.known-types",
                "A relay opens only streams that the version has, in the direction that they have there.")
        case .oneRequest:
            Row(
                "wire.one-request",
                "A stream that a relay opens carries one request; only subscriptions are followed by more.")
        case .answersFit:
            Row(
                "wire.answers-fit", "On a stream opened for a request a relay says only what may answer that request.")
        case .bothHalves:
            Row(
                "wire.both-halves", "When one direction of a stream was ended, the other is ended too, in time.")
        case .unknownType:
            Row(
                "wire.unknown-stream-type",
                "A stream of a type that the version does not have is reset or stopped, in time.")
        case .refusedLength: Row("wire.message-length", "A request with bytes to spare is refused, in time.")
        case .optionalGroups:
            Row(
                "wire.optional-groups", "Where a relay names a first and a last group the last is not below the first.")
        case .probeForm: Row("probe.form", "A report holds the rate on 03, and the rate and the round trip from 04 on.")
        case .goawayFrom: Row("goaway.from-04", "No GOAWAY is sent on 01 to 03.")
        case .probeFrom: Row("probe.from-03", "No probe is opened on 01 and 02.")
        // Setup.
        case .setupOnce: Row("setup.once", "The relay's SETUP is one message on one stream, which it ends.")
        case .setupSent: Row("setup.relay-sends-its-own", "The relay answers a SETUP with its own, in time.")
        case .setupNone: Row("setup.none-before-05", "Up to 04 nobody sends SETUP.")
        case .setupClientOnly:
            Row(
                "setup.no-client-parameters", "The SETUP of a relay carries neither a path nor a role.")
        case .setupHop:
            Row(
                "setup.hop", .observed,
                "The hop of the relay's SETUP is the one that it names in ANNOUNCE_OK and its requests.")
        case .setupHopBound:
            Row(
                "setup.hop-bound", .observed, "The hop that a relay names for itself is not 0 and below 2^53.")
        case .exchangeAnswer:
            Row(
                "exchange.answer",
                "SERVER_SETUP answers on the same stream, in time, and names a version that was offered.")
        case .exchangeParameters:
            Row(
                "exchange.no-parameters", .observed, "The relay's SERVER_SETUP carries no parameters.")
        case .exchangeLength: Row("exchange.length", "SERVER_SETUP is as long as its two bytes of length say.")
        // Announcements.
        case .initFirst:
            Row(
                "announce.init-first", "On 01 and 02 the answer begins with the list of live paths, each once.")
        case .okFirst: Row("announce.ok-first", "From 05 on the answer begins with ANNOUNCE_OK.")
        case .answerPrompt:
            Row(
                "announce.answer-prompt", "A request for announcements is answered in time, also when nothing is live.")
        case .activeCount:
            Row(
                "announce.active-count",
                "As many live broadcasts as ANNOUNCE_OK counts follow it, before anything else.")
        case .announcedOnce:
            Row(
                "announce.relay-once",
                "A relay does not announce as new what it announced on that stream and has not ended.",
                needs: "replayed-end")
        case .knownEnd:
            Row(
                "announce.known-end", "A relay ends only what it has announced on that stream.", needs: "quiet-origin")
        case .announceIDs:
            Row(
                "announce.ids", "From 06 on ends and updates name an announcement of that stream that is live.")
        case .idRetired: Row("announce.id-retired", "The id of an announcement that was ended is never used again.")
        case .statuses:
            Row(
                "announce.statuses", .observed, "Of the states of an announcement a relay sends only ended and active.")
        case .endedHops:
            Row(
                "announce.ended-without-hops", "In the end of an announcement the list of hops is there and empty.")
        case .normalPaths:
            Row(
                "announce.normal-paths", .observed,
                "No path of a relay begins or ends with a slash or has two in a row.")
        case .compressed:
            Row(
                "announce.compressed", "On 07 what an announcement takes over from an earlier one exists there.")
        case .hidden: Row("announce.hidden", .should, "On 07 hidden routes are told only to those who asked for them.")
        case .announceHops:
            Row(
                "announce.hops", "On 03 and 04 the hops of an announcement are at least one: the relay itself.")
        case .ownLast: Row("hop.own-last", "On 04 the relay's own hop is the last of every list.")
        case .ownLeftOut: Row("hop.own-left-out", "From 05 on the relay's own hop is not in the list.")
        case .noRepeat: Row("hop.no-repeat", "No list of a relay has the same hop twice, unless it is 0.")
        case .longestSent: Row("hop.longest-sent", "No list of a relay is longer than 32.")
        case .excluded: Row("hop.excluded", "A watcher that leaves out a hop is not told of paths whose list has it.")
        case .notToOrigin:
            Row(
                "hop.not-to-origin", "From 06 on a path is not announced to a session whose hop is in its list.")
        case .announceRequest: Row("announce.request", .observed, "A relay asks a client once for each prefix.")
        case .noHeader: Row("announce.no-header", "On 03 and 04 nothing stands before the first announcement.")
        case .hopCount: Row("hop.count", "On 03 the count of hops counts the relay itself.")
        case .twoCosts: Row("hop.two-costs", "Every announcement and update of 06 carries two costs.")
        case .oldestFirst: Row("hop.oldest-first", "The hops that a publisher named come first and in its order.")
        case .activeToWatchers:
            Row(
                "announce.active-to-watchers", "Whoever watches is told in time of what another session announces.")
        case .replay:
            Row(
                "announce.replay", "Whoever begins to watch is told in time of what other sessions have announced.")
        case .notReplayed:
            Row(
                "announce.not-replayed", "What was withdrawn before a watcher came is not announced to it.")
        case .announceInvented:
            Row(
                "announce.nothing-invented", "A relay announces only what a session has announced to it.")
        case .suffix: Row("announce.suffix", "An announcement names what follows the prefix that was asked for.")
        case .severalRequests:
            Row(
                "announce.several-requests",
                "Of several requests of a session each is told of a broadcast below its prefix.")
        case .endOnWithdrawal:
            Row(
                "announce.end-on-withdrawal",
                "What its publisher withdraws is ended for all who were told of it, in time.", needs: "replayed-end")
        case .endOnDisconnect:
            Row(
                "announce.end-on-disconnect",
                "What a session has announced is ended for the others when it closes, in time.", needs: "replayed-end")
        // Subscriptions and tracks.
        case .okFirstAnswer: Row("subscribe.ok-first", "Up to 04 nothing but the acceptance is the first answer.")
        case .answerTypes:
            Row(
                "subscribe.answer-types", "The answers to a subscription are of the types that the version has.")
        case .start:
            Row(
                "subscribe.start", "From 05 on the first group of a subscription is named when groups are delivered.")
        case .startOnce: Row("subscribe.start-once", "The first group is named once for a subscription.")
        case .startGroup:
            Row(
                "subscribe.start-group", "The group named as the first is not below the one that was asked for.")
        case .belowStart:
            Row(
                "subscribe.nothing-below-start", "No group below the one that was named as the first is delivered.")
        case .dropUnsaid:
            Row(
                "subscribe.lost-groups-unsaid", .observed, profile: .deployed, "A relay never sends SUBSCRIBE_DROP.")
        case .refusalIsReset:
            Row(
                "subscribe.refusal-is-reset", "A subscription is never ended as complete before it was accepted.")
        case .refusalPrompt:
            Row(
                "subscribe.refusal-prompt",
                "A request for what is not live is refused or answered in time, never left silent.")
        case .cancelAnswered:
            Row(
                "subscribe.cancel-answered", "When a subscriber ends its half the relay ends the other, in time.")
        case .cancelled:
            Row(
                "subscribe.cancel", "A subscriber that ended its subscription gets nothing more of it after some time.")
        case .endMessage:
            Row(
                "track.end-message",
                "From 05 on an unbounded subscription is ended only behind the message that names the end.")
        case .afterEnd:
            Row(
                "track.nothing-after-end", "No group at or past the named end is delivered, and the end is named once.")
        case .infoOnce:
            Row(
                "track.info-once", "A request for properties is answered with one TRACK_INFO and the end of the stream."
            )
        case .timescale: Row("track.timescale", "No relay says that a track has 0 units a second.")
        case .endGroup:
            Row(
                "subscribe.end-group", "A subscriber that names its last group gets nothing after it.",
                needs: "subscribe-end")
        case .accepted:
            Row(
                "subscribe.accepted",
                "Up to 04 a subscription of which groups are delivered is accepted in so many words.")
        case .okForm01: Row("subscribe.ok-form-01", "On 01 the acceptance holds the priority alone, on 02 nothing.")
        case .okForm03: Row("subscribe.ok-form-03", "On 03 and 04 the acceptance has its type and five fields.")
        case .endBefore05:
            Row(
                "track.end-before-05",
                "Up to 04 a subscription is ended in good order only when its publisher has ended the track.")
        case .endExclusive:
            Row(
                "track.end.exclusive", "The end that a relay names is the one that the publisher named.")
        case .infoUnchanged: Row("track.info-unchanged", "The properties of a track are those that its publisher gave.")
        case .infoStable:
            Row(
                "track.info-stable", "The properties of a track are the same whenever they are asked for.")
        case .nothingLeftOpen:
            Row(
                "relay.nothing-left-open", "Groups that are under way when a subscription ends are ended too, in time.")
        // Groups, frames, fetches, datagrams.
        case .knownSubscription:
            Row(
                "group.known-subscription", "Groups are sent only for subscriptions that were made.")
        case .inRange: Row("group.in-range", "No group outside of the range that was asked for is sent.")
        case .groupOnce: Row("group.once", "A subscriber gets a group whole at most once.")
        case .frameRange: Row("group.frame-range", "No frame outside of the range that was asked for is sent.")
        case .frameWhole: Row("frame.whole", "A group or a fetched group ends between two frames and never inside one.")
        case .frameLimit: Row("frame.too-large", .observed, "No frame of a relay is above 32 MiB.")
        case .timestampBounds: Row("frame.timestamp.bounds", "No timestamp of a relay is below 0 or above 2^62-1.")
        case .datagramVersion: Row("datagram.from-05", "There are no datagrams on 01 to 04.")
        case .datagramTransport: Row("datagram.quic-only", "There are no datagrams over TCP and WebSocket.")
        case .datagramID: Row("datagram.own-id", "A datagram names a subscription of whom it is sent to.")
        case .datagramSize:
            Row(
                "datagram.size", .should, profile: .draft, "No datagram is sent with a body above 1200 bytes.")
        case .groupStream: Row("group.stream", "A stream of a group has its header before its end.")
        case .headerID: Row("group.header-id", "The header of a group names a subscription of whom it is sent to.")
        case .datagramUnchanged:
            Row(
                "datagram.unchanged",
                "A datagram has the group, the timestamp and the bytes with which it was published.")
        case .datagramNoStream:
            Row(
                "datagram.no-stream", "What was published as a datagram is none as a stream, nor the other way round.")
        case .fetchAnswer:
            Row(
                "fetch.answer",
                "A fetch is answered with the frames of the group that was asked for, as they were published.")
        case .fetchTimestamps:
            Row(
                "fetch.timestamps", "Timestamps of a fetched group are those with which it was published.")
        case .fetchRefusal: Row("fetch.refusal", "A fetch is not ended as empty when no such group was published.")
        case .frameContent: Row("frame.content", "A frame is byte for byte what was published in its place.")
        case .frameOrder: Row("frame.order", "Frames of a group keep their places.")
        case .noTimestamp: Row("frame.no-timestamp", "Up to 04 frames have no timestamp.")
        case .frameTimestamp:
            Row(
                "frame.timestamp", "From 05 on timestamps are those with which frames were published.")
        case .firstTimestamp: Row("frame.timestamp.first", "The first timestamp of every stream counts from 0.")
        case .frameStart:
            Row(
                "group.frame-start", "From 06 on the header says which frame of the group is the first on the stream.")
        case .independent: Row("group.independent", "No frame of one group is delivered in another of the same track.")
        case .groupWhole: Row("group.whole", "A group that is finished has as many frames as its publisher gave it.")
        case .completedByLoss:
            Row(
                "group.never-completed-by-loss", "A group that its publisher did not finish is not finished.")
        case .nothingInvented:
            Row(
                "relay.nothing-invented", "Every frame was sent by a publisher of that broadcast and track.")
        case .noMixing:
            Row(
                "relay.no-mixing", "Content of one broadcast, track or group is not delivered as another's.")
        // What a relay asks, probes, GOAWAY.
        case .relayIDs: Row("subscribe.relay-ids", "A relay uses a subscribe id once in a session.")
        case .relayIDsCount: Row("subscribe.relay-ids-count", .observed, "The subscribe ids of a relay count from 0.")
        case .propertiesFirst:
            Row(
                "subscribe.properties-first", .observed, profile: .deployed,
                "A relay subscribes only when it has the properties of the track.")
        case .requestForm:
            Row(
                "announce.request-form", .observed, "On 04 and 05 the relay's own request leaves out its own hop.")
        case .asksAnnounced:
            Row(
                "relay.asks-what-was-announced", "A relay asks a client only for what the client has announced.")
        case .probeAble:
            Row(
                "probe.only-the-able", .observed,
                "From 05 on a relay opens no probe towards a client whose SETUP does not say that it can report.")
        case .probeSilent: Row("probe.no-request", .observed, "The relay's own probe is the type of the stream alone.")
        case .probePace: Row("probe.pace", .observed, "Reports come no more often than every 100 ms.")
        case .goawayOnce:
            Row(
                "goaway.once", "A relay sends at most one GOAWAY in a session, with one message on its stream.")
        case .oneUpstream:
            Row(
                "relay.one-upstream", .observed, "A relay has one subscription to a track at each publisher.")
        case .onDemand: Row("relay.on-demand", .observed, "A relay subscribes to what somebody has asked for.")
        case .fetchRequestEnded:
            Row(
                "fetch.request-ended", .should, profile: .draft,
                "A relay that asks for a group ends its half of the stream.")
        case .trackRequestEnded:
            Row(
                "track.request-ended", .should, profile: .draft,
                "A relay that asks for the properties of a track ends its half of the stream.")
        // Codes.
        case .mapping:
            Row(
                "codes.mapping", .observed,
                "Codes of streams lie in the range that they are mapped to, or are a bare 0.")
        case .knownCodes:
            Row(
                "errors.known-codes", .observed,
                "What a relay raises by itself has a number of its generation, of the right space.")
        case .noSecrets: Row("errors.no-secrets", "No reason or message of a relay holds the token of a session.")
        case .oneGeneration:
            Row(
                "errors.one-generation", .observed,
                "The codes that a relay raises by itself are those of one generation.")
        case .ownSpace:
            Row(
                "errors.no-session-codes-on-streams", .observed,
                "A session's code is not used on a stream, nor a stream's for a session.")
        case .passedOn:
            Row(
                "errors.passed-on-unchanged", "No code of applications reaches a client that no client has sent.")
        case .noSuccess:
            Row(
                "errors.no-success", "What its publisher did not end in good order is not ended in good order.")
        case .readableReason: Row("close.readable-reason", "The reason of a close is UTF-8.")
        case .plainCode:
            Row(
                "close.plain-code", .observed, "On raw QUIC the close of a session carries moq-lite's number as it is.")
        // Transports.
        case .quicDatagrams:
            Row(
                "quic.datagrams-offered", "A relay that has datagrams allows them in its transport parameters.")
        case .quicStreams:
            Row(
                "quic.room-for-groups", .observed,
                "A relay allows at least a hundred streams of each kind from the beginning.")
        case .quicIdle: Row("quic.idle-timeout", .observed, "The idle timeout of a relay is between 10 s and 30 s.")
        case .settings:
            Row(
                "webtransport.settings", "The SETTINGS of a relay have extended CONNECT, datagrams and WebTransport.")
        case .connectAnswer: Row("webtransport.connect", "The answer to CONNECT names a version that was offered.")
        case .streamHeads:
            Row(
                "webtransport.stream-heads", "Every stream of a relay begins as HTTP/3 and WebTransport have it.")
        case .datagramHeads: Row("webtransport.datagram-heads", "Every datagram of a relay names the session's stream.")
        case .qmuxBegin: Row("qmux.begin", "A relay begins with its parameters, once, and they are legal.")
        case .qmuxRecords: Row("qmux.records", "Records hold whole frames of the types that there are.")
        case .qmuxRecordLimit: Row("qmux.record-limit", "No record of a relay is larger than was allowed.")
        case .qmuxCredit: Row("qmux.credit", "A relay sends no more than it has credit for.")
        case .qmuxStreams: Row("qmux.stream-limit", "A relay opens no more streams than it may.")
        case .qmuxStreamIDs: Row("qmux.stream-ids", "Streams are numbered and used as in QUIC.")
        case .qmuxCodes: Row("qmux.plain-codes", .observed, "Codes of streams are moq-lite's numbers as they are.")
        case .webSocketFrames: Row("websocket.frames", "All messages of a relay are binary and not masked.")
        }
    }
}
