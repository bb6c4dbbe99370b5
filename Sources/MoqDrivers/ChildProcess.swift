import CShim
import Glibc
import MoqBase

/// Why a program could not be started.
public struct ChildProcessError: Error, Sendable, CustomStringConvertible {
    /// A sentence that names the program and says what to try.
    public let description: String
}

/// A program that the harness started and therefore may end: a relay under test, or an actor that is one.
///
/// It runs in a process group of its own, so that what it starts itself ends with it.
public final class ChildProcess {
    /// How a program ended.
    public enum Exit: Hashable, Sendable, CustomStringConvertible {
        case status(Int32)
        case signal(Int32)

        public var description: String {
            switch self {
            case .status(let status): "exited with status \(status)"
            case .signal(let signal): "was ended by signal \(signal)"
            }
        }
    }

    /// How long a program may take to end after SIGTERM before it is killed: longer than the 57 ms that the observed
    /// relays take, short enough not to hold a pipeline up.
    public static let gracePeriod: Duration = .seconds(5)

    /// The process id.
    public let processID: Int32
    private let descriptor: Int32
    private var exit: Exit?

    /// Starts `command` in a shell, with standard output and error appended to the file at `outputPath`.
    public convenience init(command: String, outputPath: String) throws(ChildProcessError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let words = ["/bin/sh", "-c", Self.isCompound(command) ? command : "exec \(command)"]
        let process = Self.spawn(words, environment: nil, &actions)
        guard case .success(let process) = process else {
            throw ChildProcessError(
                description: "cannot start `\(command)` with its output in \(outputPath): \(Self.reason(process)). "
                    + "Check that the folder of the output file exists.")
        }
        self.init(processID: process)
    }

    /// Starts a program, found as a shell finds it, without a shell. Its standard streams are these descriptors, which
    /// stay the caller's; `environment` is added to the harness's own.
    convenience init(
        words: [String], environment: [(name: String, value: String)], input: Int32, output: Int32, errors: Int32
    ) throws(ChildProcessError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in [input, output, errors].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        let process = Self.spawn(words, environment: environment, &actions)
        guard case .success(let process) = process else {
            throw ChildProcessError(
                description: "cannot start `\(words.first ?? "")`: \(Self.reason(process)). "
                    + "Check that there is such a program, and that it may be executed.")
        }
        self.init(processID: process)
    }

    private init(processID: Int32) {
        self.processID = processID
        descriptor = moqspec_pidfd_open(processID)
    }

    /// The number of an error of the system.
    private struct Failure: Error {
        var number: Int32
    }

    private static func reason(_ result: Result<Int32, Failure>) -> String {
        guard case .failure(let failure) = result else { return "" }
        return String(cString: strerror(failure.number))
    }

    /// Starts a program in a process group of its own, with no signal blocked or ignored.
    private static func spawn(
        _ words: [String], environment added: [(name: String, value: String)]?,
        _ actions: inout posix_spawn_file_actions_t
    ) -> Result<Int32, Failure> {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The harness blocks the signals that end it, to take them in order; a child must not inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // Nor that the harness ignores readers of its output that go away.
        var pipe = none
        sigaddset(&pipe, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &pipe)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { word in strdup(word) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var variables: [UnsafeMutablePointer<CChar>?] = []
        // The first of two variables of a name is the one that counts.
        for (name, value) in added ?? [] { variables.append(strdup("\(name)=\(value)")) }
        let own = variables.count
        var next = environ
        while let variable = next.pointee {
            variables.append(variable)
            next += 1
        }
        variables.append(nil)
        defer { for variable in variables.prefix(own) { free(variable) } }
        var process: pid_t = 0
        let failure = posix_spawnp(&process, words.first ?? "", &actions, &attributes, arguments, variables)
        return failure == 0 ? .success(process) : .failure(Failure(number: failure))
    }

    /// Whether a command is more than one program with its arguments. Then the shell stays, and its end is the end of
    /// all; a single program takes its place, so that signals and the exit status are the program's own.
    static func isCompound(_ command: String) -> Bool {
        command.contains { ";&|(){}\n`".contains($0) } || command.hasPrefix("!")
            || command.prefix { $0 != " " }.contains("=")
    }

    deinit {
        terminate()
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// How the program ended, or nil while it runs.
    public func poll() -> Exit? {
        if exit == nil {
            var status: Int32 = 0
            if waitpid(processID, &status, WNOHANG) == processID { note(status) }
        }
        return exit
    }

    /// Sends a signal to the program and to what it started.
    public func signal(_ number: Int32) {
        if poll() == nil { Glibc.kill(-processID, number) }
    }

    /// Ends the program: SIGTERM, and SIGKILL once the grace period has passed. Returns how it ended.
    @discardableResult
    public func terminate() -> Exit {
        if let exit = poll() { return exit }
        signal(SIGTERM)
        if let exit = wait(for: Self.gracePeriod) { return exit }
        signal(SIGKILL)
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0 && errno == EINTR {}
        note(status)
        return exit ?? .signal(SIGKILL)
    }

    /// Ends the program at once.
    public func kill() {
        guard poll() == nil else { return }
        signal(SIGKILL)
        _ = terminate()
    }

    /// Ends processes that were started as programs here, by their ids, whoever waits for them.
    public static func kill(groupsOf processes: [Int32]) {
        for process in processes { Glibc.kill(-process, SIGKILL) }
    }

    /// Waits until the program ends, at most for `limit`.
    public func wait(for limit: Duration) -> Exit? {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = Glibc.poll(&watched, 1, Int32(clamping: Int(limit.milliseconds)))
        return poll()
    }

    private func note(_ status: Int32) {
        let signal = moqspec_exit_signal(status)
        exit = signal == 0 ? .status(moqspec_exit_status(status)) : .signal(signal)
        // What the program left behind in its group must not outlive it.
        Glibc.kill(-processID, SIGKILL)
    }
}
