import MoqBase
import MoqHTTP3
import MoqQUIC
import Testing

@testable import MoqTransport

/// What a peer can do wrong, and the code with which the connection is closed for it.
struct Malformed: Sendable, CustomTestStringConvertible {
    var name: String
    var steps: [PlainStep]
    var code: HTTP3Code

    var testDescription: String { name }

    init(_ name: String, _ code: HTTP3Code, _ steps: [PlainStep]) {
        self.name = name
        self.steps = steps
        self.code = code
    }

    private static let duplicate = Plain.control([HTTP3Settings.Entry(0x8, 1), HTTP3Settings.Entry(0x8, 1)])
    private static let goodStart: [PlainStep] = [.uni(Plain.control)]

    /// By either side; the peer's first stream each way is the control stream.
    static let either: [Malformed] = [
        Malformed("control without settings", .missingSettings, [.uni([0, 0x07, 0x01, 0x00])]),
        Malformed("control with an unknown frame first", .missingSettings, [.uni([0, 0x21, 0x00])]),
        Malformed("control that ends", .closedCriticalStream, [.uniEnd(Plain.control)]),
        Malformed("control that ends at once", .closedCriticalStream, [.uniEnd([0])]),
        Malformed("two control streams", .streamCreationError, goodStart + [.uni(Plain.control)]),
        Malformed("two encoder streams", .streamCreationError, [.uni([2]), .uni([2])]),
        Malformed("two decoder streams", .streamCreationError, [.uni([3]), .uni([3])]),
        Malformed("encoder stream that ends", .closedCriticalStream, [.uniEnd([2])]),
        Malformed("encoder stream that inserts", .qpackEncoderStreamError, [.uni([2, 0x41, 0x61, 0x01, 0x62])]),
        Malformed("encoder stream with a capacity", .qpackEncoderStreamError, [.uni([2, 0x3F, 0x45])]),
        Malformed("decoder stream that acknowledges nothing", .qpackDecoderStreamError, [.uni([3, 0x80])]),
        Malformed("decoder stream with an increment of 0", .qpackDecoderStreamError, [.uni([3, 0x00])]),
        Malformed("second SETTINGS", .frameUnexpected, [.uni(Plain.control + [0x04, 0x00])]),
        Malformed("DATA on control", .frameUnexpected, [.uni(Plain.control + [0x00, 0x00])]),
        Malformed("HEADERS on control", .frameUnexpected, [.uni(Plain.control + [0x01, 0x00])]),
        Malformed("frame of HTTP/2 on control", .frameUnexpected, [.uni(Plain.control + [0x06, 0x00])]),
        Malformed("setting twice", .settingsError, [.uni(duplicate)]),
        Malformed("setting of HTTP/2", .settingsError, [.uni(Plain.control([HTTP3Settings.Entry(0x2, 0)]))]),
        Malformed("switch of 2", .settingsError, [.uni(Plain.control([HTTP3Settings.Entry(0x33, 2)]))]),
        Malformed("setting cut short", .frameError, [.uni([0, 0x04, 0x01, 0x08])]),
        Malformed("SETTINGS of a megabyte", .excessiveLoad, [.uni([0, 0x04, 0x80, 0x10, 0, 0])]),
        Malformed(
            "65 settings", .excessiveLoad,
            [.uni(Plain.control((0..<65).map { HTTP3Settings.Entry(100 + $0, 1) }))]),
        Malformed("empty GOAWAY", .frameError, [.uni(Plain.control + [0x07, 0x00])]),
        Malformed("GOAWAY with more in it", .frameError, [.uni(Plain.control + [0x07, 0x02, 0x00, 0x00])]),
        Malformed("GOAWAY that rises", .idError, [.uni(Plain.control + [0x07, 0x01, 0x10, 0x07, 0x01, 0x14])]),
        Malformed("CANCEL_PUSH", .idError, [.uni(Plain.control + [0x03, 0x01, 0x00])]),
        Malformed("session of a stream that cannot be a CONNECT", .idError, [.uni([0x40, 0x54, 0x03])]),
        Malformed("empty datagram", .datagramError, [.datagram([])]),
        Malformed(
            "datagram of a stream beyond all", .datagramError,
            [.datagram([0xD0, 0, 0, 0, 0, 0, 0, 0])]),
    ]

    private static func request(_ bytes: [UInt8]) -> [PlainStep] { goodStart + [.bidi(bytes)] }
    private static func behindConnect(_ bytes: [UInt8]) -> [PlainStep] { request(Plain.connect()) + [.more(0, bytes)] }
    private static let hugeSection = HTTPField("x", String(repeating: "a", count: 40_000))

