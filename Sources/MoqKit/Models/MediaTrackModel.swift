import MoqBase

/// A frame of media as the native consumer gives it.
public struct MediaFrame: Hashable, Sendable {
    /// Presentation time in microseconds.
    public var timestamp: Int64
    /// True for the first frame of every group, whatever its bytes say.
    public var isKeyframe: Bool
    /// The bytes of the codec.
    public var payload: [UInt8]
    /// Counts the times at which the publisher's clock fell back.
    public var epoch = 0

    /// A frame of its parts.
    public init(timestamp: Int64, isKeyframe: Bool, payload: [UInt8], epoch: Int = 0) {
        self.timestamp = timestamp
        self.isKeyframe = isKeyframe
        self.payload = payload
        self.epoch = epoch
    }
}

/// `MediaTrack`: the frames of a rendition. Several share one subscription.
public final class MediaTrackModel {
    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case idle, active, closed, left, error
    }

    /// Where it stands.
    public private(set) var state = State.idle
    /// The text of the error that ended it.
    public private(set) var failure: String?
    private let object: String
    private let session: String
    private let platform: KitPlatform
    private let port: ModelPort
    private let onFrame: (MediaFrame) -> Void
    private let onEnd: (UpstreamEnd) -> Void
    weak var hub: MediaHub?

    init(
        _ object: String, of session: String, as platform: KitPlatform, port: ModelPort,
        onFrame: @escaping (MediaFrame) -> Void, onEnd: @escaping (UpstreamEnd) -> Void
    ) {
        self.object = object
        self.session = session
        self.platform = platform
        self.port = port
        self.onFrame = onFrame
        self.onEnd = onEnd
        if platform == .android { move(to: .idle, by: "collect") }
    }

    private func move(to next: State, by input: String, _ values: MachineValues = [:]) {
        port.step("media-track", object, of: session, input, values, to: next.rawValue)
        state = next
    }

    func take(_ frame: MediaFrame) {
        guard state == .idle || state == .active else { return }
        move(to: .active, by: "frame", ["keyframe": .flag(frame.isKeyframe)])
        onFrame(frame)
    }

    func end(_ end: UpstreamEnd) {
        guard state == .idle || state == .active else { return }
        if let text = end.text {
            failure = text
            move(to: .error, by: "upstream.failed", ["code": .number(end.code)])
            // Android overwrites the error at once.
            if platform == .android { move(to: .closed, by: "teardown.done") }
        } else {
            move(to: .closed, by: "upstream.ended")
        }
        onEnd(end)
    }

    /// `close()`.
    public func close() {
        guard state == .idle || state == .active else { return }
        move(to: platform == .ios ? .left : .closed, by: "close")
        hub?.leave(self)
    }
}

/// The one subscription behind all media tracks of a rendition, and the native consumer that puts its groups in order.
final class MediaHub: UpstreamReader {
    /// Reads the frames in one frame of a track; an error in words.
    typealias Unpacker = (Rendition, [UInt8]) -> Result<[MediaFrame], CatalogProblem>

    private struct Group {
        var sequence: UInt64
        var frames: [MediaFrame] = []
        var delivered = 0
        var end: UpstreamEnd?
    }

    let rendition: Rendition
    private var listeners: [MediaTrackModel] = []
    private var groups: [Group] = []
    private var next: UInt64?
    private var edge: Int64?
    private var epoch = 0
    private let maximumAge: Int64
    private let unpack: Unpacker
    private let onEmpty: (MediaHub) -> Void
    private var upstreamEnd: UpstreamEnd?

    /// Groups that wait at most: far more than the latency of any player holds.
    private static let groupsKept = 512

    init(
        _ rendition: Rendition, maximumAge: Duration, unpack: @escaping Unpacker,
        onEmpty: @escaping (MediaHub) -> Void
    ) {
        self.rendition = rendition
        self.maximumAge = maximumAge.wholeNanoseconds / 1000
        self.unpack = unpack
        self.onEmpty = onEmpty
    }

    func join(_ listener: MediaTrackModel) {
        listener.hub = self
        listeners.append(listener)
    }

    func leave(_ listener: MediaTrackModel) {
        listeners.removeAll { $0 === listener }
        if listeners.isEmpty { onEmpty(self) }
    }

    // MARK: The native consumer

    func accepted() {}

    func groupOpened(_ sequence: UInt64) {
        guard next.map({ sequence >= $0 }) ?? true, !groups.contains(where: { $0.sequence == sequence }) else { return }
        if next == nil { next = sequence }
        let index = groups.firstIndex { $0.sequence > sequence } ?? groups.endIndex
        groups.insert(Group(sequence: sequence), at: index)
        if groups.count > Self.groupsKept { groups.removeFirst() }
    }

