import Glibc
import MoqBase
import MoqDrivers
import MoqScenario
import MoqWire

/// A relay that somebody else runs, or that was started by a command, met over real sockets.
final class ExternalWorld: World {
    let driver: any Driver
    private let target: TargetAccess
    private let process: RelayProcess?

    /// The driver's clock leaves out what a busy machine kept from it, and the relay's does not: a token is made out by
    /// what the clocks say when it is asked for.
    var access: TargetAccess {
        var current = target
        current.tokens.epoch = ProcessClock.since1970 - Instant.origin.duration(to: driver.now)
        return current
    }

    init(driver: any Driver, access: TargetAccess, process: RelayProcess?) {
        self.driver = driver
        target = access
        self.process = process
    }

    private func owned() throws(RunnerError) -> RelayProcess {
        guard let process else { throw .unusable("the harness did not start this relay, so it cannot be stopped") }
        return process
    }

    func startRelay() throws(RunnerError) { try owned().start() }
    func stopRelay() throws(RunnerError) { try owned().stop() }
    func signalRelay(_ signal: RelaySignal) throws(RunnerError) { try owned().signal(signal) }
    func trouble() -> String? { process?.trouble() }
    func held(under prefix: BroadcastPath) -> String? { nil }
    let linger = Duration.zero
}

/// The process of a relay under test, shared by the workers of a run.
final class RelayProcess: @unchecked Sendable {
    // Sendable because cases that start, stop or signal it run alone; the others only ask whether it lives, under
    // the lock.
    private let command: String
    /// Where its output goes.
    let outputPath: String
    private let lock = Lock()
    private var child: ChildProcess?
    private var wasStopped = false

    init(command: String, outputPath: String) {
        self.command = command
        self.outputPath = outputPath
    }

    func start() throws(RunnerError) {
        do {
            let started = try ChildProcess(command: command, outputPath: outputPath)
            lock.locked {
                child = started
                wasStopped = false
            }
        } catch {
            throw .environment(error.description)
        }
    }

    func stop() throws(RunnerError) {
        let running = lock.locked { () -> ChildProcess? in
            wasStopped = true
            defer { child = nil }
            return child
        }
        running?.terminate()
    }

    func signal(_ signal: RelaySignal) throws(RunnerError) {
        let number: Int32 =
            switch signal {
            case .term: SIGTERM
            case .kill: SIGKILL
            case .int: SIGINT
            case .hup: SIGHUP
            case .stop: SIGSTOP
            case .resume: SIGCONT
            }
        lock.locked {
            if [SIGTERM, SIGKILL, SIGINT].contains(number) { wasStopped = true }
            child?.signal(number)
        }
    }

    /// The output of a relay that is kept, in bytes: a relay that prints without end must not fill the disk.
    static let outputKept = 64 << 20

    /// Empties the file of the output when it has grown too large: what comes last tells most.
    func boundOutput() {
        var facts = stat()
        guard stat(outputPath, &facts) == 0, facts.st_size > Self.outputKept else { return }
        // Its writer appends, so that it goes on at the new end.
        truncate(outputPath, 0)
    }

    /// That the process ended by itself, with where its output is.
    func trouble() -> String? {
        lock.locked {
            guard !wasStopped, let exit = child?.poll() else { return nil }
            // A shell says so that it found nothing to run.
            let why = exit == .status(127) ? ", which mostly means that there is no such program" : ""
            return "the relay \(exit)\(why); its output is in \(outputPath)"
        }
    }

}
