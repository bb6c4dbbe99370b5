import MoqBase
import Testing

@testable import MoqDrivers

@Suite struct SocketDriverTests {
    let driver: SocketDriver
    let left = PingPong()
    let right = PingPong(isEcho: true)

    init() throws {
        driver = try SocketDriver(linkSeed: 1)
    }

    static let v6Loopback = NetworkAddress(host: .v6(high: 0, low: 1), port: 0)
    static let hasIPv6 = (try? SocketDriver().bind(PingPong(), to: v6Loopback)) != nil

    @Test func aDatagramGoesOutAndItsEchoComesBack() throws {
        let here = try driver.bind(left, to: .loopback(port: 0))
        let there = try driver.bind(right, to: .loopback(port: 0))
        #expect(here.port != 0 && there.port != 0 && here != there)
        left.send(1, to: there)
        #expect(try driver.turn { !left.heard.isEmpty })
        #expect(right.heard.map(\.from) == [here])
        #expect(left.heard.map(\.from) == [there])
        #expect(left.numbers == [0])
    }

    @Test func aForgivingClockStandsStillWhileItsThreadIsKeptFromRunning() throws {
        let forgiving = try SocketDriver(forgivesLateness: true)
        for each in [forgiving, driver] { try each.turn(until: each.now) }
        let (before, plainBefore) = (forgiving.now, driver.now)
        ProcessClock.pause(.milliseconds(200))
        for each in [forgiving, driver] { try each.turn(until: each.now) }
        #expect(plainBefore.duration(to: driver.now) >= .milliseconds(200))
        #expect(driver.forgiven == .zero)
        // Twice a turn looks at the clock.
        #expect(before.duration(to: forgiving.now) <= SocketDriver.latenessAllowed * 2)
        #expect(forgiving.forgiven >= .milliseconds(200) - SocketDriver.latenessAllowed * 2)
    }

    @Test func aForgivingClockGoesOnWhileItWaits() throws {
        let forgiving = try SocketDriver(forgivesLateness: true)
        try forgiving.turn(until: forgiving.now)
        let before = forgiving.now
        try forgiving.turn(until: before.advanced(by: .milliseconds(60)))
        let passed = before.duration(to: forgiving.now)
        #expect(passed >= .milliseconds(60) && passed <= .milliseconds(60) + SocketDriver.latenessAllowed * 2)
    }

    @Test func aBatchArrivesWholeAndSplitsIntoItsDatagrams() throws {
        _ = try driver.bind(left, to: .loopback(port: 0))
        let there = try driver.bind(right, to: .loopback(port: 0))
        let bytes = (0..<40).flatMap { PingPong.numbered($0, size: 1452) } + PingPong.numbered(40, size: 77)
        left.outbox = [DatagramBatch(remote: there, bytes: bytes, segmentSize: 1452)]
        #expect(try driver.turn { left.heard.count == 41 })
        #expect(right.batches == [41])
        #expect(left.heard.flatMap(\.bytes) == bytes)
        #expect(driver.linkStatistics(of: left).passed == 82)
    }

    @Test func aBatchLargerThanTheKernelTakesIsCutUp() throws {
        _ = try driver.bind(left, to: .loopback(port: 0))
        let there = try driver.bind(right, to: .loopback(port: 0))
        let bytes = (0..<300).flatMap { PingPong.numbered($0, size: 400) }
        left.outbox = [DatagramBatch(remote: there, bytes: bytes, segmentSize: 400)]
        #expect(try driver.turn { left.heard.count == 300 })
        #expect(left.numbers == Array(0..<300))
        #expect(right.batches.count <= 5)
    }

    @Test func aKernelThatRefusesToCutGetsSingleDatagrams() throws {
        let here = try driver.bind(left, to: .loopback(port: 0))
        let there = try driver.bind(right, to: .loopback(port: 0))
        right.isEcho = false
        for case .datagrams(let socket) in driver.watched.values where socket.address == here {
            // More than any kernel takes in one call (128 since Linux 6.9).
            socket.segmentsPerCall = 1000
        }
        let bytes = (0..<300).flatMap { PingPong.numbered($0, size: 50) }
        left.outbox = [DatagramBatch(remote: there, bytes: bytes, segmentSize: 50)]
        #expect(try driver.turn { right.heard.count == 300 })
        #expect(right.numbers == Array(0..<300))
    }

    @Test func aDatagramTooLargeForTheNetworkIsLostAndTheNextOnesGoOn() throws {
        _ = try driver.bind(left, to: .loopback(port: 0))
        let there = try driver.bind(right, to: .loopback(port: 0))
        left.outbox = [DatagramBatch(remote: there, datagram: PingPong.numbered(0, size: 65_530))]
        left.send(3, to: there, first: 1)
        #expect(try driver.turn { left.heard.count == 3 })
        #expect(left.numbers == [1, 2, 3])
    }

