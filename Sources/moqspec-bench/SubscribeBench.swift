import MoqBase
import MoqDrivers
import MoqLite
import MoqWire

/// Subscribes to one track in one or several sessions, each with its own socket, and counts what arrives. Says
/// `subscribed` when all have subscribed, and `result` when all groups are over or nothing comes any more.
struct SubscribeBench {
    private let target: BenchClient.Target
    private let path: BroadcastPath
    private let frames: Int
    private let groups: Int
    private let sessions: Int

    /// When nothing came for so long, nothing more is waited for; before the first frame the patience is longer.
    private static let silence = Duration.seconds(3)
    /// How long SUBSCRIBE messages get to reach the relay and its publisher.
    private static let settling = Duration.milliseconds(200)

    init(_ flags: Flags) throws(BenchError) {
        target = try BenchClient.Target(flags)
        path = try broadcastPath(flags)
        frames = try flags.number("frames", default: 60)
        groups = try flags.number("groups", default: 100)
        sessions = max(try flags.number("sessions", default: 1), 1)
    }

    /// What one session has received.
    private final class Tally {
        let client: BenchClient
        var isSubscribed = false
        var frames = 0
        var bytes = 0
        var endedGroups = 0
        var cutGroups = 0

        init(_ client: BenchClient) {
            self.client = client
        }
    }

    func run() throws(BenchError) {
        let driver = try SocketDriver.make()
        var tallies: [Tally] = []
        for number in 0..<sessions {
            let tally = Tally(try BenchClient(target, driver: driver, number: number))
            tally.client.session.requestAnnouncements(prefix: .empty)
            tallies.append(tally)
        }
        try subscribeAll(tallies, driver)
        Report.say("subscribed", [("sessions", .number(sessions))])

        let cpu = ProcessClock.processTime
        let count = try receive(tallies, driver)
        let used = ProcessClock.processTime - cpu
        let delivered = tallies.reduce(0) { $0 + $1.frames }
        Report.say(
            "result",
            [
                ("frames", .number(delivered)), ("expected", .number(frames * groups * sessions)),
                ("bytes", .number(tallies.reduce(0) { $0 + $1.bytes })),
                ("cutGroups", .number(tallies.reduce(0) { $0 + $1.cutGroups })),
                ("fewest", .number(tallies.map(\.frames).min() ?? 0)), ("seconds", .decimal(count.inSeconds)),
                ("cpu", .decimal(used.inSeconds)),
            ])
        for tally in tallies { tally.client.session.close(code: 0, reason: "done") }
        try driver.turn(within: .milliseconds(1))
    }

    private func subscribeAll(_ tallies: [Tally], _ driver: SocketDriver) throws(BenchError) {
        let limit = driver.now.advanced(by: benchmarkPatience)
        while tallies.contains(where: { !$0.isSubscribed }) {
            try driver.turn(within: .milliseconds(100))
            for tally in tallies { try process(tally, at: driver.now) }
            if driver.now > limit { throw BenchError("\(path) was not announced within \(benchmarkPatience)") }
        }
        let settled = driver.now.advanced(by: Self.settling)
        while driver.now < settled {
            try driver.turn(within: .milliseconds(20))
            for tally in tallies { try process(tally, at: driver.now) }
        }
    }

    /// Receives until everything has come; gives the time from the first frame to the last.
    private func receive(_ tallies: [Tally], _ driver: SocketDriver) throws(BenchError) -> Duration {
        var first: Instant?
        var last = driver.now
        var before = 0
        while tallies.contains(where: { $0.endedGroups < groups }) {
            try driver.turn(within: .milliseconds(100))
            let now = driver.now
            for tally in tallies { try process(tally, at: now) }
            let frames = tallies.reduce(0) { $0 + $1.frames }
            if frames != before {
                first = first ?? now
                last = now
                before = frames
            } else if last.duration(to: now) > (first == nil ? benchmarkPatience : Self.silence) {
                break
            }
        }
        return (first ?? last).duration(to: last)
    }

    private func process(_ tally: Tally, at now: Instant) throws(BenchError) {
        try tally.client.process(at: now) { event in
            switch event {
            case .announced(_, let announced, _) where announced.path == path && !tally.isSubscribed:
                tally.isSubscribed = true
                tally.client.session.subscribe(
                    broadcast: path, track: "bench", options: SubscribeOptions(maxAge: benchmarkAge))
            case .frame(_, _, let frame):
                tally.frames += 1
                tally.bytes += frame.payload.count
            case .groupEnded(_, let end):
                tally.endedGroups += 1
                if end != .finished { tally.cutGroups += 1 }
            default:
                break
            }
        }
    }
}
