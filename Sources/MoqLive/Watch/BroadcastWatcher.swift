import MoqBase
import MoqKit
import MoqLite
import MoqMedia
import MoqPlayback
import MoqWire

/// A viewer without a screen: an application on the client kit's models, with decoders in software, that finds a
/// broadcast, reads its catalog and plays it.
///
/// The owner hands over every event of the session, calls `advance` after each turn and at `deadline`, and takes events and
/// the bytes of the recording.
public final class BroadcastWatcher {
    /// What is watched.
    public let settings: WatchSettings
    /// How it ended; nil while it goes on.
    public private(set) var outcome: WatchOutcome?
    /// Is given what came out of the decoders.
    public var onDecoded: ((Rendition, DecodeResult) -> Void)? {
        get { decoder.onDecoded }
        set { decoder.onDecoded = newValue }
    }

    let port: ModelPort
    private let session: LiteSession
    private let kit: SessionModel
    private let link: ViewerLink
    private let decoder = RenditionDecoder()
    private var found: [Found] = []
    /// The player; nil before there is something to play.
    public private(set) var player: PlayerModel?
    private var recording: Recording?
    private var figures = WatchFigures()
    private var lastSample = 0
    private var playingSince: Instant?
    private let began: Instant
    private var states: [String: String] = [:]
    private var steps: [TraceLine] = []
    private var isTraceCut = false
    private var events: [WatchEvent] = []
    /// The end that waits for the rest of the recording.
    private var leaving: (outcome: WatchOutcome, latest: Instant)?
    /// Why the newest catalog cannot be played.
    private var obstacle: String?

    private struct Found {
        let broadcast: FoundBroadcast
        let catalogs: CatalogStream
        let hubs: MediaHubs
        var shown: CatalogSnapshot?
        var isOffline = false
    }

    /// How long the rest of a recording may take, once all is played.
    private static let farewell = Duration.seconds(5)
    /// Broadcasts that are followed at most: a relay may have thousands, and one is watched.
    private static let mostFound = 64
    /// Steps of a trace at most: some hours of sound and pictures.
    private static let mostSteps = 500_000
    /// What is told of the states of objects; those of single subscriptions are too many.
    private static let machinesShown = ["session", "catalog", "player", "player-track", "media-track"]

    /// A watcher on a session that is being connected, or is there.
    public init(_ settings: WatchSettings, on session: LiteSession, at now: Instant) {
        self.settings = settings
        port = ModelPort(at: now)
        began = now
        self.session = session
        kit = SessionModel("session", as: settings.platform, port: port)
        link = ViewerLink(session, kit, port)
        // A session that never connected can be connected.
        try? kit.connect()
        decoder.onFrame = { [weak self] in self?.take($1, of: $0) }
        decoder.onFirstFault = { [weak self] in self?.tell(.undecoded($0)) }
        settle()
    }

    /// What is seen, in order; afterwards there is nothing.
    public func takeEvents() -> [WatchEvent] {
        defer { events = [] }
        return events
    }

    /// The bytes of the recording that are new: they are to be appended to the file.
    public func takeRecording() -> [UInt8] { recording?.take() ?? [] }

    private func tell(_ kind: WatchEvent.Kind) { events.append(WatchEvent(at: port.now, kind: kind)) }

    // MARK: The session

    /// Takes an event of the session.
    public func handle(_ event: LiteEvent, at now: Instant) {
        guard outcome == nil else { return }
        port.now = now
        recording?.take(event, at: now)
        if let leaving {
            if case .closed = event { return conclude(leaving.outcome) }
            return leave(leaving, at: now)
        }
        switch event {
        case .established:
            kit.handshakeDone()
            // The kits find broadcasts under a prefix; the path of one is a prefix, too.
            _ = try? kit.subscribe(prefix: settings.broadcast ?? "")
        case .goaway(let uri):
            tell(.problem("the relay wants the session to end\(uri.isEmpty ? "" : " and to go on at \(uri)")"))
        case .closed(let close):
            kit.transportEnded(close.description)
            settle()
            if outcome == nil { end(.sessionLost("the session is over: \(close.advised)")) }
            return
        default:
            switch link.take(event) {
            case .found(let broadcast): follow(broadcast)
            case .gone(let path) where found.contains { $0.broadcast.fullPath == path }: tell(.gone(path: path))
            case .gone, nil: break
            }
        }
        settle()
    }

