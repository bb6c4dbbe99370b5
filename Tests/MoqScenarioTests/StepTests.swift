import Testing

@testable import MoqScenario

/// Steps as they are written, and the values that the interpreter gets.
@Suite struct StepTests {
    /// The action of the last step, after steps that make it legal.
    private func action(_ step: String, after before: String = "") throws -> SessionAction {
        let steps = [before, step, "- viewer.expect: { session: connected }", "- camera.connect: {}"]
        let result = load(suite(steps: steps.filter { !$0.isEmpty }.joined(separator: "\n")))
        let position = before.isEmpty ? 0 : before.split(separator: "\n").count
        let text = DiagnosticRenderer.text(result.diagnostics.filter { $0.severity == .error })
        #expect(text == "")
        let found = try #require(result.suites.first?.cases.first?.steps[position])
        guard case .session(_, let action) = found.kind else {
            throw Unexpected(step: step)
        }
        return action
    }

    private struct Unexpected: Error { var step: String }

    private let published = "- camera.publish: { broadcast: game, tracks: [video, catalog.json] }"
    private let subscribed = "- viewer.subscribe: { broadcast: game, track: video, as: first }"

    @Test func aTrackMayBeDescribed() throws {
        let action = try action(
            "- camera.publish: { broadcast: g, tracks: { v: { priority: 9, max_age: 2s, timescale: 1000 }, a: }, hops: [7], cost: 3 }"
        )
        #expect(
            action
                == .publish(
                    PublishAction(
                        broadcast: "g",
                        tracks: [
                            TrackDefinition(name: "v", priority: 9, maxAge: .seconds(2), timescale: 1000),
                            TrackDefinition(name: "a"),
                        ], hops: [.id(7)], cost: 3)))
    }

    @Test func connectionsMayBeExpectedToBeRefused() throws {
        guard case .connect(let any) = try action("- camera.connect: { path: /, version: 05, expect: any }"),
            case .connect(let refused) = try action(
                "- camera.connect: { expect: { refused: { any_of: [unauthorized, 0x10, app(7)] } }, within: 1.5 s }")
        else { throw Unexpected(step: "connect") }
        #expect(any == ConnectAction(path: "/", version: "moq-lite-05", expect: .any, within: .seconds(5)))
        #expect(
            refused.expect
                == .refused(.oneOf([.code(.condition("unauthorized")), .code(.number(16)), .code(.application(7))])))
        #expect(refused.within == .milliseconds(1500))
    }

    @Test func subscriptionsCarryEverythingThatTheMessageHas() throws {
        let action = try action(
            "- viewer.subscribe: { broadcast: game, track: video, priority: 200, ordered: true, max_age: 500ms, start: 3, end: 9, frame_start: 1, frame_end: 2, as: late }"
        )
        let options = SubscriptionOptions(
            priority: 200, ordered: true, maxAge: .milliseconds(500), start: 3, end: 9, frameStart: 1, frameEnd: 2)
        #expect(
            action
                == .subscribe(
                    SubscribeAction(broadcast: "game", track: "video", options: options, label: "late")))
    }

    @Test(arguments: [
        ("group: 4", GroupSelection.numbers([4]), false), ("groups: 3", .next(3), true),
        ("groups: 3, start_group: 10", .numbers([10, 11, 12]), true), ("groups: [5, 3, 4]", .numbers([5, 3, 4]), true),
        ("group: 4, finish: true", .numbers([4]), true), ("frames: 1", .next(1), true),
        ("start_group: 8, finish: false", .numbers([8]), false),
    ])
    func aGroupByNumberStaysOpenAndWholeGroupsAreFinished(
        _ text: String, _ groups: GroupSelection, _ finish: Bool
    ) throws {
        guard case .write(let write) = try action("- camera.write: { track: video, \(text) }", after: published) else {
            throw Unexpected(step: text)
        }
        #expect(write.groups == groups)
        #expect(write.finish == finish)
    }

    @Test(arguments: [
        ("frames: 3, size: 1 KiB", FrameSizes.uniform(count: 3, size: 1024)),
        ("sizes: [0 B, 1 MB]", .each([0, 1_000_000])), ("frames: 0", .uniform(count: 0, size: 256)),
    ])
    func framesHaveOneSizeOrEachItsOwn(_ text: String, _ frames: FrameSizes) throws {
        guard case .write(let write) = try action("- camera.write: { track: video, \(text) }", after: published) else {
            throw Unexpected(step: text)
        }
        #expect(write.frames == frames)
    }

    @Test(arguments: [
        ("as_fast_as_possible", Pace.asFastAsPossible), ("20ms", .every(.milliseconds(20))),
        ("50/s", .every(.milliseconds(20))), ("0.5/s", .every(.seconds(2))),
    ])
    func paceIsATimeOrARate(_ text: String, _ pace: Pace) throws {
        guard case .write(let write) = try action("- camera.write: { track: video, pace: \(text) }", after: published)
        else { throw Unexpected(step: text) }
        #expect(write.pace == pace)
    }

    @Test func aGroupIsEndedInFourWays() throws {
        let video = TrackReference(track: "video")
        #expect(
            try action("- camera.finish: { track: video, group: 1 }", after: published) == .finish(video, group: 1))
        #expect(try action("- camera.drop: { track: video }", after: published) == .drop(video, group: nil))
        #expect(
            try action("- camera.abort: { track: video, code: app(7) }", after: published)
                == .abort(video, group: nil, code: .application(7)))
        #expect(
            try action("- viewer.stop_group: { track: first, group: 2, code: 0 }", after: subscribed)
                == .stopGroup(TrackReference(track: "first"), group: 2, code: .number(0)))
    }

    @Test func requestsAreAnsweredOrHeld() throws {
        let nope = TrackReference(broadcast: "game", track: "nope")
        #expect(
            try action("- camera.refuse: { track: nope, broadcast: game, code: not_found, request: fetch }")
                == .refuse(RefuseAction(target: nope, code: .condition("not_found"), request: .fetch)))
        #expect(
            try action("- camera.accept: { track: nope, broadcast: game, start_group: 4 }")
                == .accept(nope, startGroup: 4))
        #expect(try action("- camera.hold: { track: nope, broadcast: game }") == .hold(nope))
        #expect(
            try action("- camera.hold: { track: nope, broadcast: game, request: fetch }")
                == .hold(nope, request: .fetch))
    }

    @Test func rawBytesGoWhereTheAuthorSays() throws {
        #expect(
            try action("- viewer.send_raw: { stream: uni, hex: \"02 4F\", as: odd, reset: 3 }")
                == .sendRaw(
                    SendRawAction(
                        stream: .newUnidirectional, label: "odd", bytes: [.bytes([2, 0x4F])], finish: false,
                        reset: .number(3))))
        #expect(
            try action(
                "- viewer.send_raw: { stream: odd, finish: true }",
                after: "- viewer.send_raw: { stream: bidi, as: odd }")
                == .sendRaw(SendRawAction(stream: .named("odd"), bytes: [], finish: true)))
    }

    @Test func rawBytesGoOnTheStreamOfARequest() throws {
        #expect(
            try action("- camera.send_raw: { stream: { request: subscribe, track: video }, finish: true }")
                == .sendRaw(
                    SendRawAction(
                        stream: .request(.subscribe, TrackReference(track: "video")), bytes: [], finish: true)))
    }

    @Test func aCatalogIsBuiltFromWhatTheStepsSay() throws {
        var document = CatalogDocument()
        let steps: [(String, String)] = [
            (
                "{ video: { hd: { codec: avc1.64001f, bitrate: 4000000, stalled: false } } }",
                #"{"video":{"renditions":{"hd":{"codec":"avc1.64001f","bitrate":4000000,"stalled":false}}}}"#
            ),
            (
                "{ add: { video: sd, codec: avc1.42c01e }, remove: { video: hd } }",
                #"{"video":{"renditions":{"sd":{"codec":"avc1.42c01e"}}}}"#
            ),
            (
                "{ add: { audio: { en: { codec: opus } } }, set: { scene: { chat: \"a\\\"b\", n: 1.5, no: null } } }",
                #"{"video":{"renditions":{"sd":{"codec":"avc1.42c01e"}}},"audio":{"renditions":{"en":{"codec":"opus"}}},"scene":{"chat":"a\"b","n":1.5,"no":null}}"#
            ),
            ("{ raw: \"{\" }", "{"),
            (
                "{ unset: [scene, audio] }", #"{"video":{"renditions":{"sd":{"codec":"avc1.42c01e"}}}}"#
            ),
        ]
        for (arguments, text) in steps {
            guard case .catalog(let catalog) = try action("- camera.catalog: \(arguments)", after: published) else {
                throw Unexpected(step: arguments)
            }
            #expect(catalog.target.track == "catalog.json")
            #expect(document.apply(catalog.changes) == text)
        }
    }

    @Test func branchesMayHaveSeveralSteps() throws {
        let steps = """
            - parallel:
                - - camera.connect: {}
                  - camera.close: { code: app(1), reason: bye }
                - viewer.connect: {}
            """
        guard case .parallel(let branches)? = onlyCase(steps: steps)?.steps.first?.kind else {
            throw Unexpected(step: steps)
        }
        #expect(branches.map(\.count) == [2, 1])
        #expect(branches[0][1].kind == .session(actor: "camera", .close(code: .application(1), reason: "bye")))
    }

    @Test func aRepeatMayRunForEverBesideSomethingThatEnds() throws {
        let steps = """
            - camera.publish: { broadcast: game, tracks: [video] }
            - parallel:
                - repeat: { times: forever, every: 10ms, steps: [ { camera.write: { track: video } } ] }
                - viewer.expect: { announced: game, within: 1s }
            """
        let result = load(suite(steps: steps))
        #expect(DiagnosticRenderer.text(result.diagnostics) == "")
        guard case .parallel(let branches)? = result.suites.first?.cases.first?.steps[1].kind,
            case .repeat(let endless)? = branches[0].first?.kind
        else { throw Unexpected(step: steps) }
        #expect(endless.times == nil)
        #expect(endless.every == .milliseconds(10))
    }

    @Test func theRoundsOfNestedRepeatsHaveTheirOwnNumbers() throws {
        let steps = """
            - camera.publish: { broadcast: game, tracks: [video] }
            - repeat:
                times: 3
                steps:
                  - repeat:
                      times: 2
                      as: j
                      steps:
                        - camera.write: { track: video, group: "${i*2}", frames: "${j+1}" }
            - viewer.connect: {}
            """
        guard case .repeat(let outer)? = onlyCase(steps: steps)?.steps[1].kind,
            case .repeat(let inner) = try outer.steps(round: 2)[0].kind,
            case .session(_, .write(let write)) = try inner.steps(round: 1)[0].kind
        else { throw Unexpected(step: steps) }
        #expect(write.groups == .numbers([4]))
        #expect(write.frames == .uniform(count: 2, size: 256))
    }

    @Test func aRoundThatCannotBeReadSaysSo() throws {
        let steps = """
            - viewer.subscribe: { broadcast: game, track: video }
            - parallel:
                - repeat: { times: forever, steps: [ { viewer.update: { track: video, priority: "${i}" } } ] }
                - camera.connect: {}
            """
        guard case .parallel(let branches)? = onlyCase(steps: steps)?.steps[1].kind,
            case .repeat(let endless)? = branches[0].first?.kind
        else { throw Unexpected(step: steps) }
        #expect(throws: RepeatError.self) { try endless.steps(round: 256) }
        #expect(try endless.steps(round: 255).count == 1)
    }

    @Test func theRelayAndTheNetworkAreThereWithoutBeingDeclared() throws {
        let steps = """
            - relay.restart: {}
            - relay.signal: { name: kill }
            - relay.expect: { serves: true, within: 3s }
            - network.set: { delay: 80ms, jitter: 1 ms, loss: 2.5%, rate: 8 Mbit/s, for: viewer }
            - network.cut: {}
            - viewer.connect: {}
            - camera.connect: {}
            """
        let kinds = try #require(onlyCase(steps: steps)).steps.map(\.kind)
        var conditions = NetworkConditions()
        conditions.delay = .milliseconds(80)
        conditions.jitter = .milliseconds(1)
        conditions.loss = 0.025
        conditions.rate = 1_000_000
        #expect(kinds[0] == .relay(.restart(linger: nil)))
        #expect(kinds[1] == .relay(.signal(.kill)))
        #expect(kinds[3] == .network(NetworkAction(change: .set(conditions), actor: "viewer")))
        #expect(kinds[4] == .network(NetworkAction(change: .cut)))
        guard case .expect(let expect) = kinds[2], case .one(let serves) = expect.condition else {
            throw Unexpected(step: "relay.expect")
        }
        #expect(serves.kind == .relayServes)
    }
}
