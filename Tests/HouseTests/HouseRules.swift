import Glibc

/// The rules of the house that can be executed. Each takes a file and gives what is against the rule in it.
enum HouseRules {
    /// The most lines that a file may have without a reason.
    static let greatestLength = 400
    /// How far from what needs a reason its comment may stand, in lines.
    static let commentReach = 3

    /// A room imports only what Package.swift lists for it, and of the rest only what comes with Swift.
    static func imports(_ file: SourceFile, _ rooms: RoomList) -> [Violation] {
        let others = ["Glibc", "Foundation", "Testing"]
        guard file.isSwift, let allowed = rooms.allowed[file.room] else { return [] }
        return violations(in: file) { line, _ in
            guard let module = importedModule(line), module != file.room else { return nil }
            if rooms.names.contains(module) {
                return allowed.contains(module)
                    ? nil : "\(file.room) imports \(module), which Package.swift does not list for it"
            }
            return others.contains(module) ? nil : "\(module) is neither a room nor one of \(others)"
        }
    }

    /// Foundation is for tests.
    static func foundation(_ file: SourceFile) -> [Violation] {
        guard file.isSwift, !file.isTest, !HouseExceptions.has(HouseExceptions.foundation, file.path) else { return [] }
        return violations(in: file) { line, _ in
            importedModule(line)?.hasPrefix("Foundation") == true ? "Foundation is imported outside of tests" : nil
        }
    }

    /// Time and chance are given to what thinks.
    static func clocks(_ file: SourceFile) -> [Violation] {
        guard file.isSwift, !HouseExceptions.has(HouseExceptions.clocks, file.path) else { return [] }
        let words = [
            "Date(", "ContinuousClock", "SuspendingClock", "clock_gettime", "gettimeofday", "time(nil)", "Task.sleep",
            "Thread.sleep", "usleep", "nanosleep", "sleep(", "SystemRandomNumberGenerator", "arc4random", "getrandom",
            "drand48", ".randomElement()", ".shuffled()", ".shuffle()", "DispatchTime", "DispatchQueue", "hashValue",
        ]
        var found = violations(of: words, in: file) { "`\($0)` outside of the drivers and the command line" }
        guard !present([".random("], in: file).isEmpty else { return found }
        // With a generator that is given, chance repeats.
        found += violations(in: file) { line, index in
            guard line.hasWord(".random(") else { return nil }
            let call = file.code[index..<min(file.code.count, index + 3)].joined(separator: " ")
            return call.contains("using:") ? nil : "`.random(` without a generator that was given"
        }
        return found
    }

    /// A file has one subject.
    static func length(_ file: SourceFile) -> [Violation] {
        guard file.isSwift, file.lines.count > greatestLength,
            !HouseExceptions.has(HouseExceptions.length, file.path)
        else { return [] }
        return [
            Violation(
                path: file.path, line: file.lines.count,
                message: "\(file.lines.count) lines; \(greatestLength) are the most without a reason in the exceptions")
        ]
    }

    /// What is committed is finished.
    static func unfinished(_ file: SourceFile) -> [Violation] {
        guard !HouseExceptions.has(HouseExceptions.words, file.path) else { return [] }
        let exact = ["TODO", "FIXME", "XXX", "HACK"]
        let anyCase = [
            "stub", "stubs", "placeholder", "placeholders", "for now", "unimplemented", "not implemented yet",
        ]
        return file.lines.enumerated().flatMap { index, line in
            (exact.filter { line.hasWord($0) } + anyCase.filter { line.hasWord($0, ignoringCase: true) })
                .map { Violation(path: file.path, line: index + 1, message: "`\($0)`: something is left unfinished") }
        }
    }

