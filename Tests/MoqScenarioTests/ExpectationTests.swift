import Testing

@testable import MoqScenario

/// Expectations as they are written, and the values that the interpreter gets.
@Suite struct ExpectationTests {
    private struct Unexpected: Error { var text: String }

    /// What `viewer.expect: { ... }` holds, after steps that make it legal.
    private func tree(_ text: String) throws -> ExpectationTree {
        let steps = """
            - camera.publish: { broadcast: game, tracks: [video, catalog.json] }
            - viewer.subscribe: { broadcast: game, track: video }
            - viewer.subscribe: { broadcast: game, track: catalog.json }
            - viewer.fetch: { broadcast: game, track: video, group: 1 }
            - viewer.track_info: { broadcast: game, track: video }
            - viewer.send_raw: { stream: bidi, hex: "01", as: raw }
            - viewer.expect: { \(text) }
            """
        let result = load(suite(steps: steps))
        #expect(DiagnosticRenderer.text(result.diagnostics) == "")
        guard case .expect(let expect)? = result.suites.first?.cases.first?.steps.last?.kind else {
            throw Unexpected(text: text)
        }
        return expect.condition
    }

    private func kind(_ text: String) throws -> ExpectationKind {
        guard case .one(let expectation) = try tree(text) else { throw Unexpected(text: text) }
        return expectation.kind
    }

