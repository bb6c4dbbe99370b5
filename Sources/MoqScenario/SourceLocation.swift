/// A place in a scenario file.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The path as it was given to the loader.
    public var file: String
    /// Line, counted from 1.
    public var line: Int
    /// Column in characters, counted from 1.
    public var column: Int

    /// A place in a file.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `file:line:column`, the form that editors and CI systems make clickable.
    public var description: String { "\(file):\(line):\(column)" }
}
