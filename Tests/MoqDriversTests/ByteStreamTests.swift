import MoqBase
import Testing

@testable import MoqDrivers

/// What byte streams do in both worlds.
@Suite struct ByteStreamTests {
    enum World: CaseIterable {
        case simulated, sockets

        func driver() throws -> any Driver {
            switch self {
            case .simulated: SimulatedDriver(seed: 1)
            case .sockets: try SocketDriver(linkSeed: 1)
            }
        }
    }

    /// More than the buffers of a connection hold, so that both sides have to wait for room.
    static let large: [[UInt8]] = (0..<96).map { [UInt8](repeating: UInt8($0), count: 100_000) }

    @Test(arguments: World.allCases)
    func everythingIsEchoedAfterTheClientEndedItsHalf(_ world: World) throws {
        let driver = try world.driver()
        let server = Talker(isEcho: true)
        var peers: [NetworkAddress] = []
        let address = try driver.listen(on: .loopback(port: 0)) { peer in
            peers.append(peer)
            return server
        }
        let client = Talker(saying: Self.large)
        try driver.connect(client, to: address)
        #expect(try driver.turn { client.end != nil && server.end != nil })
        #expect(client.end == "" && client.ends == 1)
        #expect(server.end == "" && server.ends == 1)
        // Compared outside of the macro, which would print ten million bytes.
        let isWhole = client.heard == Self.large.flatMap { $0 }
        #expect(isWhole)
        #expect(peers.count == 1 && peers[0].isLoopback && peers[0].port != 0)
    }

    @Test(arguments: World.allCases)
    func whereNobodyListensTheMachineIsTold(_ world: World) throws {
        let driver = try world.driver()
        let client = Talker(staysOpen: true)
        // A loopback address of this test's own: nobody else opens ports there.
        let nobody = NetworkAddress(host: .v4(0x7F4D_0002), port: 4443)
        try driver.connect(client, to: nobody)
        #expect(try driver.turn { client.end != nil })
        let words = try #require(client.end)
        #expect(words.contains("cannot connect to \(nobody)") && words.contains("nobody listens there"))
        #expect(client.ends == 1)
    }

    @Test(arguments: World.allCases)
    func aRefusedClientHearsTheEnd(_ world: World) throws {
        let driver = try world.driver()
        let address = try driver.listen(on: .loopback(port: 0)) { _ in nil }
        let client = Talker(staysOpen: true)
        try driver.connect(client, to: address)
        #expect(try driver.turn { client.end != nil })
        #expect(client.ends == 1)
    }

    @Test(arguments: World.allCases)
    func streamsGoOnAfterTheListenerStopped(_ world: World) throws {
        let driver = try world.driver()
        let host = NetworkAddress(host: .v4(0x7F4D_0003), port: 0)
        let server = Talker(isEcho: true)
        let address = try driver.listen(on: host) { _ in server }
        let client = Talker(saying: [[1]], staysOpen: true)
        try driver.connect(client, to: address)
        #expect(try driver.turn { client.heard == [1] })
        driver.stopListening(at: address)
        client.outbox = [[2]]
        #expect(try driver.turn { client.heard == [1, 2] })
        let late = Talker(staysOpen: true)
        try driver.connect(late, to: address)
        #expect(try driver.turn { late.end != nil })
    }

    @Test(arguments: World.allCases)
    func aPortInUseIsRefusedWithAWayOut(_ world: World) throws {
        let driver = try world.driver()
        let address = try driver.listen(on: .loopback(port: 0)) { _ in nil }
        let error = #expect(throws: DriverError.self) { try driver.listen(on: address) { _ in nil } }
        let words = "\(try #require(error))"
        #expect(words.contains("cannot bind \(address)") && words.contains("free one"))
    }

    @Test(arguments: World.allCases)
    func theDeadlineOfAStreamMachineIsKept(_ world: World) throws {
        let driver = try world.driver()
        let address = try driver.listen(on: .loopback(port: 0)) { _ in Talker(staysOpen: true) }
        let client = Talker(staysOpen: true)
        client.deadline = driver.now.advanced(by: .milliseconds(2))
        try driver.connect(client, to: address)
        #expect(try driver.turn { client.advances > 0 })
        #expect(client.advances == 1)
    }

