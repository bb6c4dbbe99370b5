import MoqBase
import MoqTransport
import MoqWire

/// Frames of the relay, beside those that publishers of the case sent.
extension SessionMonitor {
    /// Whether content of a broadcast can be held against what was published.
    private func isComparable(_ track: TrackID) -> Bool {
        guard let shared else { return false }
        return shared.isOwn(track.broadcast) && !shared.content.isUnclear
    }

    /// A whole frame of a group, live or fetched.
    func judge(_ frame: FrameDigest, _ head: FrameScanner.Head, _ group: GroupRecord, _ record: StreamRecord) {
        guard !group.isWrong, let id = group.id, let shared, isComparable(id.track) else { return }
        let index = group.firstFrame &+ head.index
        if group.published == nil { group.published = shared.content[id] }
        guard let published = group.published else { return judgeStray(frame, head, group, id, record) }
        guard !published.isUnclear else { return }
        var isMatched = false
        var isTimed = false
        var expected: UInt64?
        for candidate in published.all where !candidate.isDatagram {
            guard let sent = candidate[index], sent.hasContent(of: frame) else { continue }
            isMatched = true
            if frame.timestamp == nil || sent.timestamp == nil || sent.timestamp == frame.timestamp { isTimed = true }
            expected = sent.timestamp
        }
        guard isMatched else { return judgeStray(frame, head, group, id, record) }
        group.matched += 1
        if frame.timestamp != nil, expected != nil {
            guard isTimed else { return judgeTime(frame, expected ?? 0, head, group, record) }
            group.timed += 1
        }
    }

    private func judgeTime(
        _ frame: FrameDigest, _ expected: UInt64, _ head: FrameScanner.Head, _ group: GroupRecord,
        _ record: StreamRecord
    ) {
        let index = group.firstFrame &+ head.index
        let rule: MonitorRule =
            group.isFetched ? .fetchTimestamps : index == group.firstFrame ? .firstTimestamp : .frameTimestamp
        tell(
            rule, head, group, record,
            "the timestamp of frame \(index) is \(frame.timestamp ?? 0), and was published as \(expected)")
    }

    /// A frame that was not published in its place: where it comes from, if from anywhere.
    private func judgeStray(
        _ frame: FrameDigest, _ head: FrameScanner.Head, _ group: GroupRecord, _ id: GroupID, _ record: StreamRecord
    ) {
        guard let shared, let version else { return }
        let index = group.firstFrame &+ head.index
        let name = "frame \(index) of group \(id.sequence) of '\(id.track.track)'"
        let sent = group.published?.all.filter { !$0.isDatagram } ?? []
        if group.isFetched, !sent.isEmpty {
            return tell(.fetchAnswer, head, group, record, "\(name), fetched, is none that was published there")
        }
        if sent.isEmpty, let datagrams = group.published?.all, !datagrams.isEmpty {
            return tell(
                .datagramNoStream, head, group, record, "\(name) came on a stream, and was published as a datagram")
        }
        if let place = sent.compactMap({ $0.frames.firstIndex(where: frame.hasContent) }).first, frame.size > 0 {
            let isShifted = version.hasFrameRanges && index == group.firstFrame && index > 0
            return tell(
                isShifted ? .frameStart : .frameOrder, head, group, record, "\(name) was published as frame \(place)")
        }
        if let home = shared.content.home(of: frame), home != id {
            let words = "group \(home.sequence) of '\(home.track.track)' of '\(home.track.broadcast)'"
            return tell(
                home.track == id.track ? .independent : .noMixing, head, group, record,
                "\(name) was published in \(words)")
        }
        if !version.hasFrameTimestamps, index == 0, frame.size == 0, !sent.isEmpty {
            return tell(.noTimestamp, head, group, record, "\(name) is empty, as a timestamp of 0 would be")
        }
        if sent.contains(where: { $0[index] != nil }) {
            return tell(.frameContent, head, group, record, "\(name) has other bytes than it was published with")
        }
        tell(.nothingInvented, head, group, record, "\(name) was published by nobody")
    }

