import MoqRelay
import MoqRunner
import MoqTransport
import Testing

@testable import MoqCommandLine

/// What `moqspec mutate` understands, and what it says.
@Suite struct MutateArgumentsTests {
    private static func arguments(_ words: [String]) throws -> MutateArguments {
        try MutateArguments(FlagParser(.mutate).parse(words))
    }

    @Test func withoutFlagsAllFaultsArePlayedOverEveryTransport() throws {
        let arguments = try Self.arguments([])
        #expect(arguments.faults.map(\.name) == Mutant.all.map(\.name))
        #expect(arguments.selection.transports == .some(TransportKind.allCases))
        #expect(arguments.jobs == MutateArguments.usualJobs && arguments.seed == MutateArguments.usualSeed)
    }

    @Test func faultsAreThoseNamedEachOnce() throws {
        let arguments = try Self.arguments(["--fault", "group-torn", "--fault=group-lost", "--fault", "group-torn"])
        #expect(arguments.faults.map(\.name) == ["group-torn", "group-lost"])
    }

    @Test func aNameThatIsNoFaultIsRefusedWithTheNearest() throws {
        let complaint = Samples.message { _ = try Self.arguments(["--fault", "group-tron"]) }
        #expect(complaint?.contains("did you mean `group-torn`?") == true)
    }

    @Test func reportsOtherThanJSONAreRefused() throws {
        #expect(Samples.message { _ = try Self.arguments(["--report", "junit=x.xml"]) } != nil)
        #expect(try Self.arguments(["--report", "json=-"]).report == .standardOutput)
    }

    @Test func relayAndRunTakeOneFaultAndOnlyTheEmbeddedRelayHasIt() throws {
        #expect(try RelayArguments(FlagParser(.relay).parse(["--fault", "group-torn"])).fault?.name == "group-torn")
        let words = ["--relay", "moqt://localhost:4443/anon", "--fault", "group-torn"]
        #expect(Samples.message { _ = try RunArguments(FlagParser(.run).parse(words)) } != nil)
    }

    @Test func aFaultThatNothingNoticedIsListedAndFailsTheCommand() throws {
        let fault = try #require(RelayFault.named("group-torn"))
        let notice = MutationResult.Notice(caseID: "groups.whole", requirements: ["group.whole"], headline: "torn")
        func report(_ outcome: MutationResult.Outcome) -> MutationReport {
            let result = MutationResult(fault: .relay(fault), outcome: outcome, played: 3, unsound: [], duration: .zero)
            return MutationReport([result], asked: 1, jobs: 1, duration: .seconds(1))
        }
        #expect(report(.noticed(notice)).isGood)
        #expect(report(.noticed(notice)).text == "1 fault: 1 noticed; 3 cases in 1.0 s with 1 job")
        #expect(!report(.unnoticed).isGood && report(.unnoticed).text.contains("group-torn: noticed by nothing"))
        #expect(!report(.unrelated([notice])).isGood)
        #expect(report(.unrelated([notice])).text.contains("groups.whole: torn (group.whole)"))
        #expect(!MutationReport([], asked: 1, jobs: 1, duration: .zero).isGood)
    }
}
