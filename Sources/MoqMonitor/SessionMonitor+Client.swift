import MoqBase
import MoqTransport
import MoqWire

/// What the client sends: context, never judged.
extension SessionMonitor {
    func readClient(_ record: StreamRecord) {
        guard let version else { return }
        while !record.client.isUnreadable {
            switch record.purpose {
            case .unknown:
                guard readClientType(record, version) else { return }
            case .exchange(let exchange):
                guard exchange.offered == nil else { return }
                guard let message = nextMessage(record, from: .client, .exchange) else { return }
                guard let offer = try? ClientSetup.decodeOffer(message.raw) else { return ignore(record) }
                exchange.offered = offer.versions
                expect(.exchangeAnswer, on: record.id, isExplicit: true, "CLIENT_SETUP was not answered")
            case .clientSetup:
                guard let message = nextMessage(record, from: .client, .counted) else { return }
                clientSetup = clientSetup ?? (try? Setup.decode(message.raw, version: version))
                if clientSetup != nil, relaySetup == nil {
                    expect(.setupSent, on: nil, "the client sent SETUP and the relay did not send its own")
                }
                return ignore(record)
            case .pending(let type):
                guard readRequest(type, record, version) else { return }
            case .subscription(let subscription):
                guard version.hasSubscribeUpdate else { return }
                guard let message = nextMessage(record, from: .client, .counted) else { return }
                guard let update = try? SubscribeUpdate.decode(message.raw, version: version) else {
                    record.client.isUnreadable = true
                    return
                }
                subscription.range.widen(by: update.options, version: version)
            case .relayWatch(let routes):
                guard readClientAnnouncement(record, routes, version) else { return }
            case .relaySubscription(let track):
                guard readClientAnswer(record, track, version) else { return }
            case .relayFetch(let group?):
                let bytes = record.client.tap.takeRest()
                return bytes.isEmpty ? () : publish(bytes, group, record)
            case .clientGroupHeader:
                guard readClientGroup(record, version) else { return }
            case .clientGroup(let group):
                let bytes = record.client.tap.takeRest()
                return bytes.isEmpty ? () : publish(bytes, group, record)
            case .relayProperties(let request):
                guard let message = nextMessage(record, from: .client, .counted) else { return }
                guard let info = try? TrackInfo.decode(message.raw, version: version) else {
                    return ignoreClient(record)
                }
                let track = TrackID(broadcast: request.broadcast, track: request.track)
                shared?.content.track(track)?.infos.insert(info)
                if clientTracks.count < MonitorLimits.published { clientTracks.insert(request) }
                return ignoreClient(record)
            default: return ignoreClient(record)
            }
        }
    }

    private func ignore(_ record: StreamRecord) { record.purpose = .ignored }

    /// Passes over what else the client says on a stream.
    func ignoreClient(_ record: StreamRecord) {
        record.client.isUnreadable = true
        _ = record.client.tap.takeRest()
    }

    private func readClientType(_ record: StreamRecord, _ version: Version) -> Bool {
        guard record.opener == .client else {
            // The client answers before the relay's request was read: not to be followed.
            return unclear(record)
        }
        if version.usesSetupExchange, record.id.direction == .bidirectional,
            record.client.tap.firstByte == ClientSetup.kind
        {
            record.purpose = .exchange(ExchangeRecord())
            return true
        }
        guard let (type, _) = record.client.tap.streamType() else { return false }
        if record.id.direction == .unidirectional {
            switch UnidirectionalStreamType(type, version: version) {
            case .setup: record.purpose = .clientSetup
            case .group where shared != nil: record.purpose = .clientGroupHeader
            case .group, nil:
                record.purpose = .ignored
                return false
            }
            return true
        }
        if let known = BidirectionalStreamType(type, version: version) {
            record.purpose = known == .probe ? .probe(ProbeRecord()) : .pending(known)
            return known != .probe
        }
        guard version < .lite07 else {
            // 07 is not frozen: a type that is unknown here may be known there.
            record.purpose = .ignored
            return false
        }
        record.purpose = .refused(isUnknownType: true)
        if isReady {
            expect(.unknownType, on: record.id, "a stream of type \(type) was neither reset nor stopped")
        }
        return false
    }

