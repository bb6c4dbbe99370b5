import MoqEvents
import MoqWire
import Testing

@testable import MoqRunner

/// Raw actors and exact names, played: that a wrong expectation is told from a right one.
struct RawActorTests {
    private func verdict(_ actor: String, _ steps: String) throws -> (Verdict?, String) {
        let run = try TestRun.of(
            """
            - id: tested.one
              title: One
              requirements: [http3.request]
              matrix: { version: 05, transport: quic }
              actors: { guest: \(actor) }
              steps:
            \(steps.split(separator: "\n").map { "    - \($0)" }.joined(separator: "\n"))
            """)
        return (run.verdicts.first, run.story)
    }

    @Test(arguments: [
        ("0x10a", Verdict.pass), ("0x10b", .fail), ("any", .pass), ("{ status: 404 }", .fail),
    ])
    func aCodeOfTheWireIsHeldAgainstTheNumber(_ way: String, _ wanted: Verdict) throws {
        let (verdict, story) = try verdict(
            "{ kind: raw, at: quic, protocols: [h3] }",
            """
            guest.send_raw: { stream: uni, hex: "00 07 01 00" }
            guest.expect: { session: { closed: \(way) }, within: 1s }
            """)
        #expect(verdict == wanted, "\(story)")
    }

    @Test(arguments: [("moq-lite-05", Verdict.pass), ("moq-lite-04", .fail), ("none", .fail)])
    func theNameThatWasAgreedOnIsHeldAgainstWhatIsWanted(_ name: String, _ wanted: Verdict) throws {
        let (verdict, story) = try verdict(
            "{ kind: session, protocols: [moq-lite-99, moq-lite-04, moq-lite-05] }",
            "guest.expect: { session: { connected: { protocol: \(name) } }, within: 1s }")
        #expect(verdict == wanted, "\(story)")
    }

    @Test(arguments: [
        ("no_protocol", Verdict.pass), ("{ alert: 120 }", .pass), ("{ alert: 40 }", .fail), ("unauthorized", .fail),
    ])
    func aRefusalIsHeldAgainstItsKind(_ way: String, _ wanted: Verdict) throws {
        let (verdict, story) = try verdict(
            "{ kind: session, protocols: [moq-lite-99] }",
            "guest.connect: { expect: { refused: \(way) }, within: 1s }")
        #expect(verdict == wanted, "\(story)")
    }

    @Test(arguments: [("unroutable", Verdict.pass), ("not_found", .fail)])
    func messagesAreThoseOfTheCaseAndItsVersion(_ code: String, _ wanted: Verdict) throws {
        let (verdict, story) = try verdict(
            "{ kind: raw, setup: true }",
            """
            guest.send_raw: { stream: bidi, hex: "<subscribe 9 game video>", as: at-once }
            guest.send_raw: { stream: bidi, hex: "02 [0a <path><text v>0000000000]", byte_by_byte: true, as: slowly }
            guest.expect: { stream: { label: at-once, reset: \(code) }, within: 1s }
            guest.expect: { stream: { label: slowly, reset: \(code) }, within: 1s }
            guest.expect: { stream: { label: relay-setup, hex: "01", finished: true }, within: 1s }
            """)
        #expect(verdict == wanted, "\(story)")
    }

    @Test func whoOffersNamesMustBeAbleToSpeakWhatTheyMean() {
        #expect(Version.spoken(under: ["moq-lite-05", "x", "moq-lite-03"]) == [.lite05, .lite03])
        #expect(Version.spoken(under: ["moq-lite-05", "moql"]) == [.lite05, .lite02, .lite01])
        #expect(Version.spoken(under: []) == [.lite02, .lite01])
        #expect(Version.spoken(under: ["x"]) == [.lite02, .lite01])
    }

    @Test(arguments: [
        ("certificate: true", Verdict.pass), ("mentions: nonsense", .fail), ("text: \"HTTP/1.1 404 \"", .fail),
    ])
    func anAnswerOfHTTPIsHeldAgainstWhatIsWanted(_ wanted: String, _ verdictWanted: Verdict) throws {
        let (verdict, story) = try verdict(
            "{ kind: raw, at: websocket }",
            """
            guest.get: { path: /certificate.sha256 }
            guest.expect: { stream: { label: connection, \(wanted) }, within: 1s }
            """)
        #expect(verdict == verdictWanted, "\(story)")
    }
}
