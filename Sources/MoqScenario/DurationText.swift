import MoqBase

/// Reads durations as people write them, for the command line: the same words as in scenarios.
public enum DurationText {
    /// Why a text is no duration.
    public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
        /// What is wrong, what would be right, and what was perhaps meant; in one line.
        public let description: String
    }

    /// The duration of a text such as `500ms`, `30s` or `5 min`.
    public static func duration(_ text: String) throws(Problem) -> Duration {
        do {
            let nanoseconds = try UnitFamily.duration.value(of: text)
            return .nanoseconds(Int64(nanoseconds.rounded()))
        } catch {
            let question = error.suggestion.map { "; did you mean `\($0)`?" } ?? ""
            throw Problem(description: "\(error.message); expected is \(error.expected)\(question)")
        }
    }
}
