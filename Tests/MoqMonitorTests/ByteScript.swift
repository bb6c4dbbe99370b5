import MoqBase
import MoqTransport
import MoqWire

@testable import MoqMonitor

/// What went over a session, written by hand, and what the monitor is to say of it.
struct ByteScript {
    /// One thing that happens, in the session with that number.
    enum Act {
        case client(Int, ObservedEvent)
        case relay(Int, ObservedEvent)
        case wait(Duration)
    }

    var version: Version
    var kind = TransportKind.quic
    var configuration = MonitorConfiguration()
    var promises = TransportPromises()
    /// Whether the sessions are those of a case whose paths are below `room`.
    var isShared = false
    var acts: [Act] = []
    /// The session in which things happen.
    private(set) var session = 0
    private var begun = 1

    init(_ version: Version, kind: TransportKind = .quic, isSetUp: Bool = true) {
        self.version = version
        self.kind = kind
        configuration.generation = .second
        if isSetUp { setUp(hop: 77) }
    }

    private mutating func setUp(hop: UInt64) {
        if version.hasSetup {
            clientSays(Self.clientSetup, Setup(probe: .report, hop: hop).stream(version), end: true)
            relaySays(Self.relaySetup, Setup(probe: .report, hop: 9).stream(version), end: true)
        } else if version.usesSetupExchange {
            clientSays(Self.exchange, ClientSetup(versions: [version.setupCode]).bytes(version))
            relaySays(Self.exchange, ServerSetup(version: version.setupCode).bytes(version))
        }
    }

    /// What follows happens in another session of the case.
    mutating func turn(to session: Int) {
        while begun <= session {
            self.session = begun
            setUp(hop: 77 + UInt64(begun))
            begun += 1
        }
        self.session = session
    }

    // Streams of the client end with 0 and 2, those of the relay with 1 and 3; of each a few.
    static let exchange = StreamID(rawValue: 0)
    static let clientSetup = StreamID(rawValue: 2)
    static let relaySetup = StreamID(rawValue: 3)
    static func asked(_ number: UInt64 = 1) -> StreamID { StreamID(rawValue: number << 2) }
    static func group(_ number: UInt64 = 1) -> StreamID { StreamID(rawValue: number << 2 | 3) }
    static func relayAsks(_ number: UInt64 = 0) -> StreamID { StreamID(rawValue: number << 2 | 1) }

    mutating func clientSays(_ stream: StreamID, _ bytes: [UInt8], end: Bool = false) {
        if stream.initiator == .client { acts.append(.client(session, .opened(stream))) }
        acts.append(.client(session, .bytes(stream, bytes)))
        if end { acts.append(.client(session, .finished(stream))) }
    }

    mutating func relaySays(_ stream: StreamID, _ bytes: [UInt8], end: Bool = false) {
        if stream.initiator == .server { acts.append(.relay(session, .opened(stream))) }
        if !bytes.isEmpty { acts.append(.relay(session, .bytes(stream, bytes))) }
        if end { acts.append(.relay(session, .finished(stream))) }
    }

    mutating func relay(_ event: ObservedEvent) { acts.append(.relay(session, event)) }
    mutating func client(_ event: ObservedEvent) { acts.append(.client(session, event)) }
    mutating func wait(_ duration: Duration) { acts.append(.wait(duration)) }

    /// A word of the relay that has to do with nothing, which proves that the path is alive.
    mutating func waitInVain() {
        wait(.seconds(2))
        for session in 0..<begun { acts.append(.relay(session, .arrived(StreamID(rawValue: 4000)))) }
        wait(.seconds(20))
    }

    /// What the monitors say, in pieces of the given sizes.
    func played(splitBy random: SeededRandom? = nil) -> [MonitorBreach] {
        watched(splitBy: random).breaches
    }

    /// What the monitors say, and what they judged.
    func watched(splitBy random: SeededRandom? = nil) -> (breaches: [MonitorBreach], checks: MonitorChecks) {
        var random = random
        let shared = isShared ? CaseMonitor(prefix: path("room")) : nil
        let monitors = (0..<begun).map { _ in SessionMonitor(configuration: configuration, shared: shared) }
        var now = Instant.origin
        for monitor in monitors {
            monitor.establish(
                protocolName: version.usesSetupExchange ? nil : version.alpn, over: kind, promises: promises, at: now)
        }
        func tell(_ event: ObservedEvent, _ session: Int, _ side: MonitorSide) {
            let monitor = monitors[session]
            guard case .bytes(let stream, let bytes) = event, random != nil else {
                return monitor.observe(event, from: side, at: now)
            }
            var position = 0
            while position < bytes.count {
                let step = min(Int(random!.next() % 4) + 1, bytes.count - position)
                monitor.observe(.bytes(stream, Array(bytes[position..<position + step])), from: side, at: now)
                position += step
            }
        }
        for act in acts {
            switch act {
            case .client(let session, let event): tell(event, session, .client)
            case .relay(let session, let event): tell(event, session, .relay)
            case .wait(let duration):
                now = now.advanced(by: duration)
                for monitor in monitors { monitor.advance(to: now) }
            }
        }
        var checks = MonitorChecks()
        for monitor in monitors {
            monitor.conclude()
            checks.add(monitor.checks)
        }
        return (monitors.flatMap(\.breaches), checks)
    }
}

extension WireMessage {
    /// The message in a version. The scripts hold only messages that their version has.
    func bytes(_ version: Version) -> [UInt8] { (try? encode(version: version)) ?? [] }
}

extension StreamOpeningMessage {
    /// The message behind its stream type.
    func stream(_ version: Version) -> [UInt8] { (try? encodeStream(version: version)) ?? [] }
}

func path(_ text: String) -> BroadcastPath { (try? BroadcastPath(text)) ?? .empty }

func hops(_ ids: UInt64...) -> HopList { (try? HopList(ids)) ?? .empty }
