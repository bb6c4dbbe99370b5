import Glibc

/// A file to which evidence is written, up to a bound.
public final class BoundedFile {
    /// How much is kept, in bytes: the story of any program, and no full disk.
    public static let kept = 8 << 20

    /// Where it is.
    public let path: String
    private let limit: Int
    private var descriptor: Int32
    private var size = 0

    /// Makes the file empty, and the folders that it is in. Nil when that cannot be; evidence is no reason to fail.
    public init?(path: String, limit: Int = BoundedFile.kept) {
        self.path = path
        self.limit = limit
        var place = path.startIndex
        while let slash = path[place...].dropFirst().firstIndex(of: "/") {
            mkdir(String(path[..<slash]), 0o755)
            place = slash
        }
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if descriptor < 0 { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Writes a line, unless the bound is reached; then only that it was.
    public func write(line: String) {
        guard descriptor >= 0 else { return }
        let bytes = Array((line + "\n").utf8)
        guard size + bytes.count <= limit else {
            put(Array("... what follows is not kept: it is more than \(limit) bytes\n".utf8))
            close(descriptor)
            descriptor = -1
            return
        }
        size += bytes.count
        put(bytes)
    }

    private func put(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            // A disk that is full keeps no evidence, and fails no case.
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(count, 0))
        }
    }
}
