import MoqScenario
import MoqWire
import Testing

@testable import MoqConformance

/// Reads an expectation as an author writes it.
func expectation(_ text: String, verb: String = "expect") throws -> ExpectationTree {
    let yaml = """
        suite: judged
        about: One expectation.
        scenarios:
          - id: judged.one
            title: One expectation
            requirements: [judge.one]
            actors: { viewer: session, camera: session }
            steps:
              - camera.publish: { broadcast: game, tracks: [video, catalog.json] }
              - viewer.subscribe: { broadcast: game, track: video }
              - viewer.fetch: { broadcast: game, track: video, group: 0 }
              - viewer.track_info: { broadcast: game, track: video }
              - viewer.subscribe: { broadcast: game, track: catalog.json }
              - viewer.send_raw: { stream: bidi, as: odd, hex: "3f" }
              - viewer.\(verb): \(text)
        """
    let vocabulary = Vocabulary(
        conditions: ErrorCondition.allNames, capabilities: ["fetch"],
        versions: [Version.lite03, .lite04, .lite05, .lite06].map(\.description))
    let loaded = SuiteLoader(vocabulary: vocabulary).load([ScenarioFile(path: "judged.yaml", bytes: Array(yaml.utf8))])
    let problems = DiagnosticRenderer.text(loaded.diagnostics.filter { $0.severity == .error })
    let steps = try #require(loaded.suites.first?.cases.first?.steps, "\(problems)")
    switch try #require(steps.last).kind {
    case .expect(let step): return step.condition
    case .never(let step): return step.condition
    default: throw WrongStep()
    }
}

struct WrongStep: Error {}

@Suite struct JudgeTests {
    let context = JudgeContext(codes: CodeBook(generation: .second))

    private func judge(_ text: String, _ record: SessionRecord, _ context: JudgeContext? = nil) throws -> Judgement {
        var judge = Judge(expecting: try expectation(text))
        return judge.judge(record, context ?? self.context)
    }

    private func state(_ judgement: Judgement) -> String {
        switch judgement {
        case .met: "met"
        case .pending: "pending"
        case .broken: "broken"
        case .notTestable: "not testable"
        }
    }

    private func announcement(_ path: String, active: Bool = true, update: Bool = false, hops: [UInt64] = [1])
        -> AnnouncementRecord
    {
        AnnouncementRecord(path: path, isActive: active, isUpdate: update, hops: hops, prefix: "")
    }

    private func subscribed(_ change: (inout SubscriptionRecord) -> Void) -> SessionRecord {
        var record = SessionRecord()
        var subscription = SubscriptionRecord(label: "video", broadcast: "game", track: "video")
        change(&subscription)
        record.subscriptions = [subscription]
        return record
    }

    private func group(_ sequence: UInt64, frames: Int, end: RecordedEnd? = .finished) -> GroupRecord {
        var group = GroupRecord(sequence: sequence, firstFrame: 0)
        group.sizes = Array(repeating: 10, count: frames)
        group.timestamps = (0..<UInt64(frames)).map { sequence * 100 + $0 }
        group.end = end
        return group
    }

    // MARK: Announcements

    @Test func announcedHoldsWhileTheAnnouncementIsLive() throws {
        var record = SessionRecord()
        #expect(try state(judge("{ announced: game }", record)) == "pending")
        record.announcements = [announcement("game")]
        record.active = ["game"]
        #expect(try state(judge("{ announced: game }", record)) == "met")
        #expect(try state(judge("{ announced: other }", record)) == "pending")
        #expect(try state(judge("{ unannounced: game }", record)) == "pending")
        record.announcements.append(announcement("game", active: false))
        record.active = []
        #expect(try state(judge("{ announced: game }", record)) == "pending")
        #expect(try state(judge("{ unannounced: game }", record)) == "met")
    }

    @Test func whatIsForbiddenCountsAlsoWhenItIsOver() throws {
        var record = SessionRecord()
        var judge = Judge(forbidding: try expectation("{ announced: game, for: 1s }", verb: "never"), after: record)
        #expect(state(judge.judge(record, context)) == "pending")
        record.announcements = [announcement("game"), announcement("game", active: false)]
        #expect(state(judge.judge(record, context)) == "met")
    }

    @Test func whatWasOverBeforeIsNotForbidden() throws {
        var record = SessionRecord()
        record.announcements = [announcement("game"), announcement("game", active: false)]
        var judge = Judge(forbidding: try expectation("{ announced: game, for: 1s }", verb: "never"), after: record)
        #expect(state(judge.judge(record, context)) == "pending")
    }

    // MARK: Groups and frames

    @Test func framesAreCountedExactly() throws {
        let text = "{ track: video, group: 0, frames: 3 }"
        #expect(try state(judge(text, subscribed { $0.groups = [group(0, frames: 2, end: nil)] })) == "pending")
        #expect(try state(judge(text, subscribed { $0.groups = [group(0, frames: 3, end: nil)] })) == "met")
        #expect(try state(judge(text, subscribed { $0.groups = [group(0, frames: 4, end: nil)] })) == "broken")
        #expect(try state(judge(text, subscribed { $0.groups = [group(1, frames: 3)] })) == "pending")
    }