    /// Reads the client's request. Whether more of the stream can be read.
    private func readRequest(_ type: BidirectionalStreamType, _ record: StreamRecord, _ version: Version) -> Bool {
        guard record.opener == .client else {
            ignoreClient(record)
            return false
        }
        guard let message = nextMessage(record, from: .client, .counted) else { return false }
        do throws(WireError) {
            switch type {
            case .announce:
                let request = try AnnounceRequest.decode(message.raw, version: version)
                record.purpose = .watch(AnnounceView(request, version: version, madeAt: now))
                watches.append(record.id)
                if isReady, version.tellsActiveCount {
                    expect(.answerPrompt, on: record.id, "a request for announcements was not answered")
                }
                if isReady { expectReplay(request, on: record.id) }
            case .subscribe:
                let request = try Subscribe.decode(message.raw, version: version)
                begin(request, record)
                return true
            case .fetch:
                let request = try Fetch.decode(message.raw, version: version)
                let track = TrackID(broadcast: request.broadcast, track: request.track)
                let group = GroupRecord(
                    key: nil, id: GroupID(track: track, sequence: request.group),
                    scanner: FrameScanner(version: version, offset: 0), firstFrame: request.frameStart,
                    lastFrame: request.frameEnd)
                record.purpose = .fetch(group)
                shared?.note(wanted: track)
                expectRefusal(of: request.broadcast, record, "FETCH")
            case .track:
                let request = try TrackRequest.decode(message.raw, version: version)
                let track = TrackID(broadcast: request.broadcast, track: request.track)
                record.purpose = .properties(track, isAnswered: false)
                shared?.note(wanted: track)
                expectRefusal(of: request.broadcast, record, "TRACK")
            case .goaway: record.purpose = .clientGoaway
            case .probe: break
            }
        } catch {
            record.purpose = .refused(isUnknownType: false)
            if type == .subscribe { hasUnreadableSubscribe = true }
            // Whatever a relay makes of it may be on its way.
            if type != .announce, type != .goaway { shared?.becomePartial() }
            if case .spareBytes = error, isReady {
                expect(.refusedLength, on: record.id, "a request with bytes to spare was not refused")
            }
        }
        ignoreClient(record)
        return false
    }

    private func begin(_ request: Subscribe, _ record: StreamRecord) {
        let subscription = SubscriptionRecord(request, stream: record.id)
        record.purpose = .subscription(subscription)
        shared?.note(wanted: subscription.track)
        if let known = subscriptions[request.id] {
            known.isReused = true
            subscription.isReused = true
        }
        if subscriptions.count < MonitorLimits.subscriptions {
            subscriptions[request.id] = subscription
        } else {
            hasUnreadableSubscribe = true
        }
        expectRefusal(of: request.broadcast, record, "SUBSCRIBE")
    }

    private func expectRefusal(of path: BroadcastPath, _ record: StreamRecord, _ name: String) {
        guard isReady, isKnownNotLive(path) else { return }
        expect(
            .refusalPrompt, on: record.id, of: path,
            "\(name) for '\(path)', which the relay does not announce, was neither answered nor refused")
    }

    /// Reads what the client announces. Whether more can be read.
    private func readClientAnnouncement(
        _ record: StreamRecord, _ routes: ClientRoutes, _ version: Version
    ) -> Bool {
        let isHeader = version.tellsActiveCount && !routes.isAnswered
        let framing = isHeader ? .counted : Announcement.framing(in: version)
        guard let message = nextMessage(record, from: .client, framing) else { return false }
        if isHeader {
            routes.isAnswered = true
            guard version.hasAnnounceInit else {
                guard let answer = try? AnnounceOK.decode(message.raw, version: version) else { return unclear(record) }
                routes.hop = answer.hop
                return true
            }
            guard let list = try? AnnounceInit.decode(message.raw, version: version) else { return unclear(record) }
            for suffix in list.suffixes { publish(suffix, .empty, routes, record, version) }
            return true
        }
        guard let announcement = try? Announcement.decode(message.raw, version: version) else { return unclear(record) }
        switch announcement {
        case .active(let suffix, let hops), .restart(let suffix, let hops), .start(let suffix, let hops, _, _):
            publish(suffix, hops, routes, record, version)
        case .ended(let suffix):
            if let path = routes.prefix.appending(suffix) { withdraw(path, routes, on: record.id) }
        case .end(let id):
            if let path = routes.end(id: id) { withdraw(path, routes, on: record.id) }
        case .borrowed: _ = unclear(record)
        case .update, .instance, .unknown: break
        }
        return true
    }

    private func unclear(_ record: StreamRecord) -> Bool {
        isClientUnclear = true
        shared?.becomePartial()
        ignoreClient(record)
        return false
    }

    private func publish(
        _ suffix: BroadcastPath, _ hops: HopList, _ routes: ClientRoutes, _ record: StreamRecord, _ version: Version
    ) {
        guard clientPaths.count < MonitorLimits.published, let path = routes.prefix.appending(suffix) else {
            isClientUnclear = true
            shared?.becomePartial()
            return
        }
        clientPaths.insert(path.text)
        guard routes.begin(path), let shared else { return }
        shared.publish(
            path,
            CaseMonitor.PublishedRoute(
                session: number, stream: record.id, hops: knownHops(hops, routes, version)))
    }

    /// Whether the client has ever announced a path, or a beginning of it.
    func hasClientAnnounced(_ path: BroadcastPath) -> Bool {
        isClientUnclear || Self.beginnings(of: path).contains { clientPaths.contains($0) }
    }

    /// A path and all whole-part beginnings of it, the empty one too.
    static func beginnings(of path: BroadcastPath) -> [String] {
        var found = [""]
        for part in path.parts {
            found.append(found[found.count - 1].isEmpty ? part : "\(found[found.count - 1])/\(part)")
        }
        return found
    }
}
