import Glibc

/// What is at a path.
enum FileKind: Equatable {
    case file
    case folder
    /// A device, a pipe or a socket.
    case other
    /// Nothing that could be looked at, and why.
    case absent(String)

    /// What is at a path; links are followed.
    static func of(_ path: String) -> FileKind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .absent(SystemWords.ofError()) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }
}

/// Reads files whole.
public enum InputFile {
    /// How long the next bytes of a pipe may take: longer than any program that makes a list, shorter than the patience
    /// of somebody who waits for a run to begin.
    public static let longestWait = Duration.seconds(30)

    /// The first bytes of a file, at most `limit`. A pipe from which nothing comes for `patience` is an error.
    public static func read(
        _ path: String, limit: Int, patience: Duration = longestWait
    ) throws(UsageError) -> [UInt8] {
        // Without waiting: the end of a pipe that nobody writes to would be waited for, deaf to signals.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw UsageError("\(path): \(SystemWords.ofError())") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < limit {
            var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waited, 1, Int32(clamping: patience.components.seconds * 1000))
            if ready < 0, errno == EINTR { continue }
            guard ready != 0 else {
                throw UsageError(
                    "\(path): nothing came within \(patience.components.seconds) s; does anybody write to it?")
            }
            let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
            if count < 0, [EINTR, EAGAIN].contains(errno) { continue }
            guard count >= 0 else { throw UsageError("\(path): \(SystemWords.ofError())") }
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        return bytes
    }

    /// Whether there is nothing at a path.
    public static func isAbsent(_ path: String) -> Bool {
        if case .absent = FileKind.of(path) { true } else { false }
    }

    /// Says so when a file that stands among the operands cannot be read.
    public static func checkOperand(_ path: String) throws(UsageError) {
        switch FileKind.of(path) {
        case .folder: throw UsageError("\(path): it is a folder")
        case .absent(let why): throw UsageError("\(path): \(why)")
        case .other: throw UsageError("\(path): it is no regular file")
        case .file: break
        }
    }

    /// Says so when a file that a flag names cannot be read. With `mustBeRegular` devices and pipes are refused too: what
    /// reads the file would wait for its end, and reads it more than once. `mark` is what stands before the path.
    public static func check(_ path: String, flag: String, mark: String = "", mustBeRegular: Bool = false)
        throws(UsageError)
    {
        let said = "--\(flag) \(mark)\(path)"
        switch FileKind.of(path) {
        case .folder: throw UsageError("\(said): it is a folder")
        case .absent(let why): throw UsageError("\(said): \(why)")
        case .other where mustBeRegular: throw UsageError("\(said): it is no regular file")
        case .file, .other: break
        }
        guard access(path, R_OK) == 0 else { throw UsageError("\(said): \(SystemWords.ofError())") }
    }
}

/// The system's words for what went wrong.
enum SystemWords {
    /// Those for the last call that failed.
    static func ofError(_ number: Int32 = errno) -> String {
        String(cString: strerror(number))
    }
}
