import MoqBase
import MoqHTTP3
import MoqQUIC
import Testing

@testable import MoqTransport

/// Our client with servers that speak HTTP/3 byte by byte.
@Suite struct WebTransportClientTests {
    /// A client session, and a server that did `steps`. The CONNECT is stream 0.
    private func dial(_ steps: [PlainStep], offering: [String] = ["moq-lite-06"]) throws -> WebTransportPipe {
        let pipe = try WebTransportPipe(offering: offering, serving: nil)
        pipe.run()
        let server = try #require(pipe.serverConnection)
        for step in steps {
            step.perform(on: server)
            pipe.run(steps: 20)
        }
        return pipe
    }

    private let accepted = Plain.answer(200, [HTTPField("wt-protocol", "\"moq-lite-06\"")])

    @Test func theConnectWaitsForTheSettings() throws {
        let pipe = try dial([])
        #expect(!pipe.quicEvents.contains(.streamOpened(QUICStreamID(rawValue: 0))))
        PlainStep.uni(Plain.control).perform(on: try #require(pipe.serverConnection))
        pipe.run()
        let read = try #require(pipe.serverConnection?.read(QUICStreamID(rawValue: 0), limit: 10_000))
        var reader = RequestStreamReader(atServer: true)
        reader.append(read.bytes)
        guard case .head(let section) = try reader.next() else {
            Issue.record("no head")
            return
        }
        let request = try HTTP3Request(section: try QPACKDecoder().decode(section, stream: 0))
        #expect(request.isWebTransport && request.path == "/room?jwt=abc" && request.authority == "localhost:4443")
        #expect(request.scheme == "https" && request.offeredProtocols == ["moq-lite-06"])
    }

    @Test func anInformationalAnswerIsNotTheAnswer() throws {
        let pipe = try dial([.uni(Plain.control), .more(0, Plain.answer(103) + accepted)])
        #expect(pipe.client?.negotiatedProtocol == "moq-lite-06")
        #expect(pipe.client?.peerSettings?.count == HTTP3Settings.webTransport.entries.count)
    }

    @Test(arguments: [401, 403, 404, 405, 500, 302]) func aStatusIsARefusal(status: Int) throws {
        let pipe = try dial([.uni(Plain.control), .more(0, Plain.answer(status))])
        let close = try #require(pipe.clientClose)
        #expect(close.cause == .refused(.status(status)) && close.initiator == .peer && !close.reason.isEmpty)
        #expect(!close.description.contains("jwt=abc"))
        #expect(pipe.quicClose?.cause == .application(code: 0x100))
    }

    @Test(arguments: [
        Plain.control([]), Plain.control([HTTP3Settings.Entry(0x8, 1)]),
        Plain.control([HTTP3Settings.Entry(0x2B60_3742, 1)]),
        Plain.control([HTTP3Settings.Entry(0x8, 0), HTTP3Settings.Entry(0xC671_706A, 1)]),
    ])
    func aServerWithoutWebTransportIsNoRelay(control: [UInt8]) throws {
        let pipe = try dial([.uni(control)])
        guard case .refused(.notSpoken(let words)) = pipe.clientClose?.cause else {
            Issue.record("\(pipe.clientEvents)")
            return
        }
        #expect(words.contains("it is no relay"))
        #expect(pipe.quicClose?.cause == .application(code: 0x100))
    }

    @Test(arguments: [0x2B60_3742, 0x2B60_3743, 0xC671_706A, 0x14E9_CD29, 0x2C7C_F000] as [UInt64])
    func everyGenerationOfSettingsIsUnderstood(setting: UInt64) throws {
        let settings = Plain.control([HTTP3Settings.Entry(0x8, 1), HTTP3Settings.Entry(setting, 1)])
        let pipe = try dial([.uni(settings), .more(0, accepted)])
        #expect(pipe.client?.negotiatedProtocol == "moq-lite-06")
        // No datagrams without the setting for them.
        #expect(pipe.client?.maximumDatagramSize == nil && pipe.client?.sendDatagram([1]) == false)
    }

    @Test func aNameThatWasNotOfferedIsRefused() throws {
        let pipe = try dial([
            .uni(Plain.control), .more(0, Plain.answer(200, [HTTPField("wt-protocol", "\"moq-lite-01\"")])),
        ])
        #expect(pipe.clientClose?.cause == .refused(.notOffered("moq-lite-01")))
    }

    @Test(arguments: [[], [HTTPField("wt-protocol", "moq-lite-06")], [HTTPField("wt-protocol", "\"a\", \"b\"")]])
    func noNameIsRefusedUnlessTheSetupExchangeCanFollow(fields: [HTTPField]) throws {
        let steps: [PlainStep] = [.uni(Plain.control), .more(0, Plain.answer(200, fields))]
        #expect(try dial(steps).clientClose?.cause == .refused(.noProtocol))
        let open = try dial(steps, offering: ["moq-lite-06", "moql"])
        #expect(open.clientClose == nil && open.client?.negotiatedProtocol == nil)
        #expect(open.client?.openStream(.bidirectional) != nil)
    }

    @Test func aConnectThatGetsNoAnswerIsARefusalInWords() throws {
        let cases: [(PlainStep, String)] = [
            (.end(0), "without an answer"), (.reset(0, 0x10B), "H3_REQUEST_REJECTED"),
            (.more(3, [0x07, 0x01, 0x00]), "going away"),
        ]
        for (step, part) in cases {
            let pipe = try dial([.uni(Plain.control), step])
            guard case .refused(.notSpoken(let words)) = pipe.clientClose?.cause else {
                Issue.record("\(pipe.clientEvents)")
                continue
            }
            #expect(words.contains(part))
        }
        let pipe = try dial([.uni(Plain.control)])
        pipe.serverConnection?.close(code: 0x10B, reason: "full")
        pipe.run()
        guard case .refused(.notSpoken(let words)) = pipe.clientClose?.cause else {
            Issue.record("\(pipe.clientEvents)")
            return
        }
        #expect(words.contains("H3_REQUEST_REJECTED: full"))
    }

    @Test func streamsOfTheServerThatOvertakeItsAnswerAreHeld() throws {
        let pipe = try dial([.uni(Plain.control), .uni([0x40, 0x54, 0x00, 6]), .bidi([0x40, 0x41, 0x00])])
        #expect(pipe.clientEvents.isEmpty)
        PlainStep.more(0, accepted).perform(on: try #require(pipe.serverConnection))
        pipe.run()
        #expect(pipe.clientEvents.count == 4)
        #expect(pipe.client?.read(StreamID(rawValue: 7), limit: 5)?.bytes == [6])
    }

    @Test func aCloseOfTheServersIsAnsweredAndTold() throws {
        let capsule = Capsule.drainSession.encoded + Capsule.closeSession(code: 2, reason: "unauthorized").encoded
        let pipe = try dial([.uni(Plain.control), .more(0, accepted), .more(0, Plain.data(capsule))])
        #expect(pipe.client?.isDraining == true)
        #expect(
            pipe.clientClose
                == SessionClose(initiator: .peer, cause: .application(code: 2), reason: "unauthorized"))
        #expect(pipe.quicClose?.cause == .application(code: 0x52E4_A40F_A8DD))
    }
}
