import MoqBase
import MoqLite
import MoqTransport
import MoqWire

/// A session, and opposite a peer that writes whatever bytes a test wants.
final class RawPeer {
    let session: LiteSession
    let transport: InMemoryTransport
    private let sessionTransport: InMemoryTransport
    private(set) var events: [LiteEvent] = []
    /// What the session wrote, by stream.
    private(set) var received: [StreamID: [UInt8]] = [:]
    private(set) var finished: Set<StreamID> = []
    private(set) var resets: [StreamID: StreamCode] = [:]
    private(set) var stops: [StreamID: StreamCode] = [:]
    private(set) var close: SessionClose?
    /// The stream of the setup exchange (01 and 02).
    private(set) var sessionStream: StreamID?
    var now = Instant.origin

    /// The session is the server unless told otherwise; the peer of 05 and later has sent a SETUP without parameters.
    init(
        _ version: Version, sessionRole: EndpointRole = .server, sendsSetup: Bool = true,
        limits: InMemoryLimits = InMemoryLimits(), generation: CodeGeneration = .second,
        configure: (inout LiteConfiguration) -> Void = { _ in }
    ) {
        let (client, server) = InMemoryTransport.pair(
            negotiatedProtocol: version.alpn, clientLimits: limits, serverLimits: limits)
        sessionTransport = sessionRole == .server ? server : client
        transport = sessionRole == .server ? client : server
        var configuration = LiteConfiguration(versions: [version], hopID: 22, generation: generation)
        configure(&configuration)
        session = LiteSession(transport: sessionTransport, configuration: configuration)
        if version.hasSetup && sendsSetup { open(.unidirectional, "01 01 00", finish: true) }
        run()
        if version.usesSetupExchange && sendsSetup { exchange(version) }
        events = []
    }

    /// The peer's half of the setup exchange.
    private func exchange(_ version: Version) {
        let bytes =
            session.transport.role == .server
            ? try? ClientSetup(versions: [version.setupCode]).encode(version: version)
            : try? ServerSetup(version: version.setupCode).encode(version: version)
        let hex = Hexadecimal.encode(bytes ?? [])
        if session.transport.role == .server {
            sessionStream = open(.bidirectional, hex)
        } else {
            sessionStream = requests.first
            if let sessionStream { send(hex, on: sessionStream) }
        }
        run()
    }

    /// Opens a stream with these bytes.
    @discardableResult
    func open(_ direction: StreamDirection, _ hex: String, finish: Bool = false) -> StreamID {
        let id = transport.openStream(direction) ?? StreamID(rawValue: .max)
        send(hex, on: id, finish: finish)
        return id
    }

    /// Writes bytes, given as hexadecimal digits with or without spaces.
    func send(_ hex: String, on stream: StreamID, finish: Bool = false) {
        transport.write(Hexadecimal.decode(hex.replacing(" ", with: "")) ?? [], to: stream)
        if finish { transport.finish(stream) }
        run()
    }

    func run() {
        for _ in 0..<3 {
            session.process(at: now)
            while let event = session.poll() { events.append(event) }
            while let event = transport.poll() { take(event) }
        }
    }

    private func take(_ event: TransportEvent) {
        switch event {
        case .readable(let id):
            while let piece = transport.read(id, limit: .max) {
                received[id, default: []] += piece.bytes
                if piece.isFinished { finished.insert(id) }
            }
        case .reset(let id, let code): resets[id] = code
        case .stopped(let id, let code): stops[id] = code
        case .closed(let how): close = how
        default: break
        }
    }

    /// What the session wrote on a stream, as hexadecimal digits.
    func bytes(on stream: StreamID) -> String { Hexadecimal.encode(received[stream] ?? []) }

    /// The session code with which the session was closed here.
    var closeCode: UInt64? {
        if case .application(let code) = close?.cause { return code }
        return nil
    }

    /// The bidirectional streams that the session opened, in order.
    var requests: [StreamID] {
        received.keys.filter {
            $0.direction == .bidirectional && $0.initiator == session.transport.role && $0 != sessionStream
        }.sorted()
    }

    var violations: [(stream: StreamID?, text: String, action: ViolationAction)] {
        events.compactMap {
            if case .violation(let stream, let text, let action) = $0 { return (stream, text, action) }
            return nil
        }
    }
}
