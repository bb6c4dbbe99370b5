import Glibc
import MoqBase
import MoqCommandLine
import MoqDrivers
import MoqEvents
import MoqLive

/// `moqspec watch`: plays a broadcast without a screen.
struct WatchCommand {
    private let arguments: WatchArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try WatchArguments(arguments)
        try TrustFiles.check(self.arguments.relay.trust)
    }

    /// Watches; gives the exit status.
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        let signals = TerminationSignals()
        let status = StatusLine(on: output.standard)
        let trace = try arguments.trace.map { path throws(UsageError) in
            try OutputFile(replacing: path, flag: "--trace")
        }
        let file = try arguments.save.map { path throws(UsageError) in
            try OutputFile(replacing: path, flag: "--save")
        }
        do {
            let code = try watch(LiveRelay(arguments.relay, signals), status, file, trace, output)
            status.clear()
            return code
        } catch {
            status.clear()
            output.errors.line("moqspec watch: \(Redaction.text("\(error)"))")
            return ExitStatus.Reason.environment("").code
        }
    }

    /// Whether nobody reads what is seen any more, and it goes nowhere else.
    private func isUnseen(_ output: CommandOutput) -> Bool {
        output.standard.isReaderGone && arguments.save == nil && arguments.trace == nil
    }

    private func watch(
        _ relay: LiveRelay, _ status: StatusLine, _ file: OutputFile?, _ trace: OutputFile?, _ output: CommandOutput
    ) throws -> Int32 {
        let driver = relay.driver
        var report = WatchReport(isJSON: arguments.isJSON, began: driver.now)
        guard let (live, events) = try relay.connect() else { return 128 + (relay.signal ?? SIGINT) }
        func show(_ lines: [String]) { status.lines(LiveRelay.shown(lines, isJSON: arguments.isJSON)) }
        let (version, transport) = LiveRelay.words(of: live)
        show([
            report.connected(
                relay: arguments.relay.url.description, version: version, transport: transport, at: driver.now)
        ])
        let watcher = BroadcastWatcher(arguments.settings, on: live.session, at: driver.now)
        for event in events { watcher.handle(event, at: driver.now) }
        var size = 0
        while true {
            watcher.advance(to: driver.now)
            let bytes = watcher.takeRecording()
            size += bytes.count
            file?.write(bytes)
            for event in watcher.takeEvents() { show(report.lines(for: event)) }
            // Before the end is looked at: the last bytes may be those that found no room.
            if let problem = file?.problem {
                throw LiveError.environment("the recording cannot be written: \(problem)")
            }
            if watcher.outcome != nil { break }
            if !arguments.isJSON, status.isDue(at: driver.now) {
                let text = report.status(watcher.currentFigures, standing: watcher.standing, at: driver.now)
                status.show(LiveRelay.shown([text], isJSON: false)[0], at: driver.now)
            }
            try relay.turn(until: [watcher.deadline, live.deadline, arguments.isJSON ? nil : status.deadline])
            for event in live.process() { watcher.handle(event, at: driver.now) }
            if relay.isInterrupted || isUnseen(output) { watcher.stop(at: driver.now) }
        }
        status.clear()
        if let file, size > 0 {
            show([report.saved(file.name, frames: watcher.currentFigures.recorded, bytes: size, at: driver.now)])
        }
        trace?.write(watcher.trace.json())
        if let problem = trace?.problem { throw LiveError.environment("the trace cannot be written: \(problem)") }
        if !live.session.isClosed { try live.close() }
        return code(of: watcher.outcome)
    }

    private func code(of outcome: WatchOutcome?) -> Int32 {
        guard let outcome else { return ExitStatus.Reason.environment("").code }
        switch outcome.reason {
        case .ended, .stopped:
            if outcome.faults > 0 { return ExitStatus.Reason.failures(1).code }
            return outcome.hasPlayed ? 0 : ExitStatus.Reason.nothingChecked.code
        case .nothingPlayed: return ExitStatus.Reason.nothingChecked.code
        case .unplayable: return ExitStatus.Reason.failures(1).code
        case .sessionLost: return ExitStatus.Reason.environment("").code
        }
    }
}
