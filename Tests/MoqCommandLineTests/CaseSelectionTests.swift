import MoqScenario
import MoqWire
import Testing

@testable import MoqCommandLine

@Suite struct CaseSelectionTests {
    private static let suites = Samples.loaded().suites
    private static let everywhere = Samples.onEveryTransport().suites

    private func selection(_ words: String...) throws -> CaseSelection {
        try CaseSelection(Samples.parsed(.run, words))
    }

    @Test func withoutPatternsAllCasesOfTheUsualTransportAreWanted() throws {
        var usual = try selection()
        usual.versionsOnAllTransports = []
        let cases = try usual.cases(of: Self.suites)
        #expect(cases.count == 5)
        #expect(cases.allSatisfy { $0.transport == "quic" })
        #expect(try selection("--moq-version", "all") == selection())
    }

    @Test func theNewestTwoVersionsAreRunOnEveryTransportOfTheEmbeddedRelay() throws {
        var suites = Self.everywhere
        #expect(try selection().cases(of: suites).count == 4 * 4 + 2)
        // A case of an older version stays on raw QUIC.
        for index in suites[0].scenarios[0].cases.indices {
            suites[0].scenarios[0].cases[index].version = "moq-lite-04"
        }
        let cases = try selection("--filter", "errors").cases(of: suites)
        #expect(cases.filter { $0.version == "moq-lite-04" }.allSatisfy { $0.transport == "quic" })
        #expect(cases.count == 2 + 2 * 4)
        let elsewhere = try RunArguments(Samples.parsed(.run, ["--relay", "https://localhost:4443/anon"])).selection
        #expect(try elsewhere.cases(of: Self.everywhere).allSatisfy { $0.transport == "webtransport" })
    }

    @Test func onePatternIsEnoughAndNoCaseComesTwice() throws {
        let cases = try selection("--filter", "errors.not-found", "--filter", "errors").cases(of: Self.suites)
        #expect(cases.map(\.version) == ["moq-lite-05", "moq-lite-06", "moq-lite-05", "moq-lite-06"])
    }

    @Test func transportsSelectAndOnlyWhatAScenarioNamesIsOnOthers() throws {
        let all = try selection("--transport", "all").cases(of: Self.everywhere)
        #expect(all.count == 4 * 4 + 2)
        #expect(try selection("--transport", "tcp,quic").cases(of: Self.everywhere).count == 4 * 2 + 1)
        #expect(
            Samples.message {
                _ = try selection("--filter", "fetch", "--transport", "tcp").cases(of: Self.everywhere)
            } == "--filter fetch selects only cases over other transports than tcp; --transport says which are run")
        #expect(
            Samples.message { _ = try selection("--transport", "qmux") }
                == "--transport qmux: `qmux` is not the name of a transport; write `websocket` or `tcp`")
        #expect(Samples.message { _ = try selection("--transport", "quick") }?.contains("did you mean `quic`?") == true)
    }

    @Test func aScenarioAboutOtherTransportsIsRunOnThose() throws {
        var usual = try selection()
        usual.usualTransports = [.websocket]
        usual.versionsOnAllTransports = []
        let cases = try usual.cases(of: Self.everywhere)
        #expect(cases.filter { $0.scenario != "fetch.whole" }.allSatisfy { $0.transport == "websocket" })
        #expect(cases.filter { $0.scenario == "fetch.whole" }.map(\.transport) == ["quic", "webtransport"])
    }

    @Test func aRaceIsOneCaseForEachVersion() throws {
        let cases = try selection("--transport", "auto").cases(of: Self.everywhere)
        #expect(cases.count == 5)
        #expect(cases.allSatisfy { $0.transport == "auto" })
        #expect(cases.first?.id == "errors.not-found[version=05,transport=auto]")
    }

    @Test func combinationsThatCannotExistAreLeftOutWithTheReason() throws {
        var suites = Self.everywhere
        for index in suites[0].scenarios[0].cases.indices { suites[0].scenarios[0].cases[index].needs = ["datagrams"] }
        let selection = try selection("--transport", "quic,tcp", "--filter", "errors.not-found")
        let outcome = try selection.outcome(of: suites)
        #expect(outcome.cases.map(\.transport) == ["quic", "quic"])
        #expect(outcome.leftOut.map(\.exclusion) == ["tcp carries no datagrams", "tcp carries no datagrams"])
        #expect(try selection.cases(of: suites) == outcome.cases)
        let explanation = SelectionExplanation(outcome)
        #expect(
            explanation.text == """
                errors.not-found  2 cases
                  run       errors.not-found[version=05]
                  run       errors.not-found[version=06]
                  left out  errors.not-found[version=05,transport=tcp]  tcp carries no datagrams
                  left out  errors.not-found[version=06,transport=tcp]  tcp carries no datagrams

                2 cases to run, 2 combinations left out
                """)
        #expect(
            explanation.line
                == "2 combinations of version and transport cannot exist and are left out; --explain says why")
    }

    @Test func versionsAreTakenByNumberOrName() throws {
        #expect(try selection("--moq-version", "05").cases(of: Self.suites).count == 2)
        #expect(try selection("--moq-version", "moq-lite-05,06,05").versions == [.lite05, .lite06])
        #expect(
            Samples.message { _ = try selection("--moq-version", "5") }
                == "--moq-version 5: `5` is no version that can be run; there are 01, 02, 03, 04, 05, 06, 07-wip, and all"
        )
    }

    @Test func aVersionThatIsNotReleasedHasToBeAskedForWhicheverSessionSpeaksIt() throws {
        var suites = Self.suites
        suites[0].scenarios[0].cases[1].actors[0].version = "moq-lite-07-wip"
        #expect(try selection().cases(of: suites).count == 5)
        #expect(try selection("--wip").cases(of: suites).count == 6)
        #expect(try selection("--moq-version", "06,07-wip").cases(of: suites).count == 4)
        #expect(try selection("--moq-version", "06").cases(of: suites).count == 3)
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
