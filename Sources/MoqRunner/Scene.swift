import MoqBase
import MoqConformance
import MoqDrivers
import MoqEvents
import MoqKit
import MoqMedia
import MoqMonitor
import MoqScenario
import MoqWire

/// What the actors of one case share.
final class Scene {
    /// The case.
    let scenario: ScenarioCase
    /// The case's own path under the relay's namespace; empty for a case that has the namespace alone.
    let prefix: BroadcastPath
    /// Turns the crank.
    let driver: any Driver
    /// Where the relay is.
    let access: TargetAccess
    /// Where the further relays of the case are, by name.
    var furtherAccess: [String: TargetAccess] = [:]
    /// What codes are on its wire.
    let codes: CodeBook
    /// Seed of what the case draws.
    let seed: UInt64
    /// What the monitors of its sessions have in common.
    let monitor: CaseMonitor
    /// Capabilities that the relay lacks.
    let lacking: [String]
    /// What the relay is held to where the draft and running code differ.
    let profile: MonitorProfile
    /// The broadcasts that outside programs publish.
    let programBroadcasts: Set<String>
    /// Whether monitors watch its sessions.
    let isWatched: Bool
    /// What they judged in the sessions that are over.
    private(set) var checks = MonitorChecks()
    /// When it began.
    let start: Instant
    /// How much is noted of each actor.
    let bounds: RecordBounds
    /// What was sent.
    var ledger: ContentLedger
    /// The catalogs that were written, oldest first, with the renditions that they list.
    var catalogs: [TrackKey: [WrittenCatalog]] = [:] { didSet { catalogsState += 1 } }
    /// Grows with every change of them.
    private(set) var catalogsState = 0
    /// Payload bytes written to each track.
    private(set) var bytesWritten: [TrackKey: Int] = [:]
    /// How often something was written.
    private(set) var writings = 0
    /// What ought to be seen of it.
    let model: CaseModel
    /// What happened.
    var trace: CaseTrace
    /// What the always-on checks found.
    private(set) var faults: [Fault] = []
    /// What is wrong with the client kits on purpose; nil for nothing.
    var kitFault: KitFault?
    /// What the models found: behind all else, since what one session was sent says more than what does not follow
    /// from what others did.
    private(set) var differences: [Fault] = []

    /// A catalog as it was written.
    struct WrittenCatalog {
        var text: [UInt8]
        var video: [String]
        var audio: [String]
    }

    /// Something that an always-on check found.
    struct Fault: Hashable {
        var actor: String
        var headline: String
        var expected: String
        var actual: String
        var bytes: [UInt8] = []
        /// The requirements that it is about.
        var requirements: [String] = []
        /// How much it weighs.
        var severity = Finding.Severity.fail
        var at: Duration
    }

    /// Faults kept of one case: the first ones tell the story.
    private static let faultsKept = 20
    /// Faults kept that are alike: they would leave no room for others.
    private static let alikeKept = 3
    /// Faults kept of the models.
    private static let differencesKept = 8

    init(
        _ scenario: ScenarioCase, prefix: BroadcastPath, driver: any Driver, access: TargetAccess, codes: CodeBook,
        seed: UInt64, lacking: [String] = [], modelLacks: Set<String> = [], hasOwnRelay: Bool = false,
        profile: MonitorProfile = .deployed,
        isWatched: Bool = true, bounds: RecordBounds = RecordBounds()
    ) {
        monitor = CaseMonitor(prefix: prefix, losesPackets: scenario.losesPackets)
        self.lacking = lacking
        self.profile = profile
        self.isWatched = isWatched
        self.bounds = bounds
        model = CaseModel(scenario, lacking: modelLacks, hasOwnRelay: hasOwnRelay)
        self.scenario = scenario
        programBroadcasts = scenario.programBroadcasts
        self.prefix = prefix
        self.driver = driver
        self.access = access
        self.codes = codes
        self.seed = seed
        start = driver.now
        ledger = ContentLedger(caseID: scenario.id, seed: seed)
        // What outside programs say to the relay nobody watches.
        if !scenario.programs.isEmpty { monitor.becomePartial() }
        trace = CaseTrace(caseID: scenario.id, start: driver.now)
    }

