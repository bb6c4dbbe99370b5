import MoqBase

/// Reads frames and puts messages together, however the bytes are cut.
struct WebSocketReader {
    /// What was read.
    enum Item: Hashable {
        /// A binary message.
        case message([UInt8])
        case ping([UInt8])
        case pong([UInt8])
        /// The peer closes; a close frame without a code has none.
        case close(WebSocketCloseCode?, String)
    }

    /// Used bytes before the buffer is moved down.
    private static let usedBytes = 64 << 10

    /// Whose frames are read: a client's are masked, a server's are not.
    private let peer: EndpointRole
    /// The largest message that is taken; may change between frames.
    var maximumMessage: Int
    /// What is wrong with it on purpose.
    var flaw: BindingFlaw?
    private var buffer: [UInt8] = []
    private var position = 0
    /// The beginning of a message of which fragments are to come.
    private var message: [UInt8]?

    init(peer: EndpointRole, maximumMessage: Int) {
        self.peer = peer
        self.maximumMessage = maximumMessage
    }

    /// Takes bytes, of which `next` gives what is complete.
    mutating func take(_ bytes: [UInt8]) {
        if position == buffer.count {
            buffer = bytes
            position = 0
            return
        }
        if position > Self.usedBytes {
            buffer.removeFirst(position)
            position = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next item, or nil when more bytes are wanted. After a violation nothing more may be read.
    mutating func next() throws(WebSocketViolation) -> Item? {
        while let frame = try nextFrame() {
            if let item = try take(frame) { return item }
        }
        return nil
    }

    // MARK: Frames

    private struct Frame {
        var opcode: WebSocketOpcode
        var isFinal: Bool
        var payload: [UInt8]
    }

    private mutating func nextFrame() throws(WebSocketViolation) -> Frame? {
        let available = buffer.count - position
        guard available >= 2 else { return nil }
        let first = buffer[position]
        let second = buffer[position + 1]
        let (opcode, isFinal) = try opening(first, isMasked: second & 0x80 != 0)
        var count = Int(second & 0x7F)
        var headSize = 2
        if count >= 126 {
            let width = count == 126 ? 2 : 8
            if opcode.isControl {
                throw WebSocketViolation(.protocolError, "a control frame is over 125 bytes")
            }
            headSize += width
            guard available >= headSize else { return nil }
            var length: UInt64 = 0
            for byte in buffer[position + 2..<position + headSize] { length = length << 8 | UInt64(byte) }
            guard length >> 63 == 0, length > (width == 2 ? 125 : 0xFFFF) else {
                throw WebSocketViolation(.protocolError, "a frame's length is not in its shortest form")
            }
            count = Int(clamping: length)
        }
        if !opcode.isControl, count > maximumMessage - (message?.count ?? 0) {
            throw WebSocketViolation(.tooLarge, "a message is over \(maximumMessage) bytes")
        }
        let isMasked = second & 0x80 != 0
        if isMasked { headSize += 4 }
        guard available >= headSize + count else { return nil }
        let start = position + headSize
        var payload = Array(buffer[start..<start + count])
        if isMasked { WebSocketMask(buffer[start - 4..<start]).apply(to: &payload, from: 0) }
        position = start + count
        return Frame(opcode: opcode, isFinal: isFinal, payload: payload)
    }

    /// What the first two bytes say, which is enough to refuse most of what is no WebSocket.
    private func opening(
        _ first: UInt8, isMasked: Bool
    ) throws(WebSocketViolation) -> (opcode: WebSocketOpcode, isFinal: Bool) {
        guard first & 0x70 == 0 || flaw == .webSocketReservedBitsTaken else {
            throw WebSocketViolation(.protocolError, "a reserved bit is set, but no extension was agreed on")
        }
        guard let opcode = WebSocketOpcode(rawValue: first & 0xF) else {
            throw WebSocketViolation(.protocolError, "a frame has the unknown opcode \(first & 0xF)")
        }
        guard isMasked == (peer == .client) || flaw == .webSocketMaskOptional else {
            throw WebSocketViolation(
                .protocolError, isMasked ? "a server's frame is masked" : "a client's frame is not masked")
        }
        let isFinal = first & 0x80 != 0
        switch opcode {
        case .close, .ping, .pong:
            if !isFinal, flaw != .webSocketControlsInPieces {
                throw WebSocketViolation(.protocolError, "a control frame is fragmented")
            }
        case .continuation:
            if message == nil { throw WebSocketViolation(.protocolError, "a continuation without a beginning") }
        case .text, .binary:
            if message != nil {
                throw WebSocketViolation(.protocolError, "a message begins before the one before it has ended")
            }
            if opcode == .text, flaw != .webSocketTextTaken {
                throw WebSocketViolation(.unsupportedData, "text is not spoken here")
            }
        }
        return (opcode, isFinal)
    }

    private mutating func take(_ frame: Frame) throws(WebSocketViolation) -> Item? {
        switch frame.opcode {
        case .ping: return .ping(frame.payload)
        case .pong: return .pong(frame.payload)
        case .close: return try close(frame.payload)
        case .text, .binary, .continuation:
            guard var whole = message else {
                if frame.isFinal { return .message(frame.payload) }
                message = frame.payload
                return nil
            }
            message = nil
            whole += frame.payload
            if frame.isFinal { return .message(whole) }
            message = whole
            return nil
        }
    }

    private func close(_ payload: [UInt8]) throws(WebSocketViolation) -> Item {
        guard !payload.isEmpty else { return .close(nil, "") }
        guard payload.count >= 2 else {
            throw WebSocketViolation(.protocolError, "a close frame has half a code")
        }
        let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.mayBeSent || flaw == .webSocketAnyCloseCode else {
            throw WebSocketViolation(.protocolError, "the close code \(code.rawValue) may not be sent")
        }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else {
            throw WebSocketViolation(.invalidText, "the reason of a close is not UTF-8")
        }
        return .close(code, reason)
    }
}
