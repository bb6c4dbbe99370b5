import MoqBase
import MoqDrivers
import MoqKit
import MoqLite
import MoqLive
import MoqWire

/// Many players of one broadcast in one process, each in a session of its own, and beside them sessions that take the
/// same track and do nothing with it: what the wire alone does. Says `playing` when all play, then `result`.
///
/// A player's latency is how far what it shows is behind the live edge, as its statistics have it. Frames are late on the
/// wire by how much later they come than the earliest, measured by their own times.
struct PlayerBench {
    private let target: BenchClient.Target
    private let path: BroadcastPath
    private let players: Int
    private let sessions: Int
    private let seconds: Int
    private let decodes: Bool
    private let buffering: Duration

    /// How long statistics are left alone once all play: the first seconds are those of joining.
    private static let settling = Duration.seconds(2)

    init(_ flags: Flags) throws(BenchError) {
        target = try BenchClient.Target(flags)
        path = try broadcastPath(flags)
        players = try flags.number("players", default: 50)
        sessions = try flags.number("sessions", default: 0)
        seconds = max(try flags.number("seconds", default: 10), 1)
        decodes = try flags.text("decode", default: "no") == "yes"
        buffering = .milliseconds(try flags.number("target", default: 100))
    }

    // MARK: Contenders

    private final class Viewer {
        let client: BenchClient
        let watcher: BroadcastWatcher
        var isPlaying = false
        var lastStatistics: PlayerStatistics?
        var latencies: [Double] = []
        /// When frames came, by their time, and how long each took from there to the output.
        var arrivals: [Int64: Instant] = [:]
        var ways: [Double] = []
        var seen = Instant.origin

        init(_ client: BenchClient, _ watcher: BroadcastWatcher) {
            self.client = client
            self.watcher = watcher
        }
    }

    /// A session without a player.
    private final class Listener {
        let client: BenchClient
        var isSubscribed = false
        var frames = 0
        /// By how much each frame came after its own time; the zero of these times does not matter.
        var delays: [Double] = []

        init(_ client: BenchClient) { self.client = client }
    }

    func run() throws(BenchError) {
        let driver = try SocketDriver.make()
        let before = ProcessMemory.resident
        var listeners: [Listener] = []
        for number in 0..<sessions {
            let listener = Listener(try BenchClient(target, driver: driver, number: number))
            listener.client.session.requestAnnouncements(prefix: .empty)
            listeners.append(listener)
        }
        var viewers: [Viewer] = []
        for number in 0..<players {
            let client = try BenchClient(target, driver: driver, number: sessions + number)
            var settings = WatchSettings()
            settings.broadcast = path.text
            settings.audio = .none
            settings.target = buffering
            settings.decodes = decodes
            viewers.append(Viewer(client, BroadcastWatcher(settings, on: client.session, at: driver.now)))
        }
        let limit = driver.now.advanced(by: benchmarkPatience)
        while viewers.contains(where: { !$0.isPlaying }) || listeners.contains(where: { $0.frames == 0 }) {
            try turn(driver, viewers, listeners)
            if driver.now > limit { throw BenchError("not everybody plays within \(benchmarkPatience)") }
        }
        Report.say("playing", [("players", .number(players)), ("sessions", .number(sessions))])
        try turn(driver, viewers, listeners, for: Self.settling)
        let stalls = viewers.reduce(0) { $0 + ($1.lastStatistics?.video.stalls ?? 0) }
        for viewer in viewers { (viewer.latencies, viewer.ways) = ([], []) }
        for listener in listeners { listener.delays = [] }
        let (cpu, began) = (ProcessClock.processTime, driver.now)
        try turn(driver, viewers, listeners, for: .seconds(seconds))
        let spent = (ProcessClock.processTime - cpu).inSeconds / began.duration(to: driver.now).inSeconds
        let actors = Double(max(players + sessions, 1))
        tell(
            viewers, listeners, stallsBefore: stalls,
            cost: [
                ("seconds", .number(seconds)), ("processorShare", .decimal(spent)),
                ("processorPerActorPercent", .decimal(100 * spent / actors)),
                ("kibibytesPerActor", .decimal(Double(ProcessMemory.resident - before) / 1024 / actors)),
            ])
        for viewer in viewers { viewer.watcher.stop(at: driver.now) }
        for listener in listeners { listener.client.session.close(code: 0, reason: "done") }
        try driver.turn(within: .milliseconds(5))
    }

    // MARK: Turns

