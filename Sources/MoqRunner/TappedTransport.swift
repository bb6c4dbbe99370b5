import MoqBase
import MoqTransport

/// A transport with some streams taken out: those that a scenario opened by hand, which the session engine must not
/// see. Everything else passes unchanged.
final class TappedTransport: TransportSession {
    private let inner: any TransportSession
    /// The streams that are taken out.
    var rawStreams: Set<StreamID> = []
    private var rawEvents: [RawStreamEvent] = []

    /// What one raw stream gives in one read.
    private static let readSize = 64 << 10

    init(_ inner: any TransportSession) {
        self.inner = inner
    }

    /// What happened on the raw streams since the last call.
    func takeRawEvents() -> [RawStreamEvent] {
        defer { rawEvents = [] }
        return rawEvents
    }

    func poll() -> TransportEvent? {
        while let event = inner.poll() {
            switch event {
            case .readable(let stream) where rawStreams.contains(stream):
                drain(stream)
            case .reset(let stream, let code) where rawStreams.contains(stream):
                rawEvents.append(RawStreamEvent(stream: stream, what: .reset(code)))
            case .stopped(let stream, let code) where rawStreams.contains(stream):
                rawEvents.append(RawStreamEvent(stream: stream, what: .stopped(code)))
            case .writable(let stream) where rawStreams.contains(stream),
                .delivered(let stream) where rawStreams.contains(stream):
                continue
            default:
                return event
            }
        }
        return nil
    }

    private func drain(_ stream: StreamID) {
        while let read = inner.read(stream, limit: Self.readSize) {
            if !read.bytes.isEmpty { rawEvents.append(RawStreamEvent(stream: stream, what: .bytes(read.bytes))) }
            if read.isFinished {
                rawEvents.append(RawStreamEvent(stream: stream, what: .finished))
                return
            }
        }
    }

    var role: EndpointRole { inner.role }
    var negotiatedProtocol: String? { inner.negotiatedProtocol }
    var bindingName: String { inner.bindingName }
    var requestPath: String? { inner.requestPath }
    var remoteAddress: NetworkAddress { inner.remoteAddress }
    func openStream(_ direction: StreamDirection) -> StreamID? { inner.openStream(direction) }
    func write(_ bytes: [UInt8], to stream: StreamID) { inner.write(bytes, to: stream) }
    func canWrite(_ stream: StreamID) -> Bool { inner.canWrite(stream) }
    func finish(_ stream: StreamID) { inner.finish(stream) }
    func reset(_ stream: StreamID, code: StreamCode) { inner.reset(stream, code: code) }
    func stop(_ stream: StreamID, code: StreamCode) { inner.stop(stream, code: code) }
    func read(_ stream: StreamID, limit: Int) -> StreamRead? { inner.read(stream, limit: limit) }
    func setPriority(_ priority: SendPriority, of stream: StreamID) { inner.setPriority(priority, of: stream) }
    var maximumDatagramSize: Int? { inner.maximumDatagramSize }
    func sendDatagram(_ bytes: [UInt8]) -> Bool { inner.sendDatagram(bytes) }
    var pathEstimate: PathEstimate? { inner.pathEstimate }
    func close(code: UInt64, reason: String) { inner.close(code: code, reason: reason) }
}
