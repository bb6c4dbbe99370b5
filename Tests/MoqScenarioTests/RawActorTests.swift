import Testing

@testable import MoqScenario

/// Raw actors, exact names, and ways to be refused: what they mean, and what their author hears of mistakes.
@Suite struct RawActorTests {
    private func suite(_ actor: String, _ step: String) -> String {
        """
        suite: s
        about: A test.
        scenarios:
          - id: s.one
            title: One
            requirements: [r]
            matrix: { version: 06, transport: quic }
            actors:
              guest: \(actor)
            steps:
              - guest.\(step)
              - relay.expect: { serves: true }
        """
    }

    private let known = Vocabulary(
        conditions: words.conditions, capabilities: [], versions: words.versions,
        transports: ["quic", "webtransport", "websocket", "tcp"])

    private func actor(_ text: String) -> ActorDefinition? {
        let result = load(suite(text, "connect: {}"), vocabulary: known)
        return result.hasErrors ? nil : result.suites.first?.cases.first?.actors.first
    }

    private func step(_ text: String, of actor: String = "{ kind: raw }") -> StepKind? {
        let result = load(suite(actor, text), vocabulary: known)
        return result.hasErrors ? nil : result.suites.first?.cases.first?.steps.first?.kind
    }

    @Test func theLevelOfARawActorSaysOverWhatItDials() {
        #expect(actor("{ kind: raw }")?.level == .lite)
        #expect(actor("raw")?.level == .lite)
        #expect(actor("{ kind: raw, transport: tcp }")?.transport == "tcp")
        for (level, transport) in [("quic", "quic"), ("http3", "webtransport"), ("websocket", "websocket")] {
            let found = actor("{ kind: raw, at: \(level) }")
            #expect(found?.level?.rawValue == level)
            #expect(found?.transport == transport)
        }
        #expect(actor("session")?.level == nil)
    }

    @Test func namesAreOfferedAsTheyStand() {
        let named = actor("{ kind: session, protocols: [moq-lite-99, moql], server_name: none, authority: address }")
        #expect(named?.protocols == ["moq-lite-99", "moql"])
        #expect(named?.serverName == "none")
        #expect(named?.authority == "address")
        #expect(actor("{ kind: session, protocols: [] }")?.protocols == [])
        guard case .session(_, .connect(let connect))? = step("connect: { protocols: moql }") else {
            Issue.record("no connect")
            return
        }
        #expect(connect.protocols == ["moql"])
    }

    @Test func bytesAreTextThenDigitsThenZeros() {
        guard
            case .session(_, .sendRaw(let raw))? = step(
                "send_raw: { stream: connection, zeros: 2 B, hex: \"ff\", text: \"a\\r\" }",
                of: "{ kind: raw, at: tcp }")
        else {
            Issue.record("no send_raw")
            return
        }
        #expect(raw.stream == .connection)
        #expect(raw.bytes == [.bytes([0x61, 0x0D]), .bytes([0xFF]), .bytes([0, 0])])
    }

    private func hex(_ text: String) -> [RawBytes]? {
        guard case .session(_, .sendRaw(let raw))? = step("send_raw: { stream: bidi, hex: \"\(text)\" }") else {
            return nil
        }
        return raw.bytes
    }

