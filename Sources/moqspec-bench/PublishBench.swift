import MoqBase
import MoqDrivers
import MoqLite
import MoqWire

/// Publishes one track as fast as the session takes it: a group is written when the one before has left for the
/// transport. Says `announced`, waits for a line of standard input, says `written`, and stays until standard input
/// ends.
struct PublishBench {
    private let target: BenchClient.Target
    private let path: BroadcastPath
    private let size: Int
    private let frames: Int
    private let groups: Int

    init(_ flags: Flags) throws(BenchError) {
        target = try BenchClient.Target(flags)
        path = try broadcastPath(flags)
        size = max(try flags.number("size", default: 1024), 8)
        frames = try flags.number("frames", default: 60)
        groups = try flags.number("groups", default: 100)
    }

    func run() throws(BenchError) {
        let driver = try SocketDriver.make()
        let client = try BenchClient(target, driver: driver, number: 1)
        let publication = Publication(session: client.session)
        let store = publication.addTrack(
            "bench", of: path, info: TrackInfo(maxAge: benchmarkAge, timescale: 1_000_000))
        publication.announce(path)

        var instructions = Instructions()
        var isAnnounced = false
        let began = driver.now
        while instructions.lines == 0 {
            let isAsked = try turn(driver, client, publication, limit: .milliseconds(10))
            if isAsked, !isAnnounced {
                isAnnounced = true
                Report.say("announced")
            }
            if !isAnnounced, began.duration(to: driver.now) > benchmarkPatience {
                throw BenchError("the relay asked for no announcements within \(benchmarkPatience)")
            }
            instructions.look()
        }

        let cpu = ProcessClock.processTime
        let start = ProcessClock.monotonic
        var next = 0
        while next < groups || publication.feeds.isBacklogged {
            while next < groups, !publication.feeds.isBacklogged {
                try writeGroup(next, to: store, at: driver.now)
                publication.pump(at: driver.now)
                next += 1
            }
            try turn(driver, client, publication, limit: .milliseconds(100))
        }
        let seconds = start.duration(to: ProcessClock.monotonic).inSeconds
        Report.say(
            "written",
            [
                ("frames", .number(groups * frames)), ("seconds", .decimal(seconds)),
                ("cpu", .decimal((ProcessClock.processTime - cpu).inSeconds)),
            ])
        while !instructions.isEnded {
            try turn(driver, client, publication, limit: .milliseconds(20))
            instructions.look()
        }
        let total = (ProcessClock.processTime - cpu).inSeconds
        Report.say("result", [("frames", .number(groups * frames)), ("cpu", .decimal(total))])
        client.session.close(code: 0, reason: "done")
        try driver.turn(within: .milliseconds(1))
    }

    /// Gives whether the relay asked for announcements meanwhile; it was answered then.
    @discardableResult
    private func turn(
        _ driver: SocketDriver, _ client: BenchClient, _ publication: Publication, limit: Duration
    ) throws(BenchError) -> Bool {
        try driver.turn(within: limit)
        let now = driver.now
        var isAsked = false
        try client.process(at: now) { event in
            _ = publication.handle(event, at: now)
            if case .announceRequested = event { isAsked = true }
        }
        publication.pump(at: now)
        return isAsked
    }

    /// Every frame has content of its own: memory that is touched once is part of the price.
    private func writeGroup(_ number: Int, to store: TrackStore, at now: Instant) throws(BenchError) {
        let group = try BenchError.wrapping("group \(number)") { try store.openGroup(UInt64(number), at: now) }
        for index in 0..<frames {
            let serial = UInt64(number * frames + index)
            var payload = [UInt8](repeating: 0x78, count: size)
            for byte in 0..<8 { payload[byte] = UInt8(truncatingIfNeeded: serial >> UInt64(8 * byte)) }
            store.append(Frame(timestamp: serial * 1000, payload: payload), to: group, at: now)
        }
        store.finishGroup(group, at: now)
    }
}
