import MoqBase

/// Why a text with a unit cannot be understood.
struct UnitProblem: Error, Equatable {
    /// What is wrong, to follow the name of the key: "is `5`, which has no unit".
    var message: String
    /// What would be right.
    var expected: String
    /// What was perhaps meant.
    var suggestion: String?
}

/// A family of units in which a number must be written.
struct UnitFamily {
    /// For messages: "a duration with its unit (us, ms, s, min, h), such as `500ms`".
    var expected: String
    /// The units, each with what it is worth in the smallest.
    var units: [(name: String, factor: Double)]
    /// What people write for a unit.
    var otherNames: [String: String]
    /// The unit to suggest when there is none.
    var usual: String
    /// The greatest value, in the smallest unit, and how to say it.
    var most: (value: Double, text: String)

    /// Durations in nanoseconds. A day is more than any case may take.
    static let duration = UnitFamily(
        expected: "a duration with its unit (`us`, `ms`, `s`, `min` or `h`), such as `500ms`",
        units: [("us", 1e3), ("ms", 1e6), ("s", 1e9), ("min", 60e9), ("h", 3600e9)],
        otherNames: [
            "µs": "us", "usec": "us", "msec": "ms", "millis": "ms", "milliseconds": "ms", "sec": "s", "secs": "s",
            "second": "s", "seconds": "s", "m": "min", "mins": "min", "minute": "min", "minutes": "min",
            "hr": "h", "hour": "h", "hours": "h",
        ],
        usual: "s", most: (24 * 3600e9, "24 hours"))

    /// Sizes in bytes, up to more than any relay may be asked to take in one frame.
    static let size = UnitFamily(
        expected: "a size with its unit (`B`, `KB`, `MB`, `KiB` or `MiB`), such as `64 KiB`",
        units: [("B", 1), ("KB", 1e3), ("MB", 1e6), ("KiB", 1024), ("MiB", 1_048_576)],
        otherNames: [
            "b": "B", "byte": "B", "bytes": "B", "K": "KiB", "k": "KiB", "kb": "KB", "kB": "KB", "kib": "KiB",
            "M": "MiB", "mb": "MB", "mib": "MiB",
        ],
        usual: "B", most: (1024 * 1024 * 1024, "1024 MiB"))

    /// Shares in percent.
    static let share = UnitFamily(
        expected: "a share in percent, such as `2%`", units: [("%", 1)], otherNames: ["percent": "%", "pct": "%"],
        usual: "%", most: (100, "100%"))

    /// Rates in bytes a second.
    static let rate = UnitFamily(
        expected: "a rate with its unit (`kbit/s`, `Mbit/s`, `Gbit/s`, `KiB/s` or `MiB/s`), such as `10 Mbit/s`",
        units: [
            ("bit/s", 0.125), ("kbit/s", 125), ("Mbit/s", 125e3), ("Gbit/s", 125e6), ("B/s", 1), ("KB/s", 1e3),
            ("MB/s", 1e6), ("KiB/s", 1024), ("MiB/s", 1_048_576),
        ],
        otherNames: [
            "kbps": "kbit/s", "Kbit/s": "kbit/s", "mbps": "Mbit/s", "Mbps": "Mbit/s", "mbit/s": "Mbit/s",
            "Mb/s": "Mbit/s", "gbps": "Gbit/s", "Gbps": "Gbit/s", "bps": "bit/s",
        ],
        usual: "Mbit/s", most: (12.5e9, "100 Gbit/s"))

    /// The value of a text such as `64 KiB`, in the smallest unit.
    func value(of text: String) throws(UnitProblem) -> Double {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = String(text[number.endIndex...].drop { $0 == " " })
        guard let amount = Double(number), !number.hasPrefix("."), !number.hasSuffix(".") else {
            throw UnitProblem(message: "is `\(text)`", expected: expected)
        }
        guard !unit.isEmpty else {
            let isFraction = usual == "%" && amount > 0 && amount < 1
            let meant = isFraction ? "\(Int(amount * 100 + 0.5))" : String(number)
            throw UnitProblem(
                message: "is `\(text)`, which has no unit", expected: expected, suggestion: meant + usual)
        }
        guard let factor = units.first(where: { $0.name == unit })?.factor else {
            let meant = otherNames[unit] ?? NearestWord.of(unit, among: units.map(\.name))
            throw UnitProblem(
                message: "is `\(text)`, and `\(unit)` is not a unit here", expected: expected,
                suggestion: meant.map { text.contains(" ") ? "\(number) \($0)" : "\(number)\($0)" })
        }
        guard amount * factor <= most.value else {
            throw UnitProblem(message: "is `\(text)`, which is too much", expected: "at most \(most.text)")
        }
        return amount * factor
    }
}
