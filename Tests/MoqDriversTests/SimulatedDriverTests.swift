import MoqBase
import Testing

@testable import MoqDrivers

@Suite struct SimulatedDriverTests {
    let driver = SimulatedDriver(seed: 1)
    let left = PingPong()
    let right = PingPong(isEcho: true)

    @Test func aDatagramTakesTheBaseLatencyEachWay() throws {
        let here = try driver.bind(left, to: .loopback(port: 0))
        let there = try driver.bind(right, to: .loopback(port: 4443))
        let start = driver.now
        left.send(1, to: there)
        #expect(try driver.turn { !left.heard.isEmpty })
        #expect(right.heard[0].from == here)
        #expect(left.heard[0].from == there)
        #expect(start.duration(to: right.heard[0].at) == .microseconds(50))
        #expect(start.duration(to: left.heard[0].at) == .microseconds(100))
        #expect(driver.protocolTime == .microseconds(100))
    }

    @Test func theDelayOfBothLinksAddsUp() throws {
        _ = try driver.bind(left, to: .loopback(port: 0))
        let there = try driver.bind(right, to: .loopback(port: 0))
        var conditions = LinkConditions()
        conditions.delay = .milliseconds(10)
        driver.setLink(conditions, of: left)
        conditions.delay = .milliseconds(3)
        driver.setLink(conditions, of: right)
        let start = driver.now
        left.send(1, to: there)
        #expect(try driver.turn { !left.heard.isEmpty })
        #expect(start.duration(to: left.heard[0].at) == .microseconds(26_100))
        #expect(driver.linkStatistics(of: left).delayed == 2)
    }

    @Test func batchesStayWholeAndInOrder() throws {
        _ = try driver.bind(left, to: .loopback(port: 0))
        let there = try driver.bind(right, to: .loopback(port: 0))
        let bytes = (0..<4).flatMap { PingPong.numbered($0, size: 1200) } + PingPong.numbered(4, size: 9)
        left.outbox = [DatagramBatch(remote: there, bytes: bytes, segmentSize: 1200)]
        left.send(1, to: there, first: 5)
        #expect(try driver.turn { left.heard.count == 6 })
        #expect(right.batches == [5, 1])
        #expect(right.numbers == [0, 1, 2, 3, 4, 5])
        #expect(driver.linkStatistics(of: right).passed == 12)
    }

    @Test func aTurnStopsAtItsLimitAndADeadlineIsMetExactly() throws {
        _ = try driver.bind(left, to: .loopback(port: 0))
        let deadline = driver.now.advanced(by: .seconds(60))
        left.deadline = deadline
        let limit = driver.now.advanced(by: .seconds(5))
        try driver.turn(until: limit)
        #expect(driver.now == limit)
        #expect(left.advances == [])
        try driver.turn(until: .distantFuture)
        #expect(left.advances == [deadline])
    }

    @Test func aTurnThatWouldNeverEndIsAnError() {
        #expect(throws: DriverError.self) { try driver.turn(until: .distantFuture) }
    }

    @Test func aDatagramToNobodyMakesTheMachineUnreachable() throws {
        _ = try driver.bind(left, to: .loopback(port: 0))
        left.send(1, to: .loopback(port: 9))
        try driver.turn(until: driver.now.advanced(by: .seconds(1)))
        #expect(driver.unreachable(left))
        #expect(driver.protocolTime == .microseconds(50))
        // Somebody takes the port and answers.
        let there = try driver.bind(right, to: .loopback(port: 9))
        left.send(1, to: there)
        #expect(try driver.turn { left.heard.count == 1 })
        #expect(!driver.unreachable(left))
    }

    @Test func aPortInUseIsRefusedWithAWayOut() throws {
        _ = try driver.bind(left, to: .loopback(port: 4443))
        let error = #expect(throws: DriverError.self) { try driver.bind(right, to: .loopback(port: 4443)) }
        #expect("\(try #require(error))".contains("port 0"))
        driver.unbind(left)
        #expect(try driver.bind(right, to: .loopback(port: 4443)).port == 4443)
    }

    @Test func whatWasSaidBeforeUnbindingStillArrivesOverASlowLink() throws {
        _ = try driver.bind(left, to: .loopback(port: 0))
        let there = try driver.bind(right, to: .loopback(port: 0))
        var conditions = LinkConditions()
        conditions.delay = .milliseconds(80)
        driver.setLink(conditions, of: left)
        left.send(1, to: there)
        driver.unbind(left)
        #expect(try driver.turn { right.heard.count == 1 })
        #expect(driver.protocolTime == .microseconds(80_050))
        // The echo finds nobody any more.
        #expect(try driver.turn { driver.unreachable(right) })
        #expect(left.heard.isEmpty)
    }
}
