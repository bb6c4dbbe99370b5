import MoqBase
import MoqDrivers
import MoqLite

/// Sessions that do nothing but stay: what they weigh. One warms up what is shared; `warm` tells that the relay can be
/// measured too, and a line of standard input goes on; the end of standard input ends it.
struct IdleBench {
    private let target: BenchClient.Target
    private let sessions: Int

    /// How long established sessions rest before they are weighed: a few round trips of acknowledgements.
    private static let rest = Duration.milliseconds(500)

    init(_ flags: Flags) throws(BenchError) {
        target = try BenchClient.Target(flags)
        sessions = max(try flags.number("sessions", default: 200), 1)
    }

    func run() throws(BenchError) {
        let driver = try SocketDriver.make()
        var instructions = Instructions()
        var clients: [BenchClient] = []
        try add(1, to: &clients, driver)
        Report.say("warm")
        while instructions.lines == 0 {
            try turn(driver, clients)
            instructions.look()
        }
        let before = ProcessMemory.resident
        try add(sessions, to: &clients, driver)
        let after = ProcessMemory.resident
        Report.say(
            "result",
            [
                ("sessions", .number(sessions)), ("residentBefore", .number(before)), ("residentAfter", .number(after)),
                ("bytesPerSession", .number((after - before) / sessions)),
            ])
        while !instructions.isEnded {
            try turn(driver, clients)
            instructions.look()
        }
        for client in clients { client.session.close(code: 0, reason: "done") }
        try driver.turn(within: .milliseconds(1))
    }

    private func add(_ count: Int, to clients: inout [BenchClient], _ driver: SocketDriver) throws(BenchError) {
        for _ in 0..<count {
            let client = try BenchClient(target, driver: driver, number: clients.count)
            client.session.requestAnnouncements(prefix: .empty)
            clients.append(client)
            // One after the other: what is weighed is sessions at rest, not a burst of handshakes.
            let limit = driver.now.advanced(by: benchmarkPatience)
            while client.session.version == nil {
                try turn(driver, clients)
                if driver.now > limit { throw BenchError("no session within \(benchmarkPatience)") }
            }
        }
        let rested = driver.now.advanced(by: Self.rest)
        while driver.now < rested { try turn(driver, clients) }
    }

    private func turn(_ driver: SocketDriver, _ clients: [BenchClient]) throws(BenchError) {
        try driver.turn(within: .milliseconds(20))
        for client in clients { try client.process(at: driver.now) { _ in } }
    }
}
