import MoqScenario

/// Finds the registry of requirements that belongs to scenario files: the folder `requirements` beside or above them.
public enum RequirementFiles {
    /// The folder of the registry, wherever it stands.
    public static let folderName = "requirements"
    /// How many folders above a file are looked at. Suites stand at most in a folder of their own; beyond that
    /// somebody else's `requirements` may be found.
    static let greatestClimb = 3

    /// What was found.
    public struct Found: Equatable, Sendable {
        /// The files, in the order of their names.
        public var files: [ScenarioFile]
        /// Whether all scenarios that the registry is about are among the paths: what none of them names, none does.
        public var coversAllScenarios: Bool
    }

    /// Whether a path is one of the registry and not of scenarios.
    static func isPart(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return parts.last.map { $0 == folderName } == true || parts.dropLast().last.map { $0 == folderName } == true
    }

    /// The registry of scenario files at paths, or what is named of it; nil when there is none.
    static func read(beside scenarios: [String], named: [String]) throws(UsageError) -> Found? {
        var folders: [String] = []
        var coversAll = false
        for path in scenarios {
            guard let folder = nearest(to: path) else { continue }
            if folder == joined(path, folderName) { coversAll = true }
            if !folders.contains(folder) { folders.append(folder) }
        }
        let paths = folders + named.filter { !folders.contains(trimmed($0)) }
        guard !paths.isEmpty else { return nil }
        return Found(files: try ScenarioFiles.readAll(paths), coversAllScenarios: coversAll)
    }

    /// The folder of the registry that is nearest to a path; nil when there is none.
    private static func nearest(to path: String) -> String? {
        var folder = trimmed(path)
        for _ in 0...greatestClimb {
            let candidate = joined(folder, folderName)
            if FileKind.of(candidate) == .folder { return candidate }
            guard !folder.isEmpty, folder != "/" else { return nil }
            folder = parent(of: folder)
        }
        return nil
    }

    /// The folder that a path stands in; the empty path is the folder one is in.
    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func joined(_ folder: String, _ name: String) -> String {
        let folder = trimmed(folder)
        return folder.isEmpty ? name : folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    private static func trimmed(_ path: String) -> String {
        var path = Substring(path)
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }
}
