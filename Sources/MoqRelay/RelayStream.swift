import MoqBase
import MoqTLS
import MoqTransport

/// One TCP connection to the relay, or what is inside its TLS.
///
///     opening -> secure (TLS; its inside is another RelayStream)
///             -> http -> session (WebSocket)
///             -> session (Qmux)
///
/// The session is looked at when bytes arrived for it and when its engine says that something happened.
final class RelayStream: ByteStreamMachine {
    /// The ALPN of HTTP/1.1 (RFC 7301 section 6).
    static let httpProtocol = "http/1.1"

    /// What is below.
    enum Layer {
        case plain
        /// TLS, with the protocol that it agreed on.
        case secure(String?)
    }

    /// A binding of moq-lite on this connection.
    typealias Carrier = ByteStreamMachine & TransportSession

    private enum State {
        /// These bytes do not tell yet what is spoken.
        case opening([UInt8], until: Instant)
        case secure(TLSStream)
        case http(RelayHTTP)
        case session(any Carrier, RelaySession)
        /// A session that the relay does not take says so.
        case leaving(any Carrier)
        case finished
    }

    private let relay: EmbeddedRelay
    private let remote: NetworkAddress
    private let layer: Layer
    private var state: State
    private let openedAt: Instant

    init(relay: EmbeddedRelay, remote: NetworkAddress, layer: Layer, at now: Instant) {
        self.relay = relay
        self.remote = remote
        self.layer = layer
        openedAt = now
        state = .opening([], until: now.advanced(by: relay.core.limits.firstBytesWait))
        if case .secure(let name?) = layer, name != Self.httpProtocol { beginQmux(alpn: name, at: now) }
    }

    /// Whether an HTTP request is being read or answered.
    var isAtRequest: Bool {
        switch state {
        case .http(let http): !http.isFinished
        case .secure(let tls): (tls.inner as? RelayStream)?.isAtRequest ?? false
        default: false
        }
    }

    // MARK: The machine

    func receive(_ bytes: [UInt8], at now: Instant) {
        switch state {
        case .opening(let before, let until): open(before + bytes, until: until, at: now)
        case .secure(let tls): tls.receive(bytes, at: now)
        case .http(let http):
            http.receive(bytes, at: now)
            upgrade(http, at: now)
        case .session(let carrier, let session):
            carrier.receive(bytes, at: now)
            relay.look(at: session, now)
        case .leaving(let carrier): carrier.receive(bytes, at: now)
        case .finished: break
        }
    }

    func receiveEnd(failure: String?, at now: Instant) {
        switch state {
        case .opening: state = .finished
        case .secure(let tls): tls.receiveEnd(failure: failure, at: now)
        case .http(let http): http.receiveEnd(failure: failure, at: now)
        case .session(let carrier, let session):
            carrier.receiveEnd(failure: failure, at: now)
            relay.look(at: session, now)
        case .leaving(let carrier): carrier.receiveEnd(failure: failure, at: now)
        case .finished: break
        }
    }

    func transmit(at now: Instant) -> [UInt8]? {
        machine?.transmit(at: now)
    }

    var isFinished: Bool {
        switch state {
        case .opening: false
        case .finished: true
        default: machine?.isFinished ?? true
        }
    }

    var deadline: Instant? {
        if case .opening(_, let until) = state { until } else { machine?.deadline }
    }

    func advance(to now: Instant) {
        switch state {
        case .opening(_, let until) where until <= now: state = .finished
        case .session(let carrier, let session):
            carrier.advance(to: now)
            relay.look(at: session, now)
        default: machine?.advance(to: now)
        }
    }

    /// Ends what is no session; sessions have been closed with all others.
    func shutdown(at now: Instant) {
        switch state {
        case .opening: state = .finished
        case .http(let http): http.cancel(at: now)
        case .secure(let tls) where !tls.isEstablished: state = .finished
        case .secure(let tls): (tls.inner as? RelayStream)?.shutdown(at: now)
        case .session, .leaving, .finished: break
        }
    }

