import MoqBase
import MoqQUIC

/// The binding of moq-lite to raw QUIC: streams and datagrams are QUIC's own, the protocol is the ALPN.
public final class NativeQUICSession: TransportSession {
    /// The connection beneath, for reports.
    public let connection: QUICConnection

    /// A session on a connection that nobody else polls.
    public init(_ connection: QUICConnection) {
        self.connection = connection
    }

    public var role: EndpointRole {
        switch connection.role {
        case .client: .client
        case .server: .server
        }
    }

    public var negotiatedProtocol: String? { connection.negotiatedProtocol }
    public var kind: TransportKind { .quic }
    public var requestPath: String? { nil }
    public var remoteAddress: NetworkAddress { connection.remoteAddress }

    public var handshakeStanding: String? {
        guard connection.negotiatedProtocol == nil else { return HandshakeWords.exchange }
        return connection.hasAnswered ? "packets came back, and the handshake of QUIC was not completed" : nil
    }

    public func poll() -> TransportEvent? {
        connection.poll().map(translate)
    }

    public func openStream(_ direction: StreamDirection) -> StreamID? {
        connection.openStream(direction.quic).map(StreamID.init(quic:))
    }

    public func write(_ bytes: [UInt8], to stream: StreamID) {
        connection.write(bytes, to: stream.quic)
    }

    public func canWrite(_ stream: StreamID) -> Bool {
        connection.canWrite(stream.quic)
    }

    public func finish(_ stream: StreamID) {
        connection.finish(stream.quic)
    }

    public func reset(_ stream: StreamID, code: StreamCode) {
        connection.reset(stream.quic, code: StreamCodeMapping.wire(code))
    }

    public func stop(_ stream: StreamID, code: StreamCode) {
        connection.stop(stream.quic, code: StreamCodeMapping.wire(code))
    }

    public func read(_ stream: StreamID, limit: Int) -> StreamRead? {
        connection.read(stream.quic, limit: limit).map { StreamRead(bytes: $0.bytes, isFinished: $0.isFinished) }
    }

    public func setPriority(_ priority: SendPriority, of stream: StreamID) {
        connection.setPriority(
            QUICStreamPriority(urgency: priority.urgency, sequence: priority.sequence), of: stream.quic)
    }

    public var maximumDatagramSize: Int? { connection.maximumDatagramSize }

    public func sendDatagram(_ bytes: [UInt8]) -> Bool {
        connection.sendDatagram(bytes)
    }

    public var pathEstimate: PathEstimate? {
        connection.pathEstimate.map { PathEstimate(roundTrip: $0.roundTrip, sendRate: $0.sendRate) }
    }

    /// Session codes go on the wire as they are (observed, moq-ffi 0.2 to 0.4.18).
    public func close(code: UInt64, reason: String) {
        connection.close(code: code, reason: reason)
    }

    private func translate(_ event: QUICEvent) -> TransportEvent {
        switch event {
        case .established: .established
        case .streamOpened(let id): .streamOpened(StreamID(quic: id))
        case .readable(let id): .readable(StreamID(quic: id))
        case .writable(let id): .writable(StreamID(quic: id))
        case .delivered(let id): .delivered(StreamID(quic: id))
        case .reset(let id, let code): .reset(StreamID(quic: id), StreamCodeMapping.code(code))
        case .stopped(let id, let code): .stopped(StreamID(quic: id), StreamCodeMapping.code(code))
        case .streamsAvailable(.unidirectional): .streamsAvailable(.unidirectional)
        case .streamsAvailable(.bidirectional): .streamsAvailable(.bidirectional)
        case .datagram(let bytes): .datagram(bytes)
        case .closed(let close): .closed(SessionClose(quic: close))
        }
    }
}

extension StreamDirection {
    fileprivate var quic: QUICStreamDirection {
        switch self {
        case .unidirectional: .unidirectional
        case .bidirectional: .bidirectional
        }
    }
}

extension StreamID {
    fileprivate init(quic: QUICStreamID) {
        self.init(rawValue: quic.rawValue)
    }

    fileprivate var quic: QUICStreamID { QUICStreamID(rawValue: rawValue) }
}

extension SessionClose {
    /// The close of a QUIC connection in the words of a session.
    public init(quic close: QUICClose) {
        let initiator: Initiator =
            switch close.initiator {
            case .local: .local
            case .peer: .peer
            }
        let cause: Cause =
            switch close.cause {
            case .application(let code): .application(code: code)
            case .transport(let code): .transport(code: code)
            case .idleTimeout: .idleTimeout
            case .handshakeTimeout: .handshakeTimeout
            case .certificateRefused: .certificateRefused
            case .lost: .lost
            }
        self.init(initiator: initiator, cause: cause, reason: close.reason)
    }
}
