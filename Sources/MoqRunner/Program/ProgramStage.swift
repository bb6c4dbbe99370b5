import MoqDrivers
import MoqScenario

/// What the outside programs of a run have in common: their commands, where their output goes, and which of them are
/// running, so that none outlives the run.
final class ProgramStage: @unchecked Sendable {
    // Sendable because only `running` changes, under the lock.
    let commands: [ProgramCommand]
    /// The folder of their output.
    let outputFolder: String
    /// A PEM file with what the relay's certificate is judged by.
    let certificate: String?
    private let lock = Lock()
    private var running: Set<Int32> = []

    init(commands: [ProgramCommand], outputFolder: String, certificate: String?) {
        self.commands = commands
        self.outputFolder = outputFolder
        self.certificate = certificate
    }

    /// What the options give; `certificate` is the file of the embedded relay's.
    convenience init(_ options: RunOptions, certificate: String?) {
        var file = certificate
        if case .roots(let files) = options.trust { file = files.first }
        self.init(commands: options.programs, outputFolder: options.programOutput, certificate: file)
    }

    func command(of actor: ActorDefinition) -> ProgramCommand? {
        commands.first { $0.name == actor.programName }
    }

    func began(_ process: Int32) {
        lock.locked { _ = running.insert(process) }
    }

    func ended(_ process: Int32) {
        lock.locked { _ = running.remove(process) }
    }

    /// Ends what is left of a worker that hangs: every other has ended its own.
    func endAll() {
        ChildProcess.kill(groupsOf: lock.locked { running.sorted() })
    }
}

extension ScenarioCase {
    /// Its actors that are outside programs.
    var programs: [ActorDefinition] { actors.filter { $0.kind == .program } }

    /// Why its programs cannot be run with these commands; nil when they can.
    public func reasonToLackPrograms(_ given: [String], isSimulated: Bool) -> String? {
        guard let first = programs.first else { return nil }
        if isSimulated { return "a program cannot be run in simulated time, and `\(first.name)` is one" }
        return programs.first { !given.contains($0.programName) }.map {
            "the run was given no program `\($0.programName)` (--program \($0.programName)=COMMAND gives it)"
        }
    }

    /// Whether a step looks at how a program ended.
    func expectsExit(of program: String) -> Bool {
        steps.contains { step in
            step.contains { kind in
                switch kind {
                case .expect(let expect): expect.actor == program && expect.condition.looksAtExit
                case .never(let never): never.actor == program && never.condition.looksAtExit
                default: false
                }
            }
        }
    }

    /// The broadcasts that programs are about and no actor publishes: what is in them is theirs.
    var programBroadcasts: Set<String> {
        var started: Set<String> = []
        var published: Set<String> = []
        for step in steps {
            _ = step.contains { kind in
                switch kind {
                case .program(_, .start(let start)): start.broadcast.map { _ = started.insert($0) }
                case .session(_, .publish(let publish)): published.insert(publish.broadcast)
                case .client(_, let call):
                    if case .publish(let path) = call.action { published.insert(path) }
                default: break
                }
                return false
            }
        }
        return started.subtracting(published)
    }
}

extension ExpectationTree {
    fileprivate var looksAtExit: Bool {
        switch self {
        case .one(let expectation):
            switch expectation.kind {
            case .program(.exit), .program(.running): true
            default: false
            }
        case .all(let nodes), .any(let nodes), .inOrder(let nodes): nodes.contains { $0.looksAtExit }
        }
    }
}
