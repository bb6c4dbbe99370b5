import MoqBase

/// `Player`: plays one audio and one video rendition of a broadcast. Its catalog is a snapshot: updates, the end of the
/// catalog and the loss of the session reach it only through its own subscriptions.
public final class PlayerModel {
    /// What it behaves as if it were in; the kits have no public state.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case created, playing, paused, ended, stopped, destroyed
    }

    /// Its name in traces.
    public let name: String
    /// The path of its broadcast.
    public let path: String
    /// What it behaves as if it were in.
    public internal(set) var state = State.created
    /// The newest sample, about one a second while there is a pipeline.
    public internal(set) var statistics = PlayerStatistics()
    /// How many samples there were.
    public internal(set) var samples = 0
    /// What the pipeline did.
    public internal(set) var diagnostics = DiagnosticLog()
    /// The renditions that are selected.
    public internal(set) var selected: [TrackKind: String] = [:]

    let platform: KitPlatform
    let port: ModelPort
    let catalog: CatalogSnapshot
    let hubs: MediaHubs
    let decoder: any FrameDecoding
    /// The target latency, in microseconds.
    var target: Int64
    var sequence = 0
    var epochs: [TrackKind: Int] = [:]
    var video: Ingest?
    var audio: Ingest?
    var pending: Ingest?
    var switching = RenditionSwitch()
    var ring: SampleRing
    var clock = PlayoutClock()
    var videoFigures = TrackFigures()
    var audioFigures = TrackFigures()
    /// Whether a pipeline exists.
    var hasPipeline = false
    var hasStarted = false
    var isResuming = false
    var playedAt: Int64 = 0
    var stalledKinds: Set<TrackKind> = []
    var trackStates: [TrackKind: String] = [:]
    /// Where a track that is stalled goes on: the monitor of Android finds stalls before the first output, too.
    var beforeStall: [TrackKind: String] = [:]
    var nextRead: Int64?
    var nextSample: Int64?
    var nextLook: Int64?
    var nextRetarget: Int64 = 0

    /// The kits' own.
    public static let usualTarget = Duration.milliseconds(100)
    /// How much a sound card asks for at once.
    static let readInterval: Int64 = 10_000
    static let sampleInterval: Int64 = 1_000_000
    static let retargetInterval: Int64 = 100_000

    /// `init`: at least one track, and both of the catalog. One that cannot be played is taken, too.
    public init(
        _ name: String, path: String, catalog: CatalogSnapshot, video: String?, audio: String?,
        targetBuffering: Duration = PlayerModel.usualTarget, hubs: MediaHubs, decoder: any FrameDecoding,
        as platform: KitPlatform, port: ModelPort
    ) throws(ModelError) {
        self.name = name
        self.path = path
        self.catalog = catalog
        self.hubs = hubs
        self.decoder = decoder
        self.platform = platform
        self.port = port
        target = targetBuffering.wholeNanoseconds / 1000
        ring = SampleRing(capacity: target)
        guard video != nil || audio != nil else {
            port.step("player", name, of: hubs.session, "init", ["tracks": "none"], to: "new", isRefused: true)
            throw ModelError(.noTracksSelected, "at least one audio or video track is expected", on: platform)
        }
        for (kind, wanted) in [(TrackKind.video, video), (.audio, audio)] {
            guard let wanted else { continue }
            guard catalog.rendition(kind, wanted) != nil else {
                port.step("player", name, of: hubs.session, "init", ["tracks": "unknown"], to: "new", isRefused: true)
                throw ModelError(
                    .unknownTrack, "Unknown \(kind.rawValue) track '\(wanted)' for catalog \(path)", on: platform)
            }
            selected[kind] = wanted
        }
        port.step("player", name, of: hubs.session, "init", ["tracks": "known"], to: state.rawValue)
        emit("player.init", summary)
        for kind in TrackKind.allCases {
            emit("track.select", [.init("kind", kind.rawValue), .init("track", selected[kind] ?? "none")])
        }
    }

    // MARK: Helpers of all aspects

    /// The instant in microseconds.
    var now: Int64 { Int64(clamping: port.now.nanoseconds / 1000) }

    /// The kind whose start and stalls are those of playback.
    var rebufferKind: TrackKind { selected[.audio] != nil ? .audio : .video }

    func emit(_ event: String, _ fields: [ModelEvent.Field] = []) {
        sequence += 1
        port.tell(name, event, fields + [.init("sequence", sequence)])
    }

    func move(to next: State, by input: String, _ values: MachineValues = [:]) {
        port.step("player", name, of: hubs.session, input, values, to: next.rawValue)
        state = next
    }

    /// A step of the machine of one kind's track; nil for the state that it is in.
    func trackStep(_ kind: TrackKind, _ input: String, _ values: MachineValues = [:], to next: String? = nil) {
        let state = next ?? trackStates[kind] ?? "off"
        port.step("player-track", "\(name)/\(kind.rawValue)", of: name, input, values, to: state)
        trackStates[kind] = state
    }

    /// A step of the machine of the switch of video renditions.
    func switchStep(_ input: String, _ values: MachineValues = [:], to state: String) {
        port.step("rendition-switch", "\(name)/switch", input, values, to: state)
    }

    func figures(_ kind: TrackKind, _ change: (inout TrackFigures) -> Void) {
        if kind == .video { change(&videoFigures) } else { change(&audioFigures) }
    }

    func diagnose(_ ingest: Ingest, _ name: String, _ fields: [ModelEvent.Field] = []) {
        if port.isBroken(by: .diagnosticsLost) { return }
        diagnostics.note(
            DiagnosticEvent(name: name, track: ingest.name, kind: ingest.kind, at: port.now, fields: fields),
            isBounded: !port.isBroken(by: .diagnosticsUnbounded))
    }

    /// Path, target and what is selected.
    var summary: [ModelEvent.Field] {
        [
            .init("path", path), .init("targetBuffering", target), .init("video", selected[.video] ?? "none"),
            .init("audio", selected[.audio] ?? "none"),
        ]
    }

    func fields(of ingest: Ingest) -> [ModelEvent.Field] {
        [.init("kind", ingest.kind.rawValue), .init("track", ingest.name), .init("epoch", ingest.epoch)]
    }

    func ingest(_ kind: TrackKind) -> Ingest? { kind == .video ? video : audio }

    func checkOpen(_ input: String) throws(ModelError) {
        guard state == .destroyed else { return }
        port.step("player", name, of: hubs.session, input, to: state.rawValue, isRefused: true)
        throw ModelError(.playerClosed, "Player is already closed", on: platform)
    }
}
