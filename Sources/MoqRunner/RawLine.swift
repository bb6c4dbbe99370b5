import MoqConformance
import MoqDial
import MoqScenario
import MoqTransport
import MoqWire

/// The connection of a raw actor: a transport without a session on it, or what lies beneath a transport.
final class RawLine {
    let connection: Connection
    let level: RawLevel
    /// Streams that the relay has opened so far, for their labels.
    var opened: [StreamDirection: Int] = [:]
    /// Whether the next unidirectional stream of the relay is its SETUP.
    var awaitsSetup = false

    var transport: any TransportSession { connection.transport }

    /// What an actor says in SETUP that has nothing to say there: where it wants to go, where nothing has said so.
    var setup: Setup { Setup(path: transport.requestPath == nil ? connection.route.requestPath : nil) }

    init(_ connection: Connection, at level: RawLevel) {
        self.connection = connection
        self.level = level
    }

    /// A code as it goes out: beneath a transport a number is one of the wire.
    func outgoing(_ code: StreamCode) -> StreamCode {
        guard isOnTheWire, case .code(let number) = code else { return code }
        return .unmapped(raw: number)
    }

    /// A code that arrived, in the form in which it went out.
    func incoming(_ code: StreamCode) -> RecordedEnd {
        switch code {
        case _ where isOnTheWire: .reset(code: StreamCodeMapping.wire(code))
        case .code(let number): .reset(code: number)
        case .unmapped(let raw): .resetUnmapped(raw: raw)
        }
    }

    private var isOnTheWire: Bool { level == .quic || level == .http3 }
}

extension Version {
    /// The versions that a session must be able to speak when it offers these names: those that they name, and 01 and
    /// 02 where one of them, or none that is known, leaves it to the setup exchange.
    static func spoken(under names: [String]) -> [Version] {
        let named = names.compactMap { Version(alpn: $0) }
        let exchange: [Version] = named.isEmpty || names.contains(exchangeName) ? [.lite02, .lite01] : []
        return named + exchange
    }
}