    @Test(.enabled(if: SocketDriverTests.hasIPv6)) func ipv6WorksAndAWildcardTakesBothFamilies() throws {
        let v6 = Self.v6Loopback
        _ = try driver.bind(left, to: v6)
        _ = try driver.bind(left, to: .loopback(port: 0))
        let wildcard = try driver.bind(right, to: NetworkAddress(host: .v6(high: 0, low: 0), port: 0))
        left.send(1, to: NetworkAddress(host: v6.host, port: wildcard.port), first: 6)
        #expect(try driver.turn { left.heard.count == 1 })
        left.send(1, to: .loopback(port: wildcard.port), first: 4)
        #expect(try driver.turn { left.heard.count == 2 })
        #expect(right.heard.map { $0.from.isV6 } == [true, false])
        #expect(left.numbers == [6, 4])
    }

    @Test func aPortWithoutListenerIsNoticedAndNothingDies() throws {
        _ = try driver.bind(left, to: .loopback(port: 0))
        // A loopback address of this test's own, so that no test beside it takes the port in between.
        let there = try driver.bind(right, to: NetworkAddress(host: .v4(0x7F4D_0001), port: 0))
        driver.unbind(right)
        left.send(1, to: there)
        #expect(try driver.turn { driver.unreachable(left) })
        // Somebody takes the port: the machine is still alive, and reaches it.
        #expect(try driver.bind(right, to: there) == there)
        left.send(1, to: there, first: 7)
        #expect(try driver.turn { left.heard.count == 1 })
        #expect(left.numbers == [7])
        #expect(!driver.unreachable(left))
    }

    @Test func aPortInUseIsRefusedWithAWayOut() throws {
        let taken = try driver.bind(left, to: .loopback(port: 0))
        let other = try SocketDriver()
        let error = #expect(throws: DriverError.self) { try other.bind(right, to: taken) }
        let text = "\(try #require(error))"
        #expect(text.contains("cannot bind \(taken)") && text.contains("0 picks a free one"))
    }

    @Test func anAddressOfAnotherMachineIsToldApart() throws {
        // A documentation address (RFC 5737).
        let elsewhere = NetworkAddress(host: .v4(0xCB00_7101), port: 0)
        let error = #expect(throws: DriverError.self) { try driver.bind(left, to: elsewhere) }
        guard case .addressUnavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aDeadlineIsMetAndNotBeforeItsTime() throws {
        _ = try driver.bind(left, to: .loopback(port: 0))
        let deadline = driver.now.advanced(by: .microseconds(300))
        left.deadline = deadline
        #expect(try driver.turn { !left.advances.isEmpty })
        #expect(try #require(left.advances.first) >= deadline)
    }

    @Test func anotherThreadEndsAWaitingTurn() throws {
        _ = try driver.bind(left, to: .loopback(port: 0))
        let waker = driver.waker
        let limit = driver.now.advanced(by: .seconds(30))
        // A thread of its own: tests that block hold all threads of the concurrency runtime.
        let thread = try WorkerThread { waker.wake() }
        try driver.turn(until: limit)
        #expect(driver.now < limit)
        thread.join()
    }

    @Test func aWakeBetweenTurnsEndsTheNextOne() throws {
        let limit = driver.now.advanced(by: .seconds(30))
        driver.waker.wake()
        driver.waker.wake()
        try driver.turn(until: limit)
        #expect(driver.now < limit)
    }

    @Test func anImpairedLinkOnSocketsLosesWhatItSaysItLost() throws {
        _ = try driver.bind(left, to: .loopback(port: 0))
        let there = try driver.bind(right, to: .loopback(port: 0))
        right.isEcho = false
        var conditions = LinkConditions()
        conditions.loss = 0.5
        conditions.delay = .milliseconds(1)
        driver.setLink(conditions, of: left)
        left.send(200, to: there)
        #expect(
            try driver.turn {
                let done = driver.linkStatistics(of: left)
                return done.lost + done.passed == 200 && right.heard.count == done.passed
            })
        let statistics = driver.linkStatistics(of: left)
        #expect((60...140).contains(statistics.lost))
        #expect(statistics.delayed == statistics.passed)
        #expect(right.numbers == right.numbers.sorted())
    }

    @Test func whatWasSaidBeforeUnbindingStillArrivesOverASlowLink() throws {
        _ = try driver.bind(left, to: .loopback(port: 0))
        let there = try driver.bind(right, to: .loopback(port: 0))
        var conditions = LinkConditions()
        conditions.delay = .milliseconds(5)
        driver.setLink(conditions, of: left)
        left.send(1, to: there, first: 9)
        driver.unbind(left)
        #expect(try driver.turn { right.heard.count == 1 })
        #expect(right.numbers == [9])
    }

    @Test func namesResolveToAddressesAndNonsenseSaysWhatToDo() throws {
        #expect(try NetworkAddress.resolve(host: "127.0.0.1", port: 4443) == [.loopback(port: 4443)])
        #expect(
            try NetworkAddress.resolve(host: "[::1]", port: 1) == [NetworkAddress(host: .v6(high: 0, low: 1), port: 1)])
        let local = try NetworkAddress.resolve(host: "localhost", port: 80)
        #expect(!local.isEmpty && local.allSatisfy { $0.isLoopback && $0.port == 80 })
        let error = #expect(throws: DriverError.self) { try NetworkAddress.resolve(host: "no such host", port: 1) }
        #expect("\(try #require(error))".contains("cannot resolve no such host"))
    }
}
