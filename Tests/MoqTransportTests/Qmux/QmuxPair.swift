import MoqBase
import MoqTransport

/// Two engines whose records go to each other, and a clock that is turned by hand.
final class QmuxPair {
    let client: QmuxEngine
    let server: QmuxEngine
    var now = Instant(nanoseconds: 1_000_000_000)
    /// What each end polled, in words, without bytes.
    var clientEvents: [String] = []
    var serverEvents: [String] = []
    /// How large the records asked for are.
    var recordLimit = 1 << 20

    init(
        _ version: QmuxVersion = .draft02, client: QmuxSettings = QmuxSettings(), server: QmuxSettings = QmuxSettings(),
        negotiation: QmuxNegotiation = .agreed("moq-lite-06")
    ) {
        self.client = QmuxEngine(role: .client, settings: client)
        self.server = QmuxEngine(role: .server, settings: server)
        self.client.begin(version, negotiation: negotiation, at: now)
        self.server.begin(version, negotiation: negotiation, at: now)
        settle()
        clientEvents = []
        serverEvents = []
    }

    /// Lets records cross until neither end has any. Gives whether any did.
    @discardableResult
    func settle() -> Bool {
        var moved = false
        for _ in 0..<100_000 {
            let toServer = client.transmit(limit: recordLimit, at: now)
            if let toServer { server.receive(record: toServer, at: now) }
            let toClient = server.transmit(limit: recordLimit, at: now)
            if let toClient { client.receive(record: toClient, at: now) }
            guard toServer != nil || toClient != nil else { break }
            moved = true
        }
        pollAll()
        return moved
    }

    func pollAll() {
        clientEvents += Self.events(client)
        serverEvents += Self.events(server)
    }

    /// Moves the clock on, and lets both ends act.
    func pass(_ duration: Duration) {
        now = now.advanced(by: duration)
        for engine in [client, server] {
            if let deadline = engine.deadline, deadline <= now { engine.advance(to: now) }
        }
        settle()
    }

    static func events(_ engine: QmuxEngine) -> [String] {
        var words: [String] = []
        while let event = engine.poll() { words.append("\(event)") }
        return words
    }

    /// Reads everything that waits on a stream.
    static func readAll(_ engine: QmuxEngine, _ stream: StreamID) -> (bytes: [UInt8], isFinished: Bool) {
        var bytes: [UInt8] = []
        while let read = engine.read(stream, limit: 100_000) {
            bytes += read.bytes
            if read.isFinished { return (bytes, true) }
        }
        return (bytes, false)
    }
}

/// One engine, established, whose peer is played by bytes that a test writes by hand.
final class QmuxRawPeer {
    let engine: QmuxEngine
    var now = Instant(nanoseconds: 1_000_000_000)

    init(_ version: QmuxVersion = .draft02, role: EndpointRole = .server, settings: QmuxSettings = QmuxSettings()) {
        engine = QmuxEngine(role: role, settings: settings)
        engine.begin(version, negotiation: .agreed(nil), at: now)
        if version.hasFlowControl { engine.receive(record: Self.parameters(), at: now) }
        drain()
    }

    func give(_ record: [UInt8]) {
        engine.receive(record: record, at: now)
    }

    /// Takes all records that the engine has.
    @discardableResult
    func drain(limit: Int = 1 << 20) -> [[UInt8]] {
        var records: [[UInt8]] = []
        while records.count < 100_000, let record = engine.transmit(limit: limit, at: now) { records.append(record) }
        return records
    }

    /// The frame with transport parameters: windows of 2^20 bytes and 100 streams each way, and what is added.
    static func parameters(adding more: [UInt8] = []) -> [UInt8] {
        var content: [UInt8] = []
        for identifier in UInt8(4)...7 { content += [identifier, 4, 0x80, 0x10, 0, 0] }
        for identifier in UInt8(8)...9 { content += [identifier, 2, 0x40, 100] }
        return frame(parameters: content + more)
    }

    static func frame(parameters content: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(0x3F51_5330_0D0A_0D0A)
        writer.counted(content)
        return writer.bytes
    }

    /// Numbers one behind the other.
    static func numbers(_ values: UInt64...) -> [UInt8] {
        var writer = ByteWriter()
        for value in values { writer.varint(value) }
        return writer.bytes
    }
}
