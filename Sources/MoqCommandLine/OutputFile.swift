import Glibc

/// A file, or standard output, that is written piece by piece. Nothing is kept back: what was written is there
/// whatever happens afterwards.
public final class OutputFile {
    /// How messages name it.
    public let name: String
    /// What went wrong first in writing; nothing is written after that.
    public private(set) var problem: String?
    /// Whether what went wrong is that nobody reads any more.
    public private(set) var isReaderGone = false
    private let descriptor: Int32
    private let isOwned: Bool
    /// The path of a file that is not there any more when nothing was written.
    private var madeHere: String?
    /// Whether what stood there before goes with the first byte.
    private var replaces = false

    /// How long a pipe may be full: longer than any reader is busy with what it has, shorter than the patience of somebody
    /// who sent a signal, which is not heard meanwhile.
    public static let longestWait = Duration.seconds(10)
    private let patience: Duration

    /// Makes an empty file, with the folders that it stands in. `flag` is what asked for it.
    public convenience init(creating path: String, flag: String, patience: Duration = longestWait) throws(UsageError) {
        try self.init(path, O_CREAT | O_TRUNC, flag, patience)
    }

    /// A file whose former contents stay until the first byte is written. Where there was none, there is none afterwards
    /// when nothing was written.
    public convenience init(replacing path: String, flag: String) throws(UsageError) {
        let isNew = InputFile.isAbsent(path)
        try self.init(path, O_CREAT, flag, Self.longestWait)
        if isNew { madeHere = path }
        replaces = true
    }

    private init(_ path: String, _ mode: Int32, _ flag: String, _ patience: Duration) throws(UsageError) {
        let folders = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        var folder = ""
        for part in folders {
            folder += "\(part)/"
            // What fails here fails again below, with its reason.
            if !part.isEmpty { mkdir(folder, 0o777) }
        }
        // Without waiting: the reader of a pipe that nobody reads would be waited for, deaf to signals.
        descriptor = open(path, mode | O_WRONLY | O_CLOEXEC | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else {
            if errno == ENXIO {
                throw UsageError(
                    "\(flag): \(path) cannot be written: nobody reads from this pipe; start its reader first")
            }
            throw UsageError("\(flag): \(path) cannot be written: \(SystemWords.ofError())")
        }
        name = path
        isOwned = true
        self.patience = patience
    }

    private init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        isOwned = false
        patience = Self.longestWait
    }

    deinit {
        if isOwned { close(descriptor) }
        if let madeHere { unlink(madeHere) }
    }

    /// Standard output. Commands have that of their `CommandOutput`, which knows at the end whether all of it arrived.
    static func standardOutput() -> OutputFile { OutputFile(descriptor: STDOUT_FILENO, name: "standard output") }
    /// Standard error.
    public static func standardError() -> OutputFile { OutputFile(descriptor: STDERR_FILENO, name: "standard error") }

    /// Whether a person may be looking at it.
    public var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Writes bytes, all of them unless that fails.
    public func write(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        begin()
        var offset = 0
        while problem == nil, offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { Glibc.write(descriptor, $0 + offset, bytes.count - offset) } ?? 0
            }
            if count >= 0 {
                offset += count
            } else if errno == EAGAIN {
                waitForRoom()
            } else if errno != EINTR {
                isReaderGone = errno == EPIPE
                problem = "\(name): \(SystemWords.ofError())"
            }
        }
    }

    /// Makes room for the first byte. A device or a pipe has nothing that could go.
    private func begin() {
        if replaces { ftruncate(descriptor, 0) }
        (replaces, madeHere) = (false, nil)
    }

    private func waitForRoom() {
        var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let milliseconds = isOwned ? Int32(clamping: patience.components.seconds * 1000) : -1
        if poll(&watched, 1, milliseconds) == 0 {
            problem = "\(name): nobody has read from it for \(patience.components.seconds) s"
        }
    }

    /// Writes a line.
    public func line(_ text: String) {
        write(Array("\(text)\n".utf8))
    }
}
