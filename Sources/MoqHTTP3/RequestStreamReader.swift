/// Reads what arrives on the stream of a CONNECT request: its head, then DATA frames (RFC 9114 sections 4.1 and 4.4).
public struct RequestStreamReader: Sendable {
    /// What the stream says.
    public enum Event: Hashable, Sendable {
        /// A HEADERS frame, still encoded.
        case head([UInt8])
        /// Bytes of DATA frames, in order.
        case data([UInt8])
    }

    private let isServer: Bool
    private var frames = HTTP3FrameReader()
    private var hasHead = false

    /// A reader of a stream whose bytes arrive at the server, or at the client.
    public init(atServer isServer: Bool) {
        self.isServer = isServer
    }

    /// Whether the bytes so far end with a whole frame.
    public var isBetweenFrames: Bool { frames.isBetweenFrames }

    /// Expects another head: the one before was informational (status 1xx).
    public mutating func expectAnotherHead() {
        hasHead = false
    }

    /// Takes bytes of the stream. Ask `next` for all events before more bytes are given.
    public mutating func append(_ bytes: [UInt8]) {
        frames.append(bytes)
    }

    /// The next event, or nil when more bytes are needed. Every error ends the connection.
    public mutating func next() throws(HTTP3Error) -> Event? {
        let hasHead = hasHead
        let isServer = isServer
        let item = try frames.next { (type, size) throws(HTTP3Error) in
            try Self.judge(type, size, hasHead: hasHead, isServer: isServer)
        }
        switch item {
        case nil:
            return nil
        case .frame(_, let payload):
            self.hasHead = true
            return .head(payload)
        case .piece(_, let bytes):
            return .data(bytes)
        }
    }

    private static func judge(
        _ type: UInt64, _ size: UInt64, hasHead: Bool, isServer: Bool
    ) throws(HTTP3Error) -> HTTP3FrameReader.Handling {
        switch type {
        case HTTP3FrameType.headers:
            if hasHead { throw HTTP3Error(.frameUnexpected, "a second HEADERS frame behind a CONNECT") }
            guard size <= UInt64(HTTP3Limits.encodedFieldSection) else {
                throw HTTP3Error(.excessiveLoad, "a field section of \(size) bytes")
            }
            return .whole
        case HTTP3FrameType.data:
            guard hasHead else { throw HTTP3Error(.frameUnexpected, "a DATA frame before HEADERS") }
            return .pieces
        case HTTP3FrameType.pushPromise:
            if isServer { throw HTTP3Error(.frameUnexpected, "a PUSH_PROMISE frame from a client") }
            throw HTTP3Error(.idError, "a PUSH_PROMISE although no push was allowed")
        case HTTP3FrameType.settings, HTTP3FrameType.goaway, HTTP3FrameType.cancelPush,
            HTTP3FrameType.maximumPushID:
            throw HTTP3Error(.frameUnexpected, "frame 0x\(String(type, radix: 16)) outside of the control stream")
        case HTTP3FrameType.webTransportStream:
            throw HTTP3Error(.frameError, "a WebTransport stream begins in the middle of a request")
        case _ where HTTP3FrameType.forbidden.contains(type):
            throw HTTP3Error(.frameUnexpected, "frame 0x\(String(type, radix: 16)) belongs to HTTP/2")
        default:
            return .skip
        }
    }
}