    static let byClient: [Malformed] = [
        Malformed("push stream", .streamCreationError, [.uni([1, 0])]),
        Malformed("MAX_PUSH_ID that falls", .idError, [.uni(Plain.control + [0x0D, 0x01, 0x05, 0x0D, 0x01, 0x04])]),
        Malformed("DATA before HEADERS", .frameUnexpected, request([0x00, 0x01, 0x00])),
        Malformed("SETTINGS on a request", .frameUnexpected, request([0x04, 0x00])),
        Malformed("PUSH_PROMISE of a client", .frameUnexpected, request([0x05, 0x00])),
        Malformed("frame of HTTP/2 on a request", .frameUnexpected, request([0x02, 0x00])),
        Malformed("request that ends within a frame", .frameError, goodStart + [.bidiEnd([0x01, 0x05, 0x00])]),
        Malformed("empty field section", .qpackDecompressionFailed, request([0x01, 0x00])),
        Malformed("field section with an unknown index", .qpackDecompressionFailed, request([0x01, 3, 0, 0, 0x80])),
        Malformed("field section cut short", .qpackDecompressionFailed, request([0x01, 0x04, 0, 0, 0x51, 0x05])),
        Malformed("field section that needs the table", .qpackDecompressionFailed, request([0x01, 0x03, 2, 0, 0x80])),
        Malformed("field section of 25 KB", .excessiveLoad, request(Plain.head([hugeSection]))),
        Malformed(
            "field section of many fields", .excessiveLoad,
            request([0x01, 0x40, 0xFF, 0, 0] + [UInt8](repeating: 0xD1, count: 253))),
        Malformed("HEADERS behind a CONNECT", .frameUnexpected, behindConnect(Plain.connect())),
        Malformed("GOAWAY behind a CONNECT", .frameUnexpected, behindConnect([0x07, 0x01, 0x00])),
        Malformed("WebTransport stream within a CONNECT", .frameError, behindConnect([0x40, 0x41, 0x00])),
        Malformed("CONNECT that ends within a frame", .frameError, behindConnect([0x00, 0x05, 0x68]) + [.end(0)]),
        Malformed(
            "CONNECT that ends within a capsule", .messageError, behindConnect(Plain.data([0x68, 0x43])) + [.end(0)]),
        Malformed(
            "close capsule without a code", .messageError, behindConnect(Plain.data([0x68, 0x43, 0x03, 0, 0, 0]))),
        Malformed(
            "close capsule that is too long", .messageError,
            behindConnect(Plain.data([0x68, 0x43, 0x44, 0x05, 0, 0, 0, 0]))),
        Malformed(
            "close capsule that is no UTF-8", .messageError,
            behindConnect(Plain.data([0x68, 0x43, 0x05, 0, 0, 0, 0, 0xFF]))),
        Malformed(
            "drain capsule with something in it", .messageError, behindConnect(Plain.data([0x80, 0, 0x78, 0xAE, 1, 0]))),
        Malformed(
            "requests without end", .excessiveLoad,
            (0...WebTransportLimits.requests).map { _ in
                .bidiEnd(Plain.head(HTTP3Request(method: "GET", scheme: "https", authority: "h", path: "/").section))
            }),
        Malformed("control stream that is stopped", .closedCriticalStream, goodStart + [.stop(3, 0)]),
        Malformed("control stream that is reset", .closedCriticalStream, goodStart + [.reset(2, 0)]),
    ]

    private static func answer(_ bytes: [UInt8]) -> [PlainStep] { goodStart + [.more(0, bytes)] }

    static let byServer: [Malformed] = [
        Malformed("push stream", .idError, [.uni([1, 0])]),
        Malformed("PUSH_PROMISE", .idError, answer([0x05, 0x01, 0x00])),
        Malformed("MAX_PUSH_ID of a server", .frameUnexpected, [.uni(Plain.control + [0x0D, 0x01, 0x00])]),
        Malformed("GOAWAY with an id of no request", .idError, [.uni(Plain.control + [0x07, 0x01, 0x03])]),
        Malformed("bidirectional stream of the server", .streamCreationError, [.bidi([0x01, 0x00])]),
        Malformed("DATA before the answer", .frameUnexpected, answer(Plain.data([1]))),
        Malformed("answer without a status", .messageError, answer(Plain.head([HTTPField("a", "b")]))),
        Malformed("answer with a status of letters", .messageError, answer(Plain.head([HTTPField(":status", "abc")]))),
        Malformed(
            "answer with a field in upper case", .messageError,
            answer(Plain.head([HTTPField(":status", "200"), HTTPField("Server", "x")]))),
        Malformed("answer that cannot be decoded", .qpackDecompressionFailed, answer([0x01, 0x01, 0xFF])),
    ]
}