    @Test func digitsMayHoldMessagesAndWordsOfTheCase() {
        #expect(
            hex("02 [ 09 <path game> [] ff ] 0 1") == [
                .bytes([2]), .message([.bytes([9]), .path("game"), .message([]), .bytes([0xFF])]), .bytes([1]),
            ])
        let track = TrackReference(broadcast: "a/b", track: "t")
        #expect(hex("<subscribe 7 a/b t><track a/b t>") == [.subscribe(id: 7, track), .track(track)])
        #expect(hex("<fetch a/b t 3> <group 0 5>") == [.fetch(track, group: 3), .group(subscription: 0, sequence: 5)])
        #expect(
            hex("<frame 4> <text> <text v> <announcements>") == [
                .frame(size: 4), .text(""), .text("v"), .announcements(prefix: ""),
            ])
    }

    @Test(arguments: [
        ("0", "the end where a hexadecimal digit should be"), ("0g", "`g` where a hexadecimal digit should be"),
        ("[ 00", "a `[` without its `]`"), ("00 ]", "a `]` without its `[`"), ("<path game", "a `<` without its `>`"),
        ("<paht game>", "`<paht game>`, which is no word"), ("<group 1>", "`<group 1>`, which is no word"),
        ("<frame x>", "`x` where a number should be"),
    ])
    func bytesThatCannotBeReadAreTold(_ text: String, _ wanted: String) {
        let result = load(suite("{ kind: raw }", "send_raw: { stream: bidi, hex: \"\(text)\" }"), vocabulary: known)
        #expect(result.diagnostics.map(\.message).contains("`hex` has \(wanted)"))
    }

    @Test func bytesMayGoIntoAnOpenGroupOrOneByOneOrEndWithANumberOfTheWire() {
        let publish = "publish: { broadcast: game, tracks: [video] }"
        let steps = "send_raw: { track: video, group: 3, hex: ff, reset: wire(24), byte_by_byte: true }"
        let result = load(suite("session", publish + "\n      - guest." + steps), vocabulary: known)
        guard case .session(_, .sendRaw(let raw))? = result.suites.first?.cases.first?.steps.dropFirst().first?.kind
        else {
            Issue.record("no send_raw: \(result.diagnostics)")
            return
        }
        #expect(raw.stream == .group(TrackReference(broadcast: nil, track: "video"), 3))
        #expect(raw.reset == .wire(24))
        #expect(raw.isByteByByte)
        #expect(step("send_raw: { stream: bidi, group: 3 }") == nil)
        #expect(step("send_raw: { track: video, group: 3 }") == nil)
        #expect(step("expect: { stream: { label: relay-setup, reset: wire(24) } }") == nil)
        #expect(actor("{ kind: raw, setup: true }")?.sendsSetup == true)
        #expect(actor("{ kind: raw, at: quic, setup: true }") == nil)
    }

    @Test func waysToBeRefusedAreReadOneByOneAndInSets() {
        func refused(_ text: String) -> CloseExpectation? {
            guard case .session(_, .connect(let connect))? = step("connect: { expect: { refused: \(text) } }"),
                case .refused(let ways) = connect.expect
            else { return nil }
            return ways
        }
        #expect(refused("any") == .any)
        #expect(refused("no_protocol") == .oneOf([.noProtocol]))
        #expect(refused("{ status: 404 }") == .oneOf([.status(404)]))
        #expect(refused("{ alert: 120 }") == .oneOf([.alert(120)]))
        #expect(
            refused("{ any_of: [unauthorized, { transport: 0x3 }, 7] }")
                == .oneOf([.code(.condition("unauthorized")), .transport(3), .code(.number(7))]))
    }

    @Test func whatWasAgreedOnAndTheHeadOfAMessageCanBeExpected() {
        let connected = step(
            "expect: { session: { connected: { version: 05, protocol: moq-lite-05, transport: tcp } } }")
        guard case .expect(let first)? = connected, case .one(let agreement) = first.condition else {
            Issue.record("no expectation")
            return
        }
        #expect(
            agreement.kind
                == .session(
                    .connected(
                        AgreementExpectation(version: "moq-lite-05", protocolName: "moq-lite-05", transport: "tcp"))))
        let head = step("expect: { stream: { label: relay-uni-1, contains: \"00ff\", headers: { \":status\": 404 } } }")
        guard case .expect(let second)? = head, case .one(let stream) = second.condition else {
            Issue.record("no expectation of a stream")
            return
        }
        #expect(
            stream.kind
                == .stream(
                    StreamExpectation(
                        label: "relay-uni-1", contained: [0, 0xFF],
                        headers: [HeaderText(name: ":status", value: "404")])))
    }

    @Test(arguments: [
        ("{ kind: rav }", "connect: {}", "9:22: error: `rav` is not a kind of actor", "did you mean `raw`?"),
        ("{ kind: raw, at: http }", "connect: {}", "9:31: error: `at` is `http`", "did you mean `http3`?"),
        (
            "{ kind: raw, at: tcp, transport: tcp }", "connect: {}", "9:36: error: `guest` has both `at`",
            "one of the two"
        ),
        ("{ kind: raw, announce: none }", "connect: {}", "9:27: error: unknown key `announce`", "one of"),
        ("{ kind: session, at: tcp }", "connect: {}", "9:31: error: unknown key `at` in `guest`", "one of"),
        (
            "raw", "subscribe: { broadcast: a, track: b }", "11:15: error: `subscribe` is not a verb of `guest`",
            "one of `connect`, `close`, `vanish`, `send_raw`, `get`, `expect`, `never`"
        ),
        ("raw", "send_rav: {}", "11:15: error: `send_rav` is not a verb of `guest`", "did you mean `send_raw`?"),
        (
            "raw", "expect: { announced: game }", "11:9: error: `guest` is a raw actor", "`session` or `stream`"
        ),
        (
            "raw", "send_raw: { stream: connection, hex: \"00\" }",
            "11:9: error: `guest` has no TCP connection of its own", "`at: tcp`"
        ),
        (
            "{ kind: raw, at: tcp }", "send_raw: { stream: bidi, hex: \"00\" }",
            "11:9: error: `guest` writes on a TCP connection", "`stream: connection`"
        ),
        ("raw", "send_raw: { stream: bidi, headers: { a: b } }", "does not speak HTTP/3 here", "`at: http3`"),
        ("raw", "send_raw: { stream: bidi, zeros: 20 MiB }", "`zeros` is over 16 MiB", "error"),
        ("raw", "connect: { expect: { refused: no_protocl } }", "which is not a condition", "error"),
        ("raw", "connect: { expect: { refused: { statsu: 4 } } }", "unknown key `statsu`", "did you mean `status`?"),
        (
            "raw", "expect: { session: { connected: { protocl: a } } }", "unknown key `protocl`",
            "did you mean `protocol`"
        ),
        ("raw", "expect: { stream: { label: nobody, hex: \"00\" } }", "has `as: nobody`", "error"),
    ])
    func mistakesAreToldWithTheirPlace(_ actor: String, _ step: String, _ complaint: String, _ advice: String) {
        let told = DiagnosticRenderer.text(load(suite(actor, step), vocabulary: known).diagnostics)
        #expect(told.contains(complaint), "\(told)")
        #expect(told.contains(advice), "\(told)")
    }

    @Test func httpIsAskedOnlyWhereItIsRead() {
        let text = "get: { path: /fetch, below: room/cam/video, query: group=1 }"
        guard case .session(_, .get(let get))? = step(text, of: "{ kind: raw, at: websocket }") else {
            Issue.record("no get")
            return
        }
        #expect(get == GetAction(path: "/fetch", below: "room/cam/video", query: "group=1"))
        #expect(step(text, of: "{ kind: raw, at: tcp }") == nil)
        #expect(step(text, of: "session") == nil)
        #expect(step("get: { path: fetch }", of: "{ kind: raw, at: websocket }") == nil)
    }

    @Test func whatSetupSaysAndWhetherAnActorKeepsItselfAliveAreTheActors() {
        let said = actor("{ kind: session, role: publisher, cost: 7 }")
        #expect(said?.role == .publisher)
        #expect(said?.cost == 7)
        #expect(actor("session")?.role == nil)
        #expect(actor("{ kind: session, role: both }") == nil)
        #expect(actor("{ kind: raw, cost: 1 }") == nil)
        #expect(actor("{ kind: session, tls: true }")?.tls == true)
        #expect(actor("{ kind: raw, keep_alive: none }")?.keepsAlive == false)
        #expect(actor("{ kind: session, keep_alive: usual }")?.keepsAlive == true)
    }
}
