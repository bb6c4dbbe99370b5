import MoqBase
import MoqConformance
import MoqDrivers
import MoqEvents
import MoqScenario
import MoqWire

/// One case being played: its actors, its steps, what it found, and its settling.
///
/// `advance` is called after every turn of the crank until `isDone`; `nextWake` says when at the latest.
final class CaseRun {
    let scenario: ScenarioCase
    let world: any World
    let scene: Scene
    let control: ControlSession
    /// The session actors, in the order in which they are declared.
    let actors: [SessionActor]
    /// The outside programs, in the order in which they are declared.
    let programs: [ProgramActor]
    /// The relays beside the one under test, in the order in which they are declared.
    private(set) var relays: [JoinedRelay] = []
    /// When steps with a name ended, and when the last one did.
    private(set) var namedEnds: [String: Instant] = [:]
    private(set) var lastEnd: Instant
    private(set) var failure: StepFailure?
    /// How often steps that say what they put to the test saw it hold or broken.
    private(set) var tallies: [RequirementTally] = []
    private(set) var steps: [StepEnded] = []
    private(set) var nextWake: Instant = .distantFuture
    /// Whether in this turn anything happened, or a step did something, that actors have to be asked again for.
    private var hasNews = false
    var settlement: Settlement?
    /// What the sessions had seen when the steps ended; nil before.
    private(set) var trace: SessionTrace?
    private var helpers: [SessionActor] = []
    private var nevers: [StandingNever] = []
    private let root: SequenceExecution
    private let deadline: Instant
    private var hasWatched = false
    private var wereJoined = false
    private var proofs = 0
    private(set) var isDone = false
    /// Ended by the harness's own deadline or an interruption.
    private(set) var interruption: String?

    private var orders: [SourceLocation: (actor: String, judge: WatchfulJudge)] = [:]
    private let rest = RestCheck()
    private var closing: (fences: [(actor: SessionActor, fence: SessionActor.Fence)], deadline: Instant)?

    /// How long a session may take to prove, at the end of a case, that it is alive.
    private static let proofPatience = Duration.seconds(5)

    /// The record that stands for actors without a session (`relay`).
    private let emptyRecord = SessionRecord()
    /// Steps noted of one case: a repeat of thousands of rounds is told by its first ones.
    private static let stepsKept = 500

    init(
        _ scenario: ScenarioCase, world: any World, scene: Scene, control: ControlSession,
        programs stage: ProgramStage?,
        limit: Duration?
    ) {
        self.scenario = scenario
        self.world = world
        self.scene = scene
        self.control = control
        actors = scenario.actors.filter { $0.kind == .session || $0.kind == .raw || $0.kind.isClient }.map {
            SessionActor($0, scene: scene)
        }
        programs = stage.map { stage in scenario.programs.map { ProgramActor($0, scene: scene, stage: stage) } } ?? []
        helpers = actors.compactMap { $0.moqom?.spare }
        root = SequenceExecution(scenario.steps)
        for step in scenario.steps.flatMap(\.expectationsOfOrder) {
            orders[step.location] = (step.expect.actor, WatchfulJudge(Judge(expecting: step.expect.condition)))
        }
        lastEnd = scene.driver.now
        let own = scenario.timeout * scene.access.patience
        let allowed = limit.map { min($0, own) } ?? own
        deadline = scene.driver.now.advanced(by: allowed)
    }

    var now: Instant { scene.driver.now }

    /// How long the run has patience for what takes so long at most on a machine that does nothing else.
    func patient(_ wait: Duration) -> Duration { wait * scene.access.patience }

    /// Asks to be advanced at an instant, at the latest.
    func wake(at instant: Instant) {
        nextWake = min(nextWake, instant)
    }

    func note(_ category: TraceEntry.Category, _ actor: String, _ text: String) {
        scene.note(category, actor, text)
    }

    func actor(_ name: String) -> SessionActor? {
        actors.first { $0.name == name }
    }

    func record(of name: String) -> SessionRecord {
        actor(name)?.record ?? program(name)?.record ?? emptyRecord
    }

    func program(_ name: String) -> ProgramActor? {
        programs.first { $0.name == name }
    }

    /// What a judgement of an actor follows from.
    func sight(of name: String) -> WatchfulJudge.Sight {
        let actor = actor(name)
        return WatchfulJudge.Sight(
            record: actor?.recordState ?? program(name)?.recordState ?? 0, catalogs: scene.catalogsState,
            version: actor?.session?.version)
    }

