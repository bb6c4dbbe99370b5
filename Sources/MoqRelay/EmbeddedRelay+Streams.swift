import MoqBase
import MoqQUIC
import MoqTLS
import MoqTransport

/// A TCP connection that somebody else owns.
struct WeakStream {
    weak var value: RelayStream?
}

// The TCP port: one machine a connection, which finds out what is spoken on it.
extension EmbeddedRelay {
    /// The machine for one more TCP connection: TLS, HTTP/1.1 with WebSocket in it, or Qmux, whatever the client
    /// begins with. Nil when there are enough connections, or after the shutdown.
    public func makeStream(from remote: NetworkAddress, at now: Instant) -> (any ByteStreamMachine)? {
        streams.removeAll { $0.value?.isFinished ?? true }
        guard !isGoing, streams.count < core.limits.streams else { return nil }
        let stream = RelayStream(relay: self, remote: remote, layer: .plain, at: now)
        streams.append(WeakStream(value: stream))
        return stream
    }

    /// How many connections are at an HTTP request now.
    var httpRequests: Int { streams.count { $0.value?.isAtRequest ?? false } }

    /// The names that TLS clients may choose from: Qmux in records, and HTTP/1.1 (with WebSocket in it).
    var tlsProtocols: [String] {
        let transports = core.configuration.transports
        let qmux = QmuxSubprotocol.offers(for: core.configuration.protocolNames, versions: [.draft02, .draft01])
        return (transports.contains(.tcp) ? qmux.map(\.name) : []) + [RelayStream.httpProtocol]
    }
}

extension QmuxSettings {
    /// The settings that make Qmux behave as QUIC does with `settings`.
    init(like settings: QUICTransportSettings) {
        self.init()
        idleTimeout = settings.idleTimeout
        keepAlive = settings.keepAlive
        handshakeTimeout = settings.handshakeTimeout
        maximumStreamsBidirectional = settings.maximumStreamsBidirectional
        maximumStreamsUnidirectional = settings.maximumStreamsUnidirectional
        streamWindow = settings.streamWindow
        connectionWindow = settings.connectionWindow
        writeBudget = settings.writeBudget
    }
}
