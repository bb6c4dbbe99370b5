import MoqBase
import MoqTransport
import MoqWire

/// What the client publishes: kept as far as it has to be known to judge what others get.
extension SessionMonitor {
    /// Reads the header of a group of the client. Whether more can be read.
    func readClientGroup(_ record: StreamRecord, _ version: Version) -> Bool {
        guard let message = nextMessage(record, from: .client, .counted) else { return false }
        guard let shared, let header = try? GroupHeader.decode(message.raw, version: version),
            let track = relayTracks[header.subscribeID],
            let groups = shared.content.open(GroupID(track: track, sequence: header.sequence))
        else {
            // It belongs to nothing that is known; a relay may take it for something else.
            shared?.content.isUnclear = true
            ignoreClient(record)
            return false
        }
        let published = PublishedGroup(firstFrame: header.frameStart)
        groups.all.append(published)
        record.purpose = .clientGroup(
            ClientGroup(
                id: GroupID(track: track, sequence: header.sequence),
                scanner: FrameScanner(version: version, offset: 0), published: published))
        return true
    }

    /// The group with which the client will answer a fetch of the relay.
    func clientGroup(answering request: Fetch, of track: TrackID, _ version: Version) -> ClientGroup? {
        let id = GroupID(track: track, sequence: request.group)
        guard let groups = shared?.content.open(id) else { return nil }
        let published = PublishedGroup(firstFrame: request.frameStart, isToEnd: request.frameEnd == nil)
        groups.all.append(published)
        return ClientGroup(id: id, scanner: FrameScanner(version: version, offset: 0), published: published)
    }

    /// The client sends frames.
    func publish(_ bytes: [UInt8], _ group: ClientGroup, _ record: StreamRecord) {
        guard let content = shared?.content else { return }
        group.scanner.feed(bytes) { event in
            if case .frame(let frame, _) = event { content.add(frame, to: group.published, of: group.id) }
        }
        guard group.scanner.isFailed else { return }
        content[group.id]?.isUnclear = true
        ignoreClient(record)
    }

    /// Reads the client's answers to a subscription of the relay. Whether more can be read.
    func readClientAnswer(_ record: StreamRecord, _ track: TrackID, _ version: Version) -> Bool {
        guard let message = nextMessage(record, from: .client, SubscribeAnswer.framing(in: version)) else {
            return false
        }
        guard let answer = try? SubscribeAnswer.decode(message.raw, version: version) else {
            ignoreClient(record)
            return false
        }
        if case .end(let group, _) = answer { shared?.content.track(track)?.ends.insert(group) }
        return true
    }

    /// The client's half of a stream is over.
    func noteClientEnd(of record: StreamRecord, isFinished: Bool) {
        switch record.purpose {
        case .clientGroup(let group): end(group, isFinished: isFinished)
        case .relayFetch(let group?): end(group, isFinished: isFinished)
        case .relaySubscription(let id):
            guard let track = shared?.content.track(id) else { return }
            track.open -= 1
            if isFinished { track.finished += 1 } else { track.failed += 1 }
        case .relayWatch(let routes): withdrawAll(routes, on: record.id, .endOnWithdrawal)
        default: break
        }
    }

    private func end(_ group: ClientGroup, isFinished: Bool) {
        group.published.isOpen = false
        if isFinished, !group.scanner.isBetweenFrames { shared?.content[group.id]?.isUnclear = true }
        group.published.isFinished = isFinished && group.scanner.isBetweenFrames
    }

    /// The client sent a datagram.
    func noteClientDatagram(_ bytes: [UInt8]) {
        guard let version, version.hasDatagrams, let shared else { return }
        guard let datagram = try? Datagram.decode(bytes, version: version),
            let track = relayTracks[datagram.header.subscribeID],
            let groups = shared.content.open(GroupID(track: track, sequence: datagram.header.sequence))
        else {
            shared.content.isUnclear = true
            return
        }
        let published = PublishedGroup(isDatagram: true)
        var frame = FrameDigest(timestamp: datagram.header.timestamp)
        frame.take(datagram.payload[...])
        groups.all.append(published)
        shared.content.add(frame, to: published, of: GroupID(track: track, sequence: datagram.header.sequence))
        published.isFinished = true
    }
}
