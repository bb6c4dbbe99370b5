import MoqBase
import MoqQUIC

/// TLS over a byte stream: encrypted bytes on the outside, another machine's plain ones on the inside.
///
/// The machine inside hears nothing before the handshake is complete, and at a client says nothing. At a server it is
/// made once the server's own part of the handshake is said, and what it says then goes out right behind that. It hears of the end of the stream, and
/// of a `failure` in words, through `receiveEnd`. An end without TLS's closing message is a failure (`truncated`).
public final class TLSStream: ByteStreamMachine {
    /// How long a handshake may take unless asked otherwise: as that of QUIC.
    public static let defaultHandshakeTimeout = Duration.seconds(10)

    /// How much is gathered before it is handed over: one piece of the machine inside may exceed it.
    private static let pieceSize = 16 << 10

    /// Makes the machine inside once the protocol is known, with the protocol agreed on (nil for none).
    public typealias MakeInner = (_ negotiatedProtocol: String?, _ now: Instant) -> (any ByteStreamMachine)?

    private enum Phase {
        case shaking
        case open
        /// The peer has ended its half in order; ours may go on.
        case peerEnded
        case failed
    }

    /// The machine inside; at a server that chooses it by the protocol, nil until that is known.
    public private(set) var inner: (any ByteStreamMachine)?
    /// Why the stream failed, if it did.
    public private(set) var failure: TLSFailure?
    /// The protocol agreed on (ALPN), once the handshake is complete; at a server as soon as it is chosen.
    public private(set) var negotiatedProtocol: String?
    /// What was agreed on, once the handshake is complete.
    public private(set) var facts: QUICSecurityFacts?
    /// What stands in the peer's leaf certificate, once it is known; also when it was refused.
    public private(set) var peerCertificate: CertificateFacts?

    private let engine: TLSEngine
    private let makeInner: MakeInner?
    private let requiresProtocol: Bool
    private let handshakeTimeout: Duration
    private var phase = Phase.shaking
    private var handshakeDeadline: Instant?
    private var hasSaidEnd = false
    /// Whether the machine inside was asked for.
    private var hasAskedForInner = false
    /// Whether the machine inside was told of the end.
    private var hasToldEnd = false
    /// Whether anything was said on the stream, and whether anything was heard.
    private var hasSpoken = false
    private var hasHeard = false

    /// The client's side of a stream, around `inner`.
    ///
    /// - Parameters:
    ///   - serverName: The host that is dialled, a name or an IP literal: the certificate is checked for it. A name is
    ///     also sent as SNI, unless `shownServerName` says otherwise. May be nil or empty when the trust does not look
    ///     at names (pinned, insecure).
    ///   - shownServerName: The name sent as SNI, where that is not `serverName`; empty to send none. The certificate
    ///     is not checked for it.
    ///   - protocols: ALPN names, the preferred first; none to offer none.
    ///   - requiresProtocol: Whether a server that picks none of them is a failure.
    ///   - onEstablished: Called with the protocol that was picked, before the machine inside hears or says anything.
    public init(
        client inner: any ByteStreamMachine, serverName: String?, protocols: [String] = [],
        credentials: TLSClientCredentials, shownServerName: String? = nil, requiresProtocol: Bool = false,
        handshakeTimeout: Duration = defaultHandshakeTimeout, keyLog: QUICKeyLog? = nil,
        onEstablished: ((_ negotiatedProtocol: String?, _ now: Instant) -> Void)? = nil
    ) throws(TLSError) {
        engine = try TLSEngine(
            client: credentials, host: serverName ?? "", shownName: shownServerName, protocols: protocols,
            keyLog: keyLog)
        self.inner = inner
        self.requiresProtocol = requiresProtocol && !protocols.isEmpty
        self.handshakeTimeout = handshakeTimeout
        makeInner = onEstablished.map { tell in
            { name, now in
                tell(name, now)
                return inner
            }
        }
    }

    /// The server's side of a stream, around the machine that `makeInner` gives once the protocol is known; nil ends
    /// the stream.
    ///
    /// The order of `protocols` decides among those that the client offers. A client that offers ALPN without any of
    /// them is refused (alert 120); one that offers none is taken. With no `protocols`, ALPN is not answered.
    public init(
        server credentials: TLSServerCredentials, protocols: [String] = [],
        handshakeTimeout: Duration = defaultHandshakeTimeout, keyLog: QUICKeyLog? = nil, makeInner: @escaping MakeInner
    ) throws(TLSError) {
        engine = try TLSEngine(server: credentials, protocols: protocols, keyLog: keyLog)
        self.makeInner = makeInner
        self.handshakeTimeout = handshakeTimeout
        requiresProtocol = false
    }

    /// The client's side, with trust that is not shared with other streams.
    public convenience init(
        client inner: any ByteStreamMachine, serverName: String?, protocols: [String], trust: CertificateTrust
    ) throws(TLSError) {
        try self.init(
            client: inner, serverName: serverName, protocols: protocols, credentials: TLSClientCredentials(trust: trust)
        )
    }

    /// The server's side around one machine, with an identity that is not shared with other streams.
    public convenience init(
        server inner: any ByteStreamMachine, identity: ServerIdentity, protocols: [String]
    ) throws(TLSError) {
        try self.init(server: TLSServerCredentials(identity: identity), protocols: protocols) { _, _ in inner }
    }

