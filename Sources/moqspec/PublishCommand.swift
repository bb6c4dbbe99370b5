import Glibc
import MoqBase
import MoqCommandLine
import MoqDrivers
import MoqEvents
import MoqLive
import MoqMedia
import MoqTransport

/// `moqspec publish`: sends a media file to a relay until it ends, or a signal does.
struct PublishCommand {
    private let arguments: PublishArguments
    private let file: MediaFile

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try PublishArguments(arguments)
        try TrustFiles.check(self.arguments.relay.trust)
        do throws(MediaError) {
            file = try MediaFile.load(path: self.arguments.file)
        } catch {
            throw UsageError("moqspec publish: \(error)", isAboutFiles: true)
        }
    }

    /// Publishes; gives the exit status.
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        let signals = TerminationSignals()
        let status = StatusLine(on: output.standard, isJSON: arguments.isJSON)
        do {
            let code = try publish(LiveRelay(arguments.relay, signals), status)
            status.clear()
            return code
        } catch LiveError.media(let text) {
            status.clear()
            throw UsageError("moqspec publish: \(arguments.file): \(text)", isAboutFiles: true)
        } catch {
            status.clear()
            output.errors.line("moqspec publish: \(Redaction.text("\(error)"))")
            return ExitStatus.Reason.environment("").code
        }
    }

    private func publish(_ relay: LiveRelay, _ status: StatusLine) throws -> Int32 {
        let driver = relay.driver
        var report = PublishReport(isJSON: arguments.isJSON, began: driver.now)
        guard let (live, events) = try relay.connect() else { return 128 + (relay.signal ?? SIGINT) }
        let publisher = try FilePublisher(file, arguments.settings, on: live.session)
        for event in events { publisher.handle(event, at: driver.now) }
        let (version, transport) = LiveRelay.words(of: live)
        func show(_ lines: [String]) { status.lines(LiveRelay.shown(lines, isJSON: arguments.isJSON)) }
        show(
            report.beginning(
                file, publisher, path: arguments.file, relay: arguments.relay.url.description, version: version,
                transport: transport, at: driver.now))
        var hasEnded = false
        while publisher.state != .over {
            publisher.advance(to: driver.now)
            for event in publisher.takeEvents() {
                if case .finished = event.kind { hasEnded = true }
                show(report.lines(for: event))
            }
            guard publisher.state != .over else { break }
            if publisher.state != .finishing, status.isDue(at: driver.now) {
                status.show(report.status(publisher.figures, state: publisher.state, at: driver.now), at: driver.now)
            }
            try relay.turn(until: [publisher.deadline, live.deadline, status.deadline])
            for event in live.process() { publisher.handle(event, at: driver.now) }
            if relay.isInterrupted { publisher.finish(at: driver.now, isHasty: true) }
        }
        for event in publisher.takeEvents() { show(report.lines(for: event)) }
        if arguments.isJSON {
            show([report.status(publisher.figures, state: publisher.state, at: driver.now)])
        }
        if let close = live.session.closeReason, close.initiator == .peer || !hasEnded {
            throw LiveError.relay("the session with \(arguments.relay.url) is over: \(close.advised)")
        }
        try live.close()
        // What was to go on without end is ended by a signal, and by nothing else.
        guard let signal = relay.signal, !arguments.settings.loops else { return 0 }
        return 128 + signal
    }
}
