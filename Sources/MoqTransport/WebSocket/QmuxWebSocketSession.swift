import MoqBase

/// The binding of moq-lite to Qmux over WebSocket: a record or frame a binary message, and the application protocol
/// and the version of Qmux in `Sec-WebSocket-Protocol`.
///
/// Handshake failures end as `SessionClose.Cause.refused`. A break of WebSocket's own rules, here or by the peer, ends
/// as `transport` with WebSocket's close code, which the reason names.
public final class QmuxWebSocketSession: QmuxSession, ByteStreamMachine {
    /// The application protocol that is meant where none is agreed on: it negotiates the version by itself.
    public static let exchangeProtocol = "moql"
    /// How much is handed over in one piece: as over TCP.
    private static let pieceSize = 64 << 10
    /// Messages that WebSocket takes at least: what is too large for Qmux but not outrageous gets Qmux's own close.
    private static let smallestMessageLimit = 64 << 10

    enum Phase {
        /// The client waits for the server's answer.
        case asking(HTTPResponseParser, key: String)
        /// Frames are exchanged.
        case open
        /// A close frame was sent, or there never was a WebSocket.
        case ended
    }

    public let engine: QmuxEngine
    public let remoteAddress: NetworkAddress
    public let requestPath: String?
    /// The subprotocols that a client offers, in order.
    public let offers: [String]
    /// The subprotocol that was picked, once it is known; nil also when the peer offered or picked none.
    public internal(set) var subprotocol: String?
    /// The code of the close frame that the peer sent, if it did.
    public private(set) var closeCodeReceived: WebSocketCloseCode?

    var phase: Phase
    private var reader: WebSocketReader
    private var writer: WebSocketWriter
    /// What goes out before everything else: request, answer, refusal.
    var head: [UInt8]
    /// What came behind the head of a server's request.
    private var early: [UInt8] = []
    /// What is picked before there was an instant to begin at.
    private var picked: QmuxSubprotocol?
    private var closing: WebSocketViolation?
    private var hasHeard = false
    private var owedPong: [UInt8]?
    private var pingCount = 0
    private var clock = WebSocketClock()
    /// Since when nothing but the close frame is left to say.
    private var closeOwedSince: Instant?

    /// The dialling end. `authority` is host and port as the Host header carries them, `path` has the query; the
    /// subprotocols for `protocols` are offered in the order of the Rust stack: `qmux-02.moq-lite-06` and so on, then
    /// the bare versions if one of the protocols is `moql`. Masks and key come from `random`.
    public convenience init(
        client remote: NetworkAddress, authority: String, path: String, protocols: [String], settings: QmuxSettings,
        random: SeededRandom
    ) {
        self.init(
            client: remote, authority: authority, path: path, offers: Self.names(for: protocols), settings: settings,
            random: random)
    }

    /// The dialling end with subprotocols as they go on the wire. With none, nothing is offered, and a server that
    /// goes on speaks the oldest format.
    public init(
        client remote: NetworkAddress, authority: String, path: String, offers: [String], settings: QmuxSettings,
        random: SeededRandom
    ) {
        var random = random
        let key = Base64.encode(random.bytes(16))
        engine = QmuxEngine(role: .client, settings: settings)
        remoteAddress = remote
        requestPath = path
        self.offers = offers
        phase = .asking(HTTPResponseParser(bodyLimit: HTTPRequestParser.maximumHead), key: key)
        reader = WebSocketReader(peer: .server, maximumMessage: Self.smallestMessageLimit)
        writer = WebSocketWriter(client: random)
        head = []
        let request = WebSocketHandshake.request(authority: authority, path: path, key: key, offers: offers)
        if let request {
            head = request.bytes
        } else {
            refuse(.notSpoken("the path cannot be asked for over HTTP"), "it holds spaces or bad escapes")
        }
    }

