import MoqBase

/// The transport parameters of one side (RFC 9000 section 18, draft-ietf-quic-qmux-02 section 4).
public struct QmuxParameters: Hashable, Sendable {
    /// Milliseconds of silence after which the connection is over, 0 for never.
    public var idleTimeout: UInt64 = 0
    /// Bytes that all streams together may carry towards the announcing side.
    public var data: UInt64 = 0
    /// Bytes that a bidirectional stream opened by the announcing side may carry towards it.
    public var streamDataBidirectionalLocal: UInt64 = 0
    /// Bytes that a bidirectional stream opened by the other side may carry towards the announcing side.
    public var streamDataBidirectionalRemote: UInt64 = 0
    /// Bytes that a unidirectional stream may carry towards the announcing side.
    public var streamDataUnidirectional: UInt64 = 0
    /// How many bidirectional streams the other side may open.
    public var streamsBidirectional: UInt64 = 0
    /// How many unidirectional streams the other side may open.
    public var streamsUnidirectional: UInt64 = 0
    /// The largest DATAGRAM frame that is taken, 0 for none.
    public var datagramFrame: UInt64 = 0
    /// The largest content of a record that is taken.
    public var recordSize = UInt64(QmuxLimits.record)
    /// The application protocols that are spoken, the preferred first; nil when the parameter is absent (observed in
    /// moq-ffi 0.4; it is in no draft).
    public var protocols: [String]?

    /// What is assumed of a side that announces nothing.
    public init() {}
}

extension QmuxParameters {
    private enum Identifier {
        static let idleTimeout: UInt64 = 0x01
        static let data: UInt64 = 0x04
        static let streamDataBidirectionalLocal: UInt64 = 0x05
        static let streamDataBidirectionalRemote: UInt64 = 0x06
        static let streamDataUnidirectional: UInt64 = 0x07
        static let streamsBidirectional: UInt64 = 0x08
        static let streamsUnidirectional: UInt64 = 0x09
        static let datagramFrame: UInt64 = 0x20
        static let recordSize: UInt64 = 0x0571_C594_29CD_0845
        static let protocols: UInt64 = 0x3D4F_9C2A_8B1E_6075

        /// Parameters of QUIC that have no meaning here, and end the connection.
        static func isForbidden(_ identifier: UInt64) -> Bool {
            switch identifier {
            case 0x00, 0x02, 0x03, 0x0A...0x10: true
            default: false
            }
        }
    }

    /// What one side announces.
    init(_ settings: QmuxSettings, version: QmuxVersion, protocols: [String]?) {
        let milliseconds = max(settings.idleTimeout.wholeNanoseconds / 1_000_000, 0)
        idleTimeout = version.usesRecords ? min(UInt64(milliseconds), VarInt.maximum) : 0
        data = settings.connectionWindow
        streamDataBidirectionalLocal = settings.streamWindow
        streamDataBidirectionalRemote = settings.streamWindow
        streamDataUnidirectional = settings.streamWindow
        streamsBidirectional = settings.maximumStreamsBidirectional
        streamsUnidirectional = settings.maximumStreamsUnidirectional
        self.protocols = protocols
    }

    /// The parameters as they stand in a frame.
    var encoded: [UInt8] {
        var writer = ByteWriter(capacity: 128)
        let numbers: [(UInt64, UInt64)] = [
            (Identifier.idleTimeout, idleTimeout),
            (Identifier.data, data),
            (Identifier.streamDataBidirectionalLocal, streamDataBidirectionalLocal),
            (Identifier.streamDataBidirectionalRemote, streamDataBidirectionalRemote),
            (Identifier.streamDataUnidirectional, streamDataUnidirectional),
            (Identifier.streamsBidirectional, streamsBidirectional),
            (Identifier.streamsUnidirectional, streamsUnidirectional),
            (Identifier.datagramFrame, datagramFrame),
            // Early releases take an absent size for none at all, so it is said although it is the default.
            (Identifier.recordSize, recordSize),
        ]
        for (identifier, value) in numbers where value > 0 {
            writer.varint(identifier)
            writer.varint(UInt64(VarInt.length(value)))
            writer.varint(value)
        }
        if let protocols, !protocols.isEmpty {
            var list = ByteWriter()
            for name in protocols { list.string(name) }
            writer.varint(Identifier.protocols)
            writer.counted(list.bytes)
        }
        return writer.bytes
    }

    /// Reads the parameters of a frame of which `reader` gives the content.
    static func read(_ reader: inout ByteReader) throws(QmuxViolation) -> QmuxParameters {
        var parameters = QmuxParameters()
        var seen: Set<UInt64> = []
        do {
            while !reader.isAtEnd {
                let identifier = try reader.varint()
                var value = try reader.confined()
                guard seen.insert(identifier).inserted else {
                    throw violation("transport parameter 0x\(String(identifier, radix: 16)) stands twice")
                }
                try parameters.take(identifier, &value)
            }
        } catch let violation as QmuxViolation {
            throw violation
        } catch {
            throw violation("the transport parameters are malformed: \(error)")
        }
        return parameters
    }

    private mutating func take(_ identifier: UInt64, _ value: inout ByteReader) throws {
        switch identifier {
        case Identifier.idleTimeout: idleTimeout = try Self.number(&value)
        case Identifier.data: data = try Self.number(&value)
        case Identifier.streamDataBidirectionalLocal: streamDataBidirectionalLocal = try Self.number(&value)
        case Identifier.streamDataBidirectionalRemote: streamDataBidirectionalRemote = try Self.number(&value)
        case Identifier.streamDataUnidirectional: streamDataUnidirectional = try Self.number(&value)
        case Identifier.streamsBidirectional: streamsBidirectional = try Self.streamCount(&value)
        case Identifier.streamsUnidirectional: streamsUnidirectional = try Self.streamCount(&value)
        case Identifier.datagramFrame: datagramFrame = try Self.number(&value)
        case Identifier.recordSize:
            recordSize = try Self.number(&value)
            guard recordSize >= UInt64(QmuxLimits.record) else {
                throw Self.violation("max_record_size is \(recordSize), below \(QmuxLimits.record)")
            }
        case Identifier.protocols:
            var names: [String] = []
            while !value.isAtEnd { names.append(try value.string()) }
            guard !names.isEmpty else { throw Self.violation("the list of application protocols is empty") }
            protocols = names
        default:
            // Others are to be ignored: QUIC reserves some to see that peers do.
            guard !Identifier.isForbidden(identifier) else {
                throw Self.violation("transport parameter 0x\(String(identifier, radix: 16)) is forbidden in Qmux")
            }
        }
    }

    private static func number(_ value: inout ByteReader) throws -> UInt64 {
        let number = try value.varint()
        guard value.isAtEnd else { throw violation("a transport parameter has bytes behind its number") }
        return number
    }

    private static func streamCount(_ value: inout ByteReader) throws -> UInt64 {
        let count = try number(&value)
        guard count <= QmuxLimits.streams else { throw violation("a stream limit exceeds 2^60") }
        return count
    }

    private static func violation(_ reason: String) -> QmuxViolation {
        QmuxViolation(.transportParameter, frameType: QmuxFrameType.parameters, reason)
    }
}
