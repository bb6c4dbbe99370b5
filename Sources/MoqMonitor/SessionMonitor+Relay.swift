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
            case .properties(let track, let isAnswered):
                guard !isAnswered else { return extra(.infoOnce, record, "something follows TRACK_INFO") }
                guard let message = nextMessage(record, from: .relay, .counted) else { return }
                record.purpose = .properties(track, isAnswered: true)
                guard let info = decode(TrackInfo.self, message, on: record) else { return }
                held(.timescale)
                judge(info, of: track, message, record)
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
            case .ignored, .clientSetup, .refused(isUnknownType: false), .clientGroupHeader, .clientGroup:
                return passOver(record)
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
        check(.shortest, width <= VarInt.length(type), on: record.id, "the stream type takes \(width) bytes")
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
            held(.knownTypes)
            return true
        }
        guard let known = BidirectionalStreamType(type, version: version) else {
            return unknownType(type, record, version)
        }
        held(.knownTypes)
        record.purpose = known == .probe ? .relayProbe : .pending(known)
        if known == .probe {
            held(.probeSilent)
            if version.hasSetup, let clientSetup {
                check(
                    .probeAble, clientSetup.probe != .none, on: record.id,
                    "the relay probes a client that said nothing of reporting")
            }
        }
        return true
    }

    private func unknownType(_ type: UInt64, _ record: StreamRecord, _ version: Version) -> Bool {
        let isTwoWay = record.id.direction == .bidirectional
        let rule: MonitorRule =
            switch BidirectionalStreamType(rawValue: type) {
            case .goaway where isTwoWay: .goawayFrom
            case .probe where isTwoWay: .probeFrom
            default: .knownTypes
            }
        if version < .lite07 {
            note(
                rule, on: record.id, at: 0,
                "the relay opened a \(record.id.direction) stream of type \(type), which \(version) does not have")
        }
        passOver(record)
        return false
    }

    // MARK: What the relay asks

    private func readRelayRequest(_ type: BidirectionalStreamType, _ record: StreamRecord, _ version: Version) -> Bool {
        guard let message = nextMessage(record, from: .relay, .counted) else { return false }
        defer { if record.relay.isUnreadable == false { held(.oneRequest) } }
        switch type {
        case .announce:
            guard let request = decode(AnnounceRequest.self, message, on: record) else { return false }
            record.purpose = .relayWatch(ClientRoutes(prefix: request.prefix))
            judge(request, message, record, version)
        case .subscribe:
            guard let request = decode(Subscribe.self, message, on: record) else { return false }
            record.purpose = .relaySubscription(TrackID(broadcast: request.broadcast, track: request.track))
            judge(request, message, record, version)
        case .fetch:
            guard let request = decode(Fetch.self, message, on: record) else { return false }
            let track = TrackID(broadcast: request.broadcast, track: request.track)
            record.purpose = .relayFetch(clientGroup(answering: request, of: track, version))
            judgeAsked(request.broadcast, "FETCH", message, record)
            if version == .lite05 {
                expect(
                    .fetchRequestEnded, on: record.id, isExplicit: true,
                    "the relay did not end its half behind FETCH")
            }
        case .track:
            guard let request = decode(TrackRequest.self, message, on: record) else { return false }
            record.purpose = .relayProperties(request)
            judgeAsked(request.broadcast, "TRACK", message, record)
            if version == .lite05 {
                expect(
                    .trackRequestEnded, on: record.id, isExplicit: true,
                    "the relay did not end its half behind TRACK")
            }
        case .goaway:
            guard let goaway = decode(Goaway.self, message, on: record) else { return false }
            record.purpose = .relayGoaway
            goawayCount += 1
            check(.goawayOnce, goawayCount == 1, on: record, message, "the relay sent a second GOAWAY")
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
        let isOpen = announcing.contains { stream in
            guard case .relayWatch(let routes)? = streams[stream]?.purpose else { return false }
            return routes.prefix == request.prefix
        }
        check(.announceRequest, !isOpen, on: record, message, "the relay asks for '\(request.prefix)' again")
        announcing.append(record.id)
        guard version.hasExcludeHop else { return }
        check(.requestForm, request.excludeHop != 0, on: record, message, "the relay's request leaves out no hop")
        if request.excludeHop != 0 { learnHop(request.excludeHop, "its request for announcements", record, message) }
    }

    private func judge(_ request: Subscribe, _ message: TappedMessage, _ record: StreamRecord, _ version: Version) {
        judgeAsked(request.broadcast, "SUBSCRIBE", message, record)
        let isNew = !relaySubscribeIDs.contains(request.id)
        check(.relayIDs, isNew, on: record, message, "the relay uses the subscribe id \(request.id) again")
        let track = TrackID(broadcast: request.broadcast, track: request.track)
        if relaySubscribeIDs.count < MonitorLimits.subscriptions {
            relaySubscribeIDs.insert(request.id)
            relayTracks[request.id] = track
        } else {
            shared?.becomePartial()
        }
        // Before this stream the relay can have opened only so many others.
        if kind != .webtransport, isNew {
            check(
                .relayIDsCount, request.id <= record.id.rawValue >> 2, on: record, message,
                "\(request.id) is more than there can have been subscriptions")
        }
        if version.hasSubscribeRange, let first = request.options.groupStart, let last = request.options.groupEnd {
            check(.optionalGroups, first <= last, on: record, message, "groups \(first) to \(last) are no range")
        }
        let open = relaySubscriptions[track, default: 0]
        check(
            .oneUpstream, open == 0, on: record, message,
            "the relay subscribes to '\(request.track)' of '\(request.broadcast)' and has done so before")
        relaySubscriptions[track] = open + 1
        shared?.content.track(track)?.open += 1
        if let shared, !shared.isPartial {
            check(
                .onDemand, shared.isWanted(track), on: record, message,
                "the relay subscribes to '\(request.track)' of '\(request.broadcast)', which nobody has asked for")
        }
        guard version.hasTrackStream, clientTracks.count < MonitorLimits.published, !isClientUnclear else { return }
        let asked = TrackRequest(broadcast: request.broadcast, epoch: request.epoch, track: request.track)
        check(
            .propertiesFirst, clientTracks.contains(asked), on: record, message,
            "the relay subscribes to '\(request.track)' of '\(request.broadcast)' without having its properties")
    }

    private func judgeAsked(_ path: BroadcastPath, _ name: String, _ message: TappedMessage, _ record: StreamRecord) {
        check(
            .asksAnnounced, hasClientAnnounced(path), on: record, message,
            "\(name) for '\(path)', which the client never announced")
    }

    /// The relay names its own hop somewhere.
    func learnHop(_ hop: UInt64, _ place: String, _ record: StreamRecord, _ message: TappedMessage) {
        check(
            .setupHopBound, hop != 0 && hop < WireLimits.hopIDCeiling, on: record, message,
            "the relay's hop is \(hop) in \(place)")
        guard hop != 0 else { return }
        if let relayHop {
            check(
                .setupHop, relayHop == hop, on: record, message,
                "the relay's hop is \(hop) in \(place), and was \(relayHop) before")
        }
        relayHop = relayHop ?? hop
    }

    private func readProbe(_ probe: ProbeRecord, _ record: StreamRecord) -> Bool {
        guard let message = nextMessage(record, from: .relay, .counted) else { return false }
        guard decode(Probe.self, message, on: record, form: .probeForm) != nil else { return false }
        let first = probe.first ?? now
        probe.first = first
        probe.count += 1
        let allowed = first.duration(to: now) / MonitorLimits.probeInterval + Double(MonitorLimits.probeBurst)
        if Double(probe.count) <= allowed {
            held(.probePace)
        } else if !probe.isTold {
            probe.isTold = true
            note(
                .probePace, on: record, message,
                "\(probe.count) reports came since the first one, more than one in 100 ms")
        }
        return true
    }
}
