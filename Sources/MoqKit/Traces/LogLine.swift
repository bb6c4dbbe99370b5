/// One line of a log, without what the system puts before it.
///
/// Understood are logcat (`threadtime`, `time` and `brief`), os_log as `log show` and `log stream` write it, and lines
/// with nothing before them.
struct LogLine: Equatable {
    /// Nanoseconds since midnight; nil when there is no time.
    var timeOfDay: Int64?
    /// The tag of logcat, or the category of os_log.
    var tag: String?
    /// What was logged.
    var message: String

    init(_ text: String) {
        var words = text.split(separator: " ", omittingEmptySubsequences: true)[...]
        if let position = words.prefix(3).firstIndex(where: { Self.nanoseconds($0) != nil }) {
            timeOfDay = Self.nanoseconds(words[position])
            words = words[(position + 1)...]
        }
        let rest = words.first.map { String(text[$0.startIndex...]) } ?? ""
        message = rest
        if let bracket = Self.category(rest) {
            (tag, message) = bracket
        } else if timeOfDay != nil || Self.isBrief(words.first), let colon = rest.firstRange(of: ": ") {
            tag = Self.tag(rest[..<colon.lowerBound])
            message = String(rest[colon.upperBound...])
        }
    }

    /// `D/Player( 1234)` and `100 200 D Player ` name the tag Player.
    private static func tag(_ head: Substring) -> String {
        let words = head.split(separator: " ")
        let name = isBrief(words.first) ? words.first?.dropFirst(2) : words.last
        return String((name ?? "").prefix { $0 != "(" && $0 != "[" })
    }

    private static func isBrief(_ word: Substring?) -> Bool {
        guard let word, let level = word.first, "VDIWEF".contains(level) else { return false }
        return word.dropFirst().first == "/"
    }

    /// `[com.example:player] message`: the category and the message.
    private static func category(_ text: String) -> (String?, String)? {
        guard let open = text.firstIndex(of: "["), let close = text[open...].firstRange(of: "] ") else { return nil }
        let inside = text[text.index(after: open)..<close.lowerBound]
        // `App[123:456]` has numbers on both sides; the brackets of the category come after it.
        if inside.allSatisfy({ $0.isHexDigit || $0 == ":" }) {
            return category(String(text[close.upperBound...]))
        }
        guard let colon = inside.lastIndex(of: ":") else { return nil }
        return (String(inside[inside.index(after: colon)...]), String(text[close.upperBound...]))
    }

    /// `12:34:56.789123+0200`, since midnight.
    private static func nanoseconds(_ word: Substring) -> Int64? {
        let parts = word.prefix { $0 != "+" && $0 != "Z" }.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]), hours < 24, minutes < 60
        else { return nil }
        let seconds = parts[2].prefix { $0 != "-" }.split(separator: ".", maxSplits: 1)
        guard let first = seconds.first, let whole = Int64(first), whole < 61 else { return nil }
        let digits = seconds.count > 1 ? seconds[1].prefix(9) : ""
        guard let fraction = Int64(digits + String(repeating: "0", count: 9 - digits.count)) else { return nil }
        return ((hours * 60 + minutes) * 60 + whole) * 1_000_000_000 + fraction
    }
}
