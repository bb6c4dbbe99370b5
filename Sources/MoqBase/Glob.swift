/// A pattern for names: `*` stands for anything without a separator, `**` for anything, and every other character,
/// brackets too, for itself.
public struct Glob: Hashable, Sendable {
    private enum Token: Hashable {
        case character(Unicode.Scalar)
        case anyInPart
        case any
        /// `**/`: any number of parts, also none.
        case anyParts
    }

    /// The pattern as it was given.
    public let text: String
    private let tokens: [Token]
    private let separator: Unicode.Scalar?

    /// A pattern. Without a separator one star takes everything, as in a sentence.
    public init(_ text: String, separator: Unicode.Scalar? = "/") {
        self.text = text
        self.separator = separator
        tokens = Self.tokens(text, separator)
    }

    private static func tokens(_ text: String, _ separator: Unicode.Scalar?) -> [Token] {
        let scalars = Array(text.unicodeScalars)
        var tokens: [Token] = []
        var index = 0
        while index < scalars.count {
            guard scalars[index] == "*" else {
                tokens.append(.character(scalars[index]))
                index += 1
                continue
            }
            let stars = scalars[index...].prefix { $0 == "*" }.count
            let startsPart = index == 0 || scalars[index - 1] == separator
            index += stars
            if stars > 1, startsPart, index < scalars.count, scalars[index] == separator {
                tokens.append(.anyParts)
                index += 1
            } else {
                tokens.append(stars > 1 || separator == nil ? .any : .anyInPart)
            }
        }
        return tokens
    }

    /// Whether the pattern is this name, the whole of it.
    ///
    /// Follows all ways to match at once, so that no pattern takes longer than its length times that of the name.
    public func matches(_ name: String) -> Bool {
        let scalars = Array(name.unicodeScalars)
        // reached[i]: the tokens so far can have taken the first i characters.
        var reached = [true] + [Bool](repeating: false, count: scalars.count)
        for token in tokens {
            var next = [Bool](repeating: false, count: scalars.count + 1)
            var isOpen = false
            for index in 0...scalars.count {
                switch token {
                case .character(let scalar):
                    next[index] = index > 0 && reached[index - 1] && scalars[index - 1] == scalar
                case .any:
                    isOpen = isOpen || reached[index]
                    next[index] = isOpen
                case .anyInPart:
                    if index > 0, scalars[index - 1] == separator { isOpen = false }
                    isOpen = isOpen || reached[index]
                    next[index] = isOpen
                case .anyParts:
                    next[index] = reached[index] || (isOpen && scalars[index - 1] == separator)
                    isOpen = isOpen || reached[index]
                }
            }
            reached = next
        }
        return reached[scalars.count]
    }
}
