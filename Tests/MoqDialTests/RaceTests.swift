import MoqBase
import MoqDrivers
import MoqQUIC
import MoqTransport
import Testing

@testable import MoqDial

@Suite struct RaceTests {
    private func race(_ scene: DialScene) throws -> Connection {
        try Connection(racing: [scene.plan(.webtransport), scene.plan(.websocket)])
    }

    @Test func theQUICBasedTransportWinsWhereBothAnswer() throws {
        let scene = try DialScene()
        try scene.serveDatagrams()
        try scene.serveStreams { WebSocketDoor($0, protocols: ["moq-lite-05"]) }
        let connection = try race(scene)
        try scene.dial(connection)
        #expect(scene.isEstablished)
        #expect(connection.facts.kind == .webtransport)
        #expect(connection.transport.kind == .webtransport)
        // WebSocket had not even begun.
        #expect(scene.streams.isEmpty)
    }

    @Test func webSocketTakesOverWhereQUICIsNotAnswered() throws {
        let scene = try DialScene()
        // A machine that hears and never answers, so that nothing says that nobody listens.
        let silent = Silent()
        _ = try scene.driver.bind(silent, to: scene.address)
        try scene.serveStreams { WebSocketDoor($0, protocols: ["moq-lite-05"]) }
        let connection = try race(scene)
        let begin = scene.driver.now
        try scene.dial(connection)
        #expect(scene.isEstablished)
        #expect(connection.facts.kind == .websocket)
        #expect(connection.transport.negotiatedProtocol == "moq-lite-05")
        let took = begin.duration(to: scene.driver.now)
        #expect(took >= Race.headStart && took < Race.headStart + .milliseconds(50), "\(took)")
    }

    @Test func webSocketBeginsAtOnceWhereNobodyListensForQUIC() throws {
        let scene = try DialScene()
        try scene.serveStreams { WebSocketDoor($0, protocols: ["moq-lite-05"]) }
        let connection = try race(scene)
        try scene.dial(connection)
        #expect(scene.isEstablished)
        #expect(connection.facts.kind == .websocket)
    }

    @Test func aDenialEndsTheRace() throws {
        let scene = try DialScene()
        let silent = Silent()
        _ = try scene.driver.bind(silent, to: scene.address)
        try scene.serveStreams { _ in Parrot("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n") }
        let connection = try race(scene)
        let begin = scene.driver.now
        try scene.dial(connection)
        #expect(scene.close?.cause == .refused(.status(403)))
        #expect(begin.duration(to: scene.driver.now) < .seconds(1))
        #expect(!connection.isAttached)
    }

    @Test func whenAllFailTheCloseNamesEach() throws {
        let scene = try DialScene()
        let connection = try race(scene)
        try scene.dial(connection)
        let close = try #require(scene.close)
        #expect(close.reason.contains("webtransport: "))
        #expect(close.reason.contains("websocket: "))
    }

    @Test func aCloseBeforeTheEndStopsAllContestants() throws {
        let scene = try DialScene()
        let silent = Silent()
        _ = try scene.driver.bind(silent, to: scene.address)
        let connection = try race(scene)
        try connection.attach(to: scene.driver)
        try scene.turn(connection, for: .milliseconds(50)) { _ in false }
        connection.transport.close(code: 7, reason: "enough")
        try scene.turn(connection, for: .seconds(1)) { _ in false }
        #expect(scene.close?.cause == .application(code: 7))
        #expect(!connection.isAttached)
    }
}

/// Hears and says nothing.
private final class Silent: DatagramMachine {
    func receive(_ batch: DatagramBatch, at now: Instant) {}
    func transmit(at now: Instant) -> DatagramBatch? { nil }
    var deadline: Instant? { nil }
    func advance(to now: Instant) {}
}