    /// Whether relays of the case speak a version without timestamps to each other.
    var losesTimestamps: Bool {
        scenario.relays.contains { relay in
            Version(name: relay.version ?? scenario.version)?.hasFrameTimestamps == false
        }
    }

    /// Notes payload that was written to a track.
    func noteWritten(_ count: Int, to track: TrackKey) {
        bytesWritten[track, default: 0] += count
        writings += 1
    }

    /// Where the relay of an actor is.
    func access(of actor: ActorDefinition) -> TargetAccess {
        actor.relay.flatMap { furtherAccess[$0] } ?? access
    }

    /// The full path of a broadcast that the scenario names.
    func path(_ broadcast: String) -> BroadcastPath? {
        (try? BroadcastPath(broadcast)).flatMap(prefix.appending)
    }

    /// A full path as the scenario names it; nil when it lies outside the case.
    func relative(_ path: BroadcastPath) -> String? {
        path.suffix(after: prefix)?.text
    }

    /// The media files that were read, by the path that the scenario names.
    private var mediaFiles: [String: MediaFile] = [:]

    /// A media file that the scenario names.
    func mediaFile(_ path: String) throws(RunnerError) -> MediaFile {
        if let known = mediaFiles[path] { return known }
        let file = try MediaFile.load(path, namedIn: scenario.location.file)
        mediaFiles[path] = file
        return file
    }

    /// Notes one thing that happened.
    func note(_ category: TraceEntry.Category, _ actor: String, _ text: String, data: NamedValues = [:]) {
        trace.note(category, actor, text, at: driver.now, data: data)
    }

    /// Notes that an always-on check found something: the case fails.
    func fault(
        _ actor: String, _ headline: String, expected: String, actual: String, bytes: [UInt8] = [],
        breaks requirements: [String] = []
    ) {
        add(
            Fault(
                actor: actor, headline: headline, expected: expected, actual: actual, bytes: bytes,
                requirements: requirements, at: start.duration(to: driver.now)))
    }

    /// Takes what a model could not explain. One fact is seen of many broadcasts and by many sessions: it has room of
    /// its own, and what is of the same kind counts as alike.
    func take(_ breaches: [ModelBreach]) {
        for breach in breaches {
            note(.check, breach.actor, breach.headline)
            let alike = differences.count { $0.actor == breach.actor && $0.requirements == breach.requirements }
            guard differences.count < Self.differencesKept, alike < Self.alikeKept else { continue }
            differences.append(
                Fault(
                    actor: breach.actor, headline: breach.headline, expected: breach.expected, actual: breach.actual,
                    requirements: breach.requirements, at: start.duration(to: driver.now)))
        }
    }

    /// Takes what the monitor of a session found.
    func take(_ breaches: [MonitorBreach], of actor: String, at instant: Duration? = nil) {
        for breach in breaches {
            var headline = "the relay broke \(breach.rule.id)"
            if let lacking = breach.lacking { headline += ", to which it is not held: it lacks `\(lacking)`" }
            add(
                Fault(
                    actor: actor, headline: headline, expected: breach.rule.sentence, actual: breach.description,
                    bytes: breach.bytes, requirements: [breach.rule.id], severity: weight(of: breach),
                    at: instant ?? start.duration(to: breach.instant)))
        }
    }

    /// What nobody demands weighs only in a scenario that names it.
    private func weight(of breach: MonitorBreach) -> Finding.Severity {
        if breach.lacking != nil { return .note }
        switch breach.rule.level {
        case .must: return .fail
        case .should: return .warn
        case .observed: return scenario.requirements.contains(breach.rule.id) ? .fail : .note
        }
    }

    /// Takes what the monitor of a session judged, once it is over.
    func conclude(_ monitor: SessionMonitor) {
        monitor.conclude()
        checks.add(monitor.checks)
    }

    /// Takes a finding of whatever weight.
    func add(_ fault: Fault) {
        note(.check, fault.actor, fault.headline)
        guard faults.count < Self.faultsKept,
            faults.count(where: {
                $0.actor == fault.actor && ($0.actual == fault.actual || $0.headline == fault.headline)
            }) < Self.alikeKept
        else { return }
        faults.append(fault)
    }
}
