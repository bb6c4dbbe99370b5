/// What an author probably has to do about text that is not YAML.
///
/// libyaml says at which character it gave up, which is often far from the mistake.
struct SyntaxHint {
    /// What libyaml says is wrong.
    let problem: String
    /// What it was reading.
    let reading: String?
    /// The line, counted from 1, and the column, counted from 0, where that began.
    let start: (line: Int, column: Int)
    /// The line where it gave up, and the column from 1.
    let line: String
    let column: Int

    /// Whether a text in quotes runs to the end of the file: its beginning is the place to look at.
    var isOpenQuote: Bool {
        reading == "while scanning a quoted scalar" && problem.hasSuffix("unexpected end of stream")
    }

    /// What should stand there; nil where nothing better than libyaml's own words is known.
    var expected: String? {
        let before = line.unicodeScalars.prefix(max(0, column - 1))
        let here = line.unicodeScalars.dropFirst(max(0, column - 1)).first
        if isOpenQuote { return "a quotation mark at its end" }
        if problem.hasPrefix("mapping values are not allowed") {
            if line.contains(":{") || line.contains(":[") { return "a blank after the colon of a key" }
            return before.contains(":") ? "quotes around a text that has a colon and a blank in it" : Self.sameColumn
        }
        if problem.hasSuffix("cannot start any token"), let here {
            return "quotes around a text that begins with `\(here)`"
        }
        if problem.hasPrefix("did not find expected ',' or") {
            let closing = problem.hasSuffix("']'") ? "]" : "}"
            return "a `,` before the next item, or the `\(closing)` that closes what line \(start.line) opens"
        }
        if problem == "did not find expected key", reading == "while parsing a block mapping" {
            return "the keys of one mapping in one column; those since line \(start.line) are in column "
                + "\(start.column + 1)"
        }
        if problem.contains("'-' indicator") {
            return "the `- ` of all items in one column; those since line \(start.line) are in column "
                + "\(start.column + 1)"
        }
        return nil
    }

    private static let sameColumn = "the keys of one mapping in one column, and a value before what is indented"
}
