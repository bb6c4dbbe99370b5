import MoqBase
import Testing

@testable import MoqDrivers

/// Links and the taking away of byte streams in both worlds.
@Suite struct StreamUnbindTests {
    private func pair(_ driver: any Driver, saying words: [[UInt8]] = [[1]]) throws -> (client: Talker, server: Talker)
    {
        let server = Talker(isEcho: true)
        let address = try driver.listen(on: .loopback(port: 0)) { _ in server }
        let client = Talker(saying: words, staysOpen: true)
        try driver.connect(client, to: address)
        #expect(try driver.turn { client.heard == words.flatMap { $0 } })
        return (client, server)
    }

    @Test(arguments: ByteStreamTests.World.allCases)
    func anUnfinishedStreamBreaks(_ world: ByteStreamTests.World) throws {
        let driver = try world.driver()
        let (client, server) = try pair(driver)
        client.outbox = [[2]]
        driver.unbind(client)
        #expect(try driver.turn { server.end != nil })
        #expect(server.heard == [1, 2])
        #expect(server.end?.isEmpty == false && server.ends == 1)
        #expect(client.heard == [1] && client.ends == 0)
    }

    @Test(arguments: ByteStreamTests.World.allCases)
    func aFinishedStreamEndsInOrder(_ world: ByteStreamTests.World) throws {
        let driver = try world.driver()
        let server = Talker(isEcho: true)
        let address = try driver.listen(on: .loopback(port: 0)) { _ in server }
        let client = Talker(saying: [[1]])
        client.staysOpen = true
        try driver.connect(client, to: address)
        #expect(try driver.turn { client.heard == [1] })
        client.outbox = [[2], [3]]
        client.staysOpen = false
        driver.unbind(client)
        #expect(try driver.turn { server.end != nil })
        #expect(server.heard == [1, 2, 3] && server.end == "")
        #expect(client.heard == [1])
    }

    @Test(arguments: ByteStreamTests.World.allCases)
    func whoSpeaksToAStreamThatIsGoneIsTold(_ world: ByteStreamTests.World) throws {
        let driver = try world.driver()
        let (client, server) = try pair(driver)
        driver.unbind(client)
        #expect(try driver.turn { server.end != nil })
        #expect(server.end != "")
        driver.unbind(client)
    }

    @Test(arguments: ByteStreamTests.World.allCases)
    func aCutHidesEvenTheEnd(_ world: ByteStreamTests.World) throws {
        let driver = try world.driver()
        let (client, server) = try pair(driver)
        var conditions = LinkConditions()
        conditions.isCut = true
        driver.setLink(conditions, of: client)
        client.outbox = [[2]]
        driver.unbind(client)
        server.outbox = [[3]]
        let end = driver.now.advanced(by: .milliseconds(30))
        while driver.now < end { try driver.turn(until: end) }
        #expect(server.heard == [1] && server.end == nil)
        #expect(client.heard == [1])
    }

    @Test func theDelayOfALinkIsKeptOnSockets() throws {
        let driver = try SocketDriver()
        let server = Talker(isEcho: true)
        let address = try driver.listen(on: .loopback(port: 0)) { _ in server }
        let client = Talker(saying: [[1]], staysOpen: true)
        let start = driver.now
        try driver.connect(client, to: address)
        var conditions = LinkConditions()
        conditions.delay = .milliseconds(5)
        driver.setLink(conditions, of: client)
        #expect(try driver.turn { client.heard == [1] })
        // Not less than the handshake's round trip and the question's; how much more depends on the machine.
        #expect(start.duration(to: driver.now) >= .milliseconds(20))
        #expect(driver.linkStatistics(of: client).delayed >= 4)
    }

    @Test func aCutOnSocketsIsMended() throws {
        let driver = try SocketDriver()
        let (client, server) = try pair(driver)
        var conditions = LinkConditions()
        conditions.isCut = true
        driver.setLink(conditions, of: client)
        client.outbox = [[2]]
        server.outbox = [[3]]
        let end = driver.now.advanced(by: .milliseconds(20))
        while driver.now < end { try driver.turn(until: end) }
        #expect(server.heard == [1] && client.heard == [1])
        driver.setLink(.perfect, of: client)
        #expect(try driver.turn { server.heard == [1, 2] && client.heard == [1, 3, 2] })
    }

    @Test func aRateOnSocketsLeavesTheRestWithTheMachine() throws {
        let driver = try SocketDriver()
        let (client, server) = try pair(driver)
        var conditions = LinkConditions()
        conditions.rate = 2_000_000
        driver.setLink(conditions, of: client)
        client.outbox = (0..<400).map { _ in [UInt8](repeating: 0, count: 1000) }
        #expect(try driver.turn { server.heard.count > 10_000 })
        // A slow machine may see much arrive in one turn, but never more than the link held besides.
        #expect(400 - client.outbox.count <= (server.heard.count + 2 * StreamLink.rateBacklog) / 1000)
        #expect(try driver.turn { server.heard.count == 400_001 })
    }

    @Test func aConnectionThatIsRefusedIsToldThroughItsLink() throws {
        let driver = try SocketDriver()
        let client = Talker(staysOpen: true)
        let start = driver.now
        try driver.connect(client, to: NetworkAddress(host: .v4(0x7F4D_0005), port: 4443))
        var conditions = LinkConditions()
        conditions.delay = .milliseconds(3)
        driver.setLink(conditions, of: client)
        #expect(try driver.turn { client.end != nil })
        #expect(client.end?.contains("nobody listens there") == true && client.ends == 1)
        #expect(start.duration(to: driver.now) >= .milliseconds(6))
    }
}