    func frame(_ sequence: UInt64, index: UInt64, _ payload: [UInt8]) {
        guard let place = groups.firstIndex(where: { $0.sequence == sequence }) else { return }
        switch unpack(rendition, payload) {
        case .failure(let problem): return finish(.undecodable(problem.text))
        case .success(let frames):
            for frame in frames {
                // A frame without payload is a marker, and no media.
                guard !frame.payload.isEmpty else { continue }
                var frame = frame
                frame.isKeyframe = groups[place].frames.isEmpty
                groups[place].frames.append(frame)
            }
        }
        deliver()
    }

    func groupEnded(_ sequence: UInt64, _ end: UpstreamEnd) {
        guard let place = groups.firstIndex(where: { $0.sequence == sequence }) else { return }
        groups[place].end = end
        deliver()
    }

    func ended(_ end: UpstreamEnd) {
        upstreamEnd = end
        deliver()
        // Groups on their way still come behind a clean end; an error ends at once.
        if end != .clean || groups.allSatisfy({ $0.end != nil }) { finish(end) }
    }

    /// Gives what is next: the oldest group to its end, then the following one. A gap, or a group that does not go on, is
    /// passed over once the newest frame is ahead by the latency that was asked for.
    private func deliver() {
        while let first = groups.first, let wanted = next {
            if first.sequence > wanted, !isLate(behind: edge) { return }
            next = first.sequence
            while groups[0].delivered < groups[0].frames.count {
                let frame = groups[0].frames[groups[0].delivered]
                groups[0].delivered += 1
                hand(frame, startsGroup: groups[0].delivered == 1)
                if groups.isEmpty { return }
            }
            guard groups[0].end != nil || groups.count > 1 && isLate(behind: edge) else { return }
            next = groups[0].sequence + 1
            groups.removeFirst()
        }
        if let end = upstreamEnd, groups.isEmpty { finish(end) }
    }

    private func isLate(behind edge: Int64?) -> Bool {
        guard let edge, let newest = groups.compactMap({ $0.frames.last?.timestamp }).max() else { return edge == nil }
        return newest - edge >= maximumAge
    }

    private func hand(_ frame: MediaFrame, startsGroup: Bool) {
        // A newer group that begins before the live edge: the publisher's clock began anew.
        if startsGroup, let last = edge, frame.timestamp < last - Self.rewindTolerance {
            epoch += 1
            edge = nil
        }
        edge = max(edge ?? .min, frame.timestamp)
        var frame = frame
        frame.epoch = epoch
        for listener in listeners { listener.take(frame) }
    }

    /// Frames of a group may overlap those of the one before by as much as decoders reorder.
    private static let rewindTolerance: Int64 = 500_000

    private func finish(_ end: UpstreamEnd) {
        let present = listeners
        listeners = []
        groups = []
        onEmpty(self)
        for listener in present { listener.end(end) }
    }
}

/// The hubs of one broadcast: one for each name and container.
public final class MediaHubs {
    /// Reads the frames in one frame of a track; an error in words.
    public typealias Unpacker = (Rendition, [UInt8]) -> Result<[MediaFrame], CatalogProblem>

    private var open: [(hub: MediaHub, id: Int)] = []
    private let path: String
    /// The session whose broadcast it is.
    let session: String
    private let upstream: UpstreamTable
    private let port: ModelPort
    private let platform: KitPlatform
    private let unpack: Unpacker

    /// Priorities of the kits' subscriptions.
    private static func priority(_ kind: TrackKind) -> UInt8 { kind == .audio ? 80 : 60 }

    init(
        path: String, session: String, upstream: UpstreamTable, as platform: KitPlatform, port: ModelPort,
        unpack: @escaping Unpacker
    ) {
        self.path = path
        self.session = session
        self.upstream = upstream
        self.platform = platform
        self.port = port
        self.unpack = unpack
    }

    /// How many subscriptions there are.
    public var count: Int { open.count }

    /// `subscribeMedia`: the first to come decides how old groups may be, and later ones cannot change it.
    func subscribe(
        _ rendition: Rendition, maximumAge: Duration, object: String, onFrame: @escaping (MediaFrame) -> Void,
        onEnd: @escaping (UpstreamEnd) -> Void
    ) -> MediaTrackModel {
        let track = MediaTrackModel(object, of: session, as: platform, port: port, onFrame: onFrame, onEnd: onEnd)
        let shared = open.first {
            $0.hub.rendition.name == rendition.name && $0.hub.rendition.container == rendition.container
        }
        if let shared {
            shared.hub.join(track)
            return track
        }
        let hub = MediaHub(rendition, maximumAge: maximumAge, unpack: unpack) { [weak self] in self?.close($0) }
        hub.join(track)
        let id = upstream.open(
            hub, path: path, track: rendition.name, maximumAge: maximumAge, priority: Self.priority(rendition.kind))
        open.append((hub, id))
        return track
    }

    private func close(_ hub: MediaHub) {
        guard let index = open.firstIndex(where: { $0.hub === hub }) else { return }
        upstream.close(open.remove(at: index).id)
    }
}