    @Test func onlyWholeGroupsCount() throws {
        let text = "{ track: video, groups: 2 }"
        let half = subscribed { $0.groups = [group(0, frames: 1), group(1, frames: 1, end: .reset(code: 0))] }
        #expect(try state(judge(text, half)) == "pending")
        let whole = subscribed { $0.groups = [group(0, frames: 1), group(1, frames: 1)] }
        #expect(try state(judge(text, whole)) == "met")
        let more = subscribed { $0.groups = (0..<3).map { group($0, frames: 1) } }
        #expect(try state(judge(text, more)) == "broken")
    }

    @Test func aResetIsHeldAgainstItsCondition() throws {
        let text = "{ track: video, group: 0, reset: not_found }"
        #expect(try state(judge(text, subscribed { $0.groups = [group(0, frames: 1, end: nil)] })) == "pending")
        #expect(
            try state(judge(text, subscribed { $0.groups = [group(0, frames: 1, end: .reset(code: 51))] })) == "met")
        #expect(
            try state(judge(text, subscribed { $0.groups = [group(0, frames: 1, end: .reset(code: 13))] })) == "broken")
        #expect(try state(judge(text, subscribed { $0.groups = [group(0, frames: 1)] })) == "broken")
        let first = JudgeContext(codes: CodeBook(generation: .first))
        let old = subscribed { $0.groups = [group(0, frames: 1, end: .reset(code: 13))] }
        #expect(try state(judge(text, old, first)) == "met")
    }

    @Test func aConditionThatTheGenerationCannotShowIsNotTestable() throws {
        let record = subscribed { $0.groups = [group(0, frames: 1, end: .reset(code: 25))] }
        let first = JudgeContext(codes: CodeBook(generation: .first))
        #expect(try state(judge("{ track: video, group: 0, reset: closed }", record, first)) == "not testable")
    }

    @Test func orderIsTheOrderOfArrival() throws {
        let record = subscribed { $0.groups = [group(1, frames: 1), group(0, frames: 1)] }
        #expect(try state(judge("{ track: video, order: ascending }", record)) == "broken")
        #expect(try state(judge("{ track: video, order: descending }", record)) == "met")
        #expect(try state(judge("{ track: video, order: [1, 0] }", record)) == "met")
        #expect(try state(judge("{ track: video, order: [1, 0, 2] }", record)) == "pending")
        #expect(try state(judge("{ track: video, order: [0, 1] }", record)) == "broken")
    }

    @Test func timestampsNeedAVersionThatCarriesThem() throws {
        let record = subscribed { $0.groups = [group(0, frames: 3)] }
        #expect(try state(judge("{ track: video, timestamps: increasing }", record)) == "met")
        var without = context
        without.carriesTimestamps = false
        #expect(try state(judge("{ track: video, timestamps: increasing }", record, without)) == "not testable")
        let falling = subscribed { subscription in
            var group = group(0, frames: 2)
            group.timestamps = [5, 5]
            subscription.groups = [group]
        }
        #expect(try state(judge("{ track: video, timestamps: increasing }", falling)) == "broken")
    }

    @Test func thatThereAreNoTimestampsTakesAFrame() throws {
        let stamped = subscribed { $0.groups = [group(0, frames: 3)] }
        let plain = subscribed { subscription in
            var group = group(0, frames: 2)
            group.timestamps = []
            subscription.groups = [group]
        }
        var without = context
        without.carriesTimestamps = false
        #expect(try state(judge("{ track: video, timestamps: none }", plain, without)) == "met")
        #expect(try state(judge("{ track: video, timestamps: none }", stamped)) == "broken")
        #expect(try state(judge("{ track: video, timestamps: none }", subscribed { $0.groups = [] })) == "pending")
    }

    @Test func endingsAreToldApart() throws {
        let clean = subscribed { $0.end = .finished }
        let failed = subscribed { $0.end = .reset(code: 0) }
        #expect(try state(judge("{ track: video, ended: cleanly }", clean)) == "met")
        #expect(try state(judge("{ track: video, ended: cleanly }", failed)) == "broken")
        #expect(try state(judge("{ track: video, ended: with_error }", failed)) == "met")
        #expect(try state(judge("{ track: video, ended: with_error }", clean)) == "broken")
        #expect(try state(judge("{ track: video, ended: any }", subscribed { _ in })) == "pending")
        #expect(try state(judge("{ track: video, lost: [3, 4] }", subscribed { $0.lost = [2...3, 4...4] })) == "met")
        #expect(try state(judge("{ track: video, lost: [3, 5] }", subscribed { $0.lost = [2...3] })) == "pending")
    }

    // MARK: Publishers

    @Test func requestsAreMatchedByWhatTheyAskFor() throws {
        var record = SessionRecord()
        var request = RequestRecord(kind: .subscribe, broadcast: "game", track: "video")
        request.priority = 7
        record.requests = [request]
        #expect(try state(judge("{ subscribe_request: { track: video, priority: 7 } }", record)) == "met")
        #expect(try state(judge("{ subscribe_request: { track: video, priority: 8 } }", record)) == "pending")
        #expect(try state(judge("{ unsubscribed: { track: video } }", record)) == "pending")
        record.requests[0].end = .finished
        #expect(try state(judge("{ unsubscribed: { track: video } }", record)) == "met")
        record.requests.append(RequestRecord(kind: .subscribe, broadcast: "game", track: "video"))
        #expect(try state(judge("{ subscribe_request: { track: video }, count: 1 }", record)) == "broken")
    }

    // MARK: Sessions

    @Test func aCloseIsHeldAgainstItsCode() throws {
        var record = SessionRecord()
        record.wasEstablished = true
        record.state = .closed(RecordedClose(code: 2, byPeer: true, text: "closed"))
        #expect(try state(judge("{ session: { closed: unauthorized } }", record)) == "met")
        #expect(try state(judge("{ session: { closed: protocol_violation } }", record)) == "broken")
        #expect(try state(judge("{ session: connected }", record)) == "broken")
        record.state = .connected(version: "moq-lite-06")
        #expect(try state(judge("{ session: connected }", record)) == "met")
    }

    @Test func aRefusalWithoutACodeIsHeldAgainstWhatItMeans() throws {
        var record = SessionRecord()
        record.state = .closed(
            RecordedClose(code: nil, byPeer: true, text: "HTTP status 401", way: .status(401)))
        #expect(try state(judge("{ session: { refused: unauthorized } }", record)) == "met")
        #expect(try state(judge("{ session: refused }", record)) == "met")
        #expect(try state(judge("{ session: { refused: version } }", record)) == "broken")
        record.state = .closed(RecordedClose(code: nil, byPeer: true, text: "HTTP status 500"))
        #expect(try state(judge("{ session: { refused: unauthorized } }", record)) == "broken")
    }

    // MARK: Combinations

    @Test func oneOfSeveralHoldsOrAllAreBroken() throws {
        let text = "{ any_of: [ { track: video, ended: cleanly }, { track: video, reset: not_found } ] }"
        #expect(try state(judge(text, subscribed { _ in })) == "pending")
        #expect(try state(judge(text, subscribed { $0.end = .reset(code: 51) })) == "met")
        #expect(try state(judge(text, subscribed { $0.end = .reset(code: 52) })) == "broken")
    }

    @Test func inOrderRemembersWhatHasHappened() throws {
        var judge = Judge(expecting: try expectation("{ in_order: [ { announced: game }, { unannounced: game } ] }"))
        var record = SessionRecord()
        #expect(state(judge.judge(record, context)) == "pending")
        record.announcements = [announcement("game")]
        record.active = ["game"]
        #expect(state(judge.judge(record, context)) == "pending")
        record.announcements.append(announcement("game", active: false))
        record.active = []
        #expect(state(judge.judge(record, context)) == "met")
    }

    @Test func whatComesBeforeWhatHadToBeFirstBreaksAnOrder() throws {
        var judge = Judge(
            expecting: try expectation("{ in_order: [ { track: video, groups: 1 }, { announced: game } ] }"))
        var record = subscribed { _ in }
        #expect(state(judge.judge(record, context)) == "pending")
        record.announcements = [announcement("game")]
        record.active = ["game"]
        #expect(state(judge.judge(record, context)) == "broken")
        record.subscriptions[0].groups = [group(0, frames: 1)]
        #expect(state(judge.judge(record, context)) == "broken")
    }

    @Test func anOrderMayLookForTheSameTwice() throws {
        var judge = Judge(
            expecting: try expectation(
                "{ in_order: [ { announced: game }, { unannounced: game }, { announced: game } ] }"))
        var record = SessionRecord()
        record.announcements = [announcement("game")]
        record.active = ["game"]
        #expect(state(judge.judge(record, context)) == "pending")
        record.announcements.append(announcement("game", active: false))
        record.active = []
        #expect(state(judge.judge(record, context)) == "pending")
        record.announcements.append(announcement("game"))
        record.active = ["game"]
        #expect(state(judge.judge(record, context)) == "met")
    }

    // MARK: Catalogs

    @Test func theNewestCatalogIsThatOfTheNewestGroup() throws {
        var record = SessionRecord()
        var subscription = SubscriptionRecord(label: "catalog.json", broadcast: "game", track: "catalog.json")
        subscription.catalogs = [
            CatalogRecord(group: 2, index: 2, video: ["v2"], audio: []),
            CatalogRecord(group: 1, index: 1, video: ["v1"], audio: []),
        ]
        record.subscriptions = [subscription]
        #expect(try state(judge("{ catalog: { video: [v2] } }", record)) == "met")
        #expect(try state(judge("{ catalog: { video: [v1] } }", record)) == "pending")
        #expect(try state(judge("{ catalog: { older_than_seen: true } }", record)) == "pending")
        record.subscriptions[0].catalogs.append(CatalogRecord(group: 3, index: 0, video: [], audio: []))
        #expect(try state(judge("{ catalog: { older_than_seen: true } }", record)) == "met")
    }
}
