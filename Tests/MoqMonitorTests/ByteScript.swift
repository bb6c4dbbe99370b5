import MoqBase
import MoqTransport
import MoqWire

@testable import MoqMonitor

/// What went over a session, written by hand, and what the monitor is to say of it.
struct ByteScript {
    /// One thing that happens.
    enum Act {
        case client(ObservedEvent)
        case relay(ObservedEvent)
        case wait(Duration)
    }

    var version: Version
    var kind = TransportKind.quic
    var configuration = MonitorConfiguration()
    var acts: [Act] = []

    init(_ version: Version, kind: TransportKind = .quic, isSetUp: Bool = true) {
        self.version = version
        self.kind = kind
        configuration.generation = .second
        guard isSetUp else { return }
        if version.hasSetup {
            clientSays(Self.clientSetup, Setup(probe: .report, hop: 77).stream(version), end: true)
            relaySays(Self.relaySetup, Setup(probe: .report, hop: 9).stream(version), end: true)
        } else if version.usesSetupExchange {
            clientSays(Self.exchange, ClientSetup(versions: [version.setupCode]).bytes(version))
            relaySays(Self.exchange, ServerSetup(version: version.setupCode).bytes(version))
        }
    }

    // Streams of the client end with 0 and 2, those of the relay with 1 and 3; of each a few.
    static let exchange = StreamID(rawValue: 0)
    static let clientSetup = StreamID(rawValue: 2)
    static let relaySetup = StreamID(rawValue: 3)
    static func asked(_ number: UInt64 = 1) -> StreamID { StreamID(rawValue: number << 2) }
    static func group(_ number: UInt64 = 1) -> StreamID { StreamID(rawValue: number << 2 | 3) }
    static func relayAsks(_ number: UInt64 = 0) -> StreamID { StreamID(rawValue: number << 2 | 1) }

    mutating func clientSays(_ stream: StreamID, _ bytes: [UInt8], end: Bool = false) {
        if stream.initiator == .client { acts.append(.client(.opened(stream))) }
        acts.append(.client(.bytes(stream, bytes)))
        if end { acts.append(.client(.finished(stream))) }
    }

    mutating func relaySays(_ stream: StreamID, _ bytes: [UInt8], end: Bool = false) {
        if stream.initiator == .server { acts.append(.relay(.opened(stream))) }
        if !bytes.isEmpty { acts.append(.relay(.bytes(stream, bytes))) }
        if end { acts.append(.relay(.finished(stream))) }
    }

    mutating func relay(_ event: ObservedEvent) { acts.append(.relay(event)) }
    mutating func client(_ event: ObservedEvent) { acts.append(.client(event)) }
    mutating func wait(_ duration: Duration) { acts.append(.wait(duration)) }

    /// A word of the relay that has to do with nothing, which proves that the path is alive.
    mutating func waitInVain() {
        wait(.seconds(2))
        relay(.arrived(StreamID(rawValue: 4000)))
        wait(.seconds(20))
    }

    /// What the monitor says, in pieces of the given sizes.
    func played(splitBy random: SeededRandom? = nil) -> [MonitorBreach] {
        var random = random
        let monitor = SessionMonitor(configuration: configuration)
        var now = Instant.origin
        monitor.establish(protocolName: version.usesSetupExchange ? nil : version.alpn, over: kind, at: now)
        func tell(_ event: ObservedEvent, _ side: MonitorSide) {
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
            case .client(let event): tell(event, .client)
            case .relay(let event): tell(event, .relay)
            case .wait(let duration):
                now = now.advanced(by: duration)
                monitor.advance(to: now)
            }
        }
        return monitor.breaches
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
