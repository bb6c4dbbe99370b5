import MoqBase
import MoqTransport
import Testing

/// What clients of the original stack put on the wire, recorded on plain TCP with `tcp://127.0.0.1:PORT/x?jwt=abc`.
@Suite struct QmuxVectorTests {
    /// The first record of moq-ffi 0.4.18, and of 0.3.19.
    private static let parameters = [
        "0.4.18": "40c5ff5153300d0a0d0a40bb01048000753004048010000005048004000006048004000007048004000008024064090240"
            + "6420027ffec571c59429cd0845027ffefd4f9c2a8b1e6075407c0b6d6f712d6c6974652d30360b6d6f712d6c6974652d30"
            + "350b6d6f712d6c6974652d30340b6d6f712d6c6974652d3033046d6f716c076d6f71742d3232076d6f71742d3231076d6f"
            + "71742d3230076d6f71742d3139076d6f71742d3138076d6f71742d3137076d6f71742d3136076d6f71742d3135066d6f71"
            + "2d3030",
        "0.3.19": "40b1ff5153300d0a0d0a40a701048000753004048010000005048004000006048004000007048004000008024064090240"
            + "6420027ffec571c59429cd0845027ffefd4f9c2a8b1e607540680b6d6f712d6c6974652d30350b6d6f712d6c6974652d30"
            + "340b6d6f712d6c6974652d3033046d6f716c076d6f71742d3231076d6f71742d3230076d6f71742d3139076d6f71742d31"
            + "38076d6f71742d3137076d6f71742d3136076d6f71742d3135066d6f712d3030",
    ]

    /// What moq-ffi 0.4.18 said next: the answer to a ping, its Announce stream, its SETUP stream, and pings.
    private static let sequel =
        "09f48c67529ef8c7be00070e000003010100200e02001c011a03020a2f783f6a77743d6162630508c00731eded45bcbf01010104"
        + "0f021c0009f48c67529ef8c7bd0009f48c67529ef8c7bd01"

    private func server(_ release: String) throws -> QmuxTCPSession {
        let session = QmuxTCPSession(
            server: .loopback(port: 50_000), protocols: ["moq-lite-06", "moq-lite-05", "moq-lite-04"],
            settings: QmuxSettings())
        let first = try #require(Self.parameters[release].flatMap { Hexadecimal.decode($0) })
        session.receive(first, at: .origin)
        return session
    }

    @Test(arguments: [("0.4.18", "moq-lite-06"), ("0.3.19", "moq-lite-05")])
    func recordedClientsAreUnderstood(_ release: String, _ name: String) throws {
        let session = try server(release)
        #expect(session.negotiatedProtocol == name)
        let parameters = try #require(session.engine.peerParameters)
        #expect(parameters.idleTimeout == 30_000 && parameters.data == 1 << 20)
        #expect(parameters.streamDataUnidirectional == 256 << 10 && parameters.streamsBidirectional == 100)
        #expect(parameters.datagramFrame == 16_382 && parameters.recordSize == 16_382)
        #expect(parameters.protocols?.count == (release == "0.4.18" ? 14 : 12))
    }

    @Test func aRecordedClientSendsItsSetup() throws {
        let session = try server("0.4.18")
        // Parameters, and the ping that the recording answers.
        #expect(session.transmit(at: .origin) != nil)
        session.receive(try #require(Hexadecimal.decode(Self.sequel)), at: Instant(nanoseconds: 3_000_000))
        #expect(
            QmuxPair.events(session.engine) == [
                "established", "streamOpened(stream 0)", "readable(stream 0)", "streamOpened(stream 2)",
                "readable(stream 2)",
            ])
        #expect(session.read(StreamID(rawValue: 0), limit: 99)?.bytes == [1, 1, 0])
        let setup = QmuxPair.readAll(session.engine, StreamID(rawValue: 2))
        #expect(setup.isFinished && setup.bytes.count == 28 && setup.bytes.prefix(2) == [1, 26])
        #expect(session.pathEstimate?.roundTrip == .milliseconds(3))
        // Both pings are answered, with the greater number.
        let answer = session.transmit(at: Instant(nanoseconds: 3_000_000))
        #expect(answer.map(Hexadecimal.encode) == "09f48c67529ef8c7be01")
    }

    @Test func aRecordedCloseIsTakenApart() throws {
        let session = try server("0.3.19")
        session.receive(try #require(Hexadecimal.decode("0c1d000963616e63656c6c6564")), at: .origin)
        #expect(
            session.engine.closed
                == SessionClose(initiator: .peer, cause: .application(code: 0), reason: "cancelled"))
    }
}
