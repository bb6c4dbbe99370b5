import MoqBase
import MoqConformance
import MoqLite
import MoqScenario
import MoqTransport
import MoqWire

// How a session actor announces what it publishes: through the engine, or in bytes of the author's choice.
extension SessionActor {
    func publish(_ action: PublishAction) throws(RunnerError) {
        guard let session, let path = scene.path(action.broadcast) else {
            throw .unusable("\(name) is not connected, so it cannot publish `\(action.broadcast)`")
        }
        let isAgain = broadcasts.contains { $0.name == action.broadcast && $0.isAnnounced }
        broadcasts.removeAll { $0.name == action.broadcast }
        let broadcast = PublishedBroadcast(
            name: action.broadcast, path: path, hops: try hops(action.hops),
            cost: RouteCost(warm: action.cost ?? 0, cold: action.cost ?? 0),
            tracks: action.tracks.map { makeTrack(action.broadcast, $0.name, TrackInfo($0)) })
        broadcasts.append(broadcast)
        modelAnnounces(broadcast, again: isAgain)
        for request in announceRequests where request.prefix.isPrefix(of: path) {
            session.announce(request.id, broadcast.announced)
        }
        scene.note(.announce, name, "publishes `\(action.broadcast)`")
    }

    func reannounce(_ action: ReannounceAction) throws(RunnerError) {
        guard let session, let broadcast = broadcasts.first(where: { $0.name == action.broadcast }) else {
            throw .unusable("\(name) does not publish `\(action.broadcast)`")
        }
        broadcast.hops = try hops(action.hops)
        broadcast.cost = RouteCost(warm: action.cost ?? 0, cold: action.cost ?? 0)
        modelAnnounces(broadcast, again: broadcast.isAnnounced)
        for request in announceRequests where request.prefix.isPrefix(of: broadcast.path) {
            session.announce(request.id, broadcast.announced)
        }
        scene.note(.announce, name, "announces `\(action.broadcast)` anew")
    }

    private func hops(_ words: [HopWord]?) throws(RunnerError) -> HopList {
        var ids: [UInt64] = []
        for word in words ?? [] {
            switch word {
            case .id(let id): ids.append(id)
            case .relay: ids.append(try knownRelayHop())
            }
        }
        do {
            return try HopList(ids)
        } catch {
            throw .unusable("the hops cannot be sent: \(error)")
        }
    }

    func unpublish(_ name: String) throws(RunnerError) {
        guard let session, let broadcast = broadcasts.first(where: { $0.name == name && $0.isAnnounced }) else {
            throw .unusable("\(self.name) does not publish `\(name)`")
        }
        broadcast.isAnnounced = false
        modelWithdraws(broadcast)
        for request in announceRequests where request.prefix.isPrefix(of: broadcast.path) {
            session.unannounce(request.id, broadcast.path)
        }
        scene.note(.announce, self.name, "withdraws `\(name)`")
    }

    // MARK: The relay's requests

    /// A stream on which the relay asked for announcements.
    struct AnnounceStream {
        var id: IncomingAnnounceID
        /// What steps call it: `announcements`, `announcements-2` and so on.
        var label: String
    }

    /// Takes a request of the relay for announcements.
    func take(_ id: IncomingAnnounceID, prefix: BroadcastPath, excludeHop: UInt64, _ line: Line) {
        scene.note(.announce, name, "the relay asks for announcements under `\(prefix)`")
        if excludeHop != 0 { relayHop = excludeHop }
        let number = announceStreams.count + 1
        let label = SendRawAction.announcementsLabel + (number == 1 ? "" : "-\(number)")
        announceStreams.append(AnnounceStream(id: id, label: label))
        record.rawStreams[label] = RawStreamRecord()
        guard !definition.announcesByHand else { return }
        announceRequests.append((id, prefix))
        line.session.answerAnnounce(
            id, active: broadcasts.filter { $0.isAnnounced && prefix.isPrefix(of: $0.path) }.map(\.announced))
    }

    /// The relay wants no more announcements on a stream, or no longer takes any.
    func announcingEnded(_ id: IncomingAnnounceID, _ end: StreamEnd) {
        announceRequests.removeAll { $0.id == id }
        guard end != .sessionClosed, let label = announceStreams.first(where: { $0.id == id })?.label else { return }
        if case .stopped(let code) = end {
            record.rawStreams[label, default: RawStreamRecord()].stopped = RecordedEnd(code)
        } else {
            record.rawStreams[label, default: RawStreamRecord()].end = RecordedEnd(end)
        }
        scene.note(.announce, name, "the relay's request for announcements `\(label)` \(end)")
    }

    /// Writes bytes among the announcements, and ends them if so asked.
    func sendRaw(_ action: SendRawAction, _ bytes: [UInt8], among id: IncomingAnnounceID, _ session: LiteSession)
        throws(RunnerError)
    {
        if !bytes.isEmpty, !session.writeRaw(bytes, among: id) {
            throw .unusable("the relay takes no more announcements of \(name)")
        }
        if let code = action.reset {
            session.resetAnnounce(id, code: scene.codes.sent(code, on: .reset))
        } else if action.finish {
            session.finishAnnounce(id)
        }
        if action.finish || action.reset != nil { announceRequests.removeAll { $0.id == id } }
        scene.note(
            .check, name, "sends \(bytes.count) bytes among its announcements: \(Hexadecimal.encode(bytes.prefix(64)))")
    }

    /// The relay's hop id, as it has said it.
    func knownRelayHop() throws(RunnerError) -> UInt64 {
        guard let relayHop else { throw .unusable("the relay has not told \(name) its hop id") }
        return relayHop
    }
}
