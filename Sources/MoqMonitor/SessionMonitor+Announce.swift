import MoqBase
import MoqTransport
import MoqWire

/// What the relay announces.
extension SessionMonitor {
    func readAnnouncement(_ view: AnnounceView, _ record: StreamRecord, _ version: Version) -> Bool {
        view.lastToldAt = now
        guard view.isAnswered else { return readAnnounceHeader(view, record, version) }
        guard let message = nextMessage(record, from: .relay, Announcement.framing(in: version)) else { return false }
        let isPlain = judgeRawForm(message, record, version)
        guard
            let announcement = decode(
                Announcement.self, message, on: record, judgesWidth: isPlain, form: form(of: message, version))
        else { return false }
        let isBeginning = apply(announcement, view, message, record, version)
        if view.remaining > 0 {
            if isBeginning {
                view.remaining -= 1
            } else {
                if case .unknown = announcement { return true }
                note(
                    .activeCount, on: record, message,
                    "\(announcement.kindName) comes when \(view.remaining) of \(view.counted) live broadcasts were not told"
                )
                view.remaining = 0
            }
            expectCount(view, record)
        }
        if view.byPath.count > MonitorLimits.announcements { record.purpose = .ignored }
        return true
    }

    /// The rule that a message with wrong fields breaks.
    private func form(of message: TappedMessage, _ version: Version) -> MonitorRule? {
        if !version.tellsActiveCount { return message.offset == 0 ? .noHeader : nil }
        // Ends have no costs.
        return version.hasColdCost && message.raw.type != 1 ? .twoCosts : nil
    }

    private func readAnnounceHeader(_ view: AnnounceView, _ record: StreamRecord, _ version: Version) -> Bool {
        guard let message = nextMessage(record, from: .relay, .counted) else { return false }
        view.isAnswered = true
        if version.hasAnnounceInit {
            guard let list = decode(AnnounceInit.self, message, on: record) else { return false }
            held(.initFirst)
            for suffix in list.suffixes {
                if view.byPath.updateValue(0, forKey: suffix.text) != nil {
                    note(.initFirst, on: record, message, "the list of live paths has '\(suffix)' twice")
                }
                live(suffix, view, record, message)
            }
            return true
        }
        guard let answer = decode(AnnounceOK.self, message, on: record) else { return false }
        held(.okFirst)
        view.counted = answer.activeCount
        view.remaining = answer.activeCount
        view.relayHop = answer.hop
        learnHop(answer.hop, "ANNOUNCE_OK", record, message)
        expectCount(view, record)
        return true
    }

    private func expectCount(_ view: AnnounceView, _ record: StreamRecord) {
        _ = expectations.fulfil(.activeCount, on: record.id)
        guard view.remaining > 0 else { return held(.activeCount) }
        expect(
            .activeCount, on: record.id,
            "\(view.remaining) of \(view.counted) live broadcasts that ANNOUNCE_OK counts did not come")
    }

    func judgeEnd(of view: AnnounceView, _ record: StreamRecord) {
        guard record.client.end == nil else { return }
        if !view.isAnswered {
            let rule = version?.hasAnnounceInit == true ? MonitorRule.initFirst : .okFirst
            note(rule, on: record.id, "a request for announcements was ended without an answer")
        } else if view.remaining > 0 {
            note(
                .activeCount, on: record.id,
                "the stream was ended when \(view.remaining) of \(view.counted) live broadcasts were not told")
        }
    }

    // MARK: Changes

    /// Takes an announcement into the view. Whether it tells of a broadcast that was not live there.
    private func apply(
        _ announcement: Announcement, _ view: AnnounceView, _ message: TappedMessage, _ record: StreamRecord,
        _ version: Version
    ) -> Bool {
        switch announcement {
        case .active(let suffix, let hops):
            judge(hops, view, message, record, version)
            if !version.hasAnnounceIDs { held(.statuses) }
            let isNew = view.byPath.updateValue(0, forKey: suffix.text) == nil
            if isNew { live(suffix, view, record, message, hops) }
            if !version.repeatedActiveReplaces {
                check(
                    .announcedOnce, isNew, on: record, message,
                    "'\(suffix)' is announced again without having been ended")
            }
            return isNew
        case .restart(let suffix, let hops):
            note(.statuses, on: record, message, "'\(suffix)' is announced with the state restart")
            judge(hops, view, message, record, version)
            return view.byPath.updateValue(0, forKey: suffix.text) == nil
        case .ended(let suffix):
            held(.statuses)
            check(
                .knownEnd, view.byPath.removeValue(forKey: suffix.text) != nil, on: record, message,
                "'\(suffix)' is ended and was not announced on this stream")
            ended(suffix, view, record)
            return false
        case .start(let suffix, let hops, _, _):
            begin(suffix, hops, view, message, record, version)
            return true
        case .end(let id):
            guard let route = view.byID.removeValue(forKey: id) else {
                unknownID(id, "ended", view, message, record)
                return false
            }
            held(.announceIDs)
            held(.idRetired)
            held(.knownEnd)
            if view.byPath[route.path.text] == id { view.byPath[route.path.text] = nil }
            ended(route.path, view, record)
            return false
        case .update(let id, let hops, _), .instance(let id, let hops, _, _):
            judge(hops, view, message, record, version)
            if view.byID[id] == nil {
                unknownID(id, "changed", view, message, record)
            } else {
                held(.announceIDs)
                held(.idRetired)
            }
            view.byID[id]?.hops = hops
            return false
        case .borrowed(let route):
            do throws(WireError) {
                let whole = try route.resolved(next: view.nextID) { id in view.byID[id].map { ($0.path, $0.hops) } }
                held(.compressed)
                return apply(whole, view, message, record, version)
            } catch {
                note(.compressed, on: record, message, error.description)
                record.purpose = .ignored
                return true
            }
        case .unknown: return false
        }
    }

