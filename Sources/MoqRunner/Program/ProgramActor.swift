import MoqBase
import MoqConformance
import MoqDrivers
import MoqEvents
import MoqJSON
import MoqScenario
import MoqTokens

/// An actor that is an outside program: started and ended by steps, seen by what it prints.
final class ProgramActor {
    let definition: ActorDefinition
    private let scene: Scene
    private let stage: ProgramStage
    /// What was seen, in the form in which steps look at actors.
    private(set) var record = SessionRecord() { didSet { recordState += 1 } }
    /// Which state of the record it is.
    private(set) var recordState = 0
    private var program: PipedProgram?
    private var log: BoundedFile?
    private var output = LineAssembly()
    private var errors = LineAssembly()
    /// What must not be shown of what it prints.
    private var secret: String?
    /// Whether it was sent a signal that ends programs, or its input was ended.
    private var wasToldToEnd = false
    /// Whether its sessions may have been lost without a word.
    private(set) var mayHaveVanished = false
    private var dismissal: Instant?

    /// How often what it prints is looked for while it runs: far below what any step measures.
    private static let look = Duration.milliseconds(10)

    init(_ definition: ActorDefinition, scene: Scene, stage: ProgramStage) {
        self.definition = definition
        self.scene = scene
        self.stage = stage
        record.program = ProgramRecord()
    }

    var name: String { definition.name }
    var state: ProgramRecord.State { record.program?.state ?? .idle }
    var isRunning: Bool { state == .running }

    // MARK: Steps

    func start(_ action: StartProgramAction) throws(RunnerError) {
        guard let command = stage.command(of: definition) else {
            throw .unusable("the run was given no command for the program `\(definition.programName)`")
        }
        let values = try values(action)
        let words = command.words(values, arguments: action.arguments)
        let environment = ProgramCommand.Detail.allCases.compactMap { detail in
            values[detail].map { (name: "MOQSPEC_\(detail.rawValue.uppercased())", value: $0) }
        }
        let started: PipedProgram
        do {
            started = try PipedProgram(words: words, environment: environment)
        } catch {
            throw .environment(hidden(error.description))
        }
        stage.began(started.process.processID)
        program = started
        (output, errors, wasToldToEnd) = (LineAssembly(), LineAssembly(), false)
        record.program?.started()
        log = BoundedFile(path: logPath)
        record.program?.outputPath = log?.path
        say("started as process \(started.process.processID): \(words.joined(separator: " "))")
    }

    func tell(_ line: String) throws(RunnerError) {
        guard let program, program.write(Array((line + "\n").utf8)) else {
            throw .unusable("\(name) takes no input")
        }
        say("told: \(line)")
    }

    func endInput() {
        wasToldToEnd = true
        program?.endInput()
        say("its input was ended")
    }

    func signal(_ signal: RelaySignal) {
        guard let program else { return }
        if ![.stop, .resume].contains(signal) { wasToldToEnd = true }
        if signal == .stop { mayHaveVanished = true }
        program.process.signal(signal.number)
        say("was sent the signal \(signal.rawValue)")
    }

    /// Ends it at once, wherever the case is.
    func kill() {
        guard isRunning else { return }
        program?.process.kill()
        process()
    }

    // MARK: The crank

    /// Takes what it printed, and notices its end.
    func process() {
        guard isRunning, let program else { return }
        let (printed, exit) = program.read()
        for line in output.take(printed.output) { took(line, isError: false) }
        for line in errors.take(printed.errors) { took(line, isError: true) }
        guard let exit else { return }
        if let line = output.rest { took(line, isError: false) }
        if let line = errors.rest { took(line, isError: true) }
        stage.ended(program.process.processID)
        switch exit {
        case .status(let status):
            record.program?.ended(.exited(status))
            if status != 0 { mayHaveVanished = true }
        case .signal(let number):
            record.program?.ended(.signalled(number))
            mayHaveVanished = true
        }
        say(exit.description)
        self.program = nil
        log = nil
    }

    /// When it is to be looked at again; nil where there is nothing to see.
    func deadline(at now: Instant) -> Instant? { isRunning ? now.advanced(by: Self.look) : nil }

    // MARK: The end of a case

    /// That it ended by itself with trouble that no step speaks of.
    func noteUnexpectedEnd() {
        guard let seen = record.program, seen.hasEnded, seen.state != .exited(0), !wasToldToEnd,
            !scene.scenario.expectsExit(of: name)
        else { return }
        scene.fault(
            name, "the program ended by itself, and no step expects that", expected: "the exit status 0, or `exit`",
            actual: seen.story)
    }

    /// Tells it to end; true once it has. One that does not is killed.
    func dismiss(_ now: Instant, grace: Duration) -> Bool {
        guard isRunning else { return true }
        guard let limit = dismissal else {
            dismissal = now.advanced(by: grace)
            say("the case is over")
            endInput()
            signal(.resume)
            signal(.term)
            return false
        }
        guard now >= limit else { return false }
        kill()
        scene.add(
            Scene.Fault(
                actor: name, headline: "the program did not end when the case was over, and was killed",
                expected: "an end within \(grace.text) of SIGTERM", actual: record.program?.story ?? "",
                severity: .warn, at: scene.start.duration(to: now)))
        return true
    }

    // MARK: What it is told and what it prints

    private func values(_ action: StartProgramAction) throws(RunnerError) -> [ProgramCommand.Detail: String] {
        let access = scene.access(of: definition)
        let transport = definition.transport ?? scene.scenario.transport
        guard let choice = TransportChoice(name: transport), let route = access.routes(for: choice).first else {
            throw .unusable("the relay cannot be met over \(transport)")
        }
        let wish = definition.token.map { TokenWish.own($0, prefix: scene.prefix) } ?? .usual
        let path = try access.tokens.request(route.requestPath, for: wish, at: scene.driver.now)
        secret = RequestToken.token(of: path)
        var values: [ProgramCommand.Detail: String] = [
            .url: route.url(path), .prefix: scene.prefix.text, .fingerprint: access.certificate ?? "",
            .certificate: stage.certificate ?? "", .version: definition.version ?? scene.scenario.version,
            .transport: transport, .case: scene.scenario.id, .broadcast: "",
        ]
        if let broadcast = action.broadcast {
            guard let full = scene.path(broadcast) else {
                throw .unusable("`\(broadcast)` is no path of a broadcast")
            }
            values[.broadcast] = full.text
        }
        return values
    }

    private func took(_ line: String, isError: Bool) {
        let text = hidden(line)
        record.program?.printed(text, isError: isError, fields: isError ? [] : ProgramRecord.fields(of: text))
        say((isError ? "error: " : "printed: ") + text)
    }

    /// Notes something in the timeline and beside what it printed.
    private func say(_ text: String) {
        let text = Redaction.text(hidden(text))
        scene.note(.program, name, text)
        log?.write(line: "\(scene.start.duration(to: scene.driver.now).text)  \(text)")
    }

    private func hidden(_ text: String) -> String {
        guard let secret, !secret.isEmpty else { return text }
        return text.replacing(secret, with: Redaction.mark)
    }

    private var logPath: String {
        let safe = scene.scenario.id.map { character in
            character.isASCII && (character.isLetter || character.isNumber || "._=-".contains(character))
                ? character : "_"
        }
        return "\(stage.outputFolder)/\(String(safe))/\(name)-\(record.program?.starts ?? 0).log"
    }
}
