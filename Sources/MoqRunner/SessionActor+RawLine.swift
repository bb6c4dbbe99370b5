import MoqBase
import MoqConformance
import MoqDial
import MoqDrivers
import MoqEvents
import MoqQUIC
import MoqScenario
import MoqTransport
import MoqWire

// Raw actors: what they write and what they are written.
extension SessionActor {
    /// How long a raw connection may be silent: it keeps nothing alive by itself beneath QUIC.
    private static let idleTimeout = Duration.seconds(10)

    func connectRaw(at level: RawLevel, _ wish: Line.Wish) throws(RunnerError) {
        var settings = QUICTransportSettings()
        settings.idleTimeout = Self.idleTimeout
        settings.keepAlive = wish.keepsAlive ? Self.idleTimeout / 4 : nil
        settings.handshakeTimeout = scene.access.connectTimeout * scene.access.patience
        let usual = level == .http3 ? ["h3"] : level.isConnection ? [] : Version.protocolNames(for: wish.versions)
        let connection = try scene.access(of: definition).connection(
            over: wish.transport, protocols: wish.protocols ?? usual, path: wish.path, token: wish.token,
            at: scene.driver.now, settings: settings, seed: wish.seed, guise: wish.guise,
            isBeneath: level != .lite)
        do {
            try connection.attach(to: scene.driver)
        } catch {
            throw .environment(error.description)
        }
        let line = RawLine(connection, at: level)
        rawLine = line
        if let conditions = link.current { connection.setLink(conditions) }
        record.rawStreams = [:]
        if level.isConnection { note(ByteStreamSession.stream, as: SendRawAction.connectionLabel) }
        scene.note(.session, name, "connects over \(wish.transport), to write at the level `\(level.rawValue)`")
    }

    func closeRaw(_ line: RawLine, code: UInt64, reason: String) {
        line.transport.close(code: code, reason: reason)
        processRaw()
    }

    func vanishRaw(_ line: RawLine) {
        line.connection.cut()
        record.state = .vanished
        scene.note(.session, name, "vanishes: no close, no more packets")
        linkBefore.add(line.connection.linkStatistics)
        rawLine = nil
    }

    func detachRaw() {
        guard let line = rawLine else { return }
        linkBefore.add(line.connection.linkStatistics)
        line.connection.detach()
        rawLine = nil
    }

    /// Takes what arrived since the last turn.
    func processRaw() {
        guard let line = rawLine else { return }
        line.connection.advance(to: scene.driver.now)
        while let event = line.transport.poll() { handle(event, line) }
    }

    private func handle(_ event: TransportEvent, _ line: RawLine) {
        switch event {
        case .established:
            let facts = line.connection.terms
            record.state = .connected(version: "bytes at the level `\(line.level.rawValue)`")
            record.connections += 1
            record.wasEstablished = true
            record.agreement = RecordedAgreement(
                version: "none", protocolName: line.transport.negotiatedProtocol, transport: facts.kind.rawValue)
            binding = facts.kind
            agreement = "bytes over \(facts.kind), at the level `\(line.level.rawValue)`"
            scene.note(.session, name, "connected")
            if definition.sendsSetup { sendSetup(line) }
        case .streamOpened(let stream):
            let number = line.opened[stream.direction, default: 0] + 1
            line.opened[stream.direction] = number
            if line.awaitsSetup, stream.direction == .unidirectional {
                line.awaitsSetup = false
                line.opened[stream.direction] = 0
                return note(stream, as: SendRawAction.setupLabel)
            }
            let way = stream.direction == .unidirectional ? "uni" : "bidi"
            note(stream, as: "relay-\(way)-\(number)")
        case .readable(let stream): take(stream, line)
        case .reset(let stream, let code): edit(stream, "reset with \(code)") { $0.end = line.incoming(code) }
        case .stopped(let stream, let code): edit(stream, "stopped with \(code)") { $0.stopped = line.incoming(code) }
        case .closed(let told):
            take(all: line)
            let close = line.connection.explained(told)
            record.state = .closed(RecordedClose(close))
            scene.note(.session, name, close.description)
        case .datagram(let bytes):
            scene.note(.check, name, "a datagram of \(bytes.count) bytes: \(Hexadecimal.encode(bytes.prefix(32)))")
        case .writable, .delivered, .streamsAvailable: break
        }
    }

