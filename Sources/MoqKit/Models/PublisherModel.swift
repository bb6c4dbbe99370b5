import MoqBase

/// `Publisher`: tracks, put together, announced and started, once. It is never used again.
public final class PublisherModel {
    /// Where it stands. `error` is declared by both kits, and neither ever enters it.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case idle, publishing, stopped, error
    }

    /// Its name in traces.
    public let name: String
    /// Where it stands.
    public private(set) var state = State.idle
    /// The path at which it is announced; nil before.
    public private(set) var path: String?
    /// The session that it was published on; nil before.
    private var session: String?
    /// Its tracks, in the order in which they were added.
    public private(set) var tracks: [PublishedTrackModel] = []
    private var emitters: [(track: PublishedTrackModel, emitter: DataTrackEmitter)] = []
    private var clock = PublisherClock()
    private var counters: [(format: String, next: Int)] = []
    private var renditions: [Rendition] = []
    /// Names that the native broadcast has; what is opened twice is a `Duplicate`.
    private var wireNames: [String] = []
    private var isBroadcastFinished = false
    private let platform: KitPlatform
    private let port: ModelPort

    /// Packs a frame of a rendition, at its time in microseconds, where that is not legacy; nil where it cannot.
    public typealias Packer = (_ rendition: Rendition, _ timestamp: Int64, _ frame: EncodedFrame) -> [UInt8]?
    /// Packs what is not legacy.
    public var packer: Packer?

    /// The track that says when the groups of a media track begin.
    public static func timeline(of track: String) -> String { "\(track).timeline.z" }

    /// What the native broadcast always has.
    static let catalogTracks = ["catalog.json", "catalog.json.z", "catalog"]
    /// Declared priorities and retentions: catalog 100, audio 80, video 60; media 30 s, the rest 5 s.
    private static let catalogWish = TrackWish(priority: 100, timescale: 1_000_000, retention: .seconds(5))
    private static let dataWish = TrackWish(priority: 0, timescale: 1_000_000, retention: .seconds(5))
    private static func mediaWish(_ kind: TrackKind) -> TrackWish {
        TrackWish(priority: kind == .audio ? 80 : 60, timescale: 1_000_000, retention: .seconds(30))
    }

    /// A publisher without tracks.
    public init(_ name: String, as platform: KitPlatform, port: ModelPort) {
        self.name = name
        self.platform = platform
        self.port = port
    }

    private func move(to next: State, by input: String, _ values: MachineValues = [:]) {
        port.step("publisher", name, of: session, input, values, to: next.rawValue)
        state = next
    }

    private func refuse(
        _ reason: ModelError.Reason, _ text: String, _ input: String, _ values: MachineValues = [:]
    ) -> ModelError {
        port.step("publisher", name, of: session, input, values, to: state.rawValue, isRefused: true)
        return ModelError(reason, text, on: platform)
    }

    // MARK: Before the start

    /// `addVideoTrack`, `addAudioTrack`. After the start there is no guard: such a track never starts.
    @discardableResult
    public func addMedia(_ label: String, _ configuration: EncoderConfiguration) throws(ModelError)
        -> PublishedTrackModel
    {
        let isTaken = tracks.contains { track in
            if case .media(let other) = track.content {
                track.label == label && other.kind == configuration.kind
            } else {
                false
            }
        }
        if isTaken, platform == .android {
            throw refuse(
                .duplicateTrack, "\(configuration.kind.rawValue) track '\(label)' already added", "add_track",
                ["name": "duplicate"])
        }
        return add(label, .media(configuration), isDuplicate: isTaken)
    }

    /// `addDataTrack`.
    public func addData(_ name: String) throws(ModelError) -> DataTrackEmitter {
        let isTaken = tracks.contains { $0.isData && $0.label == name }
        if platform == .android, isTaken {
            throw refuse(
                .duplicateTrack, "data track '\(name)' already added", "add_track", ["name": "duplicate"])
        }
        let track = add(name, .data, isDuplicate: isTaken)
        let emitter = DataTrackEmitter("\(self.name)/\(name) emitter", as: platform, port: port)
        emitters.append((track, emitter))
        return emitter
    }

    /// Adds a data track with an emitter that another publisher had.
    public func addData(_ name: String, _ emitter: DataTrackEmitter) {
        emitters.append((add(name, .data, isDuplicate: false), emitter))
    }

    private func add(
        _ label: String, _ content: PublishedTrackModel.Content, isDuplicate: Bool
    ) -> PublishedTrackModel {
        let track = PublishedTrackModel(label, content, publisher: name, port: port)
        tracks.append(track)
        if state != .stopped { move(to: state, by: "add_track", ["name": isDuplicate ? "duplicate" : "fresh"]) }
        if state == .publishing, port.isBroken(by: .lateTrackStarts) { track.start(.starting) }
        return track
    }

    /// The session gives it a broadcast; false when it has one or had one.
    func attach(to path: String, of session: String) -> Bool {
        guard self.path == nil, state == .idle else {
            _ = refuse(.alreadyRegistered, "", "attached")
            return false
        }
        self.path = path
        self.session = session
        move(to: state, by: "attached")
        for track in Self.catalogTracks { open(track, Self.catalogWish) }
        return true
    }

    private func open(_ track: String, _ wish: TrackWish) {
        wireNames.append(track)
        if let path { port.ask(.openTrack(path: path, name: track, wish)) }
    }

    // MARK: Start

    /// `start()`.
    public func start() throws(ModelError) {
        guard state == .idle else {
            throw refuse(.alreadyStarted, "Publisher already started", "start", ["codecs": "supported"])
        }
        guard path != nil else {
            throw refuse(
                .notRegistered, "Publisher must be registered with Session.publish before start", "start",
                ["codecs": "supported"])
        }
        for track in tracks {
            if case .media(let configuration) = track.content, configuration.format == nil {
                throw refuse(
                    .unsupportedCodec, "Unsupported codec: \(configuration.codec)", "start",
                    ["codecs": "unsupported"])
            }
        }
        move(to: .idle, by: "start", ["codecs": "supported"])
        for kind in [TrackKind.video, .audio] {
            for track in tracks where track.mediaKind == kind && track.state == .idle { track.start(.starting) }
        }
        for (track, emitter) in emitters where track.state == .idle {
            guard !wireNames.contains(track.label) else {
                move(to: .idle, by: "start.failed")
                throw ModelError(.duplicateTrack, "Duplicate: \(track.label)", on: platform)
            }
            track.wireName = track.label
            open(track.label, Self.dataWish)
            emitter.attach(to: self, track)
            track.start(.active)
            move(to: .idle, by: "data.started", ["name": .word(track.label)])
            port.tell(name, "trackStarted", [.init("name", track.label)])
        }
        move(to: .publishing, by: "start.done")
        // Android counts its active tracks at once; without any it is stopped, and its broadcast stays.
        if tracks.isEmpty, platform == .android { move(to: .stopped, by: "no_tracks") }
    }

    // MARK: Frames

    /// A frame of the encoder of a media track.
    public func encoded(_ label: String, _ kind: TrackKind, _ frame: EncodedFrame) {
        guard state == .publishing, let path,
            let track = tracks.last(where: { $0.label == label && $0.mediaKind == kind }),
            case .media(let configuration) = track.content
        else { return }
        if track.state == .starting {
            // A delta before any keyframe is refused by the muxer: nothing is on the wire yet.
            guard kind == .audio || frame.isKeyframe, let format = configuration.format else { return }
            let name = "\(number(of: format)).\(format)"
            guard !wireNames.contains(name) else {
                track.move(to: .stopped, by: "producer.failed")
                move(to: .publishing, by: "track.failed", ["name": .word(label)])
                port.tell(self.name, "trackError", [.init("name", label), .init("message", "Duplicate: \(name)")])
                return
            }
            track.wireName = name
            open(name, Self.mediaWish(kind))
            open(Self.timeline(of: name), Self.catalogWish)
            renditions.append(configuration.rendition(named: name))
            port.ask(.catalog(path: path, renditions))
            track.move(to: .active, by: "first_frame")
            move(to: .publishing, by: "media.started", ["name": .word(label)])
            port.tell(self.name, "trackStarted", [.init("name", label)])
        }
        guard track.state == .active, let wireName = track.wireName else { return }
        if port.isBroken(by: .clockPerTrack) { clock.reset() }
        let timestamp = clock.timestamp(of: frame.time)
        let outgoing = OutgoingFrame(
            payload: pack(frame, configuration.rendition(named: wireName), at: timestamp), timestamp: UInt64(timestamp))
        // Audio: one frame a group. Video: a group from keyframe to keyframe.
        let starts = kind == .audio || frame.isKeyframe
        port.ask(
            .write(path: path, name: wireName, [outgoing], startsGroup: starts, endsGroup: kind == .audio))
        track.hasOpenGroup = kind == .video
    }

    private func pack(_ frame: EncodedFrame, _ rendition: Rendition, at timestamp: Int64) -> [UInt8] {
        if rendition.container != .legacy, let packed = packer?(rendition, timestamp, frame) { return packed }
        return LegacyContainer.pack(timestamp: timestamp, frame.payload)
    }

    private func number(of format: String) -> Int {
        if let index = counters.firstIndex(where: { $0.format == format }) {
            counters[index].next += 1
            return counters[index].next - 1
        }
        counters.append((format, 1))
        return 0
    }

    func write(object payload: [UInt8], on track: PublishedTrackModel) {
        guard let path, let wireName = track.wireName else { return }
        let timestamp = clock.timestamp(of: Int64(clamping: port.now.nanoseconds / 1000))
        port.ask(
            .write(
                path: path, name: wireName, [OutgoingFrame(payload: payload, timestamp: UInt64(timestamp))],
                startsGroup: true, endsGroup: true))
    }

    // MARK: The end

    /// `PublishedTrack.stop()`. Before the start nothing is bound yet, and nothing happens.
    public func stopTrack(_ label: String) {
        guard let track = tracks.last(where: { $0.label == label }) else { return }
        guard track.state == .starting || track.state == .active else { return track.ignore("stop") }
        end(track, by: "stop")
        let isLast = tracks.allSatisfy { $0.state == .stopped }
        // The broadcast is not finished then: its path stays announced until the session closes.
        if isLast { isBroadcastFinished = true }
        move(
            to: isLast ? .stopped : .publishing, by: "track.stopped",
            ["name": .word(label), "last": .flag(isLast)])
    }

    /// Ends what a track has on the wire, and tells so.
    private func end(_ track: PublishedTrackModel, by input: String) {
        if let path, let wireName = track.wireName, track.state == .active {
            if track.isData {
                if !port.isBroken(by: .emitterOutlives) { emitters.last { $0.track === track }?.emitter.stop() }
                // iOS only lets go of the producer; Android finishes it.
                port.ask(
                    platform == .ios
                        ? .dropTrack(path: path, name: wireName) : .finishTrack(path: path, name: wireName))
            } else {
                port.ask(.finishTrack(path: path, name: wireName))
                port.ask(.finishTrack(path: path, name: Self.timeline(of: wireName)))
                renditions.removeAll { $0.name == wireName }
                if input == "stop" { port.ask(.catalog(path: path, renditions)) }
            }
        }
        track.move(to: .stopped, by: input)
        port.tell(name, "trackStopped", [.init("name", track.label)])
    }

    /// `stop()`; also what `unpublish` and the end of a session come to.
    public func stop(by input: String = "stop") {
        guard state != .stopped else { return move(to: .stopped, by: input) }
        let order = TrackKind.allCases.flatMap { kind in tracks.filter { $0.mediaKind == kind } }
        move(to: state, by: input)
        for track in order + tracks.filter(\.isData) where !port.isBroken(by: .trackOutlivesPublisher) {
            end(track, by: "publisher.stopped")
            move(to: state, by: "track.stopped", ["name": .word(track.label), "last": false])
        }
        if let path, !isBroadcastFinished {
            for track in Self.catalogTracks { port.ask(.finishTrack(path: path, name: track)) }
            port.ask(.withdraw(path: path))
        }
        clock.reset()
        move(to: .stopped, by: "stop.done")
    }
}

extension PublishedTrackModel {
    /// Video or audio; nil for data.
    public var mediaKind: TrackKind? {
        if case .media(let configuration) = content { configuration.kind } else { nil }
    }
}
