import MoqBase
import MoqTransport
import MoqWire

/// Announcements of the client, and what the relay tells of those of other sessions of the case.
extension SessionMonitor {
    /// The hops that a receiver knows of; empty where one of them is unknown.
    func knownHops(_ hops: HopList, _ routes: ClientRoutes, _ version: Version) -> [UInt64] {
        let own = version.hopsIncludeSender ? nil : routes.hop
        let all = hops.ids + (own.map { [$0] } ?? [])
        return version.hasHopIDs && !all.contains(0) ? all : []
    }

    func withdraw(_ path: BroadcastPath, _ routes: ClientRoutes, on stream: StreamID) {
        guard routes.end(path) else { return }
        shared?.withdraw(path, by: self, on: stream, .endOnWithdrawal)
    }

    /// The client announces nothing on a stream any more. Without a rule nothing is expected of the relay.
    func withdrawAll(_ routes: ClientRoutes, on stream: StreamID, _ rule: MonitorRule?) {
        for path in routes.live where routes.end(path) {
            shared?.withdraw(path, by: self, on: stream, rule)
        }
    }

    /// The session is over, and with it all that the client announces.
    func withdrawAll(_ rule: MonitorRule?) {
        for stream in announcing {
            if case .relayWatch(let routes)? = streams[stream]?.purpose { withdrawAll(routes, on: stream, rule) }
        }
    }

    // MARK: What is to be told

    /// Another session announces a path that nobody else did: those who watch are to be told.
    func expectTold(_ path: BroadcastPath, _ rule: MonitorRule, by route: CaseMonitor.PublishedRoute) {
        for stream in watches { expectTold(path, rule, by: route, on: stream) }
    }

    /// A watcher is to be told of what others announce.
    func expectReplay(_ request: AnnounceRequest, on stream: StreamID) {
        guard let shared else { return }
        for (path, route) in shared.live(below: request.prefix, besides: self) {
            expectTold(path, .replay, by: route, on: stream)
        }
    }

    private func expectTold(
        _ path: BroadcastPath, _ rule: MonitorRule, by route: CaseMonitor.PublishedRoute, on stream: StreamID
    ) {
        guard !isOver, isReady, shared?.losesPackets == false, let view = openView(stream),
            isPlain(path, route.hops, view)
        else { return }
        guard let suffix = path.suffix(after: view.request.prefix), view.byPath[suffix.text] == nil else { return }
        routes.add(
            RouteExpectation(
                rule: rule, stream: stream, path: path, publisher: route.session, madeAt: now(after: route),
                patience: configuration.patience))
    }

    /// The instant, as the other session has it: this one may not have been told yet.
    private func now(after route: CaseMonitor.PublishedRoute) -> Instant {
        max(now, shared?.sessions[route.session].now ?? now)
    }

    /// A path that nobody announces any more: those who were told of it are to be told so.
    func expectEnded(_ path: BroadcastPath, _ rule: MonitorRule, by publisher: Int) {
        guard !isOver, let shared, !shared.losesPackets else { return }
        let since = max(now, shared.sessions[publisher].now)
        for stream in watches {
            guard let view = openView(stream), let suffix = path.suffix(after: view.request.prefix),
                view.byPath[suffix.text] != nil
            else { continue }
            routes.add(
                RouteExpectation(
                    rule: rule, stream: stream, path: path, publisher: publisher, madeAt: since,
                    patience: configuration.patience))
        }
    }

    /// Nothing is to be told of a path any more.
    func forget(_ path: BroadcastPath, isEnd: Bool) {
        for stream in watches { _ = routes.remove(path, on: stream, isEnd: isEnd) }
    }

    private func openView(_ stream: StreamID) -> AnnounceView? {
        guard let record = streams[stream], record.relay.end == nil, record.client.end == nil,
            case .watch(let view) = record.purpose
        else { return nil }
        return view
    }

    /// Whether nothing about a path is a reason to keep it from a watcher: a hidden part, a hop that it leaves out or
    /// that is its own, or a list that is too long or goes in a circle.
    private func isPlain(_ path: BroadcastPath, _ hops: [UInt64], _ view: AnnounceView) -> Bool {
        guard !path.parts.contains(where: { $0.hasPrefix(".") }), hops.count < WireLimits.hops - 1 else { return false }
        guard Set(hops).count == hops.count else { return false }
        let strangers: [UInt64] = [view.request.excludeHop, clientSetup?.hop ?? 0, relayHop ?? 0, view.relayHop]
        return !hops.contains { strangers.contains($0) }
    }