    private func follow(_ broadcast: FoundBroadcast) {
        guard settings.broadcast == nil || broadcast.path.isEmpty, found.count < Self.mostFound else { return }
        tell(.found(path: broadcast.fullPath))
        let object = "\(broadcast.fullPath) \(broadcast.number)"
        let follower = CatalogFollower(settings.catalog)
        let catalogs = kit.openCatalogs(of: broadcast, object: object, track: settings.catalog.track) {
            follower.receive($0, group: $1, index: $2)
        }
        let unpacker = RenditionUnpacker()
        let hubs = kit.openHubs(of: broadcast) { [decoder] rendition, bytes in
            let frames = unpacker.unpack(rendition, bytes)
            if case .failure(let problem) = frames { decoder.unreadable(problem.text, of: rendition) }
            return frames
        }
        found.append(Found(broadcast: broadcast, catalogs: catalogs, hubs: hubs))
    }

    // MARK: Time

    /// When `advance` has something to do at the latest.
    public var deadline: Instant? {
        guard outcome == nil else { return nil }
        if let leaving { return .earlier(leaving.latest, recording?.completion) }
        var due = Instant?.earlier(player?.deadline, link.deadline)
        if let duration = settings.duration { due = .earlier(due, began.advanced(by: duration)) }
        if let patience = settings.patience, playingSince == nil { due = .earlier(due, began.advanced(by: patience)) }
        return due
    }

    /// Does what is due.
    public func advance(to now: Instant) {
        guard outcome == nil else { return }
        port.now = now
        if let leaving { return leave(leaving, at: now) }
        link.advance()
        player?.advance()
        settle()
        guard outcome == nil else { return }
        if let duration = settings.duration, now >= began.advanced(by: duration) { return stop(at: now) }
        if let patience = settings.patience, playingSince == nil, now >= began.advanced(by: patience) {
            end(.nothingPlayed("nothing played within \(patience.inSeconds) s: \(standing)"))
        }
    }

    /// Ends it in order, as the application's user does.
    public func stop(at now: Instant) {
        guard outcome == nil else { return }
        port.now = now
        if let leaving { return conclude(leaving.outcome) }
        end(playingSince == nil ? .nothingPlayed("nothing played: \(standing)") : .stopped)
    }

    /// How far it came, in words.
    public var standing: String {
        if kit.state != .connected { return "the session is \(kit.state.rawValue)" }
        guard let last = found.last else {
            return settings.broadcast.map { "the broadcast `\($0)` was not announced" } ?? "no broadcast was announced"
        }
        let path = last.broadcast.fullPath
        if let obstacle { return obstacle }
        if last.catalogs.newest == nil { return "the broadcast `\(path)` is there, and no catalog of it came" }
        return player == nil ? "no player was made" : "the player of `\(path)` waits for its first frames"
    }

    // MARK: Watching

    private func settle() {
        link.settle()
        look()
        link.settle()
        note()
    }

    private func look() {
        for index in found.indices {
            let (catalogs, path) = (found[index].catalogs, found[index].broadcast.fullPath)
            if let newest = catalogs.newest, newest != found[index].shown {
                found[index].shown = newest
                tell(.catalog(path: path, newest.renditions))
                if player == nil { play(found[index], newest) }
            }
            if catalogs.state == .ended, !found[index].isOffline, outcome == nil {
                found[index].isOffline = true
                let error = catalogs.end?.text
                tell(.offline(path: path, error: error))
                if player == nil, settings.broadcast != nil {
                    end(
                        error.map { .unplayable("the catalog of `\(path)` cannot be read: \($0)") }
                            ?? .nothingPlayed("the broadcast `\(path)` ended before anything of it played"))
                }
            }
        }
    }

    private func play(_ found: Found, _ catalog: CatalogSnapshot) {
        var names: [TrackKind: String] = [:]
        for (kind, choice) in [(TrackKind.video, settings.video), (.audio, settings.audio)] {
            switch choice {
            case .none: continue
            case .first: names[kind] = catalog.renditions(kind).first(where: \.isPlayable)?.name
            case .named(let name):
                guard catalog.rendition(kind, name) != nil else {
                    let there = catalog.renditions(kind).map(\.name)
                    return end(
                        .unplayable(
                            "there is no \(kind.rawValue) rendition `\(name)` in `\(found.broadcast.fullPath)`: "
                                + (there.isEmpty ? "it has none" : "it has \(there.joined(separator: ", "))")))
                }
                names[kind] = name
            }
        }
        guard !names.isEmpty else {
            let codecs = catalog.renditions.map { "\($0.name) (\($0.codec))" }.joined(separator: ", ")
            obstacle =
                "the catalog of `\(found.broadcast.fullPath)` has nothing that can be played: "
                + (codecs.isEmpty ? "no rendition" : codecs)
            return tell(.problem(obstacle ?? ""))
        }
        obstacle = nil
        do throws(ModelError) {
            let player = try PlayerModel(
                "player", path: found.broadcast.fullPath, catalog: catalog, video: names[.video],
                audio: names[.audio], targetBuffering: settings.target, hubs: found.hubs,
                decoder: settings.decodes ? decoder : PassThroughDecoder(), as: settings.platform, port: port)
            self.player = player
            record(
                found.broadcast.fullPath,
                TrackKind.allCases.compactMap { kind in names[kind].flatMap { catalog.rendition(kind, $0) } })
            try player.play()
        } catch {
            end(.unplayable("`\(found.broadcast.fullPath)` cannot be played: \(error)"))
        }
    }

