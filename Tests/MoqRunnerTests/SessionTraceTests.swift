import MoqConformance
import MoqScenario
import MoqWire
import Testing

@testable import MoqRunner

@Suite struct SessionTraceTests {
    private let codes = CodeBook(generation: .second)

    private func trace(_ record: SessionRecord, losesPackets: Bool = false) -> SessionTrace {
        SessionTrace([("viewer", record)], codes: codes, losesPackets: losesPackets)
    }

    /// A viewer that got groups of one frame, and whose subscription is still open.
    private func viewer(_ groups: [UInt64], size: Int = 10, end: RecordedEnd? = nil) -> SessionRecord {
        var record = SessionRecord()
        record.state = .connected(version: "moq-lite-06")
        record.connections = 1
        var subscription = SubscriptionRecord(label: "video", broadcast: "game", track: "video")
        subscription.groups = groups.map { sequence in
            var group = GroupRecord(sequence: sequence, firstFrame: 0)
            group.sizes = [size]
            group.end = .finished
            return group
        }
        subscription.end = end
        record.subscriptions = [subscription]
        return record
    }

    private func differences(_ left: SessionRecord, _ right: SessionRecord, losesPackets: Bool = false) -> [String] {
        trace(left, losesPackets: losesPackets).differences(
            from: trace(right, losesPackets: losesPackets), mine: "quic", other: "tcp")
    }

    @Test func whatCameInAnotherOrderIsTheSame() {
        #expect(differences(viewer([0, 1, 2]), viewer([2, 0, 1])) == [])
    }

    @Test func whatIsStillToComeIsTheSameAndWhatWasLeftOutIsNot() {
        #expect(differences(viewer([0, 1, 2]), viewer([0, 1])) == [])
        #expect(
            differences(viewer([0, 1, 2]), viewer([0, 2])) == [
                "viewer: groups of video: quic saw group 1 of 10 bytes; tcp saw group 2 of 10 bytes"
            ])
        #expect(
            differences(viewer([0, 1]), viewer([0], end: .finished)) == [
                "viewer: groups of video: quic saw group 1 of 10 bytes; tcp saw nothing more"
            ])
    }

    @Test func whereLaterGroupsOvertakeWhatWasLostOnlyWhatBothHaveIsCompared() {
        #expect(differences(viewer([0, 1, 2]), viewer([0, 2]), losesPackets: true) == [])
        #expect(
            differences(viewer([0, 1, 2]), viewer([0, 2], size: 11), losesPackets: true) == [
                "viewer: groups of video: quic saw group 0 of 10 bytes; tcp saw group 0 of 11 bytes"
            ])
        #expect(
            differences(viewer([0, 1, 2], end: .finished), viewer([0, 2], end: .finished), losesPackets: true).count
                == 1)
    }

    @Test func ofWhatIsWrittenByTheClockOnlyWhatBothStayedForIsCompared() {
        func told(_ groups: [UInt64], size: Int = 10, tornAtTheEnd: Bool = false, losesPackets: Bool = false)
            -> SessionTrace
        {
            var record = viewer(groups, size: size, end: .finished)
            if tornAtTheEnd { record.subscriptions[0].groups[groups.count - 1].end = .reset(code: 0) }
            return SessionTrace(
                [("viewer", record)], codes: codes, losesPackets: losesPackets, writesByTheClock: true)
        }
        func differences(_ left: SessionTrace, _ right: SessionTrace) -> [String] {
            left.differences(from: right, mine: "quic", other: "tcp")
        }
        #expect(differences(told([4, 5, 6]), told([5, 6, 7])) == [])
        #expect(differences(told([4, 5, 6]), told([7, 8])) == [])
        #expect(
            differences(told([4, 5, 6, 7]), told([5, 7, 8])) == [
                "viewer: groups of video: quic saw group 6 of 10 bytes; tcp saw group 7 of 10 bytes"
            ])
        #expect(
            differences(told([4, 5, 6]), told([5, 6, 7], size: 11)) == [
                "viewer: groups of video: quic saw group 5 of 10 bytes; tcp saw group 5 of 11 bytes"
            ])
        // The group in which one of them left is torn there only.
        #expect(differences(told([4, 5, 6], tornAtTheEnd: true), told([4, 5, 6, 7])) == [])
        #expect(differences(told([4, 5, 6]), told([4, 5, 6, 7], tornAtTheEnd: true)) == [])
        #expect(differences(told([6], tornAtTheEnd: true), told([6, 7])) == [])
        #expect(differences(told([4, 5, 6, 7]), told([4, 6], losesPackets: true)).count == 1)
        #expect(differences(told([4, 5, 6, 7], losesPackets: true), told([4, 6], losesPackets: true)) == [])
    }

    @Test func howTheSubscriptionsOfKitsEndIsNotCompared() {
        func told(_ groups: [UInt64], _ end: RecordedEnd, byTheClock: Bool) -> SessionTrace {
            SessionTrace(
                [("viewer", viewer(groups, end: end))], codes: codes, losesPackets: false, writesByTheClock: byTheClock)
        }
        for (byTheClock, count) in [(true, 0), (false, 1)] {
            let finished = told([0, 1], .finished, byTheClock: byTheClock)
            let reset = told([0, 1], .reset(code: 0), byTheClock: byTheClock)
            #expect(finished.differences(from: reset, mine: "quic", other: "tcp").count == count)
        }
    }

    @Test func whichDatagramsALinkLosesIsNotCompared() {
        func seen(_ datagrams: [UInt64]) -> SessionRecord {
            var record = viewer([0])
            record.subscriptions[0].datagrams = datagrams
            return record
        }
        #expect(differences(seen([1, 2]), seen([2, 3]), losesPackets: true) == [])
        #expect(differences(seen([1, 2]), seen([2, 3])).count == 1)
    }

    @Test func whatPublishersThatRaceShowAWatcherIsNotCompared() {
        func told(_ fate: [Bool], racing: Bool) -> SessionTrace {
            var record = viewer([0])
            record.announcements = fate.map {
                AnnouncementRecord(path: "game", isActive: $0, isUpdate: false, hops: [], prefix: "")
            }
            return SessionTrace(
                [("viewer", record)], codes: codes, losesPackets: false, racesAnnouncements: racing)
        }
        for (racing, count) in [(true, 0), (false, 1)] {
            let differences = told([true, false], racing: racing).differences(
                from: told([false, true], racing: racing), mine: "quic", other: "tcp")
            #expect(differences.count == count)
        }
    }

    @Test func aRefusalInHTTPsWordsIsTheSameAsOneWithTheCodeForIt() {
        func refused(_ close: RecordedClose, connections: Int) -> SessionRecord {
            var record = SessionRecord()
            record.state = .closed(close)
            record.connections = connections
            return record
        }
        let byRelay = refused(RecordedClose(code: nil, byPeer: true, text: "no protocol"), connections: 0)
        #expect(differences(byRelay, refused(RecordedClose(code: nil, byPeer: false, text: ""), connections: 0)) == [])
        let number = codes.numberToSend(for: .condition("unauthorized"), on: .close)
        let status = refused(
            RecordedClose(code: nil, byPeer: true, text: "401", way: .status(401)), connections: 0)
        #expect(differences(refused(RecordedClose(code: number, byPeer: true, text: ""), connections: 1), status) == [])
        #expect(
            differences(refused(RecordedClose(code: number + 1, byPeer: true, text: ""), connections: 1), status).count
                == 1)
        #expect(differences(byRelay, status).count == 1)
    }
}
