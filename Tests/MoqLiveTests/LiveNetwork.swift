import Foundation
import MoqBase
import MoqDial
import MoqDrivers
import MoqKit
import MoqLite
import MoqMedia
import MoqQUIC
import MoqRelay
import MoqTransport
import MoqWire

@testable import MoqLive

/// A relay on a virtual network, with those who publish and watch through it.
final class LiveNetwork {
    let driver: any Driver
    let relay: EmbeddedRelay
    let address: NetworkAddress
    let identity: ServerIdentity
    private let seed: UInt64
    private var publishers: [(live: LiveSession, publisher: FilePublisher)] = []
    private var viewers: [Viewer] = []
    private var others: [(live: LiveSession, publication: Publication)] = []
    private(set) var published: [PublishEvent] = []

    /// Who watches, and all that was seen.
    final class Viewer {
        let live: LiveSession
        let watcher: BroadcastWatcher
        var events: [WatchEvent] = []
        var saved: [UInt8] = []
        var pictures: [Int] = []
        var tones = 0

        init(_ live: LiveSession, _ settings: WatchSettings, at now: Instant) {
            self.live = live
            watcher = BroadcastWatcher(settings, on: live.session, at: now)
            watcher.onDecoded = { [unowned self] in
                pictures += $1.pictures.compactMap { $0.mark?.frameNumber }
                tones += $1.sounds.count
            }
        }

        func take() {
            events += watcher.takeEvents()
            saved += watcher.takeRecording()
        }

        /// What the machines of the kit's objects say of their steps: nothing where they agree with all.
        func illegalSteps() throws -> [String] {
            let trace = try Trace(parsing: watcher.trace.json())
            let check = try TraceCheck(trace, machine: nil, profile: nil, library: .builtIn)
            return check.objects.compactMap { object in
                object.refusal.map { "\(object.object) (\(object.machine)): \($0)" }
            } + (check.objects.isEmpty ? ["nothing was traced"] : [])
        }

        /// The names of what the player told.
        var told: [String] {
            events.compactMap { if case .player(let event) = $0.kind { event.name } else { nil } }
        }

        var problems: [String] {
            events.compactMap { if case .problem(let text) = $0.kind { text } else { nil } }
        }
    }

    init(seed: UInt64 = 1, on driver: (any Driver)? = nil) throws {
        self.seed = seed
        let driver = driver ?? SimulatedDriver(seed: seed)
        self.driver = driver
        identity = try .selfSigned(unixTime: 1_790_000_000)
        let relay = EmbeddedRelay(
            configuration: RelayConfiguration(hopID: 9),
            server: QUICServerConfiguration(
                protocols: Version.protocolNames(for: Version.byPreference),
                credentials: try QUICServerCredentials(identity: identity)),
            random: SeededRandom(seed: seed ^ 6))
        self.relay = relay
        address = try driver.bind(relay, on: [NetworkAddress.loopback(port: 0).host], port: 0) {
            [unowned driver] in relay.makeStream(from: $0, at: driver.now)
        }[0]
    }

    func dial(_ kind: TransportKind = .quic, _ version: Version = .lite06, number: UInt64) throws -> LiveDial {
        var dial = LiveDial(
            url: try RelayURL("moqt://localhost:\(address.port)/anon"), addresses: [address], seed: seed ^ number)
        dial.kinds = [kind]
        dial.versions = [version]
        dial.trust = .pinned([identity.fingerprint])
        return dial
    }

    func watch(
        _ kind: TransportKind = .quic, _ version: Version = .lite06, _ change: (inout WatchSettings) -> Void = { _ in }
    ) throws -> Viewer {
        var settings = WatchSettings()
        settings.broadcast = "live/file"
        settings.traces = true
        change(&settings)
        guard let (live, events) = try dial(kind, version, number: 100 + UInt64(viewers.count)).connect(on: driver)
        else {
            throw LiveError.environment("cut short")
        }
        let viewer = Viewer(live, settings, at: driver.now)
        for event in events { viewer.watcher.handle(event, at: driver.now) }
        viewers.append(viewer)
        return viewer
    }

    @discardableResult
    func publish(
        _ file: MediaFile, _ kind: TransportKind = .quic, _ version: Version = .lite06,
        _ change: (inout PublishSettings) -> Void = { _ in }
    ) throws -> FilePublisher {
        var settings = PublishSettings(path: try BroadcastPath("live/file"))
        settings.waitForViewer = .seconds(2)
        change(&settings)
        let number = 200 + UInt64(publishers.count)
        guard let (live, events) = try dial(kind, version, number: number).connect(on: driver) else {
            throw LiveError.environment("cut short")
        }
        let publisher = try FilePublisher(file, settings, on: live.session)
        for event in events { publisher.handle(event, at: driver.now) }
        publishers.append((live, publisher))
        return publisher
    }

    /// All publishers vanish, without a word.
    func losePublishers() {
        for (live, _) in publishers { live.cut() }
        publishers = []
    }

    /// A session that publishes what a test writes by hand, at `live/file`.
    func publishByHand(_ tracks: [String: [[UInt8]]]) throws -> (live: LiveSession, publication: Publication) {
        guard let (live, _) = try dial(number: 300 + UInt64(others.count)).connect(on: driver) else {
            throw LiveError.environment("cut short")
        }
        let publication = Publication(session: live.session)
        let path = try BroadcastPath("live/file")
        for name in tracks.keys.sorted() {
            let store = publication.addTrack(TrackName(name), of: path)
            for (sequence, payload) in (tracks[name] ?? []).enumerated() {
                let group = try store.openGroup(UInt64(sequence), at: driver.now)
                store.append(Frame(timestamp: 0, payload: payload), to: group, at: driver.now)
                store.finishGroup(group, at: driver.now)
            }
        }
        publication.announce(path)
        others.append((live, publication))
        return (live, publication)
    }

    /// Lets time pass until a condition holds, at most so long; whether it came to hold.
    @discardableResult
    func run(for duration: Duration, until isDone: () -> Bool = { false }) throws -> Bool {
        let end = driver.now.advanced(by: duration)
        while true {
            var due = end
            for (live, publisher) in publishers {
                for event in live.process() { publisher.handle(event, at: driver.now) }
                publisher.advance(to: driver.now)
                published += publisher.takeEvents()
                if publisher.state == .over, !live.session.isClosed { try live.close() }
                for deadline in [publisher.deadline, live.deadline].compactMap(\.self) { due = min(due, deadline) }
            }
            for (live, publication) in others {
                for event in live.process() { _ = publication.handle(event, at: driver.now) }
                publication.pump(at: driver.now)
            }
            for viewer in viewers {
                for event in viewer.live.process() { viewer.watcher.handle(event, at: driver.now) }
                viewer.watcher.advance(to: driver.now)
                viewer.take()
                for deadline in [viewer.watcher.deadline, viewer.live.deadline].compactMap(\.self) {
                    due = min(due, deadline)
                }
            }
            if isDone() { return true }
            guard driver.now < end else { return false }
            try driver.turn(until: max(due, driver.now))
        }
    }
}

/// The files of `fixtures/media`.
enum Fixture {
    static let good = [
        "bars-h264-aac.mp4", "bars-h264-opus.mp4", "bars-h264-reordered-aac.mp4", "bars-hevc-aac.mp4",
        "bars-av1-opus.mp4", "tone-aac.mp4", "tone-opus.mp4",
    ]

    static func file(_ name: String) throws -> MediaFile {
        let path = URL(filePath: #filePath).appending(path: "../../../fixtures/media/\(name)").standardized.path
        return try MediaFile.load(path: path)
    }
}
