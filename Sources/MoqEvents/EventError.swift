/// Why a recorded stream could not be read.
public enum EventError: Error, Equatable, CustomStringConvertible {
    /// A line is not JSON. Line and column count from 1.
    case notJSON(line: Int, column: Int, problem: String)
    /// A line is JSON, and not an event: it has no `kind`, or is no object.
    case notAnEvent(line: Int)
    /// A field that the kind needs is missing, or holds what it must not.
    case field(line: Int, kind: String, field: String, problem: String)
    /// The stream's grammar is newer than this build.
    case newerSchema(found: Int, supported: Int)
    /// The stream does not start with `runStarted`.
    case noBeginning
    /// A line is longer than any event can be.
    case lineTooLong(line: Int, limit: Int)

    public var description: String {
        switch self {
        case .notJSON(let line, let column, let problem):
            "reading events: line \(line), column \(column) is not JSON: \(problem); "
                + "is this a file that --report events=PATH wrote?"
        case .notAnEvent(let line):
            "reading events: line \(line) is JSON, but not an event: an event is an object with a \"kind\""
        case .field(let line, let kind, let field, let problem):
            "reading events: line \(line), a \(kind) event: field \"\(field)\" \(problem) (see docs/events.md)"
        case .newerSchema(let found, let supported):
            "reading events: the stream has schema \(found), and this moqspec reads up to \(supported); "
                + "read it with the moqspec that wrote it, or a later one"
        case .noBeginning:
            "reading events: the first line is not a runStarted event; is the beginning of the file missing?"
        case .lineTooLong(let line, let limit):
            "reading events: line \(line) is longer than \(limit) bytes, which no event is"
        }
    }

    /// The same error for another line of a stream.
    func onLine(_ number: Int) -> EventError {
        switch self {
        case .notJSON(_, let column, let problem): .notJSON(line: number, column: column, problem: problem)
        case .notAnEvent: .notAnEvent(line: number)
        case .field(_, let kind, let field, let problem):
            .field(line: number, kind: kind, field: field, problem: problem)
        case .lineTooLong(_, let limit): .lineTooLong(line: number, limit: limit)
        case .newerSchema, .noBeginning: self
        }
    }
}
