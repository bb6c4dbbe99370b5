/// Finds the word that was probably meant.
enum NearestWord {
    /// The word with the fewest edits from `word`, if they are few for its length; the first of several.
    static func to(_ word: String, among words: [String]) -> String? {
        let given = Array(word.lowercased())
        let bound = max(1, given.count / 2)
        // Nobody mistypes a short word into one this long; it also bounds the work.
        guard given.count <= 32 else { return nil }
        var best: (word: String, edits: Int)?
        for candidate in words {
            let edits = distance(given, Array(candidate))
            if edits <= bound, edits < best?.edits ?? .max { best = (candidate, edits) }
        }
        return best?.word
    }

    /// Insertions, deletions and replacements from one word to the other.
    private static func distance(_ from: [Character], _ to: [Character]) -> Int {
        var row = Array(0...to.count)
        for (index, character) in from.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in to.indices {
                let replaced = diagonal + (character == to[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[to.count]
    }
}
