import MoqBase
import MoqLite
import MoqTransport
import MoqWire

@testable import MoqRunner

extension HostileRelay {
    /// What it does wrong.
    enum Mode: CaseIterable {
        /// Nothing at all.
        case behaves
        /// Accepts connections and says nothing on them.
        case mute
        /// Answers the first session, the probe, and no other.
        case silentAfterProbe
        /// Closes every session soon after it came up, with a code.
        case closesSessions
        /// Gives its socket up in the middle of a case.
        case leaves
        /// Follows its answer to an announce request with what is no message.
        case garbledAnnouncements
        /// Announces ever more broadcasts.
        case announcementsWithoutEnd
        /// Announces and withdraws one broadcast for ever.
        case announcementChurn
        /// Opens streams of a type that nobody knows.
        case unknownStreams
        /// Opens streams and says half of their type.
        case silentStreams
        /// A frame of 32 MiB that comes by the byte.
        case drippingFrame
        /// A frame that says to be larger than anything.
        case hugeFrame
        /// Frames without end in one group.
        case framesWithoutEnd
        /// Groups without end.
        case groupsWithoutEnd
        /// Datagrams without end.
        case datagramsWithoutEnd
        case deliversTwice, reversesFrames, tearsFrames, mixesTracks
        /// Keeps its half of every stream open.
        case neverEndsStreams
        /// Announces for ever what once was announced.
        case neverForgets
        /// Refuses subscriptions with a number that is no code.
        case unmappedResets
        case goesAwayTwice, setsUpTwice
        /// Subscribes thousands of times to what we publish.
        case requestsWithoutEnd
        /// Subscribes and resets, for ever.
        case requestChurn
        /// Asks for measurements nobody can take, announcements, anything, on stream after stream.
        case announceRequestsWithoutEnd
    }

    /// Units of a flood at each stroke.
    private static let floodStep = 200

    /// Does something else with an event than pass it on; false for most.
    func takesOver(_ event: LiteEvent, _ visitor: Visitor) -> Bool {
        switch (mode, event) {
        case (.unmappedResets, .subscribeRequested(let id, let request))
        where !request.broadcast.text.contains(".nobody"):
            visitor.transport.reset(id.stream, code: .unmapped(raw: 123_456))
            return true
        case (.garbledAnnouncements, .announced(_, let announced, _)):
            for other in visitors {
                for watcher in other.watchers where watcher.prefix.isPrefix(of: announced.path) {
                    other.transport.write([0x05, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], to: watcher.id.stream)
                }
            }
            return true
        default:
            return false
        }
    }

    /// Passes on a whole group.
    func deliver(_ passing: Passing) {
        switch mode {
        case .drippingFrame:
            break
        case .deliversTwice:
            send(passing.frames, of: passing)
            send(passing.frames, of: passing)
        case .reversesFrames:
            send(passing.frames.reversed(), of: passing)
        case .tearsFrames:
            send(
                passing.frames.map { Frame(timestamp: $0.timestamp, payload: Array($0.payload.dropLast(9))) },
                of: passing)
        case .mixesTracks:
            var wrong = passing
            if let other = passing.reader.requests.first(where: { $0.id != passing.request }) {
                wrong.request = other.id
            }
            send(passing.frames, of: wrong)
        default:
            send(passing.frames, of: passing)
        }
    }

    /// What it does by itself, every few milliseconds.
    func stroke(_ visitor: Visitor, at now: Instant) {
        switch mode {
        case .closesSessions:
            if visitor.number > 0, visitor.strokes == 20 { visitor.session.close(code: 99, reason: "enough") }
        case .leaves:
            if !visitor.requests.isEmpty { leave() }
        case .announcementsWithoutEnd, .announcementChurn:
            flood(announcementsOf: visitor)
        case .unknownStreams, .silentStreams:
            if visitor.number > 0 { flood(streamsOf: visitor) }
        case .requestsWithoutEnd, .requestChurn, .announceRequestsWithoutEnd:
            if !visitor.announced.isEmpty { flood(requestsOf: visitor) }
        case .goesAwayTwice:
            if visitor.requests.isEmpty { return }
            if visitor.strokes == 40 || visitor.strokes == 60 { visitor.session.goaway(uri: "moqt://elsewhere") }
        case .setsUpTwice:
            if !visitor.requests.isEmpty, visitor.openGroup == nil {
                visitor.openGroup = visitor.session.openRawStream(.unidirectional, writing: [0x01, 0x01, 0x00])
            }
        default:
            if let request = visitor.requests.first { flood(request.id, visitor) }
        }
    }

