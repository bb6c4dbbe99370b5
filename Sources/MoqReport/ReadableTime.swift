import MoqBase

extension Duration {
    /// The duration as people say it: `0.4 ms`, `12 ms`, `1.204 s`, `41 min 07 s`.
    var readable: String {
        let nanoseconds = max(wholeNanoseconds, 0)
        switch nanoseconds {
        case ..<10_000_000: return "\(nanoseconds / 1_000_000).\(nanoseconds / 100_000 % 10) ms"
        case ..<1_000_000_000: return "\(nanoseconds / 1_000_000) ms"
        case ..<60_000_000_000:
            let milliseconds = String(nanoseconds / 1_000_000 % 1000)
            return "\(nanoseconds / 1_000_000_000).\(Printable.zeros(milliseconds, to: 3)) s"
        default:
            let seconds = nanoseconds / 1_000_000_000
            return "\(seconds / 60) min \(Printable.zeros(String(seconds % 60), to: 2)) s"
        }
    }
}

extension Printable {
    /// The number with zeros before it up to `width` digits.
    static func zeros(_ number: String, to width: Int) -> String {
        String(repeating: "0", count: max(0, width - number.count)) + number
    }
}
