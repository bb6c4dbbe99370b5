import MoqBase
import MoqConformance
import MoqEvents
import MoqLite
import MoqTransport
import MoqWire

// What a session actor sees of what it asked for.
extension SessionActor {
    func handle(_ event: LiteEvent, _ line: Line) {
        if handlePublisher(event, line) || handleRaw(event) { return }
        switch event {
        case .established(let version):
            record.state = .connected(version: version.description)
            record.connections += 1
            record.wasEstablished = true
            negotiated = version
            let binding = line.connection.route.kind
            let agreement = line.agreement
            self.binding = binding
            self.agreement = agreement
            record.agreement = RecordedAgreement(
                version: version.description, protocolName: line.connection.transport.negotiatedProtocol,
                transport: binding.rawValue)
            scene.note(.session, name, "connected, \(agreement)")
            askForAnnouncements(line.session)
        case .peerSetup(let setup):
            relayHop = setup.hop ?? relayHop
            scene.note(.session, name, "SETUP of the relay: \(setup.parameters.count) parameters")
        case .goaway(let uri):
            record.goaways.append(uri)
            scene.note(.session, name, "GOAWAY \(uri)")
        case .probe(let probe):
            record.probes.append((probe.bitrate ?? 0, probe.roundTrip))
        case .probeEnded, .streamsAvailable:
            break
        case .violation(let stream, let what, _):
            let place = stream.map { " on \($0)" } ?? ""
            scene.fault(
                name, "the relay broke the protocol\(place): \(what)",
                expected: "what \(line.session.version?.description ?? "the version") allows", actual: what,
                breaks: ["wire.grammar"])
        case .closed(let close):
            record.state = .closed(RecordedClose(close))
            scene.note(.session, name, close.description)
            modelEnds()
            endEverything(.sessionClosed)
        case .announceAnswered(_, let hop, let count):
            if hop != 0 { relayHop = hop }
            scene.note(.announce, name, "ANNOUNCE_OK from hop \(hop), \(count) active")
        case .announced(let id, let announced, let isUpdate):
            noteAnnounced(id, announced, isUpdate: isUpdate)
        case .unannounced(let id, let path):
            noteUnannounced(id, path)
        case .announcementsEnded(let id, let end):
            scene.note(.announce, name, "announcements under `\(announcePrefixes[id] ?? "")` \(end)")
            announcePrefixes[id] = nil
            modelStopsWatching(id)
        case .subscribeAccepted, .subscribeStart, .subscribeEnd, .subscribeDrop, .subscriptionEnded, .groupOpened,
            .frame, .groupEnded, .datagram:
            handleSubscription(event)
        case .trackInfo(let id, let info):
            guard let index = trackRequests[id] else { return }
            record.trackInfos[index].priority = info.priority
            record.trackInfos[index].maxAge = info.maxAge
            record.trackInfos[index].timescale = info.timescale
            record.trackInfos[index].isOrdered = info.ordered
            scene.note(.subscribe, name, "TRACK_INFO of \(record.trackInfos[index].track)")
        case .trackEnded(let id, let end):
            guard let index = trackRequests.removeValue(forKey: id) else { return }
            record.trackInfos[index].end = RecordedEnd(end)
            scene.note(.code, name, "track request \(scene.codes.describe(RecordedEnd(end), on: .reset))")
        case .fetchFrame(let id, let frame, let content):
            noteFetched(id, frame, content)
        case .fetchEnded(let id, let end):
            guard let index = fetches.removeValue(forKey: id) else { return }
            record.fetches[index].end = RecordedEnd(end)
            scene.note(
                .code, name,
                "fetch of group \(record.fetches[index].group) \(scene.codes.describe(RecordedEnd(end), on: .reset))")
        default:
            break
        }
    }

    // MARK: Announcements

    private func askForAnnouncements(_ session: LiteSession) {
        switch definition.announce {
        case .none: break
        case .wholeCase: requestAnnouncements("")
        case .prefix(let prefix): requestAnnouncements(prefix)
        }
    }

    /// Asks for the announcements under a prefix that is relative to the case; not for those of a hop, on 04 and 05.
    func requestAnnouncements(_ prefix: String, exclude hop: UInt64? = nil) {
        guard let session, let path = scene.path(prefix) else { return }
        let id = session.requestAnnouncements(prefix: path, excludeHop: hop ?? 0)
        announcePrefixes[id] = prefix
        modelWatches(id, path, excluding: hop ?? 0)
    }

