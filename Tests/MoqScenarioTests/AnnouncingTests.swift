import Testing

@testable import MoqScenario

/// Hops, announcements in bytes, and relays with a linger: what they mean, and what their author hears of mistakes.
@Suite struct AnnouncingTests {
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
              camera: \(actor)
            steps:
              - \(step)
              - relay.expect: { serves: true }
        """
    }

    private let known = Vocabulary(
        conditions: words.conditions, capabilities: [], versions: words.versions, transports: ["quic"])

    private func actor(_ text: String) -> ActorDefinition? {
        let result = load(suite(text, "camera.connect: {}"), vocabulary: known)
        return result.hasErrors ? nil : result.suites.first?.cases.first?.actors.first
    }

    private func step(_ text: String) -> StepKind? {
        let result = load(suite("session", text), vocabulary: known)
        return result.hasErrors ? nil : result.suites.first?.cases.first?.steps.first?.kind
    }

    @Test func aSessionMayHaveAHopOfItsOwnAndAnnounceByHand() {
        #expect(actor("{ kind: session, hop: 0 }")?.hop == 0)
        #expect(actor("{ kind: session, hop: 9007199254740991 }")?.hop == 9_007_199_254_740_991)
        #expect(actor("{ kind: session, hop: 9007199254740992 }") == nil)
        #expect(actor("session")?.hop == nil)
        #expect(actor("{ kind: session, announces: by_hand }")?.announcesByHand == true)
        #expect(actor("{ kind: session, announces: itself }")?.announcesByHand == false)
        #expect(actor("{ kind: session, announces: never }") == nil)
        #expect(actor("{ kind: raw, hop: 1 }") == nil)
    }

    @Test func hopsMayNameTheRelay() {
        guard
            case .session(_, .publish(let publish))? = step(
                "camera.publish: { broadcast: game, hops: [7, relay, 0x10] }")
        else {
            Issue.record("no publish")
            return
        }
        #expect(publish.hops == [.id(7), .relay, .id(16)])
        #expect(step("camera.publish: { broadcast: game, hops: [other] }") == nil)
    }

    @Test func hopsAreExpectedByNumberOrOneByOne() {
        func hops(_ text: String) -> HopsExpectation? {
            guard
                case .expect(let expect)? = step("camera.expect: { announced: { broadcast: game, hops: \(text) } }"),
                case .one(let one) = expect.condition, case .announced(let announced) = one.kind
            else { return nil }
            return announced.hops
        }
        #expect(hops("3") == .count(CountExpectation(minimum: 3, maximum: 3)))
        #expect(hops("{ at_least: 2 }") == .count(CountExpectation(minimum: 2, maximum: nil)))
        #expect(hops("[1001, any]") == .list([.id(1001), .any]))
        #expect(hops("[]") == .list([]))
        #expect(hops("[relay]") == nil)
    }

    @Test func watchersLeaveOutAHopAndRelaysGetALinger() {
        #expect(
            step("camera.announcements: { prefix: \"\", exclude: 9 }")
                == .session(actor: "camera", .announcements(prefix: "", exclude: 9)))
        #expect(step("relay.restart: { linger: 3s }") == .relay(.restart(linger: .seconds(3))))
        #expect(step("relay.restart: {}") == .relay(.restart(linger: nil)))
        #expect(step("relay.stop: { linger: 3s }") == nil)
    }
}
