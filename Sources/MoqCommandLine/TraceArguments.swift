import MoqKit

/// What `moqspec trace` was asked for.
public struct TraceArguments: Sendable {
    /// What is done with the file.
    public enum Verb: String, CaseIterable, Sendable {
        case check, convert
    }

    /// A report about a trace.
    public enum ReportKind: String, CaseIterable, Sendable {
        case junit, json
    }

    /// Traces above this are to be split: an hour of everything that a client shows has a tenth of it.
    public static let greatestFile = 512 << 20

    /// What is done.
    public var verb: Verb
    /// The trace, or the log.
    public var file: String
    /// The machine; nil for those that the lines name.
    public var machine: String?
    /// The profile; nil for the one that the trace names.
    public var profile: MachineProfile?
    /// The machines there are.
    public var library: MachineLibrary
    /// The reports, each with its path; nil for standard output.
    public var reports: [(kind: ReportKind, path: String?)] = []
    /// Whether the transitions that were taken are shown.
    public var hasCoverage: Bool
    /// Where a converted trace goes; nil for standard output.
    public var output: String?

    /// Understands the flags.
    public init(_ arguments: ParsedArguments) throws(UsageError) {
        let verbs = Verb.allCases.map(\.rawValue)
        guard let word = arguments.operands.first else {
            throw UsageError("what is to be done with which file? It is moqspec trace check FILE, or convert FILE")
        }
        guard let verb = Verb(rawValue: word) else { throw .unknown("verb of moqspec trace", word, among: verbs) }
        guard arguments.operands.count == 2 else {
            throw UsageError("moqspec trace \(word) takes one FILE, and \(arguments.operands.count - 1) are named")
        }
        self.verb = verb
        file = arguments.operands[1]
        library = try MachineFiles.library(arguments)
        profile = try MachineFiles.profile(arguments)
        machine = arguments.value(of: "machine")
        if let machine, !library.names.contains(machine) { throw .unknown("machine", machine, among: library.names) }
        hasCoverage = arguments.has("coverage")
        output = arguments.value(of: "output").flatMap { $0 == "-" ? nil : $0 }
        let foreign = verb == .check ? ["output"] : ["report", "coverage", "machine"]
        for flag in foreign where arguments.has(flag) {
            throw UsageError("--\(flag) is no flag of moqspec trace \(word)")
        }
        for text in arguments.values(of: "report") {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw UsageError("--report \(text): it is junit=PATH or json=PATH") }
            guard let kind = ReportKind(rawValue: parts[0]) else {
                throw .unknown("report about a trace", parts[0], among: ReportKind.allCases.map(\.rawValue))
            }
            reports.append((kind, parts[1] == "-" ? nil : parts[1]))
        }
        guard reports.count(where: { $0.path == nil }) < 2 else {
            throw UsageError("--report: two reports want standard output; give one of them a file")
        }
    }
}
