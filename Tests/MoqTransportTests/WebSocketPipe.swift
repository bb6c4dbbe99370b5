import MoqBase

@testable import MoqTransport

/// A client and the server that was made of its request, and what is between them.
final class WebSocketPipe {
    let client: QmuxWebSocketSession
    let server: QmuxWebSocketSession
    var now = Instant(nanoseconds: 1_000_000_000)
    /// How long each way takes.
    var delay = Duration.zero
    private let pieces: Int
    private var closes: [EndpointRole: SessionClose] = [:]

    /// Hands the client's request over; nil when it is none.
    init?(client: QmuxWebSocketSession, serving protocols: [String], pieces: Int = .max) {
        var parser = HTTPRequestParser()
        let settings = QmuxSettings()
        guard let bytes = client.transmit(at: now), case .request(let request) = parser.take(bytes),
            let server = QmuxWebSocketSession(
                server: request, rest: parser.rest, remote: .loopback(port: 50_000), protocols: protocols,
                settings: settings)
        else { return nil }
        self.client = client
        self.server = server
        self.pieces = pieces
    }

    /// Carries bytes both ways until nothing moves any more. False when that never happens.
    func settle() -> Bool {
        for _ in 0..<10_000 {
            let toClient = carry(from: server, to: client)
            let toServer = carry(from: client, to: server)
            if !toClient && !toServer { return true }
        }
        return false
    }

    private func carry(from source: QmuxWebSocketSession, to sink: QmuxWebSocketSession) -> Bool {
        guard let bytes = source.transmit(at: now) else { return false }
        now = now.advanced(by: delay)
        for piece in MoqTransportTests.pieces(of: bytes, size: pieces) { sink.receive(piece, at: now) }
        return true
    }

    /// How the session of one end was closed. Polls what has happened.
    func close(of end: QmuxWebSocketSession) -> SessionClose? {
        while let event = end.poll() {
            if case .closed(let close) = event { closes[end.role] = close }
        }
        return closes[end.role]
    }
}
