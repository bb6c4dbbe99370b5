/// Which room may import which, read from Package.swift.
struct RoomList {
    /// The declared dependencies of each target.
    private(set) var allowed: [String: [String]] = [:]
    /// All targets.
    private(set) var names: [String] = []

    /// Reads the calls `room("X", [...])`, `tests("X", [...])` and the targets that are spelled out.
    init(manifest: String) {
        // Of each line that ends a declaration of a target, all words in quotes since the last such line.
        var words: [String] = []
        var isTarget = false
        for line in manifest.split(separator: "\n") {
            let text = line.drop { $0 == " " }
            guard !text.hasPrefix("//") else { continue }
            let begins = ["room(", "tests(", ".target(", ".executableTarget(", ".systemLibrary("]
                .contains { text.hasPrefix($0) && !text.contains("name: name") }
            if begins {
                add(words, isTarget)
                words = []
                isTarget = true
            }
            words += Self.quoted(text)
        }
        add(words, isTarget)
    }

    private mutating func add(_ words: [String], _ isTarget: Bool) {
        guard isTarget, let name = words.first else { return }
        names.append(name)
        allowed[name] = Array(words.dropFirst())
    }

    private static func quoted(_ line: some StringProtocol) -> [String] {
        line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
