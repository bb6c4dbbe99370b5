import MoqBase

/// The binding of moq-lite to Qmux over TCP: records with their size before them, and the application protocol
/// negotiated in the transport parameters, or by ALPN where TLS lies beneath.
public final class QmuxTCPSession: QmuxSession, ByteStreamMachine {
    /// How much is handed over in one piece: enough for the kernel to work in large strokes, and little enough that
    /// priorities have effect on a slow connection.
    private static let pieceSize = 64 << 10
    /// How much is kept of what arrives before ALPN's choice was told: more than a peer says with its parameters.
    private static let earlyLimit = 256 << 10

    public let engine: QmuxEngine
    public let remoteAddress: NetworkAddress
    private let version: QmuxVersion
    /// Nil when ALPN decides.
    private let protocols: [String]?
    /// What arrived of a record that is not complete.
    private var partial: [UInt8] = []
    private var hasHeardMagic = false

    /// The dialling end on plain TCP.
    public init(client remote: NetworkAddress, protocols: [String], settings: QmuxSettings) {
        engine = QmuxEngine(role: .client, settings: settings)
        remoteAddress = remote
        version = settings.version
        self.protocols = protocols
    }

    /// The accepting end on plain TCP.
    public init(server remote: NetworkAddress, protocols: [String], settings: QmuxSettings) {
        engine = QmuxEngine(role: .server, settings: settings)
        remoteAddress = remote
        version = settings.version
        self.protocols = protocols
    }

    /// An end on TLS: it is silent until `begin` says what ALPN agreed on.
    public init(role: EndpointRole, overTLSTo remote: NetworkAddress, settings: QmuxSettings) {
        engine = QmuxEngine(role: role, settings: settings)
        remoteAddress = remote
        version = settings.version
        protocols = nil
    }

    public var kind: TransportKind { .tcp }
    public var requestPath: String? { nil }

    /// Says what ALPN agreed on (`QmuxSubprotocol.offers(for:versions:)` with draft 02 and 01 are the names to
    /// offer). The session is refused when that is nothing, or no Qmux in records.
    public func begin(alpn: String?, at now: Instant) {
        guard let alpn else {
            engine.refuse(.noProtocol, reason: "TLS agreed on no application protocol")
            return
        }
        guard let name = QmuxSubprotocol(name: alpn), name.version.usesRecords else {
            engine.refuse(.notOffered(alpn), reason: "TLS agreed on a protocol that is no Qmux in records")
            return
        }
        engine.begin(name, at: now)
        takePartial(at: now)
    }

    public func receive(_ bytes: [UInt8], at now: Instant) {
        beginIfPlain(at: now)
        guard partial.isEmpty, engine.version != nil else {
            partial.append(contentsOf: bytes)
            if engine.version != nil {
                takePartial(at: now)
            } else if partial.count > Self.earlyLimit {
                engine.refuse(.notSpoken("the peer goes on before its protocol is known"), reason: "")
                partial = []
            }
            return
        }
        let used = takeRecords(of: bytes, at: now)
        partial = used == bytes.count ? [] : Array(bytes[used...])
    }

    public func receiveEnd(failure: String?, at now: Instant) {
        partial = []
        engine.receiveEnd(failure: failure, at: now)
    }

    public func transmit(at now: Instant) -> [UInt8]? {
        beginIfPlain(at: now)
        var piece: [UInt8] = []
        while piece.count < Self.pieceSize, let record = engine.transmit(limit: QmuxLimits.record, at: now) {
            if piece.isEmpty { piece.reserveCapacity(record.count + 8) }
            var size = ByteWriter(capacity: 8)
            size.varint(UInt64(record.count))
            piece.append(contentsOf: size.bytes)
            piece.append(contentsOf: record)
        }
        return piece.isEmpty ? nil : piece
    }

    public var isFinished: Bool { engine.isFinished }

    public var handshakeStanding: String? {
        guard let words = engine.handshakeStanding else { return nil }
        if !partial.isEmpty { return "\(carrier), and bytes came that are no whole record of Qmux" }
        return words == QmuxEngine.unanswered ? "\(carrier), and \(words)" : words
    }

    private var carrier: String { protocols == nil ? "TLS was agreed on" : "the connection was taken" }
    public var deadline: Instant? { engine.deadline }

    public func advance(to now: Instant) {
        engine.advance(to: now)
    }

    private func beginIfPlain(at now: Instant) {
        guard engine.version == nil, let protocols else { return }
        engine.begin(version, negotiation: .inBand(protocols), at: now)
    }

    private func takePartial(at now: Instant) {
        let used = takeRecords(of: partial, at: now)
        partial.removeFirst(used)
    }

    /// Hands over the records that are complete. Gives how many bytes they took.
    private func takeRecords(of bytes: [UInt8], at now: Instant) -> Int {
        var position = 0
        while position < bytes.count, engine.closed == nil {
            let width = VarInt.length(firstByte: bytes[position])
            guard bytes.count - position >= width else { break }
            var reader = ByteReader(bytes, in: position..<bytes.count)
            guard let size = try? reader.varint() else { break }
            let start = position + width
            guard hasHeardMagic || beginsAsQmux(bytes, from: start) else { break }
            guard size <= UInt64(engine.maximumIncomingRecord) else {
                engine.fail(.largeRecord(size))
                break
            }
            guard bytes.count - start >= Int(size) else { break }
            engine.receive(record: bytes, in: start..<start + Int(size), at: now)
            hasHeardMagic = true
            position = start + Int(size)
        }
        // After the end nothing is kept.
        return engine.closed == nil ? position : bytes.count
    }

    /// Whether what has come can be the beginning of a Qmux connection. A peer that speaks something else is told
    /// from one that is slow at its first bytes.
    private func beginsAsQmux(_ bytes: [UInt8], from start: Int) -> Bool {
        let count = min(bytes.count - start, QmuxFrameType.magic.count)
        guard !bytes[start..<start + count].elementsEqual(QmuxFrameType.magic.prefix(count)) else { return true }
        engine.refuse(
            .notSpoken("the peer does not begin as Qmux does"), reason: "it began with other bytes",
            telling: QmuxViolation(.protocolViolation, "the first frame is no QX_TRANSPORT_PARAMETERS"))
        return false
    }
}
