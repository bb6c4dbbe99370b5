import MoqBase

/// Reads the peer's control stream (RFC 9114 section 6.2.1).
public struct ControlStreamReader: Sendable {
    /// What the stream says.
    public enum Event: Hashable, Sendable {
        /// The peer's settings: always first, and once.
        case settings(HTTP3Settings)
        /// The peer winds the connection up; requests from this stream number on are not served.
        case goaway(UInt64)
    }

    private let isServer: Bool
    private var frames = HTTP3FrameReader()
    private var hasSettings = false
    private var lastGoaway: UInt64?
    private var lastPushID: UInt64?

    /// A reader of a stream whose bytes arrive at the server, or at the client.
    public init(atServer isServer: Bool) {
        self.isServer = isServer
    }

    /// Takes bytes of the stream. Every error ends the connection.
    public mutating func receive(_ bytes: [UInt8]) throws(HTTP3Error) -> [Event] {
        frames.append(bytes)
        var events: [Event] = []
        while let item = try nextItem() {
            guard case .frame(let type, let payload) = item else { continue }
            if let event = try take(type, payload) { events.append(event) }
        }
        return events
    }

    private mutating func nextItem() throws(HTTP3Error) -> HTTP3FrameReader.Item? {
        let hasSettings = hasSettings
        let isServer = isServer
        let item = try frames.next { (type, size) throws(HTTP3Error) in
            try Self.judge(type, size, hasSettings: hasSettings, isServer: isServer)
        }
        if case .frame(HTTP3FrameType.settings, _) = item { self.hasSettings = true }
        return item
    }

    private static func judge(
        _ type: UInt64, _ size: UInt64, hasSettings: Bool, isServer: Bool
    ) throws(HTTP3Error) -> HTTP3FrameReader.Handling {
        guard hasSettings || type == HTTP3FrameType.settings else {
            throw HTTP3Error(
                .missingSettings, "the control stream begins with frame 0x\(String(type, radix: 16)), not with SETTINGS"
            )
        }
        switch type {
        case HTTP3FrameType.settings:
            if hasSettings { throw HTTP3Error(.frameUnexpected, "a second SETTINGS frame") }
            guard size <= UInt64(HTTP3Limits.settingsPayload) else {
                throw HTTP3Error(.excessiveLoad, "a SETTINGS frame of \(size) bytes")
            }
            return .whole
        case HTTP3FrameType.goaway, HTTP3FrameType.cancelPush, HTTP3FrameType.maximumPushID:
            if type == HTTP3FrameType.maximumPushID && !isServer {
                throw HTTP3Error(.frameUnexpected, "a MAX_PUSH_ID frame from a server")
            }
            guard (1...UInt64(HTTP3Limits.numberPayload)).contains(size) else {
                throw HTTP3Error(.frameError, "a frame that holds one number has \(size) bytes")
            }
            return .whole
        case HTTP3FrameType.data, HTTP3FrameType.headers, HTTP3FrameType.pushPromise,
            HTTP3FrameType.webTransportStream:
            throw HTTP3Error(.frameUnexpected, "frame 0x\(String(type, radix: 16)) on the control stream")
        case _ where HTTP3FrameType.forbidden.contains(type):
            throw HTTP3Error(.frameUnexpected, "frame 0x\(String(type, radix: 16)) belongs to HTTP/2")
        default:
            return .skip
        }
    }

    private mutating func take(_ type: UInt64, _ payload: [UInt8]) throws(HTTP3Error) -> Event? {
        if type == HTTP3FrameType.settings { return .settings(try HTTP3Settings(payload: payload)) }
        var reader = ByteReader(payload)
        guard let number = try? reader.varint(), reader.isAtEnd else {
            throw HTTP3Error(.frameError, "frame 0x\(String(type, radix: 16)) does not hold exactly one number")
        }
        switch type {
        case HTTP3FrameType.goaway:
            if !isServer && number % 4 != 0 {
                throw HTTP3Error(.idError, "GOAWAY names stream \(number), which no request can have")
            }
            if let lastGoaway, number > lastGoaway {
                throw HTTP3Error(.idError, "GOAWAY rose from \(lastGoaway) to \(number)")
            }
            lastGoaway = number
            return .goaway(number)
        case HTTP3FrameType.maximumPushID:
            if let lastPushID, number < lastPushID {
                throw HTTP3Error(.idError, "MAX_PUSH_ID fell from \(lastPushID) to \(number)")
            }
            lastPushID = number
            return nil
        default:
            throw HTTP3Error(.idError, "CANCEL_PUSH for push \(number), which nobody promised")
        }
    }
}