    /// Nothing in the tree knows the machine on which it was written.
    static func machinePaths(_ file: SourceFile) -> [Violation] {
        guard !HouseExceptions.has(HouseExceptions.words, file.path) else { return [] }
        let all = file.lines.joined(separator: "\n")
        let paths = ["/tmp/", "/root/", "/home/"].filter { holds(all, $0) }
        guard !paths.isEmpty else { return [] }
        return file.lines.enumerated().flatMap { index, line in
            paths.filter { path in
                // `https://example/home/` and `a/tmp/b` name no folder of a machine.
                line.split(separator: path, omittingEmptySubsequences: false).dropLast().contains { before in
                    before.last.map { !$0.isLetter && !$0.isNumber && !"}_-.~".contains($0) } ?? true
                }
            }
            .map { Violation(path: file.path, line: index + 1, message: "`\($0)` is a path of one machine") }
        }
    }

    /// What switches a check of the compiler off, or ends the process, has its reason beside it.
    static func reasons(_ file: SourceFile) -> [Violation] {
        guard file.isSwift else { return [] }
        let words = [
            "@unchecked Sendable", "nonisolated(unsafe)", "try!", "as!", "fatalError(", "preconditionFailure(",
            "unsafeBitCast(", "unsafeDowncast(", "@preconcurrency",
        ]
        let present = present(words, in: file)
        guard !present.isEmpty else { return [] }
        return violations(in: file) { line, index in
            guard let word = present.first(where: { line.hasWord($0) }) else { return nil }
            return file.hasComment(near: index, reach: commentReach) ? nil : "`\(word)` without a comment that says why"
        }
    }

    /// Pointers stay in the rooms that wrap C.
    static func pointers(_ file: SourceFile) -> [Violation] {
        guard file.isSwift, !file.isTest, !HouseExceptions.has(HouseExceptions.pointers, file.path) else { return [] }
        let words = [
            "UnsafePointer", "UnsafeMutablePointer", "UnsafeRawPointer", "UnsafeMutableRawPointer",
            "UnsafeBufferPointer", "UnsafeMutableBufferPointer", "UnsafeRawBufferPointer",
            "UnsafeMutableRawBufferPointer", "OpaquePointer", "Unmanaged",
        ]
        return violations(of: words, in: file) { "`\($0)` outside of what wraps C" }
    }

    // MARK: Looking

    /// The module of an import; nil for any other line.
    static func importedModule(_ line: String) -> String? {
        guard holds(line, "import ") else { return nil }
        var words = line.split(whereSeparator: { $0 == " " || $0 == ";" })[...]
        while let word = words.first, word.hasPrefix("@") || ["public", "internal", "private"].contains(word) {
            words.removeFirst()
        }
        guard words.first == "import", words.count > 1 else { return nil }
        let kinds = ["struct", "class", "enum", "protocol", "func", "let", "var", "typealias"]
        let name =
            kinds.contains(String(words[words.startIndex + 1])) && words.count > 2
            ? words[words.startIndex + 2] : words[words.startIndex + 1]
        return name.split(separator: ".").first.map(String.init)
    }

    private static func violations(
        in file: SourceFile, _ message: (_ line: String, _ index: Int) -> String?
    ) -> [Violation] {
        file.code.enumerated().compactMap { index, line in
            message(line, index).map { Violation(path: file.path, line: index + 1, message: $0) }
        }
    }

    private static func violations(
        of words: [String], in file: SourceFile, _ message: (String) -> String
    ) -> [Violation] {
        let present = present(words, in: file)
        guard !present.isEmpty else { return [] }
        return violations(in: file) { line, _ in
            present.first { line.hasWord($0) }.map(message)
        }
    }

    /// Those of the words that stand anywhere in the code: most files have none.
    private static func present(_ words: [String], in file: SourceFile) -> [String] {
        let all = file.code.joined(separator: "\n")
        return words.filter { holds(all, $0) }
    }

    /// Whether a text holds another; by the system's search, which is quick.
    static func holds(_ text: String, _ part: String, ignoringCase: Bool = false) -> Bool {
        ignoringCase ? strstr(text.lowercased(), part.lowercased()) != nil : strstr(text, part) != nil
    }
}
