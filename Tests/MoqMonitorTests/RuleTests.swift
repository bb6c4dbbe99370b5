import MoqBase
import MoqTransport
import MoqWire
import Testing

@testable import MoqMonitor

@Suite struct RuleTests {
    static let cases = RuleCase.setup + RuleCase.announce + RuleCase.subscribe + RuleCase.groups

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
        #expect(MonitorRule.all.filter { !shown.contains($0) }.map(\.id) == [])
    }

    @Test func idsAreUnique() {
        #expect(Set(MonitorRule.all.map(\.id)).count == MonitorRule.all.count)
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
}
