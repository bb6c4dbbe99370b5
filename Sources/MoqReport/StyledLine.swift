/// A line of a report whose parts may have a colour: the text is the same with and without.
struct StyledLine: Equatable {
    /// What a part of a line is, as far as colour goes.
    enum Style: String {
        case plain = ""
        case good = "32"
        case bad = "31"
        case warning = "33"
        case faint = "2"
        case strong = "1"
    }

    private var parts: [(style: Style, text: String)] = []

    init(_ text: String = "", _ style: Style = .plain) {
        parts = [(style, text)]
    }

    /// The line with more at its end.
    func adding(_ text: String, _ style: Style = .plain) -> StyledLine {
        var line = self
        line.parts.append((style, text))
        return line
    }

    /// The line with spaces before it; an empty line stays empty.
    func indented(by count: Int) -> StyledLine {
        guard !text.isEmpty else { return self }
        var line = self
        line.parts.insert((.plain, String(repeating: " ", count: count)), at: 0)
        return line
    }

    /// The line without colours.
    var text: String { parts.map(\.text).joined() }

    /// The line for a terminal.
    func painted(_ colours: Bool) -> String {
        guard colours else { return text }
        return parts.map { part in
            part.style == .plain || part.text.isEmpty
                ? part.text : "\u{1B}[\(part.style.rawValue)m\(part.text)\u{1B}[0m"
        }.joined()
    }

    static func == (left: StyledLine, right: StyledLine) -> Bool {
        left.parts.elementsEqual(right.parts) { $0.style == $1.style && $0.text == $1.text }
    }
}