    /// An announcement did not come, or did not end. Only where both sessions are alive is that the relay's doing.
    func judge(_ expectation: RouteExpectation) {
        guard let shared, !shared.isPartial, let view = openView(expectation.stream) else { return }
        // What is unread may be it, and a relay that is still telling may come to it.
        guard streams[expectation.stream]?.hasUnread == false else { return }
        if let last = view.lastToldAt, last.advanced(by: MonitorLimits.proofOfPath) > now { return }
        let publisher = shared.sessions[expectation.publisher]
        let proof = expectation.madeAt.advanced(by: MonitorLimits.proofOfPath)
        guard lastHeard >= proof, publisher.isOver || publisher.lastHeard >= proof else { return }
        let isLive = !shared.publishers(of: expectation.path).isEmpty
        guard isLive != expectation.rule.isEndOfAnnouncement else { return }
        // A session that the relay ended may have ended before the announcement arrived.
        guard !publisher.isOver || expectation.rule.isEndOfAnnouncement else { return }
        let words =
            expectation.rule.isEndOfAnnouncement
            ? "'\(expectation.path)' is announced by nobody any more, and was not ended"
            : "'\(expectation.path)', which another session announced, was not announced"
        let others = watches.filter { $0 != expectation.stream && openView($0) != nil }
        let isTold = others.contains { stream in
            guard let view = openView(stream), let suffix = expectation.path.suffix(after: view.request.prefix) else {
                return false
            }
            return view.byPath[suffix.text] != nil
        }
        let rule = !expectation.rule.isEndOfAnnouncement && isTold ? .severalRequests : expectation.rule
        let waited = expectation.madeAt.duration(to: now).milliseconds / 1000
        note(rule, on: expectation.stream, "\(words); waited for \(Int(waited)) s")
    }

    // MARK: What is told

    /// The relay announces a path.
    func told(
        _ path: BroadcastPath, _ suffix: BroadcastPath, _ hops: HopList, _ view: AnnounceView, _ record: StreamRecord,
        _ message: TappedMessage
    ) {
        guard let shared else { return }
        if let expected = routes.remove(path, on: record.id, isEnd: false) {
            held(expected.rule)
            if watches.count > 1 { held(.severalRequests) }
        }
        guard shared.isOwn(path), !view.request.prefix.isEmpty else { return }
        let publishers = shared.publishers(of: path)
        if publishers.isEmpty {
            judgeUnpublished(path, suffix, view, record, message)
        } else {
            held(.announceInvented)
            held(.suffix)
            held(.notReplayed)
            judgeOrder(of: hops, publishers, record, message)
        }
    }

    private func judgeUnpublished(
        _ path: BroadcastPath, _ suffix: BroadcastPath, _ view: AnnounceView, _ record: StreamRecord,
        _ message: TappedMessage
    ) {
        guard let shared else { return }
        if let withdrawal = shared.withdrawal(of: path) {
            // What was still live for the relay when the watcher came may be told and ended.
            guard withdrawal.advanced(by: MonitorLimits.promptness) < view.madeAt else { return }
            note(.notReplayed, on: record, message, "'\(path)' is announced and was withdrawn long before")
        } else if !shared.publishers(of: suffix).isEmpty {
            note(.suffix, on: record, message, "'\(suffix)' is announced below '\(view.request.prefix)', and is whole")
        } else {
            note(.announceInvented, on: record, message, "'\(path)' is announced, which no session has announced")
        }
    }

    private func judgeOrder(
        of hops: HopList, _ publishers: [CaseMonitor.PublishedRoute], _ record: StreamRecord, _ message: TappedMessage
    ) {
        guard version?.hasHopIDs == true else { return }
        let known = publishers.map(\.hops).filter { $0.count > 1 && Set($0).isSubset(of: Set(hops.ids)) }
        guard !known.isEmpty else { return }
        let isInOrder = known.contains { hops.ids.starts(with: $0) }
        check(
            .oldestFirst, isInOrder, on: record, message,
            "the hops are \(hops), and the publisher's \(known[0].map(String.init).joined(separator: ", "))")
    }

    /// The relay ends a path.
    func ended(_ suffix: BroadcastPath, _ view: AnnounceView, _ record: StreamRecord) {
        guard let path = view.request.prefix.appending(suffix),
            let expected = routes.remove(path, on: record.id, isEnd: true)
        else { return }
        held(expected.rule)
    }
}