    private func noteAnnounced(_ id: AnnounceRequestID, _ announced: Announced, isUpdate: Bool) {
        guard let path = scene.relative(announced.path) else {
            scene.fault(
                name, "`\(announced.path)` was announced outside the prefix asked for",
                expected: "paths under `\(scene.prefix)`", actual: announced.path.text,
                breaks: ["announce.prefix-match"])
            return
        }
        modelSees(announced.path, isUpdate: isUpdate, hops: announced.hops.ids, on: id)
        record.announcements.append(
            AnnouncementRecord(
                path: path, isActive: true, isUpdate: isUpdate, hops: announced.hops.ids, cost: announced.cost.warm,
                prefix: announcePrefixes[id] ?? ""))
        if activePaths.insert(path).inserted { record.active.append(path) }
        scene.note(
            .announce, name, "\(isUpdate ? "announced anew" : "announced"): `\(path)`",
            data: ["hops": announced.hops.description])
    }

    private func noteUnannounced(_ id: AnnounceRequestID, _ path: BroadcastPath) {
        modelSeesEnd(path, on: id)
        guard let path = scene.relative(path) else { return }
        let prefix = announcePrefixes[id] ?? ""
        record.announcements.append(
            AnnouncementRecord(path: path, isActive: false, isUpdate: false, hops: [], prefix: prefix))
        if activePaths.remove(path) != nil, let index = record.active.firstIndex(of: path) {
            record.active.remove(at: index)
        }
        scene.note(.announce, name, "unannounced: `\(path)`")
    }

    // MARK: Subscriptions

    private func handleSubscription(_ event: LiteEvent) {
        switch event {
        case .subscribeAccepted(let id, _):
            answered(id)
            edit(id) { $0.isAccepted = true }
        case .subscribeStart(let id, let group):
            answered(id)
            edit(id) {
                $0.isAccepted = true
                $0.startGroup = group
            }
        case .subscribeEnd(let id, let group):
            edit(id) { $0.endGroup = group }
        case .subscribeDrop(let id, let start, let end, let code):
            edit(id) { subscription in
                if start <= end { subscription.lost.append(start...end) }
                scene.note(.subscribe, name, "groups \(start) to \(end) of \(subscription.track) dropped: \(code)")
            }
        case .subscriptionEnded(let id, let end):
            // The end of the session answers nothing.
            if end == .sessionClosed { fences.removeValue(forKey: id)?.isLost = true }
            answered(id)
            edit(id) { subscription in
                subscription.end = RecordedEnd(end)
                scene.note(
                    .code, name,
                    "subscription to \(subscription.track) \(scene.codes.describe(RecordedEnd(end), on: .reset))")
            }
        case .groupOpened(let group, let id, let sequence, let frameStart):
            openGroup(group, id, sequence, frameStart)
        case .frame(let group, let index, let frame):
            take(frame, index: index, of: group)
        case .groupEnded(let group, let end):
            endGroup(group, RecordedEnd(end))
        case .datagram(let id, let sequence, _, let payload):
            takeDatagram(id, sequence, payload)
        default:
            break
        }
    }

    private func edit(_ id: SubscriptionID, _ change: (inout SubscriptionRecord) -> Void) {
        guard let index = subscriptions[id] else { return }
        change(&record.subscriptions[index])
    }

    private func answered(_ id: SubscriptionID) {
        guard let fence = fences.removeValue(forKey: id) else { return }
        fence.isAnswered = true
        scene.model.proved(modelSession, asOf: fence.begun)
        session?.unsubscribe(id, .finish)
    }

    private func openGroup(
        _ id: IncomingGroupID, _ subscription: SubscriptionID, _ sequence: UInt64, _ frameStart: UInt64
    ) {
        guard let index = subscriptions[subscription] else { return }
        if wholeGroups[index, default: []].contains(sequence) {
            scene.fault(
                name, "group \(sequence) of \(record.subscriptions[index].track) was delivered twice",
                expected: "each group once", actual: "a second stream for group \(sequence)", breaks: ["group.once"])
        }
        record.subscriptions[index].groups.append(
            GroupRecord(sequence: sequence, firstFrame: Int(clamping: frameStart)))
        groups[id] = (index, record.subscriptions[index].groups.count - 1)
        scene.note(.group, name, "group \(sequence) of \(record.subscriptions[index].label) begins")
    }

