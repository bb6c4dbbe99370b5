/// A place in a file.
public struct FilePlace: Sendable, Hashable, CustomStringConvertible {
    /// The path as it was given, relative where it was relative: report readers resolve it against the repository.
    public var file: String
    /// The line, from 1; 0 when only the file is known.
    public var line: Int
    /// The column in characters, from 1; 0 when only the line is known.
    public var column: Int

    /// A place in a file.
    public init(file: String, line: Int = 0, column: Int = 0) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `file:line:column`, as editors and CI systems find it.
    public var description: String {
        if line <= 0 { return file }
        return column <= 0 ? "\(file):\(line)" : "\(file):\(line):\(column)"
    }

    /// `file:line`.
    public var fileAndLine: String {
        line <= 0 ? file : "\(file):\(line)"
    }
}
