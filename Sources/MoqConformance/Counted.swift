/// Numbers of things in messages for people.
public enum Counted {
    /// `1 frame`, `2 frames`; `word` is the singular of a word that takes an s.
    public static func text(_ count: some BinaryInteger, _ word: String) -> String {
        "\(count) \(word)\(count == 1 ? "" : "s")"
    }
}