    private func turn(
        _ driver: SocketDriver, _ viewers: [Viewer], _ listeners: [Listener], for duration: Duration
    ) throws(BenchError) {
        let end = driver.now.advanced(by: duration)
        while driver.now < end { try turn(driver, viewers, listeners) }
    }

    private func turn(
        _ driver: SocketDriver, _ viewers: [Viewer], _ listeners: [Listener]
    ) throws(BenchError) {
        var due = driver.now.advanced(by: .milliseconds(50))
        for viewer in viewers { if let deadline = viewer.watcher.deadline { due = min(due, deadline) } }
        try BenchError.wrapping("the driver") { try driver.turn(until: max(due, driver.now)) }
        let now = driver.now
        for viewer in viewers {
            try viewer.client.process(at: now) { viewer.watcher.handle($0, at: now) }
            viewer.watcher.advance(to: now)
            try take(viewer)
        }
        for listener in listeners { try process(listener, at: now) }
    }

    private func take(_ viewer: Viewer) throws(BenchError) {
        for event in viewer.watcher.takeEvents() {
            switch event.kind {
            case .player(let event) where event.name == "track.playing": viewer.isPlaying = true
            case .statistics(let figures):
                viewer.lastStatistics = figures.statistics
                if let latency = figures.statistics.video.latency { viewer.latencies.append(Double(latency) / 1000) }
                note(viewer)
            case .ended(let outcome): throw BenchError("a player ended: \(outcome.reason)")
            default: break
            }
        }
    }

    /// What the pipeline has told since the last look; it holds the newest 256, which is more than a second has.
    private func note(_ viewer: Viewer) {
        guard let events = viewer.watcher.player?.diagnostics.held else { return }
        for event in events where event.at > viewer.seen {
            guard let time = event.fields.first(where: { $0.name == "pts" }).flatMap({ Int64($0.value) }) else {
                continue
            }
            if event.name == "frameArrived" { viewer.arrivals[time] = event.at }
            if event.name == "frameRendered", let arrival = viewer.arrivals.removeValue(forKey: time) {
                viewer.ways.append(arrival.duration(to: event.at).inSeconds * 1000)
            }
        }
        viewer.seen = events.last?.at ?? viewer.seen
    }

    private func process(_ listener: Listener, at now: Instant) throws(BenchError) {
        try listener.client.process(at: now) { event in
            switch event {
            case .announced(_, let announced, _) where announced.path == path && !listener.isSubscribed:
                listener.isSubscribed = true
                listener.client.session.subscribe(broadcast: path, track: "video0", options: SubscribeOptions())
            case .frame(_, _, let frame):
                listener.frames += 1
                guard let time = LegacyContainer.unpack(frame.payload)?.timestamp else { return }
                listener.delays.append(Double(now.nanoseconds) / 1e6 - Double(time) / 1000)
            default: break
            }
        }
    }

    // MARK: Figures

    private func tell(
        _ viewers: [Viewer], _ listeners: [Listener], stallsBefore: Int, cost: [(String, Report.Value)]
    ) {
        let latencies = Sample(viewers.flatMap(\.latencies))
        let ways = Sample(viewers.flatMap(\.ways))
        let wire = Sample(
            listeners.flatMap { listener in
                let earliest = listener.delays.min() ?? 0
                return listener.delays.map { $0 - earliest }
            })
        let stalls = viewers.reduce(0) { $0 + ($1.lastStatistics?.video.stalls ?? 0) } - stallsBefore
        let rate = Sample(viewers.compactMap { $0.lastStatistics?.video.framesPerSecond })
        Report.say(
            "result",
            [
                ("players", .number(players)), ("sessions", .number(sessions)),
                ("decodes", .text(decodes ? "yes" : "no")),
                ("targetMilliseconds", .decimal(buffering.inSeconds * 1000)), ("stalls", .number(stalls)),
                ("dropped", .number(viewers.reduce(0) { $0 + ($1.lastStatistics?.video.framesDropped ?? 0) })),
                ("faults", .number(viewers.reduce(0) { $0 + $1.watcher.currentFigures.faults })),
                ("framesPerSecond", .decimal(rate.median)),
                ("latencyMedianMilliseconds", .decimal(latencies.median)),
                ("latency99Milliseconds", .decimal(latencies.quantile(0.99))),
                ("arrivalToOutputMedianMilliseconds", .decimal(ways.median)),
                ("arrivalToOutput99Milliseconds", .decimal(ways.quantile(0.99))),
                ("wireMedianMilliseconds", .decimal(wire.median)),
                ("wire99Milliseconds", .decimal(wire.quantile(0.99))),
            ] + cost)
    }
}
