import MoqEvents

/// The command that runs just one case again.
public struct Rerun: Sendable, Equatable {
    /// What comes before the case's id, with the seed and the target of this run in it, such as
    /// `moqspec run --seed 7 --relay embedded --filter`.
    public var prefix: String
    /// The seed that the prefix names, which every further round counts on; nil where it names none.
    public var seed: UInt64?

    /// A command that ends with the case's id.
    public init(prefix: String, seed: UInt64? = nil) {
        self.prefix = prefix
        self.seed = seed
    }

    /// The command for a case, ready to be pasted into a shell.
    public func command(for start: CaseStarted) -> String {
        var prefix = prefix
        if start.round > 1, let seed {
            prefix = prefix.replacing(
                "--seed \(seed)", with: "--seed \(RunStarted.seed(seed, inRound: start.round))", maxReplacements: 1)
        }
        return Redaction.text("\(prefix) \(Self.quoted(start.idInAnyRound))")
    }

    /// The word as a shell takes it for one word, unchanged.
    public static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
                    UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: ","), UInt8(ascii: "="):
                    true
                default: false
                }
            }
        if isPlain { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
