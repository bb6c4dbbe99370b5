import MoqBase
import Testing

@testable import MoqQUIC

/// What a server says with its first flight.
@Suite struct EarlyStreamTests {
    private static let words: [UInt8] = Array("settings".utf8)

    /// A client and a server that has something to say early, to those who speak `h3`.
    private func pipe(
        offering name: String, streams: UInt64 = 8, loss: Double = 0
    ) throws -> (pipe: Pipe, client: Peer) {
        var configuration = QUICServerConfiguration(
            protocols: ["h3", "moq-lite-06"],
            credentials: try QUICServerCredentials(identity: try Link.identity.get()))
        configuration.earlyStreams["h3"] = Self.words
        let pipe = Pipe(seed: 5, server: configuration)
        pipe.loss = loss
        var settings = QUICTransportSettings()
        settings.maximumStreamsUnidirectional = streams
        let connection = pipe.client.connect(
            to: Pipe.serverAddress,
            configuration: QUICClientConfiguration(
                serverName: "localhost", protocols: [name], credentials: try QUICClientCredentials(trust: .insecure),
                transport: settings))
        let client = Peer(connection)
        pipe.onStep = { client.turn() }
        return (pipe, client)
    }

    @Test func itsStreamArrivesTogetherWithTheHandshake() throws {
        let (pipe, client) = try pipe(offering: "h3")
        let start = pipe.now
        pipe.run { !client.received.isEmpty }
        #expect(client.has(.established))
        #expect(start.duration(to: pipe.now) == pipe.delay * 2)
        #expect(pipe.server.pollAccepted() == nil)
        let id = QUICStreamID(rawValue: 3)
        #expect(client.received == [id: Self.words])
        pipe.run(for: .seconds(1))
        let server = try #require(pipe.server.pollAccepted())
        #expect(server.earlyStream == id)
        // It goes on like any other.
        server.write([0x21], to: id)
        server.finish(id)
        pipe.run(for: .seconds(1))
        #expect(client.received == [id: Self.words + [0x21]])
        #expect(client.finished == [id])
    }

    @Test func itArrivesAlthoughPacketsAreLost() throws {
        let (pipe, client) = try pipe(offering: "h3", loss: 0.3)
        #expect(pipe.run { client.received[QUICStreamID(rawValue: 3)] == Self.words })
    }

    @Test func aProtocolForWhichThereIsNoneGetsNone() throws {
        let (pipe, client) = try pipe(offering: "moq-lite-06")
        pipe.run(for: .seconds(1))
        #expect(client.has(.established) && client.opened.isEmpty)
        #expect(try #require(pipe.server.pollAccepted()).earlyStream == nil)
    }

    @Test func aClientThatAllowsNoStreamGetsNone() throws {
        let (pipe, client) = try pipe(offering: "h3", streams: 0)
        pipe.run(for: .seconds(1))
        #expect(client.has(.established) && client.opened.isEmpty)
        #expect(try #require(pipe.server.pollAccepted()).earlyStream == nil)
    }
}