    private var machine: (any ByteStreamMachine)? {
        switch state {
        case .opening, .finished: nil
        case .secure(let tls): tls
        case .http(let http): http
        case .session(let carrier, _), .leaving(let carrier): carrier
        }
    }
}

// Finding out what is spoken.
extension RelayStream {
    private func open(_ bytes: [UInt8], until: Instant, at now: Instant) {
        switch (FirstBytes(bytes), layer) {
        case (.undecided, _):
            state = .opening(bytes, until: until)
            return
        case (.tls, .plain):
            guard let tls = makeTLS(at: now) else {
                state = .finished
                return
            }
            state = .secure(tls)
        case (.http, _):
            guard relay.httpRequests < relay.core.limits.httpRequests else {
                state = .finished
                return
            }
            let http = RelayHTTP(core: relay.core, fingerprint: relay.fingerprint, upgrades: true, at: openedAt)
            state = .http(http)
        case (.other, .plain) where relay.core.configuration.transports.contains(.tcp):
            let names = relay.core.configuration.protocolNames
            take(QmuxTCPSession(server: remote, protocols: names, settings: relay.qmux), at: now)
        case (.tls, .secure), (.other, _):
            state = .finished
            return
        }
        receive(bytes, at: now)
    }

    private func makeTLS(at now: Instant) -> TLSStream? {
        guard let credentials = relay.tlsCredentials else { return nil }
        return try? TLSStream(
            server: credentials, protocols: relay.tlsProtocols, handshakeTimeout: relay.core.limits.firstBytesWait,
            keyLog: relay.server.keyLog
        ) { [relay, remote] name, now in RelayStream(relay: relay, remote: remote, layer: .secure(name), at: now) }
    }

    private func beginQmux(alpn name: String, at now: Instant) {
        let carrier = QmuxTCPSession(role: .server, overTLSTo: remote, settings: relay.qmux)
        carrier.begin(alpn: name, at: now)
        take(carrier, at: now)
    }

    private func take(_ carrier: any Carrier, at now: Instant) {
        guard let session = relay.add(carrier, at: now) else {
            state = .leaving(carrier)
            return
        }
        state = .session(carrier, session)
        relay.look(at: session, now)
    }

    /// Goes on as WebSocket where that was asked for and is served. Who may not have the path hears that as an HTTP
    /// status, as from the original relay.
    private func upgrade(_ http: RelayHTTP, at now: Instant) {
        guard let (request, rest) = http.upgrade else { return }
        let configuration = relay.core.configuration
        guard configuration.transports.contains(.websocket) else {
            return http.answer(.text(404, "this relay does not serve WebSocket"))
        }
        if let status = relay.core.refusal(ofRequest: request.target, at: now) {
            return http.answer(.text(status, "unauthorized"))
        }
        guard
            let carrier = QmuxWebSocketSession(
                server: request, rest: rest, remote: remote, protocols: configuration.protocolNames,
                settings: relay.qmux)
        else { return http.answer(.text(400, "this relay does not speak any of the subprotocols that were offered")) }
        take(carrier, at: now)
    }
}

/// What the first bytes of a TCP connection say about the rest.
enum FirstBytes: Hashable {
    case undecided, tls, http
    /// Qmux, if anything.
    case other

    /// Three bytes are enough: a TLS record of a handshake begins with 16 03 (RFC 8446 section 5.1), a request with the
    /// letters of its method; a Qmux record has FF, the first byte of the transport parameters' type, behind a size of
    /// one, two or four bytes, so that neither can be mistaken for it.
    init(_ bytes: [UInt8]) {
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        switch bytes.count {
        case 0: self = .undecided
        case _ where bytes[0] == 0x16: self = bytes.count < 2 ? .undecided : bytes[1] == 0x03 ? .tls : .other
        case _ where !bytes.prefix(3).allSatisfy(letters.contains): self = .other
        case ..<3: self = .undecided
        default: self = .http
        }
    }
}