    // Here and below no copy of a subscription is held while its groups change: with thousands of groups each change
    // would copy them all.
    private func take(_ frame: Frame, index: UInt64, of id: IncomingGroupID) {
        guard let place = groups[id] else { return }
        let broadcast = record.subscriptions[place.subscription].broadcast
        let track = record.subscriptions[place.subscription].track
        let sequence = record.subscriptions[place.subscription].groups[place.group].sequence
        let position =
            record.subscriptions[place.subscription].groups[place.group].firstFrame
            + record.subscriptions[place.subscription].groups[place.group].sizes.count
        bytesReceived[place.subscription, default: 0] += frame.payload.count
        record.subscriptions[place.subscription].groups[place.group].sizes.append(frame.payload.count)
        if let timestamp = frame.timestamp {
            record.subscriptions[place.subscription].groups[place.group].timestamps.append(timestamp)
        }
        let match = scene.ledger.match(
            frame.payload, broadcast: broadcast, track: track, group: sequence, frame: position)
        switch match {
        case .whole(let sent):
            record.subscriptions[place.subscription].groups[place.group].sources.insert(sent.source)
            if let literal = sent.literal { takeLiteral(literal, place) }
            checkTimestamp(frame, sent, "frame \(position) of group \(sequence) of \(track)")
        case .wrong where scene.programBroadcasts.contains(broadcast): break
        case .wrong(let what):
            scene.fault(
                name, "frame \(position) of group \(sequence) of \(track) is not what was sent: \(what)",
                expected: "frame \(position) of group \(sequence), whole", actual: what,
                bytes: Array(frame.payload.prefix(64)), breaks: ["frame.content", "group.whole"])
        }
    }

    private func checkTimestamp(_ frame: Frame, _ sent: ContentLedger.Sent, _ what: String) {
        // A publisher of 03 or 04 sends none: the relay then stamps its own time, which nothing can be held against. So
        // does a relay behind another to which it speaks such a version.
        guard !scene.losesTimestamps else { return }
        guard let expected = sent.timestamp, let actual = frame.timestamp, expected != actual else { return }
        scene.fault(
            name, "\(what) has another timestamp than was sent", expected: "timestamp \(expected)",
            actual: "timestamp \(actual)", breaks: ["frame.timestamp"])
    }

    private func takeLiteral(_ literal: [UInt8], _ place: (subscription: Int, group: Int)) {
        record.subscriptions[place.subscription].groups[place.group].literal = literal
        let subscription = record.subscriptions[place.subscription]
        let key = TrackKey(broadcast: subscription.broadcast, track: subscription.track)
        scene.take(
            scene.model.sawCatalog(
                literal, of: key, group: subscription.groups[place.group].sequence, by: name,
                subscription: place.subscription))
        guard let written = scene.catalogs[key], let index = written.lastIndex(where: { $0.text == literal }) else {
            return
        }
        record.subscriptions[place.subscription].catalogs.append(
            CatalogRecord(
                group: subscription.groups[place.group].sequence, index: index, video: written[index].video,
                audio: written[index].audio))
    }

    private func endGroup(_ id: IncomingGroupID, _ end: RecordedEnd) {
        guard let place = groups.removeValue(forKey: id) else { return }
        record.subscriptions[place.subscription].groups[place.group].end = end
        if end == .finished {
            wholeGroups[place.subscription, default: []].insert(
                record.subscriptions[place.subscription].groups[place.group].sequence)
        } else {
            cutSubscriptions.insert(place.subscription)
        }
        let subscription = record.subscriptions[place.subscription]
        let group = subscription.groups[place.group]
        scene.note(
            .group, name,
            "group \(group.sequence) of \(subscription.label): \(Counted.text(group.sizes.count, "frame")), "
                + scene.codes.describe(end, on: .reset))
        switch end {
        case .finished:
            let mismatch = scene.ledger.mismatch(
                ofFinished: group.sequence, broadcast: subscription.broadcast, track: subscription.track,
                sources: group.sources, frames: group.sizes.count, firstFrame: group.firstFrame)
            let isStrange = scene.programBroadcasts.contains(subscription.broadcast)
            if let mismatch, !isStrange, !asksForPart(subscription) {
                scene.fault(
                    name, mismatch, expected: "every frame of group \(group.sequence)",
                    actual: "\(Counted.text(group.sizes.count, "frame")), then the end",
                    breaks: ["group.whole", "group.never-completed-by-loss"])
            }
        case .malformed(let what):
            scene.fault(
                name, "group \(group.sequence) of \(subscription.track) cannot be read: \(what)",
                expected: "whole frames", actual: what, breaks: ["group.whole", "wire.grammar"])
        case .reset, .resetUnmapped, .sessionClosed, .local:
            break
        }
    }

