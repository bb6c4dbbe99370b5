import MoqBase
import MoqHTTP3
import MoqQUIC
import Testing

@testable import MoqTransport

/// Our server with clients that speak HTTP/3 byte by byte.
@Suite struct WebTransportServerTests {
    /// A server session, and a client that did `steps`.
    private func serve(_ steps: [PlainStep]) throws -> WebTransportPipe {
        let pipe = try WebTransportPipe(offering: nil)
        pipe.run()
        for step in steps {
            step.perform(on: pipe.clientConnection)
            pipe.run(steps: 10)
        }
        pipe.run(steps: 110)
        return pipe
    }

    private func response(_ pipe: WebTransportPipe, _ stream: UInt64) throws -> HTTP3Response {
        let read = try #require(pipe.clientConnection.read(QUICStreamID(rawValue: stream), limit: 1 << 16))
        var reader = RequestStreamReader(atServer: false)
        reader.append(read.bytes)
        guard case .head(let section) = try reader.next() else {
            throw HTTP3Error(.messageError, "no head in \(read.bytes)")
        }
        return try HTTP3Response(section: QPACKDecoder().decode(section, stream: stream))
    }

    @Test func aConnectIsAnsweredWithTheChosenName() throws {
        let pipe = try serve([.uni(Plain.control), .bidi(Plain.connect(["x", "moq-lite-05"], path: "/a?b=c"))])
        let answer = try response(pipe, 0)
        #expect(answer.status == 200 && answer.protocolName == "moq-lite-05")
        #expect(answer.fields.contains(HTTPField("sec-webtransport-http3-draft", "draft02")))
        #expect(pipe.server?.requestPath == "/a?b=c")
    }

    @Test func whatIsNoSessionIsAnsweredWithItsStatusAndTheConnectionGoesOn() throws {
        let get = HTTP3Request(method: "GET", scheme: "https", authority: "h", path: "/x")
        let post = HTTP3Request(method: "POST", scheme: "https", authority: "h", path: "/x")
        let tunnel = HTTP3Request(method: "CONNECT", scheme: nil, authority: "h:1", path: nil)
        let other = HTTP3Request(
            method: "CONNECT", scheme: "https", authority: "h", path: "/", connectProtocol: "websocket")
        let heads = [get, post, tunnel, other].map { Plain.head($0.section) }
        let pipe = try serve(
            [.uni(Plain.control)] + heads.map(PlainStep.bidiEnd) + [.bidi(Plain.connect())])
        let streams: [UInt64] = [0, 4, 8, 12]
        #expect(try streams.map { try response(pipe, $0).status } == [404, 405, 405, 501])
        #expect(try response(pipe, 16).status == 200)
        #expect(pipe.server?.negotiatedProtocol == "moq-lite-06" && pipe.quicClose == nil)
        // Nothing is told of the answers' delivery.
        #expect(pipe.serverEvents.count == 1)
    }

    @Test func aSecondSessionIsRejected() throws {
        let pipe = try serve([.uni(Plain.control), .bidi(Plain.connect()), .bidi(Plain.connect())])
        let code = HTTP3Code.requestRejected.rawValue
        #expect(pipe.quicEvents.contains(.reset(QUICStreamID(rawValue: 4), code: code)))
        #expect(pipe.quicEvents.contains(.stopped(QUICStreamID(rawValue: 4), code: code)))
        #expect(pipe.quicClose == nil && pipe.serverClose == nil)
    }

    @Test func streamsAndDatagramsBeforeTheirSessionAreHeld() throws {
        let pipe = try serve([
            .uni(Plain.control), .bidi([]), .bidi([0x40, 0x41, 0x00, 1, 2]), .uniEnd([0x40, 0x54, 0x00]),
            .uni([0x40, 0x54, 0x00, 3]), .reset(10, 0x52E4_A40F_A8E0), .stop(4, 0), .datagram([0, 9]),
        ])
        #expect(pipe.serverEvents.isEmpty)
        PlainStep.more(0, Plain.connect()).perform(on: pipe.clientConnection)
        pipe.run()
        let expected = [
            "established", "streamOpened(stream 4)", "readable(stream 4)", "stopped(stream 4, unmapped 0x0)",
            "streamOpened(stream 6)", "readable(stream 6)", "streamOpened(stream 10)", "reset(stream 10, 5)",
            "datagram([9])",
        ]
        #expect(words(pipe) == expected)
        #expect(pipe.server?.read(StreamID(rawValue: 4), limit: 9)?.bytes == [1, 2])
        #expect(pipe.server?.read(StreamID(rawValue: 6), limit: 9)?.isFinished == true)
    }

    private func words(_ pipe: WebTransportPipe) -> [String] {
        pipe.serverEvents.map { event in
            switch event {
            case .established: "established"
            case .streamOpened(let id): "streamOpened(\(id))"
            case .readable(let id): "readable(\(id))"
            case .stopped(let id, let code): "stopped(\(id), \(code))"
            case .reset(let id, let code): "reset(\(id), \(code))"
            case .datagram(let bytes): "datagram(\(bytes))"
            default: "other"
            }
        }
    }

