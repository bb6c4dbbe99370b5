import MoqBase
import MoqJSON
import MoqRunner

/// Fault by fault what noticed it, for people and for programs.
public struct MutationReport {
    private let results: [MutationResult]
    private let asked: Int
    private let jobs: Int
    private let duration: Duration

    /// The report of results; `asked` is how many faults there were to be played.
    public init(_ results: [MutationResult], asked: Int, jobs: Int, duration: Duration) {
        self.results = results
        self.asked = asked
        self.jobs = jobs
        self.duration = duration
    }

    /// Whether every fault was noticed by what it breaks.
    public var isGood: Bool { results.count == asked && results.allSatisfy(\.isGood) }

    /// What is amiss, and the summary.
    public var text: String {
        var lines: [String] = []
        for result in results where !result.isGood { lines += complaint(about: result) }
        if !lines.isEmpty { lines.append("") }
        return (lines + [summary]).joined(separator: "\n")
    }

    /// What came of one fault, in one line; `width` is that of the longest name.
    public static func line(of result: MutationResult, width: Int) -> String {
        let name = result.fault.name + String(repeating: " ", count: max(0, width - result.fault.name.count))
        let count = cases(result.played)
        return switch result.outcome {
        case .noticed(let notice):
            "\(name)  \(notice.caseID)  \(notice.requirements.joined(separator: ", "))  (\(count))"
        case .unrelated: "\(name)  NOTICED ONLY BY SOMETHING ELSE  (\(count))"
        case .unnoticed: "\(name)  NOTICED BY NOTHING  (\(count))"
        case .unplayable(let why): "\(name)  NOT PLAYED: \(why)"
        }
    }

    private func complaint(about result: MutationResult) -> [String] {
        let fault = result.fault
        let wanted = fault.requirements.joined(separator: ", ")
        var lines: [String] = []
        switch result.outcome {
        case .noticed: break
        case .unnoticed:
            lines.append("\(fault): noticed by nothing in \(Self.cases(result.played)); \(fault.about)")
            lines.append("    it breaks \(wanted)")
        case .unplayable(let why):
            lines.append("\(fault): not played: \(why)")
        case .unrelated(let notices):
            lines.append("\(fault): noticed only by something else in \(Self.cases(result.played)); \(fault.about)")
            lines.append("    it breaks \(wanted)")
            for notice in notices {
                let about = notice.requirements.isEmpty ? "" : " (\(notice.requirements.joined(separator: ", ")))"
                lines.append("    \(notice.caseID): \(notice.headline)\(about)")
            }
        }
        for caseID in result.unsound { lines.append("\(fault): \(caseID) does not pass without any fault either") }
        return lines
    }

    /// One line.
    public var summary: String {
        var noticed = 0
        var unrelated = 0
        var unnoticed = 0
        var unplayed = asked - results.count
        for result in results {
            switch result.outcome {
            case .noticed: noticed += 1
            case .unrelated: unrelated += 1
            case .unnoticed: unnoticed += 1
            case .unplayable: unplayed += 1
            }
        }
        let parts = [
            (noticed, "noticed"), (unrelated, "noticed only by something else"), (unnoticed, "noticed by nothing"),
            (unplayed, "not played"),
        ]
        let told = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let played = results.reduce(0) { $0 + $1.played }
        return "\(asked) \(asked == 1 ? "fault" : "faults"): \(told); \(Self.cases(played)) in "
            + "\(duration.secondsText(decimals: 1)) s with \(jobs) \(jobs == 1 ? "job" : "jobs")"
    }

    private static func cases(_ count: Int) -> String { "\(count) \(count == 1 ? "case" : "cases")" }

    /// One JSON document.
    public func json() -> [UInt8] {
        var writer = JSONWriter(indented: true)
        writer.object { writer in
            writer.member("format", "moqspec-mutation")
            writer.member("schema", 1)
            writer.member("faultsAsked", asked)
            writer.member("jobs", jobs)
            writer.name("seconds")
            writer.value(seconds: duration)
            writer.name("faults")
            writer.array { writer in
                for result in results { write(result, to: &writer) }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func write(_ result: MutationResult, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", result.fault.name)
            writer.member("suite", result.fault.suite)
            writer.member("breaks", result.fault.requirements)
            writer.member("casesPlayed", result.played)
            writer.name("seconds")
            writer.value(seconds: result.duration)
            var notices: [MutationResult.Notice] = []
            switch result.outcome {
            case .noticed(let notice):
                writer.member("outcome", "noticed")
                notices = [notice]
            case .unrelated(let others):
                writer.member("outcome", "unrelated")
                notices = others
            case .unnoticed: writer.member("outcome", "unnoticed")
            case .unplayable(let why):
                writer.member("outcome", "unplayed")
                writer.member("reason", why)
            }
            writer.name("noticedBy")
            writer.array { writer in
                for notice in notices {
                    writer.object { writer in
                        writer.member("case", notice.caseID)
                        writer.member("requirements", notice.requirements)
                        writer.member("headline", notice.headline)
                    }
                }
            }
            writer.member("unsound", result.unsound)
        }
    }
}
