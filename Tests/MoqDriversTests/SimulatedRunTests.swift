import MoqBase
import Testing

@testable import MoqDrivers

/// Whole runs on the simulated network.
@Suite struct SimulatedRunTests {
    /// Three machines that ask one echo over bad links, and everything that happened, in order.
    static func trace(seed: UInt64) throws -> [String] {
        let driver = SimulatedDriver(seed: seed)
        let echo = PingPong(isEcho: true)
        let there = try driver.bind(echo, to: .loopback(port: 4443))
        var conditions = LinkConditions()
        conditions.delay = .milliseconds(20)
        conditions.jitter = .milliseconds(5)
        conditions.loss = 0.1
        conditions.duplication = 0.05
        conditions.reordering = 0.1
        var machines: [PingPong] = []
        for index in 0..<3 {
            let machine = PingPong()
            _ = try driver.bind(machine, to: .loopback(port: 0))
            driver.setLink(conditions, of: machine)
            machine.send(100, to: there, first: index * 100)
            machines.append(machine)
        }
        let end = driver.now.advanced(by: .seconds(2))
        while driver.now < end { try driver.turn(until: end) }
        let lines = (machines + [echo]).flatMap { machine in
            machine.heard.map { "\($0.at) \($0.from) \($0.bytes[0]) \($0.bytes[1])" }
        }
        return lines + machines.map { "\(driver.linkStatistics(of: $0))" }
    }

    @Test func theSameSeedGivesTheSameRunAndAnotherAnother() throws {
        let first = try Self.trace(seed: 11)
        #expect(first.count > 300)
        #expect(try Self.trace(seed: 11) == first)
        #expect(try Self.trace(seed: 12) != first)
    }

    @Test func eventsOfOneInstantComeInTheOrderOfTheirCause() throws {
        let driver = SimulatedDriver(seed: 1)
        let target = PingPong()
        let there = try driver.bind(target, to: .loopback(port: 0))
        for number in 0..<20 {
            let machine = PingPong()
            _ = try driver.bind(machine, to: .loopback(port: 0))
            machine.send(1, to: there, first: number)
        }
        try driver.turn(until: driver.now.advanced(by: .seconds(1)))
        #expect(target.numbers == Array(0..<20))
    }

    @Test func aCutLinkStopsBothDirectionsUntilItIsMended() throws {
        let driver = SimulatedDriver(seed: 1)
        let left = PingPong()
        let right = PingPong(isEcho: true)
        let here = try driver.bind(left, to: .loopback(port: 0))
        let there = try driver.bind(right, to: .loopback(port: 0))
        var conditions = LinkConditions()
        conditions.isCut = true
        driver.setLink(conditions, of: left)
        left.send(2, to: there)
        right.send(3, to: here)
        let end = driver.now.advanced(by: .seconds(1))
        try driver.turn(until: end)
        #expect(driver.now == end)
        #expect(left.heard.isEmpty && right.heard.isEmpty)
        #expect(driver.linkStatistics(of: left).cut == 5)
        #expect(!driver.unreachable(left))
        driver.setLink(.perfect, of: left)
        left.send(1, to: there, first: 7)
        #expect(try driver.turn { left.numbers == [7] })
    }

    @Test func aRateIsKeptInBothDirections() throws {
        let driver = SimulatedDriver(seed: 1)
        let left = PingPong()
        let right = PingPong(isEcho: true)
        _ = try driver.bind(left, to: .loopback(port: 0))
        let there = try driver.bind(right, to: .loopback(port: 0))
        var conditions = LinkConditions()
        conditions.rate = 100_000
        driver.setLink(conditions, of: left)
        let bytes = (0..<50).flatMap { PingPong.numbered($0, size: 1000) }
        left.outbox = [DatagramBatch(remote: there, bytes: bytes, segmentSize: 1000)]
        let start = driver.now
        #expect(try driver.turn { left.heard.count == 50 })
        // 10 ms for each on the way out; the last one's way in takes 10 ms more. Both ways, 50 us of the network.
        #expect(start.duration(to: driver.now) == .microseconds(510_100))
    }

    @Test func wildcardsTakeEveryAddressOfTheirFamilyAndAnswerFromTheOneAsked() throws {
        let driver = SimulatedDriver(seed: 1)
        let left = PingPong()
        let right = PingPong(isEcho: true)
        _ = try driver.bind(left, to: .loopback(port: 0))
        let wildcard = try driver.bind(right, to: NetworkAddress(host: .v6(high: 0, low: 0), port: 0))
        let asked = NetworkAddress.loopback(port: wildcard.port)
        left.send(1, to: asked)
        #expect(try driver.turn { left.heard.count == 1 })
        #expect(left.heard[0].from == asked)
        #expect(throws: DriverError.self) { try driver.bind(PingPong(), to: asked) }
    }

    @Test func aDeadlineThatDoesNotMoveOnIsFoundOut() throws {
        final class Stuck: DatagramMachine {
            var deadline: Instant? = .origin
            func receive(_ batch: DatagramBatch, at now: Instant) {}
            func transmit(at now: Instant) -> DatagramBatch? { nil }
            func advance(to now: Instant) {}
        }
        let driver = SimulatedDriver(seed: 1)
        _ = try driver.bind(Stuck(), to: .loopback(port: 0))
        let end = driver.now.advanced(by: .seconds(1))
        let error = #expect(throws: DriverError.self) {
            while driver.now < end { try driver.turn(until: end) }
        }
        #expect("\(try #require(error))".contains("stands still"))
    }

    @Test func whatMachinesOnTheirOwnAnswerTakesNoTurn() throws {
        for isOnItsOwn in [false, true] {
            let driver = SimulatedDriver(seed: 1)
            let caller = PingPong()
            let echo = PingPong(isEcho: true)
            echo.isOnItsOwn = isOnItsOwn
            _ = try driver.bind(caller, to: .loopback(port: 0))
            let address = try driver.bind(echo, to: .loopback(port: 0))
            caller.outbox = [DatagramBatch(remote: address, datagram: [1, 2, 3])]
            let start = driver.now
            let end = start.advanced(by: .seconds(1))
            var turns = 0
            while caller.heard.isEmpty {
                try #require(driver.now < end)
                try driver.turn(until: end)
                turns += 1
            }
            #expect(turns == (isOnItsOwn ? 1 : 2))
            #expect(echo.heard.count == 1)
            #expect(start.duration(to: driver.now) == SimulatedDriver.baseLatency * 2)
        }
    }

    @Test func aMachineOnItsOwnIsServedUpToTheLimit() throws {
        final class Ticking: DatagramMachine {
            var deadline: Instant?
            var ticks = 0
            let isOnItsOwn = true
            func receive(_ batch: DatagramBatch, at now: Instant) {}
            func transmit(at now: Instant) -> DatagramBatch? { nil }
            func advance(to now: Instant) {
                ticks += 1
                deadline = now.advanced(by: .milliseconds(10))
            }
        }
        let driver = SimulatedDriver(seed: 1)
        let machine = Ticking()
        machine.deadline = driver.now.advanced(by: .milliseconds(10))
        _ = try driver.bind(machine, to: .loopback(port: 0))
        let end = driver.now.advanced(by: .milliseconds(95))
        try driver.turn(until: end)
        #expect(driver.now == end)
        #expect(machine.ticks == 9)
    }
}
