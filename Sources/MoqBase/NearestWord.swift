/// Finds the valid word that somebody probably meant.
public enum NearestWord {
    /// Words longer than this are not compared: nobody mistypes them, and the comparison is quadratic.
    static let longestWord = 64

    /// The candidate with the fewest edits, the earlier one on a tie; nil when none is near.
    public static func of(_ word: String, among candidates: [String]) -> String? {
        ranked(word, among: candidates, limit: 1).first
    }

    /// The candidates that are near, nearest first.
    public static func ranked(_ word: String, among candidates: [String], limit: Int) -> [String] {
        let folded = fold(word)
        guard !folded.isEmpty, folded.count <= longestWord else { return [] }
        let near = candidates.enumerated().compactMap { index, candidate -> (Int, Int, String)? in
            let other = fold(candidate)
            guard other.count <= longestWord else { return nil }
            let distance = self.distance(folded, other)
            let isPart = folded.count >= 3 && (other.starts(with: folded) || folded.starts(with: other))
            guard distance <= max(1, min(folded.count, other.count) / 3) || isPart else { return nil }
            return (distance, index, candidate)
        }
        return near.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(limit).map(\.2)
    }

    /// Whether a word looks like a slip of the finger, and not like another name: two letters swapped, or one
    /// letter more, less or other in a word of at least four; `video2` beside `video` is another name.
    public static func isSlip(_ word: String, for other: String) -> Bool {
        let (left, right) = (Array(word.unicodeScalars), Array(other.unicodeScalars))
        guard distance(left, right) == 1, min(left.count, right.count) >= 4 else { return false }
        let digits = { (text: [Unicode.Scalar]) in text.filter { ("0"..."9").contains($0) } }
        return digits(left) == digits(right)
    }

    /// Insertions, deletions, replacements and swaps of neighbours between two words.
    static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in 0..<left.count {
            var row = [i + 1]
            for j in 0..<right.count {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            beforeLast = last
            last = row
        }
        return last[right.count]
    }

    private static func fold(_ word: String) -> [Unicode.Scalar] {
        word.lowercased().unicodeScalars.map { $0 == "-" || $0 == " " ? "_" : $0 }
    }
}
