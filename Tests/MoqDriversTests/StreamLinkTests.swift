import MoqBase
import Testing

@testable import MoqDrivers

/// Links of byte streams in simulated time, where every instant is exact.
@Suite struct StreamLinkTests {
    let driver = SimulatedDriver(seed: 1)

    /// A client that was just dialled over a link, and the echo at its other end.
    private func dial(
        _ conditions: LinkConditions, saying words: [[UInt8]] = [], to server: Talker = Talker(isEcho: true)
    ) throws -> Talker {
        let address = try driver.listen(on: .loopback(port: 0)) { _ in server }
        let client = Talker(saying: words, staysOpen: true)
        try driver.connect(client, to: address)
        driver.setLink(conditions, of: client)
        return client
    }

    private func conditions(delay: Duration = .zero, rate: UInt64? = nil, loss: Double = 0) -> LinkConditions {
        var conditions = LinkConditions()
        conditions.delay = delay
        conditions.rate = rate
        conditions.loss = loss
        return conditions
    }

    private func elapsed(_ start: Instant) -> Duration { start.duration(to: driver.now) }

    @Test func settingUpTakesOneRoundTripAndAskingAnother() throws {
        let start = driver.now
        let server = Talker(isEcho: true)
        let client = try dial(conditions(delay: .milliseconds(25)), saying: [[7]], to: server)
        #expect(try driver.turn { !server.heard.isEmpty })
        // One way and a half: the third packet of the handshake carries the first bytes.
        #expect(elapsed(start) == .microseconds(75_150))
        #expect(try driver.turn { client.heard == [7] })
        #expect(elapsed(start) == .microseconds(100_200))
        #expect(driver.linkStatistics(of: client).delayed > 0)
        #expect(driver.linkStatistics(of: Talker()) == LinkStatistics())
    }

    @Test func aServerThatSpeaksFirstIsHeardAfterTwoRoundTrips() throws {
        let start = driver.now
        let client = try dial(
            conditions(delay: .milliseconds(25)), to: Talker(saying: [[1]], staysOpen: true))
        #expect(try driver.turn { client.heard == [1] })
        #expect(elapsed(start) == .microseconds(100_200))
    }

    @Test func aRefusalComesAfterOneRoundTrip() throws {
        let start = driver.now
        let client = Talker(staysOpen: true)
        try driver.connect(client, to: .loopback(port: 9))
        driver.setLink(conditions(delay: .milliseconds(25)), of: client)
        #expect(try driver.turn { client.end != nil })
        #expect(elapsed(start) == .microseconds(50_100))
        #expect(client.end?.contains("nobody listens there") == true)
    }

    @Test func aRateIsKeptInBothDirections() throws {
        let client = try dial(conditions(rate: 100_000))
        #expect(try driver.turn(within: .seconds(1)) { driver.streams.allSatisfy { $0.phase == .open } })
        let start = driver.now
        client.outbox = [[UInt8](repeating: 1, count: 100_000)]
        #expect(try driver.turn(within: .seconds(3)) { client.heard.count == 100_000 })
        // One second out; the echo of the last segment takes its own time back.
        let time = elapsed(start)
        #expect(time > .milliseconds(1010) && time < .milliseconds(1020), "\(time)")
    }

    @Test func whatIsSaidWaitsAtTheMachineAndNotOnTheWay() throws {
        let server = Talker(staysOpen: true)
        let client = try dial(conditions(delay: .milliseconds(10), rate: 1_000_000), to: server)
        client.outbox = (0..<200).map { _ in [UInt8](repeating: 0, count: 1000) }
        #expect(try driver.turn(within: .seconds(1)) { !server.heard.isEmpty })
        // On the line what it holds in 10 ms, behind it the backlog, and at most one piece over.
        let taken = 200 - client.outbox.count
        #expect((30...44).contains(taken), "\(taken)")
        // What is urgent overtakes all that was not taken yet.
        client.outbox.insert([UInt8](repeating: 1, count: 1000), at: 0)
        #expect(try driver.turn(within: .seconds(1)) { server.heard.contains(1) })
        #expect(server.heard.firstIndex(of: 1).map { $0 <= 80_000 } == true)
    }

    @Test func thePeersSpeechIsHeldBackByTheRateOfThisSide() throws {
        let server = Talker(saying: (0..<500).map { _ in [UInt8](repeating: 0, count: 1000) }, staysOpen: true)
        let client = try dial(conditions(rate: 1_000_000), to: server)
        #expect(try driver.turn(within: .seconds(1)) { client.heard.count >= 100_000 })
        #expect((100...140).contains(500 - server.outbox.count), "\(server.outbox.count)")
    }