    private func flood(announcementsOf visitor: Visitor) {
        for watcher in visitor.watchers where !watcher.prefix.isEmpty {
            for _ in 0..<Self.floodStep where visitor.transport.canWrite(watcher.id.stream) {
                flooded += 1
                let name = mode == .announcementChurn ? "churn" : "flood-\(flooded)"
                guard let path = (try? BroadcastPath(name)).flatMap(watcher.prefix.appending) else { return }
                visitor.session.announce(watcher.id, Announced(path: path))
                if mode == .announcementChurn { visitor.session.unannounce(watcher.id, path) }
            }
        }
    }

    private func flood(streamsOf visitor: Visitor) {
        for _ in 0..<5 where flooded < 2000 {
            let bytes: [UInt8] = mode == .silentStreams ? [0x7F] : [0x3F, 0x01, 0x02]
            guard visitor.session.openRawStream(.unidirectional, writing: bytes) != nil else { return }
            flooded += 1
        }
    }

    private func flood(requestsOf visitor: Visitor) {
        for id in visitor.churned { visitor.session.unsubscribe(id, .reset(.code(0))) }
        visitor.churned = []
        for _ in 0..<Self.floodStep {
            flooded += 1
            switch mode {
            case .announceRequestsWithoutEnd:
                guard let stream = visitor.session.openRawStream(.bidirectional, writing: [0x01, 0x02, 0x00, 0x00])
                else { return }
                visitor.session.finishRaw(stream)
            default:
                guard visitor.session.openStreamCount < 9_000 else { return }
                let id = visitor.session.subscribe(
                    broadcast: visitor.announced[0], track: TrackName("track-\(flooded)"))
                if mode == .requestChurn { visitor.churned.append(id) }
            }
        }
    }

    private func flood(_ request: IncomingSubscriptionID, _ visitor: Visitor) {
        let session = visitor.session
        switch mode {
        case .drippingFrame, .hugeFrame:
            guard let stream = visitor.openGroup else {
                let subscribe = visitor.requests[0].request.id
                let size: [UInt8] =
                    mode == .drippingFrame
                    ? [0x81, 0xFF, 0xFF, 0xFF] : [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
                visitor.openGroup = session.openRawStream(
                    .unidirectional, writing: [0x00, 0x02, UInt8(subscribe), 0x09, 0x00] + size)
                return
            }
            session.writeRaw([0xAA], to: stream)
        case .framesWithoutEnd:
            if visitor.openGroups.isEmpty, let group = session.openGroup(for: request, sequence: 9, priority: .control)
            {
                visitor.openGroups = [group]
            }
            guard let group = visitor.openGroups.first else { return }
            for _ in 0..<2000 where session.canWrite(group) {
                flooded += 1
                session.writeFrame(group, Frame(timestamp: 1, payload: [1, 2, 3]))
            }
        case .groupsWithoutEnd:
            for _ in 0..<Self.floodStep {
                flooded += 1
                guard let group = session.openGroup(for: request, sequence: UInt64(flooded), priority: .control) else {
                    return
                }
                session.writeFrame(group, Frame(timestamp: 1, payload: [1, 2, 3]))
                session.finishGroup(group)
            }
        case .datagramsWithoutEnd:
            for _ in 0..<Self.floodStep {
                flooded += 1
                session.sendDatagram(for: request, sequence: UInt64(flooded), timestamp: 1, payload: [1, 2, 3])
            }
        default: break
        }
    }
}
