import MoqBase
import MoqTransport
import MoqWire

/// What the relay sends on streams.
extension SessionMonitor {
    func readRelay(_ record: StreamRecord) {
        guard let version else { return }
        while !record.relay.isUnreadable, record.relay.end == nil {
            switch record.purpose {
            case .unknown:
                guard record.opener == .relay else { return strange(record, "answers before anything was asked") }
                guard readRelayType(record, version) else { return }
            case .pending(let type):
                guard record.opener == .relay else { return strange(record, "answers before the request was made") }
                guard readRelayRequest(type, record, version) else { return }
            case .exchange(let exchange):
                guard readExchange(exchange, record, version) else { return }
            case .setup(let isRead):
                guard !isRead else { return extra(.setupOnce, record, "something follows SETUP on its stream") }
                guard readSetup(record) else { return }
            case .groupHeader:
                guard readGroupHeader(record, version) else { return }
            case .group(let group), .fetch(let group):
                let bytes = record.relay.tap.takeRest()
                return bytes.isEmpty ? () : scan(bytes, group, record)
            case .watch(let view):
                guard readAnnouncement(view, record, version) else { return }
            case .subscription(let subscription):
                guard readSubscribeAnswer(subscription, record, version) else { return }
            case .properties(let isAnswered):
                guard !isAnswered else { return extra(.infoOnce, record, "something follows TRACK_INFO") }
                guard let message = nextMessage(record, from: .relay, .counted) else { return }
                record.purpose = .properties(isAnswered: true)
                guard decode(TrackInfo.self, message, on: record) != nil else { return }
            case .probe(let probe):
                guard readProbe(probe, record) else { return }
            case .refused(isUnknownType: true): return strange(record, "answers on a stream of an unknown type")
            case .clientGoaway: return strange(record, "answers GOAWAY")
            case .relayWatch: return extra(.oneRequest, record, "something follows ANNOUNCE_REQUEST")
            case .relayProperties: return extra(.oneRequest, record, "something follows TRACK")
            case .relayFetch: return extra(.oneRequest, record, "something follows FETCH")
            case .relaySubscription:
                guard version.hasSubscribeUpdate else {
                    return extra(.oneRequest, record, "something follows SUBSCRIBE, and \(version) has no updates")
                }
                guard let message = nextMessage(record, from: .relay, .counted) else { return }
                guard decode(SubscribeUpdate.self, message, on: record) != nil else { return }
            case .relayProbe: return extra(.probeSilent, record, "the relay's probe says more than its type")
            case .relayGoaway: return extra(.goawayOnce, record, "something follows GOAWAY on its stream")
            case .ignored, .clientSetup, .refused(isUnknownType: false): return passOver(record)
            }
        }
    }

    private func passOver(_ record: StreamRecord) {
        record.relay.isUnreadable = true
        _ = record.relay.tap.takeRest()
    }

    private func strange(_ record: StreamRecord, _ words: String) {
        extra(.answersFit, record, "the relay \(words)")
    }

    /// Bytes where there may be none.
    private func extra(_ rule: MonitorRule, _ record: StreamRecord, _ words: String) {
        guard !record.relay.tap.isEmpty else { return }
        let offset = record.relay.tap.offset
        // Only the first byte is sure to be there however the stream was cut into pieces.
        let bytes = record.relay.tap.firstByte.map { [$0] } ?? []
        passOver(record)
        note(rule, on: record.id, at: offset, bytes, words)
    }

    private func readRelayType(_ record: StreamRecord, _ version: Version) -> Bool {
        guard let (type, width) = record.relay.tap.streamType() else { return false }
        if width > VarInt.length(type) { note(.shortest, on: record.id, at: 0, "the stream type takes \(width) bytes") }
        if record.id.direction == .unidirectional {
            switch UnidirectionalStreamType(rawValue: type) {
            case .group: record.purpose = .groupHeader
            case .setup where version.hasSetup:
                if didRelayOpenSetup {
                    note(.setupOnce, on: record.id, at: 0, "the relay opened a second SETUP stream")
                }
                didRelayOpenSetup = true
                record.purpose = .setup(isRead: false)
            case .setup:
                note(.setupNone, on: record.id, at: 0, "the relay opened a SETUP stream, and \(version) has none")
                passOver(record)
                return false
            case nil: return unknownType(type, record, version)
            }
            return true
        }
        guard let known = BidirectionalStreamType(type, version: version) else {
            return unknownType(type, record, version)
        }
        record.purpose = known == .probe ? .relayProbe : .pending(known)
        if known == .probe, version.hasSetup, let clientSetup, clientSetup.probe == .none {
            note(.probeAble, on: record.id, at: 0, "the relay probes a client that said nothing of reporting")
        }
        return true
    }

