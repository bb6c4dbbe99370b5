import MoqRunner
import MoqWire
import Testing

@testable import MoqCommandLine

@Suite struct HopsReportTests {
    private static func row(_ code: UInt64, _ outcome: HopOutcome, way: HopWay = .refusal) -> HopTable.Row {
        HopTable.Row(
            way: way, version: "06", transport: "quic", code: code, outcome: outcome,
            fate: HopFate(code, on: way, as: outcome, in: .second))
    }

    private static func report(_ rows: [HopTable.Row]) -> HopsReport {
        HopsReport(HopTable(rows), target: "a relay", generation: .second, moqspecVersion: "1")
    }

    @Test func fatesFollowFromWhatWentInAndWhatCameOut() {
        #expect(HopFate(7, on: .refusal, as: .code(7), in: .second) == .unchanged)
        #expect(HopFate(7, on: .refusal, as: .code(0), in: .second) == .degraded)
        #expect(HopFate(7, on: .refusal, as: .unmapped(0), in: .second) == .degraded)
        #expect(HopFate(7, on: .refusal, as: .finished, in: .second) == .illegal)
        #expect(HopFate(7, on: .group, as: .nothing, in: .second) == .illegal)
        #expect(HopFate(7, on: .track, as: .sessionEnded, in: .second) == .illegal)
        #expect(HopFate(7, on: .unsubscribe, as: .finished, in: .second) == .kept)
        #expect(HopFate(7, on: .stoppedGroup, as: .nothing, in: .second) == .kept)
        #expect(HopFate(7, on: .unsubscribe, as: .code(1), in: .second) == .kept)
        // In the second generation 1 closes a session in good order, and 0 says of a stream that nobody wants it.
        #expect(HopFate(0, on: .publisherClose, as: .code(24), in: .first) == .degraded)
        #expect(HopFate(24, on: .publisherClose, as: .code(24), in: .first) == .unchanged)
    }

    @Test func whatFaredAlikeStandsTogether() {
        let text = Self.report(
            [0, 1, 2, 9].map { Self.row($0, .code($0)) } + [Self.row(5, .code(0)), Self.row(6, .code(0))]
        ).text
        #expect(text.contains("06 quic  0-2  unchanged\n  06 quic  5-6  degraded: 0\n  06 quic  9  unchanged"))
        #expect(text.hasPrefix("a relay, codes of the second generation: 4 unchanged, 2 degraded"))
    }

    @Test func aReportReadsItselfBack() throws {
        let outcomes: [HopOutcome] = [.code(3), .unmapped(70_000), .finished, .nothing, .sessionEnded, .malformed]
        let table = HopTable(outcomes.enumerated().map { Self.row(UInt64($0.offset), $0.element) })
        let report = HopsReport(table, target: "a relay", generation: .second, moqspecVersion: "1")
        #expect(try HopsReport.table(parsing: report.json(), path: "x") == table)
    }

    @Test func differencesAreNamed() throws {
        let before = HopTable([Self.row(1, .code(1)), Self.row(2, .code(2)), Self.row(3, .code(3))])
        let now = Self.report([Self.row(1, .code(1)), Self.row(2, .code(0)), Self.row(4, .code(4))])
        let comparison = now.comparison(with: before, path: "old.json")
        #expect(!comparison.isSame)
        #expect(
            comparison.text == """
                1 of 2 codes fare otherwise than in old.json:
                  a publisher refuses a subscription, 06 quic, 2: unchanged before, 0 now
                """)
        let same = Self.report([Self.row(1, .code(1))]).comparison(with: before, path: "old.json")
        #expect(same.isSame)
        let none = Self.report([Self.row(77, .code(1))]).comparison(with: before, path: "old.json")
        #expect(!none.isSame, "what has nothing in common shows nothing")
    }

    @Test func whatIsNoReportIsRefused() {
        let broken = Samples.message { _ = try HopsReport.table(parsing: Array("{".utf8), path: "x.json") }
        #expect(broken?.contains("x.json") == true)
        let other = Samples.message {
            _ = try HopsReport.table(parsing: Array("{\"format\":\"other\"}".utf8), path: "x.json")
        }
        #expect(other?.contains("no report of moqspec hops") == true)
    }

    @Test func theSurveyIsAGoodFileOfScenarios() throws {
        let arguments = try HopsArguments(
            FlagParser(.hops).parse(["--simulate", "--moq-version", "06,04", "--transport", "quic,tcp"]))
        let cases = try arguments.cases()
        // Nine ways on 06, seven on 04.
        #expect(cases.count == (9 + 7) * 2 * HopSurvey.codes.count)
        #expect(throws: UsageError.self) { try HopsArguments(FlagParser(.hops).parse(["--report", "html=x"])) }
    }
}
