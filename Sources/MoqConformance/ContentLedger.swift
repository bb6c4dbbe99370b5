import MoqBase

/// What the publishing actors of one case sent, so that what arrives can be recognised.
public struct ContentLedger: Sendable {
    /// One frame as it was sent.
    public struct Sent: Hashable, Sendable {
        /// The incarnation of the actor that sent it.
        public var source: UInt64
        /// Bytes of payload.
        public var size: Int
        /// In the track's timescale; nil where the publisher's version carries none.
        public var timestamp: UInt64?
        /// The payload itself where it is no generated content (a catalog, say).
        public var literal: [UInt8]?

        /// A frame of its parts.
        public init(source: UInt64, size: Int, timestamp: UInt64?, literal: [UInt8]? = nil) {
            self.source = source
            self.size = size
            self.timestamp = timestamp
            self.literal = literal
        }
    }

    /// How a frame that arrived relates to what was sent.
    public enum Match: Hashable, Sendable {
        /// It is the frame that was sent in this place, whole.
        case whole(Sent)
        /// It is not; the sentence says what it is instead.
        case wrong(String)
    }

    private struct Place: Hashable {
        var broadcast: String
        var track: String
        var group: UInt64
    }

    private let caseHash: UInt64
    private var sent: [Place: [[Sent]]] = [:]
    private var finished: [Place: Set<UInt64>] = [:]
    private var sources: [UInt64: String] = [:]
    private var tracks: [UInt64: String] = [:]

    /// An empty ledger for the case with this id; `seed` keeps two runs apart.
    public init(caseID: String, seed: UInt64) {
        caseHash = StableHash.of("\(caseID)#\(seed)")
    }

    /// Registers one incarnation of a publishing actor and gives the number that its frames carry.
    public mutating func source(actor: String, incarnation: Int) -> UInt64 {
        let name = incarnation == 0 ? actor : "\(actor) (incarnation \(incarnation + 1))"
        let source = caseHash ^ StableHash.of(name)
        sources[source] = name
        return source
    }

    /// Makes the payload of the next frame and notes it as sent. `broadcast` is the path relative to the case.
    public mutating func generate(
        source: UInt64, broadcast: String, track: String, group: UInt64, size: Int, timestamp: UInt64?
    ) -> [UInt8] {
        let identity = FrameIdentity(
            source: source, track: trackHash(broadcast, track), group: group,
            frame: UInt32(clamping: count(source: source, broadcast: broadcast, track: track, group: group)))
        note(Sent(source: source, size: size, timestamp: timestamp), broadcast, track, group, at: Int(identity.frame))
        return FrameContent.payload(identity, size: size)
    }

    /// Notes a frame with a payload of the author's own.
    public mutating func literal(
        _ payload: [UInt8], source: UInt64, broadcast: String, track: String, group: UInt64, timestamp: UInt64?
    ) {
        _ = trackHash(broadcast, track)
        let index = count(source: source, broadcast: broadcast, track: track, group: group)
        note(
            Sent(source: source, size: payload.count, timestamp: timestamp, literal: payload), broadcast, track, group,
            at: index)
    }

    /// Notes that a source has finished a group: a receiver that sees it end cleanly must have all of it.
    public mutating func finish(source: UInt64, broadcast: String, track: String, group: UInt64) {
        finished[Place(broadcast: broadcast, track: track, group: group), default: []].insert(source)
    }

    /// How many frames a source has sent in a group.
    public func count(source: UInt64, broadcast: String, track: String, group: UInt64) -> Int {
        let frames = sent[Place(broadcast: broadcast, track: track, group: group)] ?? []
        return frames.reduce(0) { $0 + ($1.contains { $0.source == source } ? 1 : 0) }
    }

    /// Holds a frame that arrived against what was sent in its place.
    public func match(_ payload: [UInt8], broadcast: String, track: String, group: UInt64, frame: Int) -> Match {
        let frames = sent[Place(broadcast: broadcast, track: track, group: group)] ?? []
        let candidates = frame < frames.count ? frames[frame] : []
        for candidate in candidates where candidate.size == payload.count {
            let expected =
                candidate.literal
                ?? FrameContent.payload(
                    FrameIdentity(
                        source: candidate.source, track: StableHash.of("\(broadcast)\u{0}\(track)"), group: group,
                        frame: UInt32(clamping: frame)), size: candidate.size)
            if payload.hasSameBytes(as: expected) { return .whole(candidate) }
        }
        return .wrong(explain(payload, candidates: candidates, broadcast: broadcast, track: track))
    }

    /// Says why a group that ended cleanly is not what was sent, or nil when it is. `frames` counts what arrived,
    /// `firstFrame` is the index that the first of them had.
    public func mismatch(
        ofFinished group: UInt64, broadcast: String, track: String, sources seen: Set<UInt64>, frames: Int,
        firstFrame: Int
    ) -> String? {
        let place = Place(broadcast: broadcast, track: track, group: group)
        guard let source = seen.sorted().first else {
            // Frames without a source were found wrong already. An empty group is whole if some source finished it so.
            guard frames == 0 else { return nil }
            let whole = (finished[place] ?? []).contains { source in
                count(source: source, broadcast: broadcast, track: track, group: group) <= firstFrame
            }
            return whole ? nil : "group \(group) ended cleanly and empty, and no publisher has finished it so"
        }
        if seen.count > 1 { return "group \(group) mixes frames of \(seen.count) publishers" }
        guard finished[place]?.contains(source) == true else {
            return "group \(group) ended cleanly, and its publisher has not finished it"
        }
        let whole = count(source: source, broadcast: broadcast, track: track, group: group)
        return frames + firstFrame == whole
            ? nil : "group \(group) ended cleanly after \(frames + firstFrame) of \(whole) frames: it is torn"
    }

    private func explain(_ payload: [UInt8], candidates: [Sent], broadcast: String, track: String) -> String {
        guard let (identity, size) = FrameContent.identify(payload) else {
            guard let candidate = candidates.first else {
                return "\(Counted.text(payload.count, "byte")) that nobody sent"
            }
            return candidate.size == payload.count
                ? "\(Counted.text(payload.count, "byte")) whose content is not what was sent"
                : "\(Counted.text(payload.count, "byte")) where \(candidate.size) were sent"
        }
        guard let source = sources[identity.source] else { return "a frame of another case or run (\(identity))" }
        let origin = tracks[identity.track] ?? "an unknown track"
        if identity.track != StableHash.of("\(broadcast)\u{0}\(track)") {
            return "a frame of another track: \(identity) of \(origin), sent by \(source)"
        }
        return size == payload.count
            ? "another frame of the track: \(identity), sent by \(source)"
            : "\(payload.count) of the \(Counted.text(size, "byte")) of \(identity), sent by \(source): it is torn"
    }

    private mutating func trackHash(_ broadcast: String, _ track: String) -> UInt64 {
        let hash = StableHash.of("\(broadcast)\u{0}\(track)")
        tracks[hash] = "\(track) of \(broadcast)"
        return hash
    }

    private mutating func note(_ frame: Sent, _ broadcast: String, _ track: String, _ group: UInt64, at index: Int) {
        var frames = sent[Place(broadcast: broadcast, track: track, group: group)] ?? []
        sent[Place(broadcast: broadcast, track: track, group: group)] = nil
        while frames.count <= index { frames.append([]) }
        frames[index].append(frame)
        sent[Place(broadcast: broadcast, track: track, group: group)] = frames
    }
}