    /// The name that the client asked for (SNI), at a server.
    public var requestedName: String? { engine.requestedName }

    /// Whether the handshake is complete.
    public var isEstablished: Bool { facts != nil }

    /// How far a handshake came that was not complete, as one clause for people; nil where the stream was not taken.
    public var handshakeStanding: String? {
        guard hasSpoken, !isEstablished else { return nil }
        return hasHeard
            ? "the connection was taken, and the TLS handshake was begun and not completed"
            : "the connection was taken, and the TLS handshake was not answered"
    }

    public func receive(_ bytes: [UInt8], at now: Instant) {
        begin(at: now)
        hasHeard = true
        guard phase == .shaking || phase == .open else { return }
        engine.feed(bytes)
        if phase == .shaking { shakeHands(at: now) }
        if phase == .open { read(at: now) }
    }

    public func receiveEnd(failure reason: String?, at now: Instant) {
        switch phase {
        case .failed, .peerEnded: break
        case .shaking: fail(reason.map(TLSFailure.broken) ?? .endedInHandshake, at: now)
        case .open: fail(reason.map(TLSFailure.broken) ?? .truncated, at: now)
        }
        if phase == .peerEnded, let reason, !hasSaidEnd { fail(.broken(reason), at: now) }
    }

    public func transmit(at now: Instant) -> [UInt8]? {
        begin(at: now)
        if phase == .shaking, !isAbandoned { shakeHands(at: now) }
        while maySpeak, !hasSaidEnd, engine.outgoingCount < Self.pieceSize, let inner {
            if let bytes = inner.transmit(at: now) {
                if case .failed(let failure) = engine.write(bytes) { fail(failure, at: now) }
            } else if inner.isFinished, phase != .shaking {
                engine.end()
                hasSaidEnd = true
            } else {
                break
            }
        }
        let bytes = engine.takeOutgoing()
        hasSpoken = hasSpoken || bytes != nil
        return bytes
    }

    public var isFinished: Bool {
        guard engine.outgoingCount == 0 else { return false }
        switch phase {
        case .failed: return true
        case .shaking: return isAbandoned
        case .open, .peerEnded: return hasSaidEnd
        }
    }

    public var deadline: Instant? {
        switch phase {
        case .shaking: .earlier(handshakeDeadline, inner?.deadline)
        case .open, .peerEnded: inner?.deadline
        case .failed: nil
        }
    }

    public func advance(to now: Instant) {
        inner?.advance(to: now)
        if phase == .shaking, let handshakeDeadline, handshakeDeadline <= now {
            fail(.handshakeTimeout, at: now)
        }
    }

    // MARK: Inside

    /// Whether the machine inside gave up before there was a stream to say anything on.
    private var isAbandoned: Bool { !engine.mayWriteEarly && inner?.isFinished ?? false }

    /// Whether the machine inside is asked for what it has to say.
    private var maySpeak: Bool {
        switch phase {
        case .open, .peerEnded: true
        case .shaking: engine.mayWriteEarly
        case .failed: false
        }
    }

    private func begin(at now: Instant) {
        if phase == .shaking, handshakeDeadline == nil { handshakeDeadline = now.advanced(by: handshakeTimeout) }
    }

    private func shakeHands(at now: Instant) {
        switch engine.shakeHands() {
        case .wantsBytes:
            guard engine.mayWriteEarly, !hasAskedForInner else { return }
            negotiatedProtocol = engine.negotiatedProtocol
            makeInner(at: now)
        case .failed(let failure): fail(failure, at: now)
        case .peerEnded: fail(.endedInHandshake, at: now)
        case .done: establish(at: now)
        }
    }

    private func establish(at now: Instant) {
        negotiatedProtocol = engine.negotiatedProtocol
        peerCertificate = engine.peerCertificate
        if requiresProtocol, negotiatedProtocol == nil { return fail(.noProtocol, at: now) }
        facts = engine.facts
        phase = .open
        makeInner(at: now)
        guard inner == nil else { return }
        engine.end()
        hasSaidEnd = true
    }

    private func makeInner(at now: Instant) {
        guard !hasAskedForInner else { return }
        hasAskedForInner = true
        if let makeInner { inner = makeInner(negotiatedProtocol, now) }
    }

    private func read(at now: Instant) {
        while true {
            let (bytes, step) = engine.read()
            if !bytes.isEmpty { inner?.receive(bytes, at: now) }
            switch step {
            case .done: continue
            case .wantsBytes: return
            case .failed(let failure): return fail(failure, at: now)
            case .peerEnded:
                phase = .peerEnded
                return tellEnd(nil, at: now)
            }
        }
    }

    private func fail(_ failure: TLSFailure, at now: Instant) {
        self.failure = failure
        phase = .failed
        if peerCertificate == nil { peerCertificate = engine.peerCertificate }
        tellEnd(failure.description, at: now)
    }

    private func tellEnd(_ failure: String?, at now: Instant) {
        guard !hasToldEnd else { return }
        hasToldEnd = true
        inner?.receiveEnd(failure: failure, at: now)
    }
}
