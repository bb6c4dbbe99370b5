import MoqReport

/// What `moqspec report` was asked for.
public struct ReportArguments: Sendable {
    /// What is done with the files.
    public enum Verb: String, CaseIterable, Sendable {
        /// One report of all.
        case merge
        /// A list of known failures.
        case known
    }

    /// What is done.
    public var verb: Verb
    /// The files.
    public var files: [String]
    /// The reports to write.
    public var reports: [ReportRequest]
    /// Where a list goes; nil for standard output.
    public var output: String?
    /// Whether only failures and the summary are shown.
    public var isQuiet: Bool
    /// Whether warnings weigh.
    public var isStrict: Bool

    /// Files above this are no recordings of runs that anybody reads.
    public static let greatestFile = 512 << 20

    /// Understands the flags.
    public init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let word = arguments.operands.first else {
            throw UsageError(
                "what is to be reported of which files? It is moqspec report merge FILE..., or known FILE...")
        }
        guard let verb = Verb(rawValue: word) else {
            throw .unknown("verb of moqspec report", word, among: Verb.allCases.map(\.rawValue))
        }
        self.verb = verb
        let files = Array(arguments.operands.dropFirst())
        self.files = files
        reports = []
        guard !files.isEmpty else { throw UsageError("moqspec report \(word) takes files, and none is named") }
        if let twice = files.indices.first(where: { files[..<$0].contains(files[$0]) }) {
            throw UsageError("\(files[twice]) is named twice")
        }
        let foreign = verb == .merge ? ["output"] : ["report", "quiet", "strict"]
        for flag in foreign where arguments.has(flag) {
            throw UsageError("--\(flag) is no flag of moqspec report \(word)")
        }
        do {
            reports = try ReportRequest.list(parsing: arguments.values(of: "report"))
        } catch {
            throw UsageError("\(error)")
        }
        output = arguments.value(of: "output").flatMap { $0 == "-" ? nil : $0 }
        isQuiet = arguments.has("quiet")
        isStrict = arguments.has("strict")
    }
}