    func judgeContext(of name: String) -> JudgeContext {
        let version = actor(name)?.session?.version ?? Version(name: scenario.version)
        return JudgeContext(
            codes: scene.codes, carriesTimestamps: version?.hasFrameTimestamps ?? true,
            catalogsWritten: scene.catalogs.mapValues(\.count), certificate: scene.access.certificate)
    }

    /// The judge of an expectation of an order, which has looked on since the case began.
    func judgeOfOrder(at location: SourceLocation) -> WatchfulJudge? {
        orders.removeValue(forKey: location)?.judge
    }

    /// Lets the judges of orders see the record as it grows: afterwards nobody could tell what came first.
    private func watchOrders() {
        guard !orders.isEmpty else { return }
        var index = orders.values.startIndex
        while index < orders.values.endIndex {
            _ = orders.values[index].judge.judge(orders.values[index].actor, in: self)
            orders.values.formIndex(after: &index)
        }
    }

    /// Forbids something for the rest of the case.
    func forbid(_ never: StandingNever) {
        nevers.append(never)
    }

    /// Starts the relays that the case has beside the one under test.
    func join(_ settings: EmbeddedRelaySettings?) throws(RunnerError) {
        guard let settings else { return }
        // What the further relays say to each other nobody watches.
        if !scenario.relays.isEmpty { scene.monitor.becomePartial() }
        var others = [FurtherRelay.underTest: scene.access]
        for definition in scenario.relays {
            let relay = try JoinedRelay(definition, scene: scene, settings: settings, others: others)
            relays.append(relay)
            others[relay.name] = relay.access
            scene.furtherAccess[relay.name] = relay.access
        }
    }

    /// Begins to prove that the relay serves new sessions.
    func startServiceProof() -> ServiceProof {
        proofs += 1
        return ServiceProof(number: proofs, self)
    }

    /// Adds a session of the harness's own to those that are processed and settled.
    func addHelper(_ helper: SessionActor) {
        helpers.append(helper)
    }

    /// All sessions of the case.
    var allActors: [SessionActor] { helpers.isEmpty ? actors : actors + helpers }

    /// Whether the publisher of a subscription, where it is an actor of the case, knows of a reader.
    func hasPublisherHeard(of subscription: SubscriptionRecord) -> Bool {
        let publishers = actors.filter { actor in
            actor.session != nil && actor.broadcasts.contains { $0.name == subscription.broadcast && $0.isAnnounced }
        }
        guard !publishers.isEmpty else { return true }
        return publishers.contains { actor in
            actor.record.requests.contains { request in
                guard request.broadcast == subscription.broadcast, request.track == subscription.track else {
                    return false
                }
                return request.kind == .subscribe ? request.end == nil : request.kind == .track && request.end == nil
            }
        }
    }

    /// Whether a reader of a track that has not stopped reading has this much still to come.
    func hasReaderBehind(_ track: PublishedTrack) -> Bool {
        allActors.contains { $0.bytesBehind(track) > Self.readerSlack }
    }

    /// Whether a reader of a track that reads has had no group of it yet.
    func hasReaderWithoutGroup(_ track: PublishedTrack) -> Bool {
        allActors.contains { $0.awaitsFirstGroup(of: track) }
    }

    /// A quarter of the 32 MiB that relays keep of a group (moq-ffi 0.3.12 and later, observed).
    private static let readerSlack = 8 << 20

    func ended(_ step: Step, _ place: [Int], _ outcome: StepEnded.Outcome, _ detail: String?) {
        lastEnd = now
        if let name = step.name { namedEnds[name] = now }
        if outcome == .passed, step.provesSomething { count(step.requirements, held: 1) }
        guard steps.count < Self.stepsKept || outcome != .passed else { return }
        steps.append(
            StepEnded(
                caseID: scenario.id, indexPath: place, text: step.source, place: FilePlace(step.location),
                outcome: outcome, at: scene.start.duration(to: now), detail: detail))
    }

    private func count(_ requirements: [String], held: Int = 0, broken: Int = 0) {
        for id in requirements { tallies.add(RequirementTally(requirement: id, held: held, broken: broken)) }
    }

    // MARK: The crank

    /// Takes what the last turn brought and goes on as far as it can.
    func advance() {
        nextWake = .distantFuture
        control.process()
        scene.take(control.takeBreaches(), of: "control")
        for relay in relays { relay.process(at: now) }
        for program in programs { program.process() }
        // What an actor does by itself the others may wait for.
        hasNews = false
        for actor in allActors where actor.process() { hasNews = true }
        wakeForClients()
        watchOrders()
        if let settlement {
            isDone = settlement.advance(self)
            return
        }
        guard controlIsWatching(), relaysAreJoined() else { return }
        if let failure = brokenNever() { return settle(failure) }
        switch root.advance(self) {
        case .finished: conclude()
        case .failed(let failure): settle(failure)
        case .running:
            if now >= deadline {
                let step = scenario.steps.last
                settle(
                    StepFailure(
                        severity: .fail, headline: "the case did not end within its deadline",
                        location: step?.location ?? scenario.location, source: step?.source ?? scenario.title, at: now))
            }
            wake(at: deadline)
        }
        // What the steps did may have changed what is forbidden, and must go out.
        if settlement == nil, let failure = brokenNever() { settle(failure) }
        guard hasNews else { return }
        for actor in allActors { actor.process() }
        wakeForClients()
    }

