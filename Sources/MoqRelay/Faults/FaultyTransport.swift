import MoqBase
import MoqLite
import MoqTransport
import MoqWire

/// The transport of a session of a faulty relay: it passes everything on but what the fault changes.
final class FaultyTransport: TransportSession {
    /// The transport beneath.
    let inner: any TransportSession
    /// What the fault remembers of the relay.
    let memory: FaultMemory
    /// The engine above, once it is there.
    weak var lite: LiteSession?
    /// Counted over all sessions of the relay, from 1.
    let number: Int
    private let means: RelayFault.Means
    private var streams: [StreamID: FaultyStream] = [:]
    private var places: [FaultyStream.Kind: Int] = [:]

    /// Nil where the fault leaves transports alone.
    init?(_ inner: any TransportSession, _ fault: RelayFault?, _ memory: FaultMemory) {
        switch fault?.means {
        case .wire, .datagrams, .room, .close: break
        default: return nil
        }
        guard let fault else { return nil }
        self.inner = inner
        self.memory = memory
        means = fault.means
        number = memory.count("sessions")
    }

    func nextPlace(of kind: FaultyStream.Kind) -> Int {
        defer { places[kind, default: 0] += 1 }
        return places[kind] ?? 0
    }

    /// A stream that the engine knows nothing of, with these bytes on it, finished.
    func sendBeside(_ bytes: [UInt8]) {
        guard let id = inner.openStream(.unidirectional) else { return }
        inner.write(bytes, to: id)
        inner.finish(id)
    }

    private func stream(_ id: StreamID) -> FaultyStream {
        if let stream = streams[id] { return stream }
        let stream = FaultyStream(id, on: self)
        streams[id] = stream
        return stream
    }

    // MARK: What is changed

    private func take(_ act: WireAct, on id: StreamID) {
        guard case .wire(let change) = means else { return perform(act, on: id) }
        let stream = stream(id)
        if id.initiator == .server, case .write(let bytes) = act { stream.learn(from: bytes) }
        for act in change(act, stream) { perform(act, on: id) }
        stream.note(act)
        switch act {
        case .finish, .reset: if id.direction == .unidirectional { streams[id] = nil }
        default: break
        }
    }

    private func perform(_ act: WireAct, on id: StreamID) {
        switch act {
        case .write(let bytes): inner.write(bytes, to: id)
        case .finish: inner.finish(id)
        case .reset(let code): inner.reset(id, code: code)
        case .stop(let code): inner.stop(id, code: code)
        case .priority(let priority): inner.setPriority(priority, of: id)
        }
    }

    func write(_ bytes: [UInt8], to stream: StreamID) { take(.write(bytes), on: stream) }
    func finish(_ stream: StreamID) { take(.finish, on: stream) }
    func reset(_ stream: StreamID, code: StreamCode) { take(.reset(code), on: stream) }
    func stop(_ stream: StreamID, code: StreamCode) { take(.stop(code), on: stream) }
    func setPriority(_ priority: SendPriority, of stream: StreamID) { take(.priority(priority), on: stream) }

    func sendDatagram(_ bytes: [UInt8]) -> Bool {
        guard case .datagrams(let change) = means else { return inner.sendDatagram(bytes) }
        var isSent = true
        for datagram in change(bytes, self) where !inner.sendDatagram(datagram) { isSent = false }
        return isSent
    }

    func close(code: UInt64, reason: String) {
        guard case .close(let change) = means else { return inner.close(code: code, reason: reason) }
        if let changed = change(code, reason) { inner.close(code: changed.code, reason: changed.reason) }
    }

    func canWrite(_ stream: StreamID) -> Bool {
        guard case .room(let change) = means else { return inner.canWrite(stream) }
        return change(stream, self)
    }

    func read(_ stream: StreamID, limit: Int) -> StreamRead? {
        guard let read = inner.read(stream, limit: limit) else { return nil }
        if stream.initiator == .client { self.stream(stream).learn(from: read.bytes) }
        return read
    }

    // MARK: What is passed on

    var role: EndpointRole { inner.role }
    var negotiatedProtocol: String? { inner.negotiatedProtocol }
    var kind: TransportKind { inner.kind }
    var requestPath: String? { inner.requestPath }
    var remoteAddress: NetworkAddress { inner.remoteAddress }
    func poll() -> TransportEvent? { inner.poll() }
    func openStream(_ direction: StreamDirection) -> StreamID? { inner.openStream(direction) }
    var maximumDatagramSize: Int? { inner.maximumDatagramSize }
    var pathEstimate: PathEstimate? { inner.pathEstimate }
}