    /// Whether a subscription asked for a part of a group only (06), so that less than the whole is right.
    private func asksForPart(_ subscription: SubscriptionRecord) -> Bool {
        partialLabels.contains(subscription.label)
    }

    private func takeDatagram(_ id: SubscriptionID, _ sequence: UInt64, _ payload: [UInt8]) {
        guard let index = subscriptions[id] else { return }
        let broadcast = record.subscriptions[index].broadcast
        let track = record.subscriptions[index].track
        if !datagramsSeen[index, default: []].insert(sequence).inserted {
            scene.fault(
                name, "datagram \(sequence) of \(track) was delivered twice",
                expected: "each group once", actual: "a second datagram for group \(sequence)",
                breaks: ["datagram.unchanged"])
        }
        record.subscriptions[index].datagrams.append(sequence)
        let match = scene.ledger.match(
            payload, broadcast: broadcast, track: track, group: sequence, frame: 0)
        if case .wrong(let what) = match, !scene.programBroadcasts.contains(broadcast) {
            scene.fault(
                name, "datagram \(sequence) of \(track) is not what was sent: \(what)",
                expected: "the payload of group \(sequence)", actual: what, bytes: Array(payload.prefix(64)),
                breaks: ["datagram.unchanged"])
        }
    }

    private func noteFetched(_ id: FetchID, _ position: UInt64, _ frame: Frame) {
        guard let index = fetches[id] else { return }
        let fetch = record.fetches[index]
        record.fetches[index].sizes.append(frame.payload.count)
        let match = scene.ledger.match(
            frame.payload, broadcast: fetch.broadcast, track: fetch.track, group: fetch.group,
            frame: fetchOffsets[index, default: 0] + fetch.sizes.count)
        switch match {
        case .whole(let sent):
            record.fetches[index].literal = sent.literal
        case .wrong where scene.programBroadcasts.contains(fetch.broadcast): break
        case .wrong(let what):
            scene.fault(
                name, "frame \(fetch.sizes.count) of the fetch of group \(fetch.group) is not what was sent: \(what)",
                expected: "group \(fetch.group) as it was sent", actual: what, bytes: Array(frame.payload.prefix(64)),
                breaks: ["fetch.answer"])
        }
    }
}

extension RecordedEnd {
    init(_ end: StreamEnd) {
        switch end {
        case .finished: self = .finished
        case .reset(.code(let code)), .stopped(.code(let code)): self = .reset(code: code)
        case .reset(.unmapped(let raw)), .stopped(.unmapped(let raw)): self = .resetUnmapped(raw: raw)
        case .malformed(let what, _): self = .malformed(what)
        case .cancelled: self = .local
        case .unsupported: self = .malformed("not part of this version")
        case .sessionClosed: self = .sessionClosed
        }
    }

    init(_ code: StreamCode) {
        switch code {
        case .code(let number): self = .reset(code: number)
        case .unmapped(let raw): self = .resetUnmapped(raw: raw)
        }
    }
}

extension RecordedClose {
    init(_ close: SessionClose) {
        let code: UInt64? = if case .application(let number) = close.cause { number } else { nil }
        let way: Way? =
            switch close.cause {
            case .refused(.status(let status)): .status(status)
            case .refused(.noProtocol): .noProtocol
            case .transport(let code): .transport(code)
            default: nil
            }
        self.init(code: code, byPeer: close.initiator == .peer, text: close.description, way: way)
    }
}
