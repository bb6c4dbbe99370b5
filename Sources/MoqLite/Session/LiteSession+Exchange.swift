import MoqBase
import MoqTransport
import MoqWire

/// Where the setup exchange of 01 and 02 stands.
///
///     none (versions that are known by name)
///     owed -> asked -> over (client)      awaited -> asked -> over (server)
enum ExchangeState {
    case none
    /// A client that has no stream for CLIENT_SETUP yet.
    case owed
    /// A server that has not heard of the client's stream.
    case awaited
    /// The stream is there, and the peer's half of the exchange is not.
    case asked
    case over
}

// The setup exchange (01 and 02): how the version is agreed on when the protocol's name does not say it, and the stream
// that stays open behind it.

extension LiteSession {
    /// Names that say nothing about the version: `moql`, and those that a Qmux binding has alone when no moq name was
    /// agreed on. No name at all means the same (original stack, source and observed).
    static func meansExchange(_ name: String?) -> Bool {
        guard let name else { return true }
        return [Version.exchangeName, "webtransport", "qmux-00", "qmux-01", "qmux-02", ""].contains(name)
    }

    private var exchangeVersions: [Version] { configuration.versions.filter(\.usesSetupExchange) }

    /// The binding is there, and the version is not known.
    func beginExchange(named name: String?) {
        guard let first = exchangeVersions.first else {
            let what = name.map { "the protocol `\($0)`" } ?? "no protocol"
            let wanted = configuration.versions.map(\.description).joined(separator: ", ")
            return closeForViolation(
                nil,
                StreamFault(
                    "\(what) was agreed on, which means moq-lite-01 or -02; only \(wanted) may be spoken", .version))
        }
        guard transport.role == .client else {
            exchange = .awaited
            return
        }
        guard configuration.sendsSetup else {
            // A test that leaves the exchange out speaks its version at once.
            exchange = .over
            return begin(first)
        }
        exchange = .owed
        sendClientSetup()
    }

    /// Writes CLIENT_SETUP on the first bidirectional stream, as soon as there is one.
    func sendClientSetup() {
        guard exchange == .owed, !isClosed, let bytes = try? ownClientSetup.encode(version: .lite02) else { return }
        guard let id = transport.openStream(.bidirectional) else { return }
        exchange = .asked
        streams[id] = LiteStream(id: id, purpose: .session, role: transport.role)
        transport.setPriority(.control, of: id)
        transport.write(bytes, to: id)
    }

    private var ownClientSetup: ClientSetup {
        var parameters: [ExchangeParameter] = []
        if transport.requestPath == nil, let path = configuration.requestPath {
            parameters.append(.bytes(id: ExchangeParameter.pathID, Array(path.utf8)))
        }
        return ClientSetup(versions: exchangeVersions.map(\.setupCode), parameters: parameters)
    }

    /// What streams mean before the version is known: only the session's stream is listened to, the others wait.
    /// Returns whether more is to be read from the stream.
    func understandBeforeVersion(_ stream: LiteStream) -> Bool {
        if exchange == .awaited, stream.id.direction == .bidirectional, stream.purpose == .undetermined {
            // The client's first bidirectional stream: it opens no other before it is answered.
            exchange = .asked
            stream.purpose = .session
        }
        switch stream.purpose {
        case .raw:
            return true
        case .session:
            do throws(StreamFault) {
                try understandSession(stream)
                return !isClosed && streams[stream.id] === stream && !stream.isQueued
            } catch {
                fail(stream, error)
                return false
            }
        default:
            return stream.isDiscarding
        }
    }

    /// The exchange, and then SESSION_INFO.
    func understandSession(_ stream: LiteStream) throws(StreamFault) {
        if exchange == .asked {
            switch transport.role {
            case .client: try takeServerSetup(stream)
            case .server: try takeClientSetup(stream)
            }
        }
        guard exchange == .over, let version, !isClosed else { return }
        while hasRoomForEvents {
            guard let info = try stream.message(SessionInfo.self, version: version) else { return }
            emit(.sessionInfo(info))
        }
        enqueue(stream)
    }

