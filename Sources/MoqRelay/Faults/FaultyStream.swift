import MoqTransport
import MoqWire

/// One thing that the relay does on a stream.
enum WireAct: Hashable {
    /// Writes bytes. The engine writes whole messages: a head of a group, a frame (its head alone where it is over
    /// 4 KiB), an answer with all that follows it at once.
    case write([UInt8])
    /// Ends its half.
    case finish
    /// Resets its half.
    case reset(StreamCode)
    /// Asks the peer to send no more.
    case stop(StreamCode)
    /// Says in which order it is sent.
    case priority(SendPriority)
}

/// One stream of a faulty relay, as the fault sees it.
final class FaultyStream {
    /// What a stream is for.
    enum Kind: Hashable {
        /// The relay sends a group.
        case group
        /// The relay's SETUP.
        case setup
        /// The relay asks.
        case request(BidirectionalStreamType)
        /// The relay answers.
        case answer(BidirectionalStreamType)
        /// The setup exchange of 01 and 02.
        case exchange
        /// The peer sends: a group, or its SETUP.
        case incoming
        /// Nothing was said on it yet, or nothing that is known.
        case unknown
    }

    /// Its number.
    let id: StreamID
    /// What carries it.
    unowned let transport: FaultyTransport
    /// What it is for.
    fileprivate(set) var kind = Kind.unknown
    /// How many streams of its kind the session had before it.
    fileprivate(set) var place = 0
    /// How often the relay wrote on it before: 0 at the head of a group, at a question and at the first answer.
    private(set) var writes = 0
    /// What the fault holds back of it.
    var held: [WireAct] = []

    init(_ id: StreamID, on transport: FaultyTransport) {
        self.id = id
        self.transport = transport
        if id.initiator == .client, id.direction == .unidirectional { kind = .incoming }
    }

    /// The version of the session; 03 before it is known.
    var version: Version { transport.lite?.version ?? .lite03 }

    /// What the fault remembers of the relay.
    var memory: FaultMemory { transport.memory }

    /// Whether the relay sends a group on it.
    var isGroup: Bool { kind == .group }

    /// Learns what the stream is for, from the first bytes of whoever opened it.
    func learn(from bytes: [UInt8]) {
        guard kind == .unknown, let first = bytes.first else { return }
        switch (id.direction, id.initiator) {
        case (.unidirectional, _): kind = first == UnidirectionalStreamType.setup.rawValue ? .setup : .group
        case (.bidirectional, .server):
            if let type = BidirectionalStreamType(rawValue: UInt64(first)) { kind = .request(type) }
        case (.bidirectional, .client):
            if transport.lite?.version == nil {
                kind = .exchange
            } else if let type = BidirectionalStreamType(rawValue: UInt64(first)) {
                kind = .answer(type)
            }
        }
        place = transport.nextPlace(of: kind)
    }

    /// Notes what the relay wanted.
    func note(_ act: WireAct) {
        if case .write = act { writes += 1 }
    }

    /// The bytes among the acts that are held.
    var heldBytes: [UInt8] {
        held.flatMap { act -> [UInt8] in
            if case .write(let bytes) = act { bytes } else { [] }
        }
    }

    /// What was written on an Announce stream, each announcement changed: behind the answer the first time (the count
    /// in it stays as it was), and one by one after that.
    func announcements(
        in bytes: [UInt8], _ change: (Announcement) -> [Announcement]
    ) -> [UInt8] {
        var decoder = MessageDecoder()
        decoder.feed(bytes)
        var result: [UInt8] = []
        if writes == 0, version.hasAnnounceOK, let answer = try? decoder.next(AnnounceOK.self, version: version) {
            result += (try? answer.encode(version: version)) ?? []
        }
        if writes == 0, version.hasAnnounceInit { return bytes }
        while let announcement = try? decoder.next(Announcement.self, version: version) {
            for changed in change(announcement) { result += (try? changed.encode(version: version)) ?? [] }
        }
        return result + decoder.takeRest()
    }
}
