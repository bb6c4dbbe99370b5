import CShim
import Glibc
import MoqBase

/// A program with its three standard streams in the harness's hands.
///
/// Nothing here waits: what it has printed is read when asked for, and what is written to it is kept until it takes it.
/// A program that prints more than is asked for waits, as it would before a terminal that is stopped.
public final class PipedProgram {
    /// What it printed.
    public struct Output {
        /// To standard output.
        public var output: [UInt8] = []
        /// To standard error.
        public var errors: [UInt8] = []
    }

    /// What of a stream is read at once, in bytes: the size of a pipe.
    static let readAtOnce = 64 << 10
    /// What is read of each stream of a program that has ended, in bytes: a pipe holds less, and what a process that it
    /// left behind prints is of no interest.
    private static let readAtEnd = 1 << 20
    /// What is kept of what a program does not take, in bytes.
    static let inputKept = 1 << 20

    /// The process.
    public let process: ChildProcess
    private var input: Int32
    private var output: Int32
    private var errors: Int32
    private var pending: [UInt8] = []
    private var endsInput = false

    /// Starts a program without a shell; `environment` is added to the harness's own.
    public init(words: [String], environment: [(name: String, value: String)] = []) throws(ChildProcessError) {
        // A program that no longer reads what it is told must not end the harness.
        signal(SIGPIPE, SIG_IGN)
        var pipes: [[Int32]] = []
        defer {
            // The ends of the program, which has its own copies.
            for (index, pipe) in pipes.enumerated() { close(pipe[index == 0 ? 0 : 1]) }
        }
        for _ in 0..<3 {
            var ends: [Int32] = [-1, -1]
            guard moqspec_pipe(&ends) == 0 else {
                let reason = String(cString: strerror(errno))
                for (index, pipe) in pipes.enumerated() { close(pipe[index == 0 ? 1 : 0]) }
                throw ChildProcessError(description: "cannot make a pipe for `\(words.first ?? "")`: \(reason)")
            }
            pipes.append(ends)
        }
        (input, output, errors) = (pipes[0][1], pipes[1][0], pipes[2][0])
        for descriptor in [input, output, errors] { moqspec_set_nonblocking(descriptor) }
        do throws(ChildProcessError) {
            process = try ChildProcess(
                words: words, environment: environment, input: pipes[0][0], output: pipes[1][1], errors: pipes[2][1])
        } catch {
            for descriptor in [input, output, errors] { close(descriptor) }
            throw error
        }
    }

    deinit {
        process.kill()
        for descriptor in [input, output, errors] where descriptor >= 0 { close(descriptor) }
    }

    /// Reads what it printed since the last time, a bounded part of it while it runs. Gives also how it ended, once it
    /// has and all is read.
    public func read() -> (printed: Output, exit: ChildProcess.Exit?) {
        // Asked first: what it printed before it ended is there then.
        let exit = process.poll()
        let limit = exit == nil ? Self.readAtOnce : Self.readAtEnd
        let printed = Output(output: Self.drain(&output, limit), errors: Self.drain(&errors, limit))
        flush()
        return (printed, exit)
    }

    /// Writes to its standard input; false when that is over, or it has taken nothing for too long.
    public func write(_ bytes: [UInt8]) -> Bool {
        guard input >= 0, !endsInput, pending.count + bytes.count <= Self.inputKept else { return false }
        pending += bytes
        flush()
        return input >= 0
    }

    /// Ends its standard input, once it has taken what was written.
    public func endInput() {
        endsInput = true
        flush()
    }

    private func flush() {
        while input >= 0, !pending.isEmpty {
            let count = Glibc.write(input, pending, pending.count)
            if count > 0 {
                pending.removeFirst(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                closeInput()
            }
        }
        if endsInput, pending.isEmpty { closeInput() }
    }

    private func closeInput() {
        if input >= 0 { close(input) }
        input = -1
        pending = []
    }

    private static func drain(_ descriptor: inout Int32, _ limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: readAtOnce)
        while descriptor >= 0, bytes.count < limit {
            let count = Glibc.read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
            if count > 0 {
                bytes += buffer[..<count]
            } else if count < 0, errno == EINTR {
                continue
            } else {
                if count == 0 || errno != EAGAIN {
                    close(descriptor)
                    descriptor = -1
                }
                break
            }
        }
        return bytes
    }
}
