/// Why a file is no trace, or cannot be held against a machine.
public enum TraceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is nothing in it.
    case empty
    /// It does not begin with the line that says which form it has.
    case noHeader
    /// It was written in a newer form.
    case newer(version: Int)
    /// A line is no JSON.
    case notJSON(line: Int, column: Int, problem: String)
    /// A line is no observation.
    case wrongLine(line: Int, problem: String)
    /// There are more lines, objects or bytes than a trace has.
    case tooMuch(what: String, most: Int)
    /// A word that it uses, or that it was asked for, is not known.
    case unknown(what: String, word: String, known: [String], suggestion: String?)
    /// It says nothing about the machine.
    case nothingAbout(machine: String)
    /// A log in which nothing is known.
    case nothingKnown(lines: Int)
    /// Which machine or profile is meant is not said anywhere.
    case unclear(what: String, line: Int?)

    public var description: String {
        switch self {
        case .empty: "there is nothing in it"
        case .noHeader:
            "line 1: a trace begins with a line such as {\"format\":\"moqspec-trace\",\"version\":1,\"profile\":\"ios\"} "
                + "(docs/traces.md); `moqspec trace convert` makes one of a log"
        case .newer(let version): "line 1: version \(version) of the format is newer than this moqspec, which knows 1"
        case .notJSON(let line, let column, let problem): "line \(line), column \(column) is not JSON: \(problem)"
        case .wrongLine(let line, let problem): "line \(line): \(problem)"
        case .tooMuch(let what, let most): "it has more than \(most) \(what): split it"
        case .unknown(let what, let word, let known, let suggestion):
            "there is no \(what) `\(word)`; there are \(known.joined(separator: ", "))"
                + (suggestion.map { "; did you mean `\($0)`?" } ?? "")
        case .nothingAbout(let machine): "no line of it is about the machine `\(machine)`"
        case .nothingKnown(let lines):
            "none of its \(lines) lines has an event or a state of moq-kit; looked for are the documented names, such as "
                + "`track.ready kind=video epoch=1`, `trackStarted(name: 0.avc1)`, `Session state: connected`"
        case .unclear(let what, let line):
            "\(line.map { "line \($0): " } ?? "")which \(what) is meant is not said: name it with --\(what), or in the trace"
        }
    }
}
