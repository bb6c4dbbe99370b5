import MoqEvents
import MoqJSON
import MoqRunner
import MoqWire

/// The table of `moqspec hops` in its forms.
public struct HopsReport {
    /// The version of the JSON document's form.
    static let schemaVersion = 1

    private let table: HopTable
    private let target: String
    private let generation: CodeGeneration
    private let version: String

    /// A report about a relay of a generation, which `target` names.
    public init(_ table: HopTable, target: String, generation: CodeGeneration, moqspecVersion: String) {
        self.table = table
        self.target = Redaction.text(target)
        self.generation = generation
        version = moqspecVersion
    }

    /// Codes that fared alike: of one way, version and transport.
    private struct Span {
        var way: HopWay
        var version: String
        var transport: String
        /// From the lowest to the highest.
        var numbers: [UInt64]
        var fate: HopFate
        /// What came out; nil where it is what went in.
        var outcome: String?

        /// The numbers, those that follow each other as a range.
        var codes: String {
            var ranges: [ClosedRange<UInt64>] = []
            for number in numbers {
                if let last = ranges.last, last.upperBound + 1 == number {
                    ranges[ranges.count - 1] = last.lowerBound...number
                } else {
                    ranges.append(number...number)
                }
            }
            return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
                .joined(separator: ", ")
        }

        var words: String {
            switch fate {
            case .unchanged: "unchanged"
            case .mapped, .degraded, .illegal, .kept: "\(fate.rawValue): \(outcome ?? "")"
            }
        }
    }

    private var spans: [Span] {
        var spans: [Span] = []
        for row in table.rows {
            let outcome = row.fate == .unchanged ? nil : row.outcome.text
            if let last = spans.last, last.way == row.way, last.version == row.version,
                last.transport == row.transport, last.fate == row.fate, last.outcome == outcome
            {
                spans[spans.count - 1].numbers.append(row.code)
            } else {
                spans.append(
                    Span(
                        way: row.way, version: row.version, transport: row.transport, numbers: [row.code],
                        fate: row.fate, outcome: outcome))
            }
        }
        return spans
    }

    private var counts: String {
        HopFate.allCases.filter { table.count($0) > 0 }.map { "\(table.count($0)) \($0.rawValue)" }
            .joined(separator: ", ")
    }

    /// For people: what fared alike stands together.
    public var text: String {
        var lines = [
            "\(target), codes of the \(generation.rawValue) generation: \(counts.isEmpty ? "nothing seen" : counts)"
        ]
        var way: HopWay?
        for span in spans {
            if span.way != way {
                way = span.way
                lines += ["", "\(span.way.title), \(Self.direction(span.way))"]
            }
            lines.append("  \(span.version) \(span.transport)  \(span.codes)  \(span.words)")
        }
        return lines.joined(separator: "\n")
    }

    private static func direction(_ way: HopWay) -> String {
        way.isTowardsSubscriber ? "as subscribers see it" : "as the publisher sees it"
    }

    /// A page: a table for each way.
    public var markdown: String {
        var lines = [
            "# Error codes through \(target)", "",
            "Written by `moqspec hops` \(version); the relay's codes are of the \(generation.rawValue) generation: \(counts).",
        ]
        var way: HopWay?
        for span in spans {
            if span.way != way {
                way = span.way
                lines += [
                    "", "## \(span.way.title), \(Self.direction(span.way))", "",
                    "| version | transport | in | out |", "| --- | --- | --- | --- |",
                ]
            }
            lines.append("| \(span.version) | \(span.transport) | \(span.codes) | \(span.words) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Every code by itself, for `--against` and for programs.
    public func json() -> [UInt8] {
        var writer = JSONWriter(indented: true)
        writer.object { writer in
            writer.member("format", "moqspec-hops")
            writer.member("schema", Self.schemaVersion)
            writer.member("moqspec", version)
            writer.member("target", target)
            writer.member("generation", generation.rawValue)
            writer.name("rows")
            writer.array { writer in
                for row in table.rows {
                    writer.object { writer in
                        writer.member("way", row.way.rawValue)
                        writer.member("version", row.version)
                        writer.member("transport", row.transport)
                        writer.member("in", String(row.code))
                        writer.member("out", row.outcome.text)
                        writer.member("fate", row.fate.rawValue)
                    }
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// The table of an earlier report.
    public static func table(parsing bytes: [UInt8], path: String) throws(UsageError) -> HopTable {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw UsageError("\(path): it is no JSON: line \(error.line), column \(error.column): \(error.problem)")
        }
        guard value["format"]?.string == "moqspec-hops", let rows = value["rows"]?.elements else {
            throw UsageError("\(path): it is no report of moqspec hops; make one with --report json=PATH")
        }
        return HopTable(
            try rows.enumerated().map { number, row throws(UsageError) in
                guard let way = row["way"]?.string.flatMap(HopWay.init(rawValue:)),
                    let version = row["version"]?.string, let transport = row["transport"]?.string,
                    let code = row["in"]?.string.flatMap({ UInt64($0) }),
                    let outcome = row["out"]?.string.flatMap(HopOutcome.init(text:)),
                    let fate = row["fate"]?.string.flatMap(HopFate.init(rawValue:))
                else {
                    throw UsageError("\(path): row \(number + 1) is none of a report of moqspec hops")
                }
                return HopTable.Row(
                    way: way, version: version, transport: transport, code: code, outcome: outcome, fate: fate)
            })
    }

    /// Differences listed for people; the rest is counted.
    private static let listLimit = 40

    /// What `--against` says.
    public func comparison(with other: HopTable, path: String) -> (text: String, isSame: Bool) {
        let (differences, compared) = table.differences(from: other)
        guard compared > 0 else { return ("nothing of \(path) can be compared with this run", false) }
        guard !differences.isEmpty else { return ("\(compared) codes fare as in \(path)", true) }
        var lines = ["\(differences.count) of \(compared) codes fare otherwise than in \(path):"]
        // Numbers that changed alike stand together.
        var spans: [(span: Span, change: String)] = []
        for difference in differences {
            let row = difference.row
            let isSame = row.outcome == .code(row.code)
            let wasSame = difference.other == .code(row.code)
            let before = wasSame ? "unchanged" : difference.other.text
            let now = isSame ? "unchanged" : row.outcome.text
            let change = "\(before) before, \(now) now"
            if let last = spans.last, last.change == change, last.span.way == row.way,
                last.span.version == row.version, last.span.transport == row.transport
            {
                spans[spans.count - 1].span.numbers.append(row.code)
            } else {
                let span = Span(
                    way: row.way, version: row.version, transport: row.transport, numbers: [row.code], fate: row.fate)
                spans.append((span, change))
            }
        }
        for (span, change) in spans.prefix(Self.listLimit) {
            lines.append("  \(span.way.title), \(span.version) \(span.transport), \(span.codes): \(change)")
        }
        if spans.count > Self.listLimit { lines.append("  and \(spans.count - Self.listLimit) lines more") }
        return (lines.joined(separator: "\n"), false)
    }
}