    /// The accepting end, of a request that was read; nil when it does not ask for WebSocket at all.
    ///
    /// `rest` is what came behind the request's head. The first of the client's offers that is spoken here decides. A
    /// request that cannot be taken is answered with a status, and the session ends as refused.
    public init?(
        server request: HTTPRequest, rest: [UInt8], remote: NetworkAddress, protocols: [String],
        settings: QmuxSettings
    ) {
        guard request.wantsWebSocket else { return nil }
        engine = QmuxEngine(role: .server, settings: settings)
        remoteAddress = remote
        requestPath = request.target
        offers = request.headers.members("Sec-WebSocket-Protocol")
        reader = WebSocketReader(peer: .client, maximumMessage: Self.smallestMessageLimit)
        reader.flaw = settings.flaw
        writer = WebSocketWriter(server: ())
        let verdict = WebSocketHandshake.judge(
            request, names: Self.names(for: protocols), allowsNone: protocols.contains(Self.exchangeProtocol),
            flaw: settings.flaw)
        switch verdict {
        case .accepted(let name, let answer):
            head = answer
            phase = .open
            early = rest
            take(name)
        case .refused(let refusal, let response):
            head = response.bytes
            phase = .ended
            let why = String(decoding: response.body.dropLast(), as: UTF8.self)
            engine.refuse(refusal, reason: why)
        }
    }

    public var kind: TransportKind { .websocket }

    /// Answers an accepting end's request with an HTTP status instead of a WebSocket, such as 401 for a token that is
    /// not good. Only before the first `transmit`; false when that is too late.
    public func refuse(status: Int, reason: String) -> Bool {
        guard role == .server, case .open = phase, !head.isEmpty else { return false }
        head = HTTPResponse.text(status, reason).bytes
        phase = .ended
        engine.refuse(.status(status), reason: reason)
        return true
    }

    /// The subprotocols for application protocols, the preferred first.
    static func names(for protocols: [String]) -> [String] {
        QmuxSubprotocol.offers(for: protocols, requiresProtocol: !protocols.contains(exchangeProtocol)).map(\.name)
    }

    // MARK: The machine

    public func receive(_ bytes: [UInt8], at now: Instant) {
        begin(at: now)
        clock.heard(at: now)
        hasHeard = true
        switch phase {
        case .asking(var parser, let key):
            switch parser.take(bytes) {
            case .incomplete: phase = .asking(parser, key: key)
            case .refused(let why): refuse(.notSpoken("the server speaks no HTTP/1.1"), why)
            case .answer(let answer): takeAnswer(answer, rest: parser.rest, key: key, at: now)
            }
        case .open: takeFrames(bytes, at: now)
        case .ended: break
        }
    }

    public func receiveEnd(failure: String?, at now: Instant) {
        begin(at: now)
        if case .asking(var parser, let key) = phase, failure == nil, case .answer(let answer) = parser.takeEnd() {
            return takeAnswer(answer, rest: [], key: key, at: now)
        }
        engine.receiveEnd(failure: failure, at: now)
    }

    public func transmit(at now: Instant) -> [UInt8]? {
        begin(at: now)
        var piece = head
        head = []
        guard case .open = phase else { return piece.isEmpty ? nil : piece }
        if let payload = owedPong, closing == nil {
            owedPong = nil
            writer.append(.pong, payload, to: &piece)
        }
        if clock.takeOwedPing(at: now) { writer.append(.ping, [], to: &piece) }
        while closing == nil, piece.count < Self.pieceSize,
            let record = engine.transmit(limit: QmuxLimits.record, at: now)
        {
            writer.append(.binary, record, to: &piece)
        }
        if engine.isFinished || closing != nil {
            let isSilent = closeCodeReceived != nil && engine.settings.flaw == .webSocketCloseUnanswered
            if !isSilent {
                piece += writer.close(closing?.code ?? closeCodeReceived ?? .normal, closing?.reason ?? "")
            }
            phase = .ended
        }
        return piece.isEmpty ? nil : piece
    }

    public var isFinished: Bool {
        guard engine.isFinished, head.isEmpty else { return false }
        // Before the server's answer there is nobody who would understand a close frame.
        if case .open = phase { return false }
        return true
    }

    public var deadline: Instant? {
        .earlier(.earlier(engine.deadline, closeDeadline), isKeepingTime ? clock.deadline(engine.settings) : nil)
    }

    public func advance(to now: Instant) {
        begin(at: now)
        engine.advance(to: now)
        boundClose(at: now)
        guard isKeepingTime else { return }
        if clock.isSilent(engine.settings, at: now) {
            if engine.settings.flaw == .webSocketNeverGivesUp { return clock.heard(at: now) }
            end(SessionClose(initiator: .local, cause: .idleTimeout, reason: ""))
        } else {
            clock.advance(engine.settings, to: now)
        }
    }

    public var handshakeStanding: String? {
        if subprotocol != nil || engine.version != nil {
            let words = engine.handshakeStanding ?? QmuxEngine.unanswered
            return words == QmuxEngine.unanswered ? "WebSocket was agreed on (101), and \(words)" : words
        }
        guard role == .client, head.isEmpty else { return nil }
        return "the connection was taken, the request for WebSocket was sent, and "
            + (hasHeard ? "its answer was begun and not completed" : "it was not answered")
    }