    @Test(arguments: World.allCases)
    func onePortIsSharedByFamiliesAndKinds(_ world: World) throws {
        let driver = try world.driver()
        let machine = PingPong(isEcho: true)
        let hosts = [NetworkAddress.loopback(port: 0).host, NetworkAddress.Host.v6(high: 0, low: 1)]
        let addresses = try driver.bind(machine, on: hosts, port: 0) { _ in Talker(isEcho: true) }
        #expect(addresses.first?.host == hosts[0])
        #expect(Set(addresses.map(\.port)).count == 1)
        for address in addresses {
            let datagrams = PingPong()
            _ = try driver.bind(datagrams, to: NetworkAddress(host: address.host, port: 0))
            datagrams.send(1, to: address)
            let stream = Talker(saying: [[1, 2]])
            try driver.connect(stream, to: address)
            #expect(try driver.turn { datagrams.heard.count == 1 && stream.heard == [1, 2] })
            #expect(datagrams.heard[0].from == address)
        }
        // The number is taken now, and a second attempt leaves nothing bound.
        let other = PingPong()
        #expect(throws: DriverError.self) { try driver.bind(other, on: hosts, port: addresses[0].port) }
        _ = try driver.bind(other, to: .loopback(port: 0))
    }

    @Test(arguments: World.allCases)
    func aSharedPortThatIsHalfTakenLeavesNothingBound(_ world: World) throws {
        let driver = try world.driver()
        let host = NetworkAddress(host: .v4(0x7F4D_0004), port: 0)
        let taken = try driver.listen(on: host) { _ in nil }
        let machine = PingPong()
        #expect(throws: DriverError.self) {
            try driver.bind(machine, on: [host.host], port: taken.port) { _ in nil }
        }
        #expect(try driver.bind(machine, to: taken) == taken)
    }

    @Test func aFullConnectionIsWatchedUntilItHasRoom() throws {
        let here = try SocketDriver()
        let there = try SocketDriver()
        let server = Talker(staysOpen: true)
        let client = Talker(saying: Self.large, staysOpen: true)
        let address = try there.listen(on: .loopback(port: 0)) { _ in server }
        try here.connect(client, to: address)
        #expect(try here.turn { here.connections.allSatisfy { !$0.isConnecting } })
        // The far side does not read: the kernel's buffers fill.
        try here.turn(until: here.now)
        let connection = try #require(here.connections.first)
        #expect(connection.watchedForRoom && !client.outbox.isEmpty)
        let whole = Self.large.map(\.count).reduce(0, +)
        let end = here.now.advanced(by: .seconds(10))
        while server.heard.count < whole, here.now < end {
            try there.turn(until: there.now)
            try here.turn(until: here.now)
        }
        #expect(server.heard.count == whole)
        #expect(!connection.watchedForRoom)
    }

    @Test func aPeerThatNeitherReadsNorEndsIsGivenUp() throws {
        let driver = try SocketDriver()
        let silent = Talker(staysOpen: true)
        let address = try driver.listen(on: .loopback(port: 0)) { _ in silent }
        let client = Talker(saying: [[1]])
        try driver.connect(client, to: address)
        #expect(try driver.turn { silent.end != nil })
        let connection = try #require(driver.connections.first { $0.machine === client })
        let limit = try #require(connection.closingDeadline)
        #expect(connection.advance(to: limit) == false)
        #expect(connection.isOver)
        #expect(client.ends == 0)
    }

    @Test func aPeerThatGoesOnTalkingIsGivenUpToo() throws {
        let driver = try SocketDriver()
        let talking = Talker(staysOpen: true)
        let address = try driver.listen(on: .loopback(port: 0)) { _ in talking }
        let client = Talker(saying: [[1]])
        try driver.connect(client, to: address)
        #expect(try driver.turn { talking.end != nil })
        let connection = try #require(driver.connections.first { $0.machine === client })
        let limit = try #require(connection.closingDeadline)
        for byte in UInt8(1)...3 {
            talking.outbox = [[byte]]
            #expect(try driver.turn { client.heard.last == byte })
        }
        #expect(connection.closingDeadline == limit)
    }

    @Test func aBurstOfConnectionsWaitsForTheListener() throws {
        let here = try SocketDriver()
        let there = try SocketDriver()
        var accepted = 0
        let address = try there.listen(on: .loopback(port: 0)) { _ in
            accepted += 1
            return Talker(staysOpen: true)
        }
        // The far side does not accept yet; the kernel keeps them all.
        for _ in 0..<200 { try here.connect(Talker(staysOpen: true), to: address) }
        #expect(try here.turn { here.connections.allSatisfy { !$0.isConnecting } })
        #expect(try there.turn { accepted == 200 })
    }
}
