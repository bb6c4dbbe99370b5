/// Which description of the protocol a relay is held to where the two differ.
public enum MonitorProfile: String, CaseIterable, Hashable, Sendable {
    /// The text of the draft.
    case draft
    /// What the newest release of the reference relay does.
    case deployed
}

/// Which end of a session said something.
public enum MonitorSide: String, Hashable, Sendable {
    /// The client, whose words are context.
    case client
    /// The relay, whose words are judged.
    case relay
}

/// Something that a relay never does, or always does in time. The facts of each are in `MonitorRule+Table.swift`.
public enum MonitorRule: Int, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    // Grammar of streams and messages.
    case grammar, lengths, shortest, knownTypes, oneRequest, answersFit, bothHalves, unknownType, refusedLength,
        optionalGroups, probeForm, goawayFrom, probeFrom
    // Setup.
    case setupOnce, setupSent, setupNone, setupClientOnly, setupHop, setupHopBound, exchangeAnswer,
        exchangeParameters, exchangeLength
    // Announcements.
    case initFirst, okFirst, answerPrompt, activeCount, announcedOnce, knownEnd, announceIDs, idRetired, statuses,
        endedHops, normalPaths, compressed, hidden, announceHops, ownLast, ownLeftOut, noRepeat, longestSent,
        excluded, notToOrigin, announceRequest, noHeader, hopCount, twoCosts, oldestFirst, activeToWatchers, replay,
        notReplayed, announceInvented, suffix, severalRequests, endOnWithdrawal, endOnDisconnect
    // Subscriptions and tracks.
    case okFirstAnswer, answerTypes, start, startOnce, startGroup, belowStart, dropUnsaid, refusalIsReset,
        refusalPrompt, cancelAnswered, cancelled, endMessage, afterEnd, infoOnce, timescale, endGroup, accepted,
        okForm01, okForm03, endBefore05, endExclusive, infoUnchanged, infoStable, nothingLeftOpen
    // Groups, frames, fetches, datagrams.
    case knownSubscription, inRange, groupOnce, frameRange, frameWhole, frameLimit, timestampBounds, datagramVersion,
        datagramTransport, datagramID, datagramSize, groupStream, headerID, datagramUnchanged, datagramNoStream,
        fetchAnswer, fetchTimestamps, fetchRefusal, frameContent, frameOrder, noTimestamp, frameTimestamp,
        firstTimestamp, frameStart, independent, groupWhole, completedByLoss, nothingInvented, noMixing
    // What a relay asks, probes, GOAWAY.
    case relayIDs, relayIDsCount, propertiesFirst, requestForm, asksAnnounced, probeAble, probeSilent, probePace,
        goawayOnce, oneUpstream, onDemand, fetchRequestEnded, trackRequestEnded
    // Codes.
    case mapping, knownCodes, noSecrets, oneGeneration, ownSpace, passedOn, noSuccess, readableReason, plainCode
    // Transports.
    case quicDatagrams, quicStreams, quicIdle, settings, connectAnswer, streamHeads, datagramHeads, qmuxBegin,
        qmuxRecords, qmuxRecordLimit, qmuxCredit, qmuxStreams, qmuxStreamIDs, qmuxCodes, webSocketFrames

    /// How binding a rule is.
    public enum Level: String, Hashable, Sendable {
        /// Peers break without it, or the draft demands it.
        case must
        /// The draft asks for it.
        case should
        /// Running code does it, and nobody demands it.
        case observed
    }

    /// What is known of a rule.
    struct Row {
        var id: String
        var sentence: String
        var level: Level
        var profile: MonitorProfile?
        var needs: String?

        init(_ id: String, _ sentence: String, needs: String? = nil) { self.init(id, .must, sentence, needs: needs) }

        init(
            _ id: String, _ level: Level, profile: MonitorProfile? = nil, _ sentence: String, needs: String? = nil
        ) {
            self.id = id
            self.level = level
            self.profile = profile
            self.sentence = sentence
            self.needs = needs
        }
    }

    private static let rows = allCases.map(\.row)

    private var facts: Row { Self.rows[rawValue] }

    /// `area.name`, as in the registry of requirements.
    public var id: String { facts.id }
    /// One sentence that can hold or be broken.
    public var sentence: String { facts.sentence }
    /// How binding it is.
    public var level: Level { facts.level }
    /// The profile it belongs to; nil for both.
    public var profile: MonitorProfile? { facts.profile }
    /// The capability without which a relay is not held to it; nil where every relay is.
    public var needs: String? { facts.needs }

    public var description: String { id }
}
