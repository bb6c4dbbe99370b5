import Glibc
import MoqScenario

/// Finds and reads scenario files.
public enum ScenarioFiles {
    /// Where scenarios are when no path is given.
    public static let usualPath = "scenarios"
    /// Folders within folders beyond this are a loop of links.
    static let greatestDepth = 16
    /// More files than this are not scenarios: somebody named the wrong folder.
    static let mostFiles = 10_000

    /// The files of paths, each once: files in the order given, those of a folder in the order of their names. The
    /// registry of requirements that stands in a folder is left out.
    public static func read(_ paths: [String]) throws(UsageError) -> [ScenarioFile] {
        try readAll(paths.isEmpty ? [usualPath] : paths, isUsual: paths.isEmpty)
    }

    /// The files of paths, whatever they are about.
    static func readAll(_ paths: [String], isUsual: Bool = false) throws(UsageError) -> [ScenarioFile] {
        var found: [String] = []
        for path in paths {
            switch FileKind.of(path) {
            case .folder:
                let files = try files(in: path, depth: 0)
                guard !files.isEmpty else {
                    throw UsageError("\(path): there is no scenario (*.yaml) in this folder")
                }
                found += files
            case .file: found.append(path)
            case .other: throw UsageError("\(path): it is neither a file nor a folder")
            case .absent(let why):
                let advice = isUsual ? "; name the folder of the scenarios, or go to where it is" : ""
                throw UsageError("\(path): \(why)\(advice)")
            }
        }
        var seen: Set<String> = []
        var files: [ScenarioFile] = []
        for path in found where seen.insert(path).inserted {
            // One byte more than a scenario file may have, so that the loader sees that it is too long.
            files.append(
                ScenarioFile(path: path, bytes: try InputFile.read(path, limit: SuiteLoader.greatestFileSize + 1)))
        }
        return files
    }

    private static func files(in folder: String, depth: Int) throws(UsageError) -> [String] {
        guard depth < greatestDepth else {
            throw UsageError("\(folder): folders within folders, \(greatestDepth) deep: is there a loop of links?")
        }
        var found: [String] = []
        for name in try names(in: folder) where !name.hasPrefix(".") {
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            switch FileKind.of(path) {
            case .folder where name == RequirementFiles.folderName: break
            case .folder: found += try files(in: path, depth: depth + 1)
            case .file where name.hasSuffix(".yaml") || name.hasSuffix(".yml"): found.append(path)
            case .file, .other, .absent: break
            }
            guard found.count <= mostFiles else {
                throw UsageError("\(folder): there are more than \(mostFiles) scenario files in it")
            }
        }
        return found
    }

    private static func names(in folder: String) throws(UsageError) -> [String] {
        guard let stream = opendir(folder) else { throw UsageError("\(folder): \(SystemWords.ofError())") }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names.sorted()
    }
}