    /// What lies unread when a connection ends was said before.
    private func take(all line: RawLine) {
        for entry in rawStreams { take(entry.stream, line) }
    }

    private func take(_ stream: StreamID, _ line: RawLine) {
        while let read = line.transport.read(stream, limit: 64 << 10) {
            edit(stream, "\(read.bytes.count) bytes: \(Hexadecimal.encode(read.bytes.prefix(64)))") { record in
                record.received.append(contentsOf: read.bytes.prefix(max(0, Self.bytesKept - record.received.count)))
                if line.level == .http3, record.headers == nil {
                    record.headers = HTTP3Text.fields(in: record.received, of: stream)?.map { [$0.name, $0.value] }
                }
                if read.isFinished { record.end = .finished }
            }
            if read.isFinished || read.bytes.isEmpty { return }
        }
    }

    // MARK: Sending

    /// Says SETUP for an actor that has nothing to say there, and expects the relay's before any other stream of it.
    private func sendSetup(_ line: RawLine) {
        guard let version = rawVersion, version.hasSetup, let bytes = try? line.setup.encodeStream(version: version),
            let stream = line.transport.openStream(.unidirectional)
        else { return }
        line.awaitsSetup = true
        line.transport.write(bytes, to: stream)
        line.transport.finish(stream)
    }

    func sendRaw(_ action: SendRawAction, on line: RawLine) throws(RunnerError) {
        guard isConnected else { throw .unusable("\(name) is not connected, so it cannot send bytes") }
        var bytes = try encode(action.bytes, rawVersion)
        scene.model.wroteBytes(bytes, on: modelSession)
        let stream = try rawStream(action, line)
        guard let stream else {
            guard line.transport.sendDatagram(bytes) else {
                throw .unusable("the datagram of \(bytes.count) bytes cannot be sent here")
            }
            return
        }
        if let headers = action.headers {
            do {
                bytes = try HTTP3Text.headersFrame(headers.map { ($0.name, $0.value) }, on: stream) + bytes
            } catch {
                throw .unusable("the headers cannot be encoded: \(error)")
            }
        }
        if !bytes.isEmpty { line.transport.write(bytes, to: stream) }
        if let code = action.reset {
            line.transport.reset(stream, code: line.outgoing(scene.codes.sent(code, on: .reset)))
        } else if action.finish {
            line.transport.finish(stream)
        }
        if let code = action.stop {
            line.transport.stop(stream, code: line.outgoing(scene.codes.sent(code, on: .stop)))
        }
        scene.note(
            .check, name, "sends \(bytes.count) raw bytes on \(stream): \(Hexadecimal.encode(bytes.prefix(64)))")
    }

    /// The stream that is meant; nil for a datagram.
    private func rawStream(_ action: SendRawAction, _ line: RawLine) throws(RunnerError) -> StreamID? {
        switch action.stream {
        case .datagram: return nil
        case .connection: return ByteStreamSession.stream
        case .group: throw .unusable("\(name) publishes no groups")
        case .request: throw .unusable("\(name) makes no requests and knows of none")
        case .named(let label):
            guard let entry = rawStreams.first(where: { $0.label == label }) else {
                throw .unusable("\(name) knows no stream `\(label)`")
            }
            return entry.stream
        case .newUnidirectional, .newBidirectional:
            let direction: StreamDirection = action.stream == .newUnidirectional ? .unidirectional : .bidirectional
            guard let opened = line.transport.openStream(direction) else {
                throw .unusable("the relay allows no further \(direction.rawValue) stream at this point")
            }
            rawCount += 1
            note(opened, as: action.label ?? "raw \(rawCount)")
            return opened
        }
    }

    private func note(_ stream: StreamID, as label: String) {
        rawStreams.append((label, stream))
        record.rawStreams[label] = RawStreamRecord()
    }
}
