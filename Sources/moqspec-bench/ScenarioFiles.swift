import Glibc
import MoqScenario

/// The scenario files below a folder, in the order of their names.
enum ScenarioFiles {
    static func load(_ folder: String) throws(BenchError) -> [ScenarioFile] {
        var files: [ScenarioFile] = []
        try collect(folder, into: &files)
        guard !files.isEmpty else { throw BenchError("there are no scenarios below \(folder)") }
        return files
    }

    private static func collect(_ folder: String, into files: inout [ScenarioFile]) throws(BenchError) {
        guard let directory = opendir(folder) else { throw BenchError("the folder \(folder) cannot be read") }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        closedir(directory)
        for name in names.sorted() {
            let path = "\(folder)/\(name)"
            var facts = stat()
            guard stat(path, &facts) == 0 else { continue }
            if facts.st_mode & S_IFMT == S_IFDIR {
                // The registry of requirements stands beside the scenarios, and is none.
                if name != "requirements" { try collect(path, into: &files) }
            } else if name.hasSuffix(".yaml") {
                files.append(ScenarioFile(path: path, bytes: try read(path)))
            }
        }
    }

    private static func read(_ path: String) throws(BenchError) -> [UInt8] {
        guard let file = fopen(path, "r") else { throw BenchError("\(path) cannot be read") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece.prefix(count) }
        return bytes
    }
}
