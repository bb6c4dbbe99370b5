import MoqBase
import MoqTransport
import MoqWire

/// Groups, fetched groups and datagrams of the relay.
extension SessionMonitor {
    func readGroupHeader(_ record: StreamRecord, _ version: Version) -> Bool {
        guard let message = nextMessage(record, from: .relay, .counted) else { return false }
        guard let header = decode(GroupHeader.self, message, on: record) else { return false }
        let evidence = Evidence(stream: record.id, offset: message.offset, bytes: message.bytes)
        let key = GroupKey(subscription: header.subscribeID, sequence: header.sequence)
        let subscription = judgeSubscription(of: key, .headerID, evidence)
        var lastFrame: UInt64?
        if let subscription, !subscription.isReused {
            if let only = subscription.range.only, version.hasFrameRanges {
                if key.sequence == only.groupStart ?? 0 {
                    check(
                        .frameRange, header.frameStart >= only.frameStart, on: record, message,
                        "group \(key.sequence) begins at frame \(header.frameStart), and \(only.frameStart) was asked for"
                    )
                }
                if key.sequence == only.groupEnd { lastFrame = only.frameEnd }
            }
            note(stream: key.sequence, of: subscription, version)
            if groups.begin(key) {
                note(.groupOnce, on: record, message, "group \(key.sequence) comes again, and was finished before")
            }
        }
        let isFollowed = subscription.map { !$0.isReused } ?? false
        record.purpose = .group(
            GroupRecord(
                key: isFollowed ? key : nil,
                id: subscription.flatMap { $0.isReused ? nil : GroupID(track: $0.track, sequence: key.sequence) },
                scanner: FrameScanner(version: version, offset: record.relay.tap.offset),
                firstFrame: header.frameStart, lastFrame: lastFrame))
        return true
    }

    private func note(stream sequence: UInt64, of subscription: SubscriptionRecord, _ version: Version) {
        subscription.highest = max(subscription.highest ?? sequence, sequence)
        subscription.lowest = min(subscription.lowest ?? sequence, sequence)
        guard subscription.clientEndedAt == nil, let answers = streams[subscription.stream], answers.relay.end == nil
        else { return }
        if version.subscribeAnswerIsOK {
            guard !subscription.isAccepted, subscription.lowest == subscription.highest else { return }
            expect(
                .accepted, on: subscription.stream, isExplicit: true,
                "group \(sequence) was delivered and the subscription not accepted")
            return
        }
        guard subscription.start == nil else { return }
        _ = expectations.fulfil(.start, on: subscription.stream)
        expect(.start, on: subscription.stream, "group \(sequence) was delivered and the first group not named")
    }

    /// Where a group stands on the wire.
    private struct Evidence {
        var stream: StreamID?
        var offset: UInt64?
        var bytes: [UInt8]
    }

    /// The subscription of a group, judged as far as every group is.
    private func judgeSubscription(
        of key: GroupKey, _ unknown: MonitorRule, _ evidence: Evidence
    ) -> SubscriptionRecord? {
        func tell(_ rule: MonitorRule, _ words: String) {
            note(rule, on: evidence.stream, at: evidence.offset, evidence.bytes, words)
        }
        guard let subscription = subscriptions[key.subscription] else {
            if !hasUnreadableSubscribe {
                tell(unknown, "group \(key.sequence) is for subscription \(key.subscription), which was never made")
            }
            return nil
        }
        held(unknown)
        guard !subscription.isReused else { return subscription }
        func judge(_ rule: MonitorRule, _ holds: Bool, _ words: @autoclosure () -> String) {
            if holds { held(rule) } else { tell(rule, words()) }
        }
        if subscription.range.floor != nil {
            judge(
                .inRange, subscription.range.isAboveFloor(key.sequence),
                "group \(key.sequence) is none of \(subscription.range.description)")
        }
        if subscription.range.ceiling != nil {
            judge(
                .endGroup, subscription.range.isBelowCeiling(key.sequence),
                "group \(key.sequence) is none of \(subscription.range.description)")
        }
        if let end = subscription.end {
            judge(.afterEnd, key.sequence < end, "group \(key.sequence) comes, and the end was named as \(end)")
        }
        if let start = subscription.start, evidence.stream != nil {
            judge(
                .belowStart, key.sequence >= start,
                "group \(key.sequence) comes, and the first was named as \(start)")
        }
        if let ended = subscription.clientEndedAt {
            judge(
                .cancelled, isRecent(ended),
                "group \(key.sequence) comes long after the client ended its subscription")
        } else if let ended = subscription.relayEndedAt {
            judge(
                .knownSubscription, isRecent(ended),
                "group \(key.sequence) comes long after the relay ended the subscription")
        } else {
            held(.knownSubscription)
        }
        return subscription
    }

