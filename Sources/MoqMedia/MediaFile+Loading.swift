import Glibc

extension MediaFile {
    /// Reads a file: the only place of this room that opens one.
    ///
    /// - Throws: `unreadable` with the path and the system's words, or what `init(bytes:)` throws, after the path.
    public static func load(path: String) throws(MediaError) -> MediaFile {
        let bytes = try contents(path)
        do {
            return try MediaFile(bytes: bytes)
        } catch {
            throw error.about(path)
        }
    }

    private static func contents(_ path: String) throws(MediaError) -> [UInt8] {
        // Without waiting: a pipe that nobody writes to would be waited for before it can be refused.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw unreadable(path) }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0 else { throw unreadable(path) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable("cannot read \(path): it is no regular file")
        }
        guard facts.st_size <= greatestSize else {
            throw .unreadable(
                "cannot read \(path): it has \(facts.st_size) bytes, and at most \(greatestSize) are kept in memory; "
                    + "cut a shorter piece out of it")
        }
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
        var count = 0
        while count < bytes.count {
            let wanted = bytes.count - count
            let result = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress.map { $0 + count }, wanted) }
            if result < 0 && errno == EINTR { continue }
            guard result >= 0 else { throw unreadable(path) }
            guard result > 0 else { break }
            count += result
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    private static func unreadable(_ path: String) -> MediaError {
        .unreadable("cannot read \(path): \(String(cString: strerror(errno)))")
    }
}

extension MediaError {
    /// The same error with what it is about in front.
    func about(_ what: String) -> MediaError {
        switch self {
        case .unreadable(let text): .unreadable("\(what): \(text)")
        case .notMedia(let text): .notMedia("\(what): \(text)")
        case .noUsableTrack(let text): .noUsableTrack("\(what): \(text)")
        case .unsupportedCodec(let text): .unsupportedCodec("\(what): \(text)")
        case .badDescription(let text): .badDescription("\(what): \(text)")
        case .undecodable(let text): .undecodable("\(what): \(text)")
        case .unwritable(let text): .unwritable("\(what): \(text)")
        case .library(let text): .library(text)
        }
    }
}
