import Glibc

/// A file, or standard output, that is written piece by piece. Nothing is kept back: what was written is there
/// whatever happens afterwards.
public final class OutputFile {
    /// How messages name it.
    public let name: String
    /// What went wrong first in writing; nothing is written after that.
    public private(set) var problem: String?
    private let descriptor: Int32
    private let isOwned: Bool

    /// Makes an empty file, with the folders that it stands in. `flag` is what asked for it.
    public init(creating path: String, flag: String) throws(UsageError) {
        let folders = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        var folder = ""
        for part in folders {
            folder += "\(part)/"
            // What fails here fails again below, with its reason.
            if !part.isEmpty { mkdir(folder, 0o777) }
        }
        // Without waiting: the reader of a pipe that nobody reads would be waited for, deaf to signals.
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else {
            if errno == ENXIO {
                throw UsageError(
                    "\(flag): \(path) cannot be written: nobody reads from this pipe; start its reader first")
            }
            throw UsageError("\(flag): \(path) cannot be written: \(SystemWords.ofError())")
        }
        name = path
        isOwned = true
    }

    private init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        isOwned = false
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// Standard output.
    public static func standardOutput() -> OutputFile { OutputFile(descriptor: STDOUT_FILENO, name: "standard output") }
    /// Standard error.
    public static func standardError() -> OutputFile { OutputFile(descriptor: STDERR_FILENO, name: "standard error") }

    /// Whether a person may be looking at it.
    public var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Writes bytes, all of them unless that fails.
    public func write(_ bytes: [UInt8]) {
        var offset = 0
        while problem == nil, offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { Glibc.write(descriptor, $0 + offset, bytes.count - offset) } ?? 0
            }
            if count >= 0 {
                offset += count
            } else if errno == EAGAIN {
                var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&watched, 1, -1)
            } else if errno != EINTR {
                problem = "\(name): \(SystemWords.ofError())"
            }
        }
    }

    /// Writes a line.
    public func line(_ text: String) {
        write(Array("\(text)\n".utf8))
    }
}