    private func takeServerSetup(_ stream: LiteStream) throws(StreamFault) {
        try checkBeginning(of: stream, is: ServerSetup.kind, of: ServerSetup.messageName)
        guard let setup = try stream.message(ServerSetup.self, version: .lite02) else { return }
        peerServerSetup = setup
        guard let version = Version(setupCode: setup.version), exchangeVersions.contains(version) else {
            let offered = exchangeVersions.map(\.description).joined(separator: " and ")
            throw StreamFault(
                "the relay picked the version 0x\(String(setup.version, radix: 16)) in SERVER_SETUP, which was not "
                    + "offered (\(offered) were)", .version)
        }
        exchange = .over
        begin(version)
    }

    private func takeClientSetup(_ stream: LiteStream) throws(StreamFault) {
        try checkBeginning(of: stream, is: ClientSetup.kind, of: ClientSetup.messageName)
        guard let setup = try offer(on: stream) else { return }
        noteMessage(on: stream)
        peerClientSetup = setup
        guard let version = setup.choice(among: exchangeVersions) else {
            let offered = setup.versions.map { "0x\(String($0, radix: 16))" }.joined(separator: ", ")
            throw StreamFault("CLIENT_SETUP offers no version that is spoken here: \(offered)", .version)
        }
        exchange = .over
        if configuration.sendsSetup {
            _ = write(try? ServerSetup(version: version.setupCode).encode(version: version), to: stream.id)
        }
        begin(version)
    }

    /// A wrong beginning is noticed before its claimed length is waited for.
    private func checkBeginning(of stream: LiteStream, is kind: UInt8, of message: String) throws(StreamFault) {
        guard let first = stream.decoder.firstByte, first != kind else { return }
        throw StreamFault(
            "the session's stream begins with 0x\(String(first, radix: 16)) instead of \(message)", .protocolViolation)
    }

    /// CLIENT_SETUP. What is wrong behind its versions is told and passed over, as known servers do (observed on 0.2.33,
    /// 0.3.19 and 0.4.18).
    private func offer(on stream: LiteStream) throws(StreamFault) -> ClientSetup? {
        do throws(WireError) {
            let raw = try stream.decoder.nextRaw(
                .exchange, name: ClientSetup.messageName, limit: ClientSetup.bodyLimit)
            guard let raw else { return nil }
            let offer = try ClientSetup.decodeOffer(raw)
            do throws(WireError) {
                return try ClientSetup.decode(raw, version: .lite02)
            } catch {
                emit(.violation(stream.id, error.description, .ignored))
                return offer
            }
        } catch {
            throw StreamFault(error)
        }
    }

    /// The peer ended its half of the session's stream, which ends the session (observed on 0.3.12).
    func sessionStreamEnded() {
        guard exchange == .over else {
            let missing = transport.role == .client ? ServerSetup.messageName : ClientSetup.messageName
            return closeForViolation(
                nil, StreamFault("the session's stream ended before \(missing)", .protocolViolation))
        }
        close(code: closeCode(.cancelled), reason: "the peer ended the session's stream")
    }

    /// Writes SESSION_INFO: bits a second, nil for unknown. False where the version has no stream for it.
    @discardableResult
    public func sendSessionInfo(bitrate: UInt64?) -> Bool {
        guard let version, exchange == .over,
            let stream = streams.values.first(where: { $0.purpose == .session })?.id
        else { return false }
        return write(try? SessionInfo(bitrate: bitrate).encode(version: version), to: stream)
    }

    /// Gives up on a peer that leaves the exchange unanswered.
    func watchExchange(at now: Instant) {
        guard version == nil, exchange != .none, exchange != .over else {
            exchangeDeadline = nil
            return
        }
        guard let deadline = exchangeDeadline else {
            exchangeDeadline = now.advanced(by: bounds.exchangeWait)
            return
        }
        guard deadline <= now else { return }
        let missing = transport.role == .client ? ServerSetup.messageName : ClientSetup.messageName
        close(code: closeCode(.controlTimeout), reason: "no \(missing) within \(bounds.exchangeWait)")
    }
}
