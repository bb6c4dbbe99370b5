import MoqBase
import MoqTransport
import MoqWire
import Testing

@testable import MoqMonitor

@Suite struct RuleTests {
    static let cases =
        RuleCase.setup + RuleCase.announce + RuleCase.subscribe + RuleCase.groups + RuleCase.requests
        + RuleCase.transport + RuleCase.routes + RuleCase.content

    @Test("What breaks a rule is told as a breach of that rule, and of no other", arguments: cases)
    func illegal(_ example: RuleCase) {
        let breaches = example.script(example.illegal).played()
        #expect(!breaches.isEmpty)
        #expect(breaches.allSatisfy { $0.rule == example.rule }, "\(breaches)")
    }

    @Test("What is like it and legal is passed over in silence", arguments: cases)
    func legal(_ example: RuleCase) {
        let breaches = example.script(example.legal).played()
        #expect(breaches.isEmpty, "\(breaches)")
    }

    @Test("In whatever pieces bytes come, the breaches are the same", arguments: cases)
    func pieces(_ example: RuleCase) {
        let illegal = example.script(example.illegal)
        let legal = example.script(example.legal)
        let whole = illegal.played()
        for seed in UInt64(1)...8 {
            #expect(illegal.played(splitBy: SeededRandom(seed: seed)) == whole)
            #expect(legal.played(splitBy: SeededRandom(seed: seed)).isEmpty)
        }
    }

    @Test func everyRuleHasAnExample() {
        let shown = Set(Self.cases.map(\.rule))
        #expect(MonitorRule.allCases.filter { !shown.contains($0) }.map(\.id) == [])
    }

    @Test func whereARuleHoldsItIsCounted() {
        let held = Set(
            Self.cases.filter { $0.script($0.legal).watched().checks[$0.rule].held > 0 }.map(\.rule))
        #expect(MonitorRule.allCases.filter { !held.contains($0) }.map(\.id) == [])
    }

    @Test("Breaches are counted", arguments: cases)
    func counts(_ example: RuleCase) {
        let (breaches, checks) = example.script(example.illegal).watched()
        #expect(checks[example.rule].broken >= breaches.count)
        #expect(example.script(example.legal).watched().checks[example.rule].broken == 0)
    }

    @Test func idsAreUnique() {
        #expect(Set(MonitorRule.allCases.map(\.id)).count == MonitorRule.allCases.count)
    }

    @Test func aRelayIsNotHeldToWhatItLacks() throws {
        let example = try #require(Self.cases.first { $0.rule == .endGroup })
        var script = example.script(example.illegal)
        #expect(script.played().map(\.lacking) == [nil])
        for lacking in ["subscribe-end", "subscribe-end@05"] {
            script.configuration.lacking = [lacking]
            #expect(script.played().map(\.lacking) == ["subscribe-end"])
        }
        script.configuration.lacking = ["subscribe-end@04"]
        #expect(script.played().map(\.lacking) == [nil])
    }

    @Test func secretsAreNotShown() throws {
        var script = ByteScript(.lite06)
        script.configuration.secrets = ["s3cret-token"]
        let goaway = Goaway(uri: "https://a/?jwt=s3cret-token").stream(.lite06)
        script.relaySays(ByteScript.relayAsks(0), goaway + goaway)
        script.relay(
            .closed(SessionClose(initiator: .peer, cause: .application(code: 2), reason: "s3cret-token \u{FFFD}")))
        let breaches = script.played()
        #expect(breaches.map(\.rule) == [.noSecrets, .goawayOnce, .noSecrets, .readableReason])
        for breach in breaches {
            #expect(!breach.description.contains("s3cret"))
            #expect(!String(decoding: breach.bytes, as: UTF8.self).contains("s3cret"))
        }
    }

    @Test func nothingSharedIsJudgedWhereSomebodyIsNotWatched() {
        for example in Self.cases where example.isShared {
            var script = example.script(example.illegal)
            script.isShared = false
            #expect(script.played().allSatisfy { $0.rule != example.rule })
        }
    }

    @Test func rulesOfTheOtherProfileAreSilent() {
        for example in Self.cases where example.rule.profile != nil {
            var script = example.script(example.illegal)
            script.configuration.profile = example.profile == .draft ? .deployed : .draft
            #expect(!script.played().contains { $0.rule == example.rule })
        }
    }

    @Test func breachesAreBounded() {
        var script = ByteScript(.lite06)
        for number in UInt64(1)...100 { script.relaySays(ByteScript.group(number), [0x3F]) }
        #expect(script.played().count == MonitorLimits.breachesOfRule)
    }

    @Test func nothingIsDueWhileThePathMayBeDead() {
        var script = ByteScript(.lite06)
        script.watch()
        script.wait(.seconds(8))
        #expect(script.played().isEmpty)
        script.wait(.seconds(8))
        #expect(script.played().map(\.rule) == [.answerPrompt])
    }

    @Test func patienceStretchesWhatIsDueInTime() {
        var script = ByteScript(.lite06)
        script.watch()
        script.configuration.patience = 3
        // Long enough for what is due in 5 s, or in 12 where the path may be dead, but not for three times that.
        script.wait(.seconds(16))
        #expect(script.played().isEmpty)
        script.wait(.seconds(24))
        #expect(script.played().map(\.rule) == [.answerPrompt])
    }
}