    private func record(_ path: String, _ renditions: [Rendition]) {
        for rendition in renditions {
            if let problem = RenditionDecoder.problem(with: rendition) {
                tell(.problem("\(rendition.kind.rawValue) rendition `\(rendition.name)`: \(problem)"))
            }
        }
        guard settings.records else { return }
        do throws(MediaError) {
            guard let path = try? BroadcastPath(path) else { return }
            recording = try Recording(renditions, of: path, on: session)
        } catch {
            tell(.problem("nothing can be saved: \(error)"))
        }
    }

    private func take(_ frame: MediaFrame, of rendition: Rendition) {
        figures.frames += 1
        figures.bytes += frame.payload.count
    }

    /// What the models tell becomes events.
    private func note() {
        for step in port.takeSteps() {
            if settings.traces, !step.isRefused { trace(step) }
            guard Self.machinesShown.contains(step.machine) else { continue }
            let key = "\(step.machine) \(step.object)"
            guard states[key] != step.state else { continue }
            states[key] = step.state
            tell(.state(object: step.object, machine: step.machine, state: step.state))
        }
        for event in port.takeEvents() {
            if event.name == "track.playing" { playingSince = playingSince ?? event.at }
            tell(.player(event))
        }
        guard let player else { return }
        if player.samples != lastSample {
            lastSample = player.samples
            tell(.statistics(currentFigures))
        }
        guard outcome == nil, leaving == nil, player.state == .ended || player.state == .stopped else { return }
        if let close = session.closeReason { return end(.sessionLost("the session is over: \(close.advised)")) }
        if player.state == .stopped {
            let reasons = decoder.reasons.entries.map(\.summary).joined(separator: "; ")
            return end(.unplayable("playback failed: \(decoder.faults) frames did not decode: \(reasons)"))
        }
        end(playingSince == nil ? .nothingPlayed("the broadcast ended before anything of it played") : .ended)
    }

    private func trace(_ step: ModelStep) {
        guard steps.count < Self.mostSteps else {
            isTraceCut = true
            return
        }
        steps.append(
            TraceLine(
                object: Self.shortened(step.object), machine: step.machine, to: step.state, trigger: step.input,
                payload: step.values,
                atNs: began.duration(to: step.at).wholeNanoseconds))
    }

    /// An id that a trace may have: tracks may have longer names. What tells two apart stands at the end.
    private static func shortened(_ object: String) -> String {
        let half = Trace.longestText / 8
        guard object.utf8.count > Trace.longestText else { return object }
        return "\(object.prefix(half))...\(object.suffix(half))"
    }

    /// What happened to the objects, in the form that is held against their machines (docs/traces.md).
    public var trace: Trace {
        var trace = Trace(
            profile: settings.platform == .ios ? .ios : .android, observes: [.triggers, .states], lines: steps)
        trace.isCut = isTraceCut
        return trace
    }

    /// The figures of this moment; of the player the newest sample.
    public var currentFigures: WatchFigures {
        var result = figures
        result.statistics = player?.statistics ?? PlayerStatistics()
        result.decoded = decoder.decoded
        result.faults = decoder.faults
        result.reasons = decoder.reasons.entries
        result.recorded = recording?.frameCount ?? 0
        return result
    }

    private func end(_ reason: WatchOutcome.Reason) {
        guard outcome == nil, leaving == nil else { return }
        let outcome = WatchOutcome(reason: reason, hasPlayed: playingSince != nil, faults: decoder.faults)
        // Nothing of what follows is an end of its own.
        leaving = (outcome, port.now.advanced(by: Self.farewell))
        if player != nil { tell(.statistics(currentFigures)) }
        player?.close()
        kit.close()
        link.settle()
        note()
        guard reason == .ended, recording != nil else { return conclude(outcome) }
        leave((outcome, port.now.advanced(by: Self.farewell)), at: port.now)
    }

    /// Ends once the recording has everything, or has waited long enough.
    private func leave(_ leaving: (outcome: WatchOutcome, latest: Instant), at now: Instant) {
        let completion = recording?.completion ?? leaving.latest
        if now >= min(completion, leaving.latest) { conclude(leaving.outcome) }
    }

    private func conclude(_ outcome: WatchOutcome) {
        self.outcome = outcome
        recording?.finish()
        if let problem = recording?.problem { tell(.problem("the recording: \(problem)")) }
        tell(.ended(outcome))
    }
}
