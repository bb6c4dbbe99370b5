import MoqJSON

/// The words and values of what was logged: `track.ready kind=video epoch=1`, `StallStarted(cause: renderStall)`, or a
/// JSON object with a `type`.
struct LogMessage: Equatable {
    /// The words, in their order, without the values of pairs.
    var words: [String] = []
    /// The pairs.
    var values = MachineValues()

    /// More words than this are no event but prose.
    private static let mostWords = 200

    init(_ text: String) {
        if text.hasPrefix("{"), let value = try? JSONValue(parsing: Array(text.utf8)) {
            for name in ["type", "event", "name"] where words.isEmpty {
                if let word = value[name]?.string { words = [word] }
            }
            take(value, depth: 0)
            return
        }
        let separators: Set<Character> = [" ", ",", ";", "(", ")", "[", "]", "{", "}", "\"", "\t"]
        var key: String?
        for part in text.split(whereSeparator: separators.contains).prefix(Self.mostWords) {
            if let sign = part.firstIndex(of: "="), sign != part.startIndex {
                let value = part[part.index(after: sign)...]
                // `state=(` has its value in the next word.
                if value.isEmpty { key = String(part[..<sign]) } else { take(String(part[..<sign]), String(value)) }
            } else if part.last == ":", part.count > 1 {
                key = String(part.dropLast())
                words.append(String(part.dropLast()))
            } else if let name = key {
                take(name, String(part))
                words.append(String(part))
                key = nil
            } else {
                words.append(String(part))
            }
        }
    }

    private mutating func take(_ name: String, _ text: String) {
        switch text {
        case "true": values[name] = true
        case "false": values[name] = false
        case "null", "nil": values[name] = .word("none")
        default: values[name] = Int(text).map { .number($0) } ?? .word(text)
        }
    }

    /// The members of an object, and of objects in it.
    private mutating func take(_ value: JSONValue, depth: Int) {
        for member in value.members ?? [] {
            switch member.value {
            case .string(let text): values[member.name] = .word(text)
            case .integer(let number): values[member.name] = .number(Int(number))
            case .bool(let flag): values[member.name] = .flag(flag)
            case .null: values[member.name] = .word("none")
            case .object where depth < 2: take(member.value, depth: depth + 1)
            case .object, .array, .real: break
            }
        }
    }
}