    @Test func lossCostsTimeAndNothingElse() throws {
        let words = (0..<300).map { [UInt8](repeating: UInt8($0 % 251), count: 1000) }
        let client = try dial(conditions(delay: .milliseconds(5), loss: 0.05), saying: words)
        let start = driver.now
        #expect(try driver.turn(within: .seconds(60)) { client.heard.count == 300_000 })
        let isWhole = client.heard == words.flatMap { $0 }
        #expect(isWhole)
        #expect(driver.linkStatistics(of: client).lost > 10)
        #expect(elapsed(start) > .milliseconds(40))
    }

    @Test func jitterReorderingAndCopiesKeepTheOrderAndAreCounted() throws {
        var bad = conditions(delay: .milliseconds(5))
        bad.jitter = .milliseconds(5)
        bad.reordering = 0.1
        bad.duplication = 0.1
        let words = (0..<300).map { [UInt8](repeating: UInt8($0 % 251), count: 1000) }
        let client = try dial(bad, saying: words)
        #expect(try driver.turn(within: .seconds(60)) { client.heard.count == 300_000 })
        let isWhole = client.heard == words.flatMap { $0 }
        #expect(isWhole)
        let statistics = driver.linkStatistics(of: client)
        #expect(statistics.reordered > 10 && statistics.duplicated > 10)
    }

    @Test func aCutIsSilentUntilItIsMended() throws {
        let server = Talker(isEcho: true)
        let client = try dial(conditions(delay: .milliseconds(10)), saying: [[1]], to: server)
        #expect(try driver.turn { client.heard == [1] })
        var cut = conditions(delay: .milliseconds(10))
        cut.isCut = true
        driver.setLink(cut, of: client)
        client.outbox = [[2]]
        server.outbox = [[3]]
        let end = driver.now.advanced(by: .seconds(5))
        while driver.now < end { try driver.turn(until: end) }
        #expect(server.heard == [1] && client.heard == [1])
        #expect(server.end == nil && client.end == nil)
        #expect(driver.linkStatistics(of: client).cut == 2)
        driver.setLink(conditions(delay: .milliseconds(10)), of: client)
        #expect(try driver.turn { server.heard == [1, 2] && client.heard.count == 3 })
    }

    @Test func aStreamThatIsTakenAwayOverACutLinkLeavesItsPeerInTheDark() throws {
        let server = Talker(isEcho: true)
        let client = try dial(.perfect, saying: [[1]], to: server)
        #expect(try driver.turn { client.heard == [1] })
        var cut = LinkConditions()
        cut.isCut = true
        driver.setLink(cut, of: client)
        driver.unbind(client)
        server.outbox = [[2], [3]]
        let end = driver.now.advanced(by: .seconds(60))
        while driver.now < end { try driver.turn(until: end) }
        #expect(server.end == nil && client.heard == [1])
    }

    @Test func theDeadlineOfAStreamThatIsOverIsNobodys() throws {
        let client = try dial(.perfect, saying: [[1]])
        #expect(try driver.turn { client.heard == [1] })
        client.staysOpen = false
        #expect(try driver.turn { client.end != nil })
        client.deadline = .origin
        let end = driver.now.advanced(by: .seconds(1))
        try driver.turn(until: end)
        #expect(driver.now == end && client.advances == 0)
    }

    @Test func theSameSeedGivesTheSameRun() throws {
        let run = { (seed: UInt64) throws -> [UInt64] in
            let driver = SimulatedDriver(seed: seed)
            let address = try driver.listen(on: .loopback(port: 0)) { _ in Talker(isEcho: true) }
            let client = Talker(saying: (0..<100).map { _ in [UInt8](repeating: 0, count: 1000) }, staysOpen: true)
            try driver.connect(client, to: address)
            var conditions = LinkConditions()
            conditions.loss = 0.1
            conditions.jitter = .milliseconds(3)
            driver.setLink(conditions, of: client)
            var instants: [UInt64] = []
            while client.heard.count < 100_000, instants.count < 10_000 {
                try driver.turn(until: driver.now.advanced(by: .seconds(60)))
                instants.append(driver.now.nanoseconds)
            }
            return instants
        }
        #expect(try run(1) == run(1))
        #expect(try run(1) != run(2))
    }
}
