import MoqBase
import MoqHTTP3
import MoqQUIC
import Testing

@testable import MoqTransport

/// Two QUIC endpoints with nothing between them, on which HTTP/3 is spoken; each side is a session or plain QUIC.
final class WebTransportPipe {
    let clientEndpoint: QUICEndpoint
    let serverEndpoint: QUICEndpoint
    let clientConnection: QUICConnection
    var serverConnection: QUICConnection?
    var client: WebTransportSession?
    var server: WebTransportSession?
    var clientEvents: [TransportEvent] = []
    var serverEvents: [TransportEvent] = []
    /// What plain QUIC saw, on the side that has no session.
    var quicEvents: [QUICEvent] = []
    /// The server's names, nil for a server of plain QUIC.
    private let serverProtocols: [String]?
    private var now = Instant.origin

    init(
        offering: [String]? = ["moq-lite-06", "moq-lite-05"], serving: [String]? = ["moq-lite-05", "moq-lite-06"],
        path: String = "/room?jwt=abc", streams: UInt64 = 1024
    ) throws {
        serverProtocols = serving
        let credentials = try QUICServerCredentials(identity: .selfSigned(unixTime: 1_790_000_000))
        let root = SeededRandom(seed: 11)
        var settings = QUICTransportSettings()
        settings.maximumStreamsBidirectional = streams
        clientEndpoint = QUICEndpoint(random: root.forked("client"))
        serverEndpoint = QUICEndpoint(
            random: root.forked("server"),
            server: QUICServerConfiguration(protocols: ["h3"], credentials: credentials, transport: settings))
        clientConnection = clientEndpoint.connect(
            to: .loopback(port: 1),
            configuration: QUICClientConfiguration(
                serverName: "localhost", protocols: ["h3"], credentials: try QUICClientCredentials(trust: .insecure)))
        if let offering {
            client = WebTransportSession(
                client: clientConnection, authority: "localhost:4443", path: path, protocols: offering)
        }
    }

    /// Passes everything on, in steps of a millisecond.
    func run(steps: Int = 60) {
        for _ in 0..<steps {
            now = now.advanced(by: .milliseconds(1))
            pass(clientEndpoint, serverEndpoint, as: .loopback(port: 2))
            pass(serverEndpoint, clientEndpoint, as: .loopback(port: 1))
            if serverConnection == nil, let accepted = serverEndpoint.pollAccepted() {
                serverConnection = accepted
                server = serverProtocols.map { WebTransportSession(server: accepted, protocols: $0) }
            }
            while let event = client?.poll() { clientEvents.append(event) }
            while let event = server?.poll() { serverEvents.append(event) }
            let plain = client == nil ? clientConnection : server == nil ? serverConnection : nil
            while let event = plain?.poll() { quicEvents.append(event) }
        }
    }

    private func pass(_ from: QUICEndpoint, _ to: QUICEndpoint, as remote: NetworkAddress) {
        while var batch = from.transmit(at: now) {
            batch.remote = remote
            to.receive(batch, at: now)
        }
        if let deadline = from.deadline, deadline <= now { from.advance(to: now) }
    }

    /// How the client's session ended.
    var clientClose: SessionClose? { Self.close(in: clientEvents) }
    /// How the server's session ended.
    var serverClose: SessionClose? { Self.close(in: serverEvents) }
    /// How the connection ended for plain QUIC.
    var quicClose: QUICClose? {
        quicEvents.lazy.compactMap { if case .closed(let close) = $0 { close } else { nil } }.first
    }

    private static func close(in events: [TransportEvent]) -> SessionClose? {
        events.lazy.compactMap { if case .closed(let close) = $0 { close } else { nil } }.first
    }
}

/// What a peer of plain QUIC does.
enum PlainStep: Sendable {
    /// Opens a stream with these bytes, and leaves it open.
    case uni([UInt8])
    case bidi([UInt8])
    /// Opens a stream with these bytes, and ends it.
    case uniEnd([UInt8])
    case bidiEnd([UInt8])
    /// Goes on with the stream of this number.
    case more(UInt64, [UInt8])
    case end(UInt64)
    case reset(UInt64, UInt64)
    case stop(UInt64, UInt64)
    case datagram([UInt8])

    func perform(on connection: QUICConnection) {
        switch self {
        case .uni(let bytes), .uniEnd(let bytes):
            guard let id = connection.openStream(.unidirectional) else { return }
            connection.write(bytes, to: id)
            if case .uniEnd = self { connection.finish(id) }
        case .bidi(let bytes), .bidiEnd(let bytes):
            guard let id = connection.openStream(.bidirectional) else { return }
            connection.write(bytes, to: id)
            if case .bidiEnd = self { connection.finish(id) }
        case .more(let number, let bytes): connection.write(bytes, to: QUICStreamID(rawValue: number))
        case .end(let number): connection.finish(QUICStreamID(rawValue: number))
        case .reset(let number, let code): connection.reset(QUICStreamID(rawValue: number), code: code)
        case .stop(let number, let code): connection.stop(QUICStreamID(rawValue: number), code: code)
        case .datagram(let bytes): _ = connection.sendDatagram(bytes)
        }
    }
}

/// Bytes that a well-behaved peer sends.
enum Plain {
    /// The control stream with our own settings.
    static let control = [0] + HTTP3Frame.encode(HTTP3FrameType.settings, HTTP3Settings.webTransport.payload)

    /// The control stream with other settings.
    static func control(_ entries: [HTTP3Settings.Entry]) -> [UInt8] {
        [0] + HTTP3Frame.encode(HTTP3FrameType.settings, HTTP3Settings(entries).payload)
    }

    static func head(_ fields: [HTTPField]) -> [UInt8] {
        guard let section = try? QPACKEncoder().encode(fields, stream: 0) else { return [] }
        return HTTP3Frame.encode(HTTP3FrameType.headers, section)
    }

    static func connect(_ protocols: [String] = ["moq-lite-06"], path: String = "/") -> [UInt8] {
        head(HTTP3Request.webTransport(authority: "localhost", path: path, protocols: protocols).section)
    }

    static func answer(_ status: Int, _ fields: [HTTPField] = []) -> [UInt8] {
        head(HTTP3Response(status: status, fields: fields).section)
    }

    static func data(_ bytes: [UInt8]) -> [UInt8] { HTTP3Frame.encode(HTTP3FrameType.data, bytes) }
}