@Suite struct WebTransportMalformedTests {
    @Test(arguments: Malformed.either + Malformed.byClient) func aClientThatBreaksTheRules(what: Malformed) throws {
        let pipe = try WebTransportPipe(offering: nil)
        pipe.run()
        for step in what.steps {
            step.perform(on: pipe.clientConnection)
            pipe.run(steps: 6)
        }
        pipe.run(steps: 110)
        #expect(pipe.quicClose?.initiator == .peer)
        #expect(
            pipe.quicClose?.cause == .application(code: what.code.rawValue), "\(String(describing: pipe.quicClose))")
        let close = try #require(pipe.serverClose)
        #expect(close.initiator == .local && close.cause == .transport(code: what.code.rawValue))
        #expect(close.reason.contains(try #require(what.code.name)))
    }

    @Test(arguments: Malformed.either + Malformed.byServer) func aServerThatBreaksTheRules(what: Malformed) throws {
        let pipe = try WebTransportPipe(serving: nil)
        pipe.run()
        let server = try #require(pipe.serverConnection)
        for step in what.steps {
            step.perform(on: server)
            pipe.run(steps: 6)
        }
        pipe.run(steps: 10)
        #expect(
            pipe.quicClose?.cause == .application(code: what.code.rawValue), "\(String(describing: pipe.quicClose))")
        guard case .refused(.notSpoken(let words)) = pipe.clientClose?.cause else {
            Issue.record("\(pipe.clientEvents)")
            return
        }
        #expect(words.contains(try #require(what.code.name)))
    }

    /// A malformed request ends its stream, not the connection (RFC 9114 section 4.1.2).
    @Test(arguments: [
        [HTTPField(":method", "CONNECT"), HTTPField(":protocol", "webtransport"), HTTPField(":scheme", "https")],
        [HTTPField("a", "b"), HTTPField(":method", "GET"), HTTPField(":scheme", "https"), HTTPField(":path", "/")],
        [HTTPField(":method", "GET"), HTTPField(":method", "GET")],
        [HTTPField(":method", "CONNECT"), HTTPField(":authority", "a"), HTTPField(":path", "/")],
        [HTTPField(":method", "CONNECT"), HTTPField(":authority", "a"), HTTPField("connection", "close")],
        [HTTPField(":method", "CONNECT"), HTTPField(":authority", "a"), HTTPField(":status", "200")],
        [HTTPField(":method", "CONNECT"), HTTPField(":authority", "a"), HTTPField("Upper", "x")],
        [HTTPField(":method", "CONNECT"), HTTPField(":authority", "a"), HTTPField("x", "a\nb")],
        [HTTPField(":scheme", "https"), HTTPField(":authority", "a"), HTTPField(":path", "/")],
    ])
    func aMalformedRequestIsResetAndTheNextOneServed(section: [HTTPField]) throws {
        let pipe = try WebTransportPipe(offering: nil)
        pipe.run()
        for bytes in [Plain.head(section), Plain.connect()] {
            PlainStep.bidi(bytes).perform(on: pipe.clientConnection)
            pipe.run(steps: 10)
        }
        let code = HTTP3Code.messageError.rawValue
        #expect(pipe.quicEvents.contains(.reset(QUICStreamID(rawValue: 0), code: code)))
        #expect(pipe.quicClose == nil && pipe.server?.negotiatedProtocol == "moq-lite-06")
    }

    /// Whatever arrives: no crash, and an end within bounds.
    @Test(arguments: 0..<40) func chanceBytesCrashNothing(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let pipe = try WebTransportPipe(offering: nil)
        pipe.run()
        var bytes = [Plain.control, Plain.connect(), Plain.data(Capsule.closeSession(code: 1, reason: "x").encoded)]
            .flatMap { $0 }
        for _ in 0..<4 {
            let index = Int(random.next() % UInt64(bytes.count))
            bytes[index] = UInt8(truncatingIfNeeded: random.next())
        }
        let cut = Plain.control.count
        PlainStep.uni(Array(bytes[..<cut])).perform(on: pipe.clientConnection)
        PlainStep.bidi(Array(bytes[cut...])).perform(on: pipe.clientConnection)
        PlainStep.uni(random.bytes(40)).perform(on: pipe.clientConnection)
        PlainStep.datagram(random.bytes(4)).perform(on: pipe.clientConnection)
        pipe.run(steps: 30)
        #expect(pipe.serverEvents.count < 100)
    }
}
