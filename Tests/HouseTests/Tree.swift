import Foundation

/// The files of the package.
struct Tree {
    /// Every file that the rules are about.
    let files: [SourceFile]
    /// Which room may import which.
    let rooms: RoomList

    /// Folders and files at the root that are looked at, with the kinds of files in them.
    private static let parts: [(path: String, kinds: [String])] = [
        ("Sources", ["swift", "c", "h", "modulemap"]), ("Tests", ["swift"]), ("docs", ["md"]),
        ("scenarios", ["yaml", "md"]), ("ci", ["", "py", "txt"]), ("Package.swift", ["swift"]), ("README.md", ["md"]),
    ]

    /// The package that this file belongs to, read once for all tests.
    static let ofThisPackage = Result { try Tree() }

    private init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var files: [SourceFile] = []
        for part in Self.parts {
            for name in Self.names(root, part.path) where part.kinds.contains((name as NSString).pathExtension) {
                let data = try Data(contentsOf: root.appendingPathComponent(name))
                files.append(SourceFile(path: name, text: String(decoding: data, as: UTF8.self)))
            }
        }
        self.files = files
        let manifest = try Data(contentsOf: root.appendingPathComponent("Package.swift"))
        rooms = RoomList(manifest: String(decoding: manifest, as: UTF8.self))
    }

    private static func names(_ root: URL, _ part: String) -> [String] {
        let path = root.appendingPathComponent(part).path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return [] }
        guard isFolder.boolValue else { return [part] }
        let inside = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return inside.filter { name in
            var isFolder: ObjCBool = false
            let isThere = FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
            return isThere && !isFolder.boolValue && !name.contains("__pycache__")
        }
        .sorted().map { "\(part)/\($0)" }
    }
}
