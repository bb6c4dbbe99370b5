/// Why a text is no JSON document.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Counts from 1.
    public var line: Int
    /// Counts from 1, in bytes.
    public var column: Int
    /// What is wrong there.
    public var problem: String

    /// An error of its parts.
    public init(line: Int, column: Int, problem: String) {
        self.line = line
        self.column = column
        self.problem = problem
    }

    public var description: String { "line \(line), column \(column) is not JSON: \(problem)" }
}