    @Test func noMoreStreamsThanTheBoundAreHeld() throws {
        let early = (0...WebTransportLimits.heldStreams).map { _ in PlainStep.uni([0x40, 0x54, 0x00, 1]) }
        let pipe = try WebTransportPipe(offering: nil)
        pipe.run()
        PlainStep.uni(Plain.control).perform(on: pipe.clientConnection)
        for step in early { step.perform(on: pipe.clientConnection) }
        pipe.run()
        let stops = pipe.quicEvents.compactMap { if case .stopped(_, let code) = $0 { code } else { nil } }
        #expect(stops == [HTTP3Code.webTransportBufferedStreamRejected.rawValue])
        PlainStep.bidi(Plain.connect()).perform(on: pipe.clientConnection)
        pipe.run()
        let opened = pipe.serverEvents.filter { if case .streamOpened = $0 { true } else { false } }
        #expect(opened.count == WebTransportLimits.heldStreams)
    }

    @Test func aStreamOfAnotherSessionIsTurnedAway() throws {
        let pipe = try serve([
            .uni(Plain.control), .bidi(Plain.connect()), .bidi([0x40, 0x41, 0x08, 1]), .uni([0x40, 0x54, 0x08, 1]),
        ])
        let code = HTTP3Code.webTransportBufferedStreamRejected.rawValue
        #expect(pipe.quicEvents.contains(.reset(QUICStreamID(rawValue: 4), code: code)))
        #expect(pipe.quicEvents.contains(.stopped(QUICStreamID(rawValue: 6), code: code)))
        #expect(pipe.serverEvents.count == 1 && pipe.quicClose == nil)
    }

    @Test func unusualButRightThingsAreTaken() throws {
        let pipe = try serve([
            // SETTINGS in two pieces, an unknown setting, unknown frames, MAX_PUSH_ID, GOAWAY.
            .uni([0, 0x04, 0x08, 0x08, 0x01, 0x40, 0x33]), .more(2, [0x01, 0x40, 0x9F, 0x05]),
            .more(2, [0x21, 0x03, 1, 2, 3, 0x0D, 0x01, 0x05, 0x07, 0x01, 0x00]),
            // QPACK streams, a capacity of 0, a stream cancelled; a stream of unknown type.
            .uni([0x02, 0x20]), .uni([0x03, 0x40]), .uniEnd([0x21, 7, 7, 7]), .uniEnd([]),
            // The CONNECT with an unknown frame before and behind it, in pieces; types in long forms.
            .bidi([0x21, 0x02, 0, 0] + Plain.connect()), .more(0, [0x21, 0x01, 9] + Plain.data([0x40, 0x55, 0x01])),
            .more(0, Plain.data([0xFF])), .uni([0x80, 0, 0, 0x54, 0x40, 0x00, 5]),
        ])
        #expect(pipe.quicClose == nil)
        #expect(pipe.server?.isDraining == true)
        #expect(pipe.server?.read(StreamID(rawValue: 22), limit: 5)?.bytes == [5])
        #expect(pipe.serverEvents.count == 3)
    }

    /// As moq-ffi 0.3.19 does when it refuses a session.
    @Test(arguments: [PlainStep.end(2), .end(0), .reset(0, 0), .stop(3, 0), .stop(0, 0)])
    func aCloseRightBehindTheEndOfAStreamThatIsNeededCounts(step: PlainStep) throws {
        let pipe = try WebTransportPipe(offering: nil)
        pipe.run()
        PlainStep.uni(Plain.control).perform(on: pipe.clientConnection)
        PlainStep.bidi(Plain.connect()).perform(on: pipe.clientConnection)
        pipe.run()
        step.perform(on: pipe.clientConnection)
        pipe.run(steps: 5)
        #expect(pipe.serverClose == nil)
        pipe.clientConnection.close(code: 0x52E4_A40F_A8DD, reason: "unauthorized")
        pipe.run(steps: 5)
        #expect(
            pipe.serverClose
                == SessionClose(initiator: .peer, cause: .application(code: 2), reason: "unauthorized"))
    }

    @Test func theEndsOfASession() throws {
        let opening: [PlainStep] = [.uni(Plain.control), .bidi(Plain.connect())]
        let capsule = Plain.data(Capsule.closeSession(code: 7, reason: "done").encoded)
        let cases: [(PlainStep, SessionClose)] = [
            (.more(0, capsule), SessionClose(initiator: .peer, cause: .application(code: 7), reason: "done")),
            (.end(0), SessionClose(initiator: .peer, cause: .application(code: 0), reason: "")),
            (
                .reset(0, 0x10C),
                SessionClose(
                    initiator: .peer, cause: .lost, reason: "the CONNECT was reset with H3_REQUEST_CANCELLED")
            ),
        ]
        for (step, close) in cases {
            let pipe = try serve(opening + [step])
            #expect(pipe.serverClose == close)
            #expect(pipe.quicClose != nil)
        }
        for (code, cause) in [
            (0x52E4_A40F_A8DD, .application(code: 2)), (0x100, .application(code: 0)), (5, .application(code: 5)),
            (0x10E, .transport(code: 0x10E)),
        ] as [(UInt64, SessionClose.Cause)] {
            let pipe = try serve(opening)
            pipe.clientConnection.close(code: code, reason: "")
            pipe.run()
            #expect(pipe.serverClose?.cause == cause)
            #expect(pipe.serverClose?.initiator == .peer)
        }
    }
}