    @Test func announcementsMayBeDescribedOrBeAny() throws {
        #expect(try kind("announced: game") == .announced(AnnouncementExpectation(broadcast: "game")))
        #expect(try kind("announced: \"*\"") == .announced(AnnouncementExpectation(broadcast: nil)))
        #expect(
            try kind("announced: { broadcast: game, hops: 1, cost: { at_least: 2 } }")
                == .announced(
                    AnnouncementExpectation(
                        broadcast: "game", hops: .count(CountExpectation(minimum: 1, maximum: 1)),
                        cost: CountExpectation(minimum: 2, maximum: nil))))
        #expect(try tree("announced: [game, other]").leafCount == 2)
    }

    @Test func thePropertiesOfATrackStandBesideIt() throws {
        var expected = TrackExpectation(target: TrackReference(broadcast: "game", track: "video"))
        expected.groups = .numbers([0, 1, 2])
        expected.frames = CountExpectation(minimum: 3, maximum: 9)
        expected.size = 1024
        expected.order = .descending
        expected.timestamps = .increasing
        expected.firstGroup = 0
        expected.lastGroup = 2
        expected.finished = true
        expected.accepted = true
        expected.startGroup = 0
        expected.endGroup = 3
        expected.ended = .withError
        let text = """
            broadcast: game, track: video, groups: [0, 1, 2], frames: { at_least: 3, at_most: 9 }, size: 1 KiB, \
            order: descending, timestamps: increasing, first_group: 0, last_group: 2, finished: true, accepted: true, \
            start_group: 0, end_group: 3, ended: with_error
            """
        #expect(try kind(text) == .track(expected))
    }

    @Test func oneGroupMayBeLookedAt() throws {
        var expected = TrackExpectation(target: TrackReference(track: "video"))
        expected.group = 4
        expected.firstFrame = 1
        expected.sizes = [1, 2]
        expected.content = "{}"
        expected.reset = .any
        expected.stopped = .oneOf([.condition("closed")])
        let text =
            "track: video, group: 4, first_frame: 1, sizes: [1 B, 2 B], content: \"{}\", reset: any, stopped: closed"
        #expect(try kind(text) == .track(expected))
    }

    @Test func aPublisherSeesWhatTheRelayAsksFor() throws {
        let video = TrackReference(track: "video")
        #expect(
            try kind("subscribe_request: { track: video, priority: 3, start: 4 }")
                == .subscribeRequest(
                    RequestExpectation(target: video, options: SubscriptionOptions(priority: 3, start: 4))))
        #expect(
            try kind("subscribe_updated: { track: video, end: 4 }")
                == .subscribeUpdated(RequestExpectation(target: video, options: SubscriptionOptions(end: 4))))
        #expect(
            try kind("fetch_request: { track: video, group: 4 }")
                == .fetchRequest(RequestExpectation(target: video, options: SubscriptionOptions(), group: 4)))
        #expect(
            try kind("unsubscribed: { track: video, code: cancelled }")
                == .unsubscribed(video, code: .oneOf([.condition("cancelled")])))
        #expect(
            try kind("track_info_request: { track: video }")
                == .trackInfoRequest(RequestExpectation(target: video, options: SubscriptionOptions())))
    }

    @Test func answersAreLookedAt() throws {
        #expect(
            try kind("fetched: { group: 1, frames: 2, finished: true }")
                == .fetched(
                    FetchExpectation(group: 1, frames: CountExpectation(minimum: 2, maximum: 2), finished: true)))
        #expect(
            try kind("track_info: { track: video, timescale: 1000, max_age: 5s }")
                == .trackInfo(
                    TrackInfoExpectation(
                        target: TrackReference(track: "video"), maxAge: .seconds(5), timescale: 1000)))
        #expect(
            try kind("datagrams: { track: video, count: { at_least: 3 } }")
                == .datagrams(
                    DatagramExpectation(
                        target: TrackReference(track: "video"), count: CountExpectation(minimum: 3, maximum: nil))))
        #expect(
            try kind("stream: { label: raw, reset: any, hex: \"00\" }")
                == .stream(StreamExpectation(label: "raw", reset: .any, bytes: [0])))
        #expect(try kind("goaway: { uri: \"https://x\" }") == .goaway(uri: "https://x"))
        #expect(try kind("probe: {}") == .probe)
    }

    @Test func aSessionIsUpOrGone() throws {
        #expect(try kind("session: connected") == .session(.connected(AgreementExpectation())))
        #expect(try kind("session: closed") == .session(.closed(.any)))
        #expect(
            try kind("session: { closed: protocol_violation }")
                == .session(.closed(.oneOf([.code(.condition("protocol_violation"))]))))
        #expect(
            try kind("session: { refused: unauthorized }")
                == .session(.refused(.oneOf([.code(.condition("unauthorized"))]))))
    }

    @Test func aCatalogHasRenditionsByNumberOrByName() throws {
        let catalog = TrackReference(broadcast: "game", track: "catalog.json")
        #expect(
            try kind("broadcast: game, catalog: { video: [a, b], audio: 0, newest: true }")
                == .catalog(
                    CatalogExpectation(
                        target: catalog, video: .names(["a", "b"]),
                        audio: .count(CountExpectation(minimum: 0, maximum: 0)), newest: true)))
    }

    @Test func expectationsAreCombined() throws {
        guard case .all(let all) = try tree("announced: game, session: connected"),
            case .any(let any) = try tree(
                "any_of: [ { announced: a }, { in_order: [ { announced: b }, { session: closed } ] } ]"),
            case .inOrder(let ordered) = any[1]
        else { throw Unexpected(text: "combined") }
        #expect(all.count == 2)
        #expect(any.count == 2)
        #expect(ordered.count == 2)
    }

    @Test func thingsThatHappenAreCounted() throws {
        guard case .one(let counted) = try tree("subscribe_request: { track: video }, count: 1"),
            case .one(let least) = try tree("announced: game, at_least: 2")
        else { throw Unexpected(text: "count") }
        #expect(counted.occurrences == CountExpectation(minimum: 1, maximum: 1))
        #expect(least.occurrences == CountExpectation(minimum: 2, maximum: nil))
    }

    @Test func timesComeFromTheStepOrTheScenarioOrTheSuite() throws {
        func within(_ text: String, scenario: String = "", suite defaults: String = "") throws -> Duration {
            let file = suite(
                steps: "- viewer.expect: { announced: game\(text) }\n- camera.connect: {}", more: scenario)
            let result = load(file.replacing("scenarios:", with: "defaults: { \(defaults) }\nscenarios:"))
            guard case .expect(let expect)? = result.suites.first?.cases.first?.steps.first?.kind else {
                throw Unexpected(text: text)
            }
            return expect.within
        }
        #expect(try within("") == .seconds(5))
        #expect(try within("", suite: "within: 4s") == .seconds(4))
        #expect(try within("", scenario: "within: 3s", suite: "within: 4s") == .seconds(3))
        #expect(try within(", within: 2s", scenario: "within: 3s", suite: "within: 4s") == .seconds(2))
    }

    @Test func neverHasATimeOrLastsToTheEnd() throws {
        let steps = """
            - viewer.never: { announced: game }
            - viewer.never: { announced: game, for: 500ms }
            - viewer.expect: { session: connected, for: 2s }
            - camera.connect: {}
            """
        let kinds = try #require(onlyCase(steps: steps)).steps.map(\.kind)
        guard case .never(let open) = kinds[0], case .never(let timed) = kinds[1], case .expect(let held) = kinds[2]
        else { throw Unexpected(text: steps) }
        #expect(open.duration == nil)
        #expect(timed.duration == .milliseconds(500))
        #expect(held.holds == .seconds(2))
    }

    @Test(arguments: [
        ("viewer was behind by 32 MiB", Reached.Condition.behind(actor: "viewer", bytes: 32 << 20)),
        ("network lost at least 3 packets", .link(actor: nil, .lost, atLeast: 3)),
        ("viewer reordered at least 1 packet", .link(actor: "viewer", .reordered, atLeast: 1)),
        ("viewer received at least 20 frames", .received(actor: "viewer", .frames, atLeast: 20)),
        ("camera was connected at least 2 times", .connected(actor: "camera", atLeast: 2)),
    ])
    func whatMustBeReachedIsASentence(_ sentence: String, _ condition: Reached.Condition) throws {
        let found = try #require(
            onlyCase(steps: "- viewer.connect: {}\n- camera.connect: {}", more: "reached: [\(sentence)]"))
        #expect(found.reached.map(\.condition) == [condition])
        #expect(found.reached.map(\.source) == [sentence])
    }
}

extension ExpectationTree {
    fileprivate var leafCount: Int {
        switch self {
        case .one: 1
        case .all(let trees), .any(let trees), .inOrder(let trees): trees.map(\.leafCount).reduce(0, +)
        }
    }
}