    private func unknownType(_ type: UInt64, _ record: StreamRecord, _ version: Version) -> Bool {
        if version < .lite07 {
            note(
                .knownTypes, on: record.id, at: 0,
                "the relay opened a \(record.id.direction) stream of type \(type), which \(version) does not have")
        }
        passOver(record)
        return false
    }

    // MARK: What the relay asks

    private func readRelayRequest(_ type: BidirectionalStreamType, _ record: StreamRecord, _ version: Version) -> Bool {
        guard let message = nextMessage(record, from: .relay, .counted) else { return false }
        switch type {
        case .announce:
            guard let request = decode(AnnounceRequest.self, message, on: record) else { return false }
            record.purpose = .relayWatch(prefix: request.prefix, isAnswered: false)
            judge(request, message, record, version)
        case .subscribe:
            guard let request = decode(Subscribe.self, message, on: record) else { return false }
            record.purpose = .relaySubscription
            judge(request, message, record, version)
        case .fetch:
            guard let request = decode(Fetch.self, message, on: record) else { return false }
            record.purpose = .relayFetch
            judgeAsked(request.broadcast, "FETCH", message, record)
        case .track:
            guard let request = decode(TrackRequest.self, message, on: record) else { return false }
            record.purpose = .relayProperties(request)
            judgeAsked(request.broadcast, "TRACK", message, record)
        case .goaway:
            guard let goaway = decode(Goaway.self, message, on: record) else { return false }
            record.purpose = .relayGoaway
            goawayCount += 1
            if goawayCount > 1 { note(.goawayOnce, on: record, message, "the relay sent a second GOAWAY") }
            judgeSecrets(in: goaway.uri, "the URI of GOAWAY", record.id)
        case .probe: break
        }
        // What the client has answered already can be read now.
        readClient(record)
        return true
    }

    private func judge(
        _ request: AnnounceRequest, _ message: TappedMessage, _ record: StreamRecord, _ version: Version
    ) {
        guard version.hasExcludeHop else { return }
        guard request.excludeHop != 0 else {
            return note(.requestForm, on: record, message, "the relay's request leaves out no hop")
        }
        learnHop(request.excludeHop, "its request for announcements", record, message)
    }

    private func judge(_ request: Subscribe, _ message: TappedMessage, _ record: StreamRecord, _ version: Version) {
        judgeAsked(request.broadcast, "SUBSCRIBE", message, record)
        if relaySubscribeIDs.contains(request.id) {
            note(.relayIDs, on: record, message, "the relay uses the subscribe id \(request.id) again")
        } else if relaySubscribeIDs.count < MonitorLimits.subscriptions {
            relaySubscribeIDs.insert(request.id)
        }
        // Before this stream the relay can have opened only so many others.
        if kind != .webtransport, request.id > record.id.rawValue >> 2 {
            note(.relayIDsCount, on: record, message, "\(request.id) is more than there can have been subscriptions")
        }
        guard version.hasTrackStream, clientTracks.count < MonitorLimits.published else { return }
        let track = TrackRequest(broadcast: request.broadcast, epoch: request.epoch, track: request.track)
        if !clientTracks.contains(track), !isClientUnclear {
            note(
                .propertiesFirst, on: record, message,
                "the relay subscribes to '\(request.track)' of '\(request.broadcast)' without having its properties")
        }
    }

    private func judgeAsked(_ path: BroadcastPath, _ name: String, _ message: TappedMessage, _ record: StreamRecord) {
        guard !hasClientAnnounced(path) else { return }
        note(.asksAnnounced, on: record, message, "\(name) for '\(path)', which the client never announced")
    }

    /// The relay names its own hop somewhere.
    func learnHop(_ hop: UInt64, _ place: String, _ record: StreamRecord, _ message: TappedMessage) {
        if hop == 0 || hop >= WireLimits.hopIDCeiling {
            note(.setupHopBound, on: record, message, "the relay's hop is \(hop) in \(place)")
        }
        guard hop != 0 else { return }
        if let relayHop, relayHop != hop {
            note(.setupHop, on: record, message, "the relay's hop is \(hop) in \(place), and was \(relayHop) before")
        }
        relayHop = relayHop ?? hop
    }

    private func readProbe(_ probe: ProbeRecord, _ record: StreamRecord) -> Bool {
        guard let message = nextMessage(record, from: .relay, .counted) else { return false }
        guard decode(Probe.self, message, on: record) != nil else { return false }
        let first = probe.first ?? now
        probe.first = first
        probe.count += 1
        let allowed = first.duration(to: now) / MonitorLimits.probeInterval + Double(MonitorLimits.probeBurst)
        if Double(probe.count) > allowed, !probe.isTold {
            probe.isTold = true
            note(
                .probePace, on: record, message,
                "\(probe.count) reports came since the first one, more than one in 100 ms")
        }
        return true
    }
}