    // MARK: Inside

    /// Whether a close frame of WebSocket is all that is left to say.
    private var owesClose: Bool {
        guard case .open = phase else { return false }
        return engine.isFinished || closing != nil
    }

    /// When the close frame is given up: a peer that reads nothing must not keep the connection. `.origin` while the
    /// time has not begun to run.
    private var closeDeadline: Instant? {
        owesClose ? closeOwedSince.map { $0.advanced(by: QmuxLimits.closing) } ?? .origin : nil
    }

    private func boundClose(at now: Instant) {
        guard owesClose else { return }
        let since = closeOwedSince ?? now
        closeOwedSince = since
        guard since.advanced(by: QmuxLimits.closing) <= now else { return }
        head = []
        phase = .ended
    }

    /// Whether liveness is WebSocket's affair: versions of Qmux without pings have none of their own.
    private var isKeepingTime: Bool {
        guard case .open = phase, let version = engine.version else { return false }
        return !version.usesRecords && engine.closed == nil
    }

    private func take(_ name: String?) {
        subprotocol = name
        picked =
            name.map { QmuxSubprotocol(name: $0) } ?? QmuxSubprotocol(version: .webTransport, applicationProtocol: nil)
    }

    private func begin(at now: Instant) {
        engine.touch(now)
        guard let picked else { return }
        self.picked = nil
        clock.heard(at: now)
        engine.begin(picked, at: now)
        reader.maximumMessage = max(engine.maximumIncomingRecord, Self.smallestMessageLimit)
        let early = early
        self.early = []
        if !early.isEmpty { takeFrames(early, at: now) }
    }

    private func takeAnswer(_ answer: HTTPAnswer, rest: [UInt8], key: String, at now: Instant) {
        do throws(HandshakeRefusal) {
            let name = try WebSocketHandshake.check(answer, key: key, offers: offers)
            phase = .open
            early = rest
            take(name)
            if picked == nil { refuse(.notSpoken("the server picked `\(name ?? "")`, which is no Qmux"), "") }
            begin(at: now)
        } catch {
            let text = String(decoding: answer.body.prefix(200).filter { $0 >= 0x20 }, as: UTF8.self)
            refuse(error, text)
        }
    }

    private func refuse(_ refusal: HandshakeRefusal, _ reason: String) {
        phase = .ended
        engine.refuse(refusal, reason: reason)
    }

    private func takeFrames(_ bytes: [UInt8], at now: Instant) {
        guard closing == nil, closeCodeReceived == nil else { return }
        reader.take(bytes)
        do throws(WebSocketViolation) {
            while let item = try reader.next() {
                switch item {
                case .message(let record): engine.receive(record: record, at: now)
                // Only the newest is owed an answer (section 5.5.3), so a flood of pings costs nothing.
                case .ping where engine.settings.flaw == .webSocketPingUnanswered: break
                case .ping(let payload):
                    owedPong = payload
                    pingCount += 1
                    if engine.settings.flaw == .webSocketPingsCounted, pingCount > 100 {
                        throw WebSocketViolation(.protocolError, "more than a hundred pings")
                    }
                case .pong: notePong(at: now)
                case .close(let code, let reason): return takeClose(code, reason)
                }
            }
        } catch {
            closing = error
            let cause = SessionClose.Cause.transport(code: UInt64(error.code.rawValue))
            end(SessionClose(initiator: .local, cause: cause, reason: error.description))
        }
    }

    private func notePong(at now: Instant) {
        guard let sample = clock.takePong(at: now), isKeepingTime else { return }
        let smoothed = engine.pathEstimate.map { ($0.roundTrip * 7 + sample) / 8 } ?? sample
        engine.pathEstimate = PathEstimate(roundTrip: smoothed, sendRate: nil)
    }

    private func takeClose(_ code: WebSocketCloseCode?, _ reason: String) {
        closeCodeReceived = code ?? .normal
        let words = "WebSocket close \(code.map(\.description) ?? "without a code")"
        end(
            SessionClose(
                initiator: .peer, cause: .transport(code: UInt64(code?.rawValue ?? 1005)),
                reason: reason.isEmpty ? words : "\(words): \(reason)"))
    }

    private func end(_ close: SessionClose) {
        engine.end(close, frame: nil)
    }
}
