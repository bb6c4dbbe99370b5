extension HouseRules {
    /// Every public declaration has a doc comment.
    ///
    /// Members that a protocol asks for are documented there: those of the standard library by name, and those named
    /// in `protocolMembers`, the members of the tree's own protocols.
    static func documentation(_ file: SourceFile, protocolMembers: Set<String>) -> [Violation] {
        guard file.isSwift, !file.isTest else { return [] }
        return file.code.enumerated().compactMap { index, line in
            guard let name = publicDeclaration(line), !isDocumented(file, index) else { return nil }
            guard !HouseExceptions.standardMembers.contains(name), !protocolMembers.contains(name) else { return nil }
            return Violation(path: file.path, line: index + 1, message: "`\(name)` is public and has no doc comment")
        }
    }

    /// The name of what a line declares as public; nil for any other line.
    static func publicDeclaration(_ line: String) -> String? {
        guard holds(line, "public ") || holds(line, "open ") else { return nil }
        var words = line.split(separator: " ")[...]
        while words.first?.hasPrefix("@") == true { words.removeFirst() }
        guard words.first == "public" || words.first == "open" else { return nil }
        guard !words.contains("override"), !words.contains("extension"), !words.contains("import") else { return nil }
        return declaredName(words)
    }

    /// The names of the members that the protocols of a file ask for.
    static func protocolMembers(_ file: SourceFile) -> [String] {
        var names: [String] = []
        guard file.code.contains(where: { holds($0, "protocol ") }) else { return names }
        var isInside = false
        for line in file.code {
            let words = line.split(separator: " ")
            if words.contains("protocol"), line.hasSuffix("{") {
                isInside = true
            } else if line.hasPrefix("}") {
                isInside = false
            } else if isInside, let name = declaredName(words[...]) {
                names.append(name)
            }
        }
        return names
    }

    private static func declaredName(_ words: ArraySlice<Substring>) -> String? {
        let kinds = [
            "struct", "class", "enum", "protocol", "func", "let", "var", "typealias", "actor", "associatedtype", "case",
        ]
        for (index, word) in words.enumerated() {
            if word.hasPrefix("init") || word.hasPrefix("subscript") {
                return String(word.prefix { $0 != "(" && $0 != "<" && $0 != "?" })
            }
            guard kinds.contains(String(word)), index + 1 < words.count else { continue }
            let next = words[words.startIndex + index + 1]
            if word == "class", ["func", "var", "let"].contains(next) { continue }
            let isOperator = next.first.map { "=<>!+-*/&|^%~".contains($0) } ?? false
            return isOperator
                ? String(next.prefix { $0 != "(" })
                : String(next.prefix { $0 != "(" && $0 != ":" && $0 != "<" && $0 != "," })
        }
        return nil
    }

    private static func isDocumented(_ file: SourceFile, _ index: Int) -> Bool {
        var above = index - 1
        // Attributes and remarks (why something is Sendable, say) may stand between the comment and what it is about.
        while above >= 0, isBetween(file, above) { above -= 1 }
        guard above >= 0 else { return false }
        let comment = file.comments[above].drop { $0 == " " }
        return comment.hasPrefix("///") || comment.hasSuffix("*/")
    }

    private static func isBetween(_ file: SourceFile, _ index: Int) -> Bool {
        if file.code[index].drop(while: { $0 == " " }).hasPrefix("@") { return true }
        let comment = file.comments[index].drop { $0 == " " }
        return comment.hasPrefix("//") && !comment.hasPrefix("///")
    }
}