    private func isRecent(_ ended: Instant) -> Bool {
        ended.advanced(by: MonitorLimits.promptnessOfSilentPath * configuration.patience) >= now
    }

    // MARK: Frames

    func scan(_ bytes: [UInt8], _ group: GroupRecord, _ record: StreamRecord) {
        guard !record.relay.isUnreadable else { return }
        group.scanner.feed(bytes) { event in
            switch event {
            case .head(let head): judge(head, group, record)
            case .frame(let frame, let head): judge(frame, head, group, record)
            }
        }
        if group.scanner.isFailed { record.relay.isUnreadable = true }
    }

    private func judge(_ head: FrameScanner.Head, _ group: GroupRecord, _ record: StreamRecord) {
        if head.isWide {
            note(.shortest, on: record.id, at: head.offset, head.bytes, "the head of a frame has numbers too wide")
        } else {
            held(.shortest)
        }
        switch head.fault {
        case .timestamp(let previous, let delta):
            note(
                .timestampBounds, on: record.id, at: head.offset, head.bytes,
                "the timestamp \(previous) changes by \(delta)")
        case .tooLarge(let size):
            note(.frameLimit, on: record.id, at: head.offset, head.bytes, "a frame has \(size) bytes")
        case nil:
            held(.frameLimit)
            if version?.hasFrameTimestamps == true { held(.timestampBounds) }
        }
        guard let last = group.lastFrame else { return }
        let index = group.firstFrame &+ head.index
        if index > last {
            note(
                .frameRange, on: record.id, at: head.offset, head.bytes,
                "frame \(index) comes, and \(last) is the last that was asked for")
        } else {
            held(.frameRange)
        }
    }

    func judgeEnd(of group: GroupRecord, _ record: StreamRecord) {
        if group.scanner.isBetweenFrames {
            held(.frameWhole)
            judgeWhole(group, record)
        } else {
            note(
                .frameWhole, on: record.id, at: group.scanner.offset,
                "the stream was ended inside frame \(group.scanner.count) of those on it")
        }
        guard let key = group.key else { return }
        check(.groupOnce, !groups.finish(key), on: record.id, "group \(key.sequence) was finished a second time")
    }

    // MARK: Datagrams

    func readDatagram(_ bytes: [UInt8]) {
        guard let version else { return }
        let evidence = Evidence(bytes: bytes)
        guard version.hasDatagrams else {
            return note(.datagramVersion, on: nil, bytes, "a datagram came, and \(version) has none")
        }
        if !kind.usesDatagrams { note(.datagramTransport, on: nil, bytes, "a datagram came over \(kind)") }
        if bytes.count > WireLimits.datagramBytes {
            note(.datagramSize, on: nil, bytes, "a datagram has a body of \(bytes.count) bytes")
        } else if configuration.profile == .draft {
            held(.datagramSize)
        }
        do throws(WireError) {
            let datagram = try Datagram.decode(bytes, version: version)
            held(.grammar)
            let key = GroupKey(subscription: datagram.header.subscribeID, sequence: datagram.header.sequence)
            if let subscription = judgeSubscription(of: key, .datagramID, evidence), !subscription.isReused {
                judge(datagram, of: subscription, bytes)
            }
        } catch {
            note(.grammar, on: nil, bytes, error.description)
        }
    }
}
