import MoqBase
import MoqConformance
import MoqDrivers
import MoqEvents
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
    /// When it began.
    let start: Instant
    /// How much is noted of each actor.
    let bounds: RecordBounds
    /// What was sent.
    var ledger: ContentLedger
    /// The catalogs that were written, oldest first, with the renditions that they list.
    var catalogs: [TrackKey: [WrittenCatalog]] = [:]
    /// Payload bytes written to each track.
    var bytesWritten: [TrackKey: Int] = [:]
    /// What happened.
    var trace: CaseTrace
    /// What the always-on checks found.
    private(set) var faults: [Fault] = []

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
        /// Ids of the requirements that it breaks.
        var requirements: [String] = []
        var at: Duration
    }

    /// Faults kept of one case: the first ones tell the story.
    private static let faultsKept = 20
    /// Faults kept that are alike: they would leave no room for others.
    private static let alikeKept = 3

    init(
        _ scenario: ScenarioCase, prefix: BroadcastPath, driver: any Driver, access: TargetAccess, codes: CodeBook,
        seed: UInt64, bounds: RecordBounds = RecordBounds()
    ) {
        self.bounds = bounds
        self.scenario = scenario
        self.prefix = prefix
        self.driver = driver
        self.access = access
        self.codes = codes
        self.seed = seed
        start = driver.now
        ledger = ContentLedger(caseID: scenario.id, seed: seed)
        trace = CaseTrace(caseID: scenario.id, start: driver.now)
    }

    /// Whether relays of the case speak a version without timestamps to each other.
    var losesTimestamps: Bool {
        scenario.relays.contains { relay in
            Version(name: relay.version ?? scenario.version)?.hasFrameTimestamps == false
        }
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

    /// Notes one thing that happened.
    func note(_ category: TraceEntry.Category, _ actor: String, _ text: String, data: NamedValues = [:]) {
        trace.note(category, actor, text, at: driver.now, data: data)
    }

    /// Notes that an always-on check found something: the case fails.
    func fault(
        _ actor: String, _ headline: String, expected: String, actual: String, bytes: [UInt8] = [],
        breaks requirements: [String] = []
    ) {
        note(.check, actor, headline)
        guard faults.count < Self.faultsKept,
            faults.count(where: { $0.actor == actor && $0.actual == actual }) < Self.alikeKept
        else { return }
        faults.append(
            Fault(
                actor: actor, headline: headline, expected: expected, actual: actual, bytes: bytes,
                requirements: requirements, at: start.duration(to: driver.now)))
    }
}