    private func begin(
        _ suffix: BroadcastPath, _ hops: HopList, _ view: AnnounceView, _ message: TappedMessage,
        _ record: StreamRecord, _ version: Version
    ) {
        judge(hops, view, message, record, version)
        let before = view.byPath[suffix.text]
        check(
            .announcedOnce, before == nil, on: record, message,
            "'\(suffix)' is announced again and is live as \(before ?? 0)")
        if version.hasHiddenRoutes {
            check(
                .hidden, view.request.wants(suffix), on: record, message,
                "'\(suffix)' is hidden, and hidden routes were not asked for")
        }
        view.byID[view.nextID] = AnnounceView.Route(path: suffix, hops: hops)
        view.byPath[suffix.text] = view.nextID
        view.nextID += 1
        live(suffix, view, record, message, hops)
    }

    private func unknownID(
        _ id: UInt64, _ verb: String, _ view: AnnounceView, _ message: TappedMessage, _ record: StreamRecord
    ) {
        if id < view.nextID {
            note(.idRetired, on: record, message, "announcement \(id) is \(verb) and has been ended before")
        } else {
            note(.announceIDs, on: record, message, "announcement \(id) is \(verb), and there were \(view.nextID)")
        }
    }

    // MARK: Hops and paths

    private func judge(
        _ hops: HopList, _ view: AnnounceView, _ message: TappedMessage, _ record: StreamRecord, _ version: Version
    ) {
        guard version.hasHops else { return }
        held(.longestSent)
        if version.hopsIncludeSender {
            check(
                version.hasHopIDs ? .announceHops : .hopCount, hops.count > 0, on: record, message,
                "the list of hops is empty, and the relay is one")
        }
        guard version.hasHopIDs else { return }
        let repeated = hops.repeatedID
        check(.noRepeat, repeated == nil, on: record, message, "hop \(repeated ?? 0) is in the list twice")
        if version.hopsIncludeSender, let last = hops.ids.last, last != 0 {
            check(
                .ownLast, relayHop == nil || relayHop == last, on: record, message,
                "the last hop is \(last), and the relay's own is \(relayHop ?? 0)")
            relayHop = relayHop ?? last
        }
        if !version.hopsIncludeSender {
            check(
                .ownLeftOut, !hops.contains(view.relayHop), on: record, message,
                "the relay's own hop \(view.relayHop) is in the list \(hops)")
        }
        if version.hasExcludeHop, view.request.excludeHop != 0 {
            check(
                .excluded, !hops.contains(view.request.excludeHop), on: record, message,
                "hop \(view.request.excludeHop), which was left out, is in \(hops)")
        }
        if version.hasAnnounceIDs, let own = clientSetup?.hop, own != 0 {
            check(
                .notToOrigin, !hops.contains(own), on: record, message,
                "the client's own hop \(own) is in the list \(hops)")
        }
    }

    /// What the decoded form does not show any more: slashes in paths, and hops in an end. Whether all is as it would
    /// be written again.
    private func judgeRawForm(_ message: TappedMessage, _ record: StreamRecord, _ version: Version) -> Bool {
        var isPlain = true
        var reader = ByteReader(message.raw.body)
        var isEnd = false
        if version.hasAnnounceIDs {
            guard message.raw.type == 0, !version.hasBorrowedRoutes else { return true }
        } else {
            guard let status = try? reader.byte() else { return true }
            isEnd = status == 0
        }
        guard let path = try? reader.counted() else { return true }
        let slash = UInt8(ascii: "/")
        let hasEdge = path.first == slash || path.last == slash
        let isNormal = !hasEdge && !zip(path, path.dropFirst()).contains { $0 == slash && $1 == slash }
        check(
            .normalPaths, isNormal, on: record, message,
            "'\(String(decoding: path, as: UTF8.self))' is not normalised")
        isPlain = isNormal
        if isEnd, version.hasHops, reader.remaining > 0, let count = try? reader.varint() {
            check(.endedHops, count == 0, on: record, message, "the end of an announcement names \(count) hops")
            isPlain = isPlain && count == 0
        }
        return isPlain
    }

    // MARK: What is live

    private func live(
        _ suffix: BroadcastPath, _ view: AnnounceView, _ record: StreamRecord, _ message: TappedMessage,
        _ hops: HopList = .empty
    ) {
        guard let path = view.request.prefix.appending(suffix) else { return }
        expectations.forget { path.isPrefix(of: $0) }
        told(path, suffix, hops, view, record, message)
    }

    /// Whether this session has been told all that is live around a path, and the path is not.
    func isKnownNotLive(_ path: BroadcastPath) -> Bool {
        guard let version, version.tellsActiveCount, !hasClientAnnounced(path) else { return false }
        var isWatched = false
        for record in streams.values {
            guard case .watch(let view) = record.purpose, record.relay.end == nil, record.client.end == nil else {
                continue
            }
            guard view.isComplete, view.request.excludeHop == 0, let suffix = path.suffix(after: view.request.prefix),
                view.request.wants(suffix)
            else { continue }
            if Self.beginnings(of: suffix).contains(where: { view.byPath[$0] != nil }) { return false }
            isWatched = true
        }
        return isWatched
    }
}