    /// A step did something that actors have to pass on.
    func noteDeed() {
        hasNews = true
    }

    /// Cameras, players and statistics have their own times.
    private func wakeForClients() {
        for actor in actors {
            if let deadline = actor.client?.deadline ?? actor.moqom?.deadline { wake(at: deadline) }
        }
        for program in programs { if let deadline = program.deadline(at: now) { wake(at: deadline) } }
    }

    /// Whether the relays beside the one under test have all been joined to it, which has to be so once. If a session
    /// of theirs is lost later, that belongs to the case.
    private func relaysAreJoined() -> Bool {
        guard !wereJoined, !relays.isEmpty else { return true }
        let states = relays.map(\.isJoined)
        wereJoined = states.allSatisfy { $0 == true }
        if wereJoined { return true }
        wake(at: deadline)
        guard states.contains(nil) || now >= deadline else { return false }
        let missing = relays.map(\.missing).filter { !$0.isEmpty }.joined(separator: ", ")
        settle(
            StepFailure(
                severity: .fail, headline: "the relays of the case could not be joined: \(missing)",
                location: scenario.location, source: scenario.title, at: now))
        return false
    }

    /// Whether the case can go on: the harness's own session must have been up once. If it is lost later, the steps go
    /// on without it, and it is dialled anew meanwhile.
    private func controlIsWatching() -> Bool {
        if control.isReady(reconnecting: true) {
            if !hasWatched || !control.isWatching {
                hasWatched = true
                control.watch(scene.prefix)
            }
            return true
        }
        if hasWatched { return true }
        wake(at: deadline)
        if let trouble = world.trouble() {
            giveUp(trouble)
        } else if now >= deadline {
            giveUp("the relay did not answer the harness's own session")
        }
        return false
    }

    /// Ends the case from outside: an interruption, or a harness that lost its footing.
    func giveUp(_ reason: String) {
        interruption = reason
        isDone = true
    }

    private func brokenNever() -> StepFailure? {
        for index in nevers.indices {
            if let failure = nevers[index].check(self) { return failure }
        }
        return nil
    }

    /// The steps are done. What is forbidden for the whole case was not seen, which proves nothing of a session that
    /// sees nothing any more: each shows that it does before the case counts as passed.
    private func conclude() {
        let watchers = actors.filter { actor in actor.isConnected && nevers.contains { $0.step.actor == actor.name } }
        let closing =
            self.closing ?? (watchers.map { ($0, $0.startFence()) }, now.advanced(by: patient(Self.proofPatience)))
        self.closing = closing
        noteDeed()
        guard let silent = closing.fences.first(where: { !$0.fence.isAnswered && !$0.fence.isLost }) else {
            return rest.advance(self) ? settle(nil) : ()
        }
        guard now >= closing.deadline else { return wake(at: closing.deadline) }
        let never = nevers.first { $0.step.actor == silent.actor.name }
        settle(
            never?.whole.failure(
                .fail, "\(silent.actor.name): nothing was seen, and the session no longer answers",
                expected: "the relay refuses a subscription to what nobody publishes",
                actual: "no answer in \(patient(Self.proofPatience).text)", at: now))
    }

    private func settle(_ failure: StepFailure?) {
        noteDeed()
        self.failure = failure
        if let failure {
            if failure.severity == .fail { count(failure.requirements, broken: 1) }
        } else {
            for never in nevers { count(never.whole.requirements, held: 1) }
        }
        trace = SessionTrace(
            actors.map { ($0.name, $0.record) }, codes: scene.codes, losesPackets: scenario.losesPackets,
            racesAnnouncements: scenario.racesOnLinks, writesByTheClock: scenario.writesByTheClock)
        for actor in actors { actor.noteUnwantedClose() }
        for program in programs { program.noteUnexpectedEnd() }
        settlement = Settlement(self, isOrderly: failure == nil)
        wake(at: now)
    }
}

extension FilePlace {
    init(_ location: SourceLocation) {
        self.init(file: location.file, line: location.line, column: location.column)
    }
}