    private func tell(
        _ rule: MonitorRule, _ head: FrameScanner.Head, _ group: GroupRecord, _ record: StreamRecord, _ words: String
    ) {
        group.isWrong = true
        note(rule, on: record.id, at: head.offset, head.bytes, words)
    }

    /// A group came to its end, between two frames.
    func judgeWhole(_ group: GroupRecord, _ record: StreamRecord) {
        guard let version, !group.isWrong, let id = group.id, let shared, isComparable(id.track) else { return }
        if group.published == nil { group.published = shared.content[id] }
        let published = group.published
        guard published?.isUnclear != true else { return }
        let sent = published?.all.filter { !$0.isDatagram } ?? []
        count(group, version)
        guard group.lastFrame == nil else { return }
        let length = group.firstFrame + group.scanner.count
        if group.isFetched {
            if sent.isEmpty || group.scanner.count == 0 && !sent.contains(where: { $0.length == length }) {
                return check(
                    .fetchRefusal, !sent.isEmpty, on: record.id,
                    "a fetch of group \(id.sequence) was ended as empty, and no such group was published")
            }
            held(.fetchRefusal)
            if sent.contains(where: { $0.length != nil }) {
                check(
                    .fetchAnswer, sent.contains { $0.length == length }, on: record.id,
                    "a fetch of group \(id.sequence) was ended behind \(length) frames")
            }
            return
        }
        guard !sent.isEmpty else { return }
        let isFinished = sent.contains { $0.length != nil }
        check(
            .completedByLoss, isFinished, on: record.id,
            "group \(id.sequence) was finished, and no publisher has finished it")
        guard isFinished else { return }
        check(
            .groupWhole, sent.contains { $0.length == length }, on: record.id,
            "group \(id.sequence) was finished behind frame \(length), which is not its end")
    }

    /// Counts what held in a group whose frames all were what was published.
    private func count(_ group: GroupRecord, _ version: Version) {
        guard group.matched > 0 else { return }
        let rules: [MonitorRule] =
            group.isFetched ? [.fetchAnswer] : [.frameContent, .frameOrder, .nothingInvented, .noMixing, .independent]
        for rule in rules { checks.held(rule, times: group.matched) }
        if !group.isFetched, version.hasFrameRanges { held(.frameStart) }
        if !group.isFetched { held(.datagramNoStream) }
        if !version.hasFrameTimestamps { checks.held(.noTimestamp, times: group.matched) }
        guard group.timed > 0 else { return }
        if group.isFetched { return checks.held(.fetchTimestamps, times: group.timed) }
        held(.firstTimestamp)
        checks.held(.frameTimestamp, times: group.timed)
    }

    // MARK: Datagrams

    /// A datagram of a subscription.
    func judge(_ datagram: Datagram, of subscription: SubscriptionRecord, _ bytes: [UInt8]) {
        guard let shared, isComparable(subscription.track) else { return }
        let id = GroupID(track: subscription.track, sequence: datagram.header.sequence)
        let all = shared.content[id]?.all ?? []
        guard shared.content[id]?.isUnclear != true else { return }
        let sent = all.filter(\.isDatagram).compactMap(\.frames.first)
        if sent.isEmpty, !all.isEmpty {
            return note(.datagramNoStream, on: nil, bytes, "group \(id.sequence) came as a datagram and was a stream")
        }
        var frame = FrameDigest(timestamp: datagram.header.timestamp)
        frame.take(datagram.payload[...])
        guard !sent.isEmpty else {
            return note(.nothingInvented, on: nil, bytes, "datagram \(id.sequence) was published by nobody")
        }
        held(.datagramNoStream)
        held(.nothingInvented)
        if sent.contains(where: { $0.hasContent(of: frame) && $0.timestamp == frame.timestamp }) {
            held(.datagramUnchanged)
        } else {
            note(.datagramUnchanged, on: nil, bytes, "datagram \(id.sequence) is not what was published")
        }
    }
}
