import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

@Suite struct TrackAndFetchTests {
    private static let versions = [Version.lite05, .lite06]

    private func asked(_ version: Version) -> (SessionPair, TrackRequestID, IncomingTrackID?) {
        let pair = SessionPair.established(
            version, clientLimits: SessionPair.byteByByte, serverLimits: SessionPair.byteByByte)
        let id = pair.client.requestTrack(broadcast: path("room/alice"), track: "video")
        var found: IncomingTrackID?
        for case .trackRequested(let incoming, let broadcast, let track) in pair.serverTold() {
            found = incoming
            #expect(broadcast == path("room/alice") && track == "video")
        }
        return (pair, id, found)
    }

    private func fetched(_ version: Version, _ request: Fetch) -> (SessionPair, FetchID, IncomingFetchID?) {
        let pair = SessionPair.established(version)
        let id = pair.client.fetch(request)
        var found: IncomingFetchID?
        for case .fetchRequested(let incoming, let fetch) in pair.serverTold() {
            found = incoming
            #expect(fetch == request)
        }
        return (pair, id, found)
    }

    private let group = Fetch(broadcast: path("room/alice"), track: "video", priority: 3, group: 8)

    @Test(arguments: versions)
    func propertiesAreToldOnce(_ version: Version) throws {
        let (pair, id, found) = asked(version)
        let incoming = try #require(found)
        let info = TrackInfo(priority: 4, maxAge: 9000, timescale: 90_000)
        #expect(pair.server.answerTrack(incoming, info))
        #expect(!pair.server.answerTrack(incoming, info))
        #expect(pair.clientTold() == [.trackInfo(id, info), .trackEnded(id, .finished)])
        #expect(pair.serverTold().isEmpty)
        #expect(pair.openPurposes.isEmpty)
    }

    @Test(arguments: versions)
    func aRefusedTrackCarriesItsCode(_ version: Version) throws {
        let (pair, id, found) = asked(version)
        pair.server.refuseTrack(try #require(found), code: .code(13))
        #expect(pair.clientTold() == [.trackEnded(id, .reset(.code(13)))])
        #expect(pair.openPurposes.isEmpty)
    }

    @Test(arguments: versions)
    func aTrackRequestThatIsTakenBackEndsOnBothSides(_ version: Version) throws {
        let (pair, id, found) = asked(version)
        let incoming = try #require(found)
        pair.client.cancelTrack(id)
        #expect(pair.clientTold() == [.trackEnded(id, .cancelled)])
        #expect(pair.serverTold() == [.trackCancelled(incoming, .reset(.code(1)))])
        #expect(pair.openPurposes.isEmpty)
    }

    @Test(arguments: [Version.lite03, .lite04])
    func beforeFiveBothAreUnsupported(_ version: Version) {
        let pair = SessionPair.established(version)
        let track = pair.client.requestTrack(broadcast: path("a"), track: "b")
        let fetch = pair.client.fetch(group)
        #expect(pair.clientTold() == [.trackEnded(track, .unsupported), .fetchEnded(fetch, .unsupported)])
        #expect(pair.serverTold().isEmpty)
    }

    @Test(arguments: versions)
    func aGroupIsFetchedWhole(_ version: Version) throws {
        let (pair, id, found) = fetched(version, group)
        let incoming = try #require(found)
        #expect(pair.server.canWriteFetch(incoming))
        #expect(pair.server.writeFetchFrame(incoming, Frame(timestamp: 50, payload: [1, 2])))
        #expect(pair.server.writeFetchFrame(incoming, Frame(timestamp: 40, payload: [])))
        pair.server.finishFetch(incoming)
        #expect(!pair.server.writeFetchFrame(incoming, Frame(timestamp: 60, payload: [])))
        #expect(
            pair.clientTold() == [
                .fetchFrame(id, index: 0, Frame(timestamp: 50, payload: [1, 2])),
                .fetchFrame(id, index: 1, Frame(timestamp: 40, payload: [])), .fetchEnded(id, .finished),
            ])
        #expect(pair.serverTold().isEmpty)
        #expect(pair.openPurposes.isEmpty)
    }

