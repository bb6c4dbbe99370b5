import MoqBase

/// Something about the command line, a pattern or a path is wrong; nothing was run.
public struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What the process says at its end then.
    public static let exitCode: Int32 = 2

    /// What is wrong and what to write instead, without a full stop.
    public let description: String

    /// Whether it is about files, and so not for the help to answer.
    public let isAboutFiles: Bool

    /// An error with its sentence.
    public init(_ description: String, isAboutFiles: Bool = false) {
        self.description = description
        self.isAboutFiles = isAboutFiles
    }

    /// How many words an error lists beside the nearest one.
    private static let shownWords = 12

    /// A word that is none of those that are possible, with the nearest of them.
    static func unknown(_ what: String, _ word: String, among words: [String]) -> UsageError {
        let nearest = NearestWord.of(word, among: words)
        // Among so many words nobody looks for the one that was meant.
        if let nearest, words.count > shownWords {
            return UsageError("`\(word)` is no \(what); did you mean `\(nearest)`?")
        }
        let question = nearest.map { "; did you mean `\($0)`?" } ?? ""
        return UsageError("`\(word)` is no \(what) (there are \(words.joined(separator: ", ")))\(question)")
    }
}
