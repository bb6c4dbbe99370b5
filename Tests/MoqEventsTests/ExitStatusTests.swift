import Testing

// Testing has an ExitStatus too.
import struct MoqEvents.ExitStatus

@testable import MoqEvents

struct ExitStatusTests {
    private static func ledger(_ verdicts: Verdict...) -> Ledger { Ledger(verdicts) }

    @Test(arguments: [
        ([Verdict.pass], false, Int32(0)),
        ([.pass, .skip, .notTestable, .blocked, .known, .warn], false, 0),
        ([.known], false, 0),
        ([.warn], false, 0),
        ([.warn], true, 1),
        ([.fail, .pass], false, 1),
        ([.error, .pass], false, 3),
        ([.error, .fail, .vacuous], false, 3),
        ([.vacuous, .pass], false, 5),
        ([.vacuous, .fail], false, 1),
        ([], false, 5),
        ([.skip, .notTestable, .blocked], false, 5),
    ])
    func `the ledger decides`(verdicts: [Verdict], strict: Bool, code: Int32) {
        var circumstances = ExitStatus.Circumstances()
        circumstances.strict = strict
        let status = ExitStatus(ledger: Ledger(verdicts), circumstances)
        #expect(status.code == code)
        #expect(status.reasons.isEmpty == (code == 0))
    }

    @Test func `when everything applies the order is 2, 3, 6, 1, 4, 5, and all are named`() {
        var circumstances = ExitStatus.Circumstances()
        circumstances.strict = true
        circumstances.usage = "u"
        circumstances.environment = "e"
        circumstances.nondeterministic = "n"
        circumstances.knownFailures = ["k"]
        let ledger = Self.ledger(.fail, .warn, .vacuous, .error)
        var codes = ExitStatus(ledger: ledger, circumstances).reasons.map(\.code)
        #expect(codes == [2, 3, 3, 6, 1, 1, 4, 5])
        for (interruption, code) in [(Interruption.interrupt, Int32(130)), (.terminate, 143), (.deadline, 124)] {
            circumstances.interruption = interruption
            codes = ExitStatus(ledger: ledger, circumstances).reasons.map(\.code)
            #expect(codes == [code, 2, 3, 3, 6, 1, 1, 4, 5])
        }
    }

    @Test func `each circumstance alone decides over a clean ledger`() {
        let cases: [(WritableKeyPath<ExitStatus.Circumstances, String?>, Int32)] = [
            (\.usage, 2), (\.environment, 3), (\.nondeterministic, 6),
        ]
        for (path, code) in cases {
            var circumstances = ExitStatus.Circumstances()
            circumstances[keyPath: path] = "because"
            let status = ExitStatus(ledger: Self.ledger(.pass), circumstances)
            #expect(status.code == code)
            #expect(status.reasons.map(\.description).joined().contains("because"))
        }
    }

    @Test func `each entry that is not true any more has its reason, and decides over its own failure`() {
        var circumstances = ExitStatus.Circumstances()
        circumstances.knownFailures = ["one", "two"]
        circumstances.listedFailures = 1
        var status = ExitStatus(ledger: Self.ledger(.pass, .fail, .known), circumstances)
        #expect(status.reasons == [.knownFailures("one"), .knownFailures("two")])
        #expect(status.code == 4)
        status = ExitStatus(ledger: Self.ledger(.pass, .fail, .fail), circumstances)
        #expect(status.reasons == [.failures(1), .knownFailures("one"), .knownFailures("two")])
        #expect(status.code == 1)
    }

    @Test func `a run that could not begin says why and not that it was vacuous`() {
        var circumstances = ExitStatus.Circumstances()
        circumstances.environment = "connecting to 127.0.0.1:4443: refused"
        let status = ExitStatus(ledger: Ledger(), circumstances)
        #expect(status.reasons.map(\.description) == ["connecting to 127.0.0.1:4443: refused"])
    }

    @Test func `the ledger is one sentence that adds up`() {
        #expect(Ledger().description == "0 cases = 0 passed")
        #expect(
            Ledger(Verdict.allCases + [.pass, .error]).description
                == "11 cases = 3 passed (1 with warnings) + 1 failed + 1 known + 1 skipped + 1 blocked + 1 vacuous "
                + "+ 1 not testable + 2 errors")
    }

    @Test func `named values keep their order and each name once`() {
        var pairs: NamedValues = ["version": "06", "transport": "quic", "version": "05"]
        #expect(pairs.map(\.name) == ["version", "transport"])
        #expect(pairs["version"] == "05")
        pairs["version"] = nil
        pairs["size"] = "1"
        #expect(pairs.map(\.name) == ["transport", "size"])
        #expect(pairs != NamedValues([("size", "1"), ("transport", "quic")]))
    }
}