    @Test func aPartOfAGroupIsCountedFromItsFirstFrame() throws {
        var part = group
        part.frameStart = 3
        part.frameEnd = 3
        let (pair, id, found) = fetched(.lite06, part)
        let incoming = try #require(found)
        pair.server.writeFetchFrame(incoming, Frame(timestamp: 7, payload: [9]))
        pair.server.finishFetch(incoming)
        #expect(
            pair.clientTold() == [
                .fetchFrame(id, index: 3, Frame(timestamp: 7, payload: [9])), .fetchEnded(id, .finished),
            ])
    }

    @Test func aPartOfAGroupCannotBeAskedForBeforeSix() {
        var part = group
        part.frameStart = 3
        let pair = SessionPair.established(.lite05)
        let id = pair.client.fetch(part)
        #expect(pair.clientTold() == [.fetchEnded(id, .unsupported)])
        #expect(pair.openPurposes.isEmpty)
    }

    @Test(arguments: versions)
    func aRefusedFetchCarriesItsCode(_ version: Version) throws {
        let (pair, id, found) = fetched(version, group)
        pair.server.refuseFetch(try #require(found), code: .code(51))
        #expect(pair.clientTold() == [.fetchEnded(id, .reset(.code(51)))])
        #expect(pair.openPurposes.isEmpty)
    }

    @Test(arguments: versions)
    func aFetchThatIsTakenBackEndsOnBothSides(_ version: Version) throws {
        let (pair, id, found) = fetched(version, group)
        let incoming = try #require(found)
        pair.server.writeFetchFrame(incoming, Frame(timestamp: 7, payload: [9]))
        _ = pair.clientTold()
        pair.client.cancelFetch(id)
        #expect(pair.clientTold() == [.fetchEnded(id, .cancelled)])
        #expect(pair.serverTold() == [.fetchCancelled(incoming, .reset(.code(1)))])
        #expect(!pair.server.writeFetchFrame(incoming, Frame(timestamp: 8, payload: [9])))
        #expect(pair.openPurposes.isEmpty)
    }

    @Test(arguments: versions)
    func noFinFollowsTheQuestionBeforeTheAnswer(_ version: Version) throws {
        let peer = RawPeer(version, sessionRole: .client)
        peer.session.requestTrack(broadcast: path("a"), track: "b")
        peer.session.fetch(Fetch(broadcast: path("a"), track: "b", group: 1))
        peer.run()
        #expect(peer.requests.count == 2)
        #expect(peer.finished.isDisjoint(with: peer.requests))
        let (track, fetch) = (peer.requests[0], peer.requests[1])
        peer.send(version == .lite06 ? "04 00 00 4001" : "05 00 00 00 4001", on: track, finish: true)
        peer.send("", on: fetch, finish: true)
        #expect(peer.finished.isSuperset(of: peer.requests))
        #expect(peer.session.openStreamCount == 0)
    }

    @Test func aFinBehindTheQuestionWithdrawsItOnSixOnly() {
        let five = RawPeer(.lite05)
        let asked = five.open(.bidirectional, "06 04 0161 0162", finish: true)
        #expect(five.events.count == 1)
        five.session.answerTrack(IncomingTrackID(stream: asked), TrackInfo())
        five.run()
        #expect(five.finished.contains(asked))
        #expect(five.session.openStreamCount == 0)

        let six = RawPeer(.lite06)
        let withdrawn = six.open(.bidirectional, "06 04 0161 0162", finish: true)
        #expect(six.events.last == .trackCancelled(IncomingTrackID(stream: withdrawn), .finished))
        let fetch = six.open(.bidirectional, "03 08 0161 0162 00 05 00 00", finish: true)
        #expect(six.events.last == .fetchCancelled(IncomingFetchID(stream: fetch), .finished))
        #expect(six.session.openStreamCount == 0)
    }

    @Test func anAnswerOnItsWayIsNotCutByARequesterThatResetsItsHalf() {
        var limits = InMemoryLimits()
        limits.streamWindow = 2
        let peer = RawPeer(.lite06, limits: limits)
        let stream = peer.open(.bidirectional, "06 04 0161 0162")
        peer.session.answerTrack(IncomingTrackID(stream: stream), TrackInfo())
        peer.transport.reset(stream, code: .code(1))
        peer.run()
        #expect(peer.resets[stream] == nil && peer.finished.contains(stream))
        #expect(peer.session.openStreamCount == 0)
    }

    @Test func theNoiseOfARequesterThatIsDoneIsNoEvent() {
        let peer = RawPeer(.lite06)
        let stream = peer.open(.bidirectional, "06 04 0161 0162")
        peer.session.answerTrack(IncomingTrackID(stream: stream), TrackInfo())
        peer.run()
        let before = peer.events.count
        peer.transport.reset(stream, code: .code(1))
        peer.transport.stop(stream, code: .unmapped(raw: 0))
        peer.run()
        #expect(peer.events.count == before)
        #expect(peer.session.openStreamCount == 0)
    }
}
