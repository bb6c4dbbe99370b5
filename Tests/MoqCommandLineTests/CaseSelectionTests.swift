import MoqScenario
import MoqWire
import Testing

@testable import MoqCommandLine

@Suite struct CaseSelectionTests {
    private static let suites = Samples.loaded().suites

    private func selection(_ words: String...) throws -> CaseSelection {
        try CaseSelection(Samples.parsed(.run, words))
    }

    @Test func withoutPatternsAllCasesAreWantedEvenThoseThatCannotBeRun() throws {
        let cases = try selection().cases(of: Self.suites)
        #expect(cases.count == 6)
        #expect(cases.contains { $0.exclusion != nil })
        #expect(try selection("--moq-version", "all") == selection())
    }

    @Test func onePatternIsEnoughAndNoCaseComesTwice() throws {
        let cases = try selection("--filter", "errors.not-found", "--filter", "errors").cases(of: Self.suites)
        #expect(cases.map(\.version) == ["moq-lite-05", "moq-lite-06", "moq-lite-05", "moq-lite-06"])
    }

    @Test func versionsAreTakenByNumberOrName() throws {
        #expect(try selection("--moq-version", "05").cases(of: Self.suites).count == 2)
        #expect(try selection("--moq-version", "moq-lite-05,06,05").versions == [.lite05, .lite06])
        #expect(
            Samples.message { _ = try selection("--moq-version", "5") }
                == "--moq-version 5: `5` is no version that can be run; there are 03, 04, 05, 06, and all")
    }

    @Test func aPatternThatSelectsNothingIsAnErrorEvenBesideOneThatDoes() {
        #expect(
            Samples.message {
                _ = try selection("--filter", "errors", "--filter", "errors.not-fond").cases(of: Self.suites)
            } == "--filter errors.not-fond selects nothing; did you mean `errors.not-found`?")
        #expect(
            Samples.message { _ = try selection("--filter", "tag:quik").cases(of: Self.suites) }
                == "--filter tag:quik selects nothing; did you mean `tag:quick`?")
        #expect(
            Samples.message { _ = try selection("--filter", "zzzzzzzzz").cases(of: Self.suites) }
                == "--filter zzzzzzzzz selects nothing; moqspec list --cases shows what there is")
    }

    @Test func aPatternAndAVersionThatDoNotMeetAreAnError() {
        #expect(
            Samples.message { _ = try selection("--filter", "fetch", "--moq-version", "05").cases(of: Self.suites) }
                == "--filter fetch selects only cases of other versions than moq-lite-05")
        #expect(
            Samples.message { _ = try selection("--moq-version", "03").cases(of: Self.suites) }
                == "no case is of moq-lite-03: --moq-version selects nothing")
        #expect(Samples.message { _ = try selection().cases(of: []) } == "there is no case in the scenario files")
    }

    @Test func suitesWithoutAWantedCaseAreLeftOut() throws {
        let suites = try selection("--filter", "errors.not-found[version=06]").suites(of: Self.suites)
        #expect(suites.map(\.id) == ["errors"])
        #expect(suites.flatMap(\.scenarios).map(\.id) == ["errors.not-found"])
        #expect(suites.flatMap(\.cases).count == 1)
    }
}
