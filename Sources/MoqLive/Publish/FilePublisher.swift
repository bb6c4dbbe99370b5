import MoqBase
import MoqHang
import MoqLite
import MoqMedia
import MoqTransport
import MoqWire

/// Publishes a media file on a session: catalogs, a track for each of the file's, a group from each keyframe on, paced by
/// the file's own times.
///
/// The owner hands over every event of the session, calls `advance` after each turn and at `deadline`, and takes the events.
public final class FilePublisher {
    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The session is not there yet.
        case connecting
        /// It is announced, and waits for somebody to ask for its media.
        case waiting
        /// Packets go out.
        case sending
        /// Its tracks are finished, and the relay takes the rest of them.
        case finishing
        /// Nothing more is to be done.
        case over
    }

    /// The file.
    public let file: MediaFile
    /// How it is published.
    public let settings: PublishSettings
    /// Where it stands.
    public private(set) var state = State.connecting
    /// What it offers.
    public let catalog: Catalog
    /// How far it has come.
    public private(set) var figures = PublishFigures()

    private let session: LiteSession
    private let publication: Publication
    private var lanes: [Lane] = []
    private var catalogStores: [TrackStore] = []
    private var reader: MediaReader
    private var upcoming: MediaPacket?
    /// What is added to all times, so that none is negative.
    private let shift: Int64
    /// What the first packet's time of decoding is.
    private let firstDecode: Int64
    private var began: Instant?
    private var announced: Instant?
    private var firstAsked: Instant?
    private var finishBy: Instant?
    private var isDelivered = false
    private var isHasty = false
    private var asking: [IncomingSubscriptionID: String] = [:]
    private var events: [PublishEvent] = []

    private struct Lane {
        let name: String
        let store: TrackStore
        var encoder: ContainerEncoder
        var group: CachedGroup?
        var sequence: UInt64 = 0
    }

    /// Once somebody has asked for a track, others of the same viewer come within so long.
    private static let askingTogether = Duration.milliseconds(250)
    /// How long the relay may take over what is left at the end.
    private static let farewell = Duration.seconds(5)
    /// How long it has to pass on what it has, and when somebody waits for the end: with the session, relays let go of
    /// what viewers on slow links have not got.
    private static let passingOn = Duration.seconds(2)
    private static let passingOnInHaste = Duration.milliseconds(500)
    /// How old groups may get before they are let go of: enough for who saves everything over a slow path.
    private static let retention: UInt64 = 10_000
    /// One who was held up makes up for it in steps.
    private static let mostAtOnce = 256
    private static let catalogPriority: UInt8 = 100

    /// A publisher of a file.
    ///
    /// - Throws: `media` when a track cannot be packed as the settings say.
    public init(_ file: MediaFile, _ settings: PublishSettings, on session: LiteSession) throws(LiveError) {
        self.file = file
        self.settings = settings
        self.session = session
        publication = Publication(session: session)
        catalog = try Catalog(file, settings.packing)
        reader = MediaReader(file, isLooping: settings.loops)
        upcoming = reader.next()
        firstDecode = file.packets.map(\.decode).min() ?? 0
        shift = max(0, -firstDecode)
        for (track, name) in zip(file.tracks, Catalog.trackNames(file)) {
            let info = TrackInfo(priority: track.format.codec.kind == .audio ? 80 : 60, maxAge: Self.retention)
            let store = publication.addTrack(TrackName(name), of: settings.path, info: info)
            do throws(ContainerError) {
                lanes.append(
                    Lane(name: name, store: store, encoder: try ContainerEncoder(catalog.container(of: name))))
            } catch {
                throw .media("the track \(name) cannot be sent: \(error)")
            }
        }
    }

    /// The names of the file's tracks on the wire, in the file's order.
    public var trackNames: [String] { lanes.map(\.name) }

    /// What it has to tell, in order; afterwards there is nothing.
    public func takeEvents() -> [PublishEvent] {
        defer { events = [] }
        return events
    }

    private func tell(_ kind: PublishEvent.Kind, at now: Instant) {
        events.append(PublishEvent(at: now, kind: kind))
    }

    // MARK: The session

    /// Takes an event of the session.
    public func handle(_ event: LiteEvent, at now: Instant) {
        switch event {
        case .established where state == .connecting: announce(at: now)
        case .subscribeRequested(let id, let request) where request.broadcast == settings.path:
            let name = request.track.text
            asking[id] = name
            if lanes.contains(where: { $0.name == name }) { firstAsked = firstAsked ?? now }
            tell(.asked(track: name), at: now)
        case .subscribeCancelled(let id, _), .subscriptionDelivered(let id):
            if let name = asking.removeValue(forKey: id) { tell(.left(track: name), at: now) }
        case .goaway(let uri):
            tell(.problem("the relay wants the session to end\(uri.isEmpty ? "" : " and to go on at \(uri)")"), at: now)
        case .closed(let close):
            if state != .over { tell(.closed(close), at: now) }
            state = .over
        default: break
        }
        _ = publication.handle(event, at: now)
        figures.subscriptions = asking.values.count { name in lanes.contains { $0.name == name } }
    }

    private func announce(at now: Instant) {
        for form in settings.catalogs { writeCatalog(form, at: now) }
        publication.announce(settings.path)
        announced = now
        state = .waiting
        tell(.announced(path: settings.path.text), at: now)
    }

    private func writeCatalog(_ form: PublishSettings.CatalogForm, at now: Instant) {
        let name: String
        let bytes: [UInt8]
        switch form {
        case .plain, .compressed:
            let writer = CatalogTrackWriter(compressed: form == .compressed)
            name = form.rawValue
            bytes = writer.update(catalog)?.bytes ?? []
        case .msf:
            name = MSFCatalog.trackName
            bytes = MSFCatalog(mirroring: catalog).written()
        }
        let info = TrackInfo(priority: Self.catalogPriority, maxAge: Self.retention, timescale: 1000)
        let store = publication.addTrack(TrackName(name), of: settings.path, info: info)
        catalogStores.append(store)
        guard let group = try? store.openGroup(0, at: now) else { return }
        store.append(Frame(timestamp: 0, payload: bytes), to: group, at: now)
        store.finishGroup(group, at: now)
    }

    // MARK: Time

    /// When `advance` has something to do at the latest; nil when it waits for others.
    public var deadline: Instant? {
        switch state {
        case .connecting, .over: return nil
        case .waiting: return beginAt
        case .sending:
            let end = settings.duration.flatMap { limit in began?.advanced(by: limit) }
            return .earlier(upcoming.flatMap(due) ?? end, .earlier(end, publication.deadline))
        case .finishing: return .earlier(finishBy, publication.deadline)
        }
    }

    /// When the first packet goes out.
    private var beginAt: Instant? {
        guard let announced else { return nil }
        guard let wait = settings.waitForViewer else { return announced }
        let latest = announced.advanced(by: wait)
        guard let firstAsked else { return latest }
        let isComplete = lanes.allSatisfy { lane in asking.values.contains(lane.name) }
        return min(latest, isComplete ? firstAsked : firstAsked.advanced(by: Self.askingTogether))
    }

    private func due(_ packet: MediaPacket) -> Instant? {
        began?.advanced(by: .microseconds(packet.decode - firstDecode))
    }

    /// Does what is due.
    public func advance(to now: Instant) {
        if state == .waiting, let begin = beginAt, now >= begin {
            state = .sending
            began = now
            tell(.began, at: now)
        }
        if state == .sending { send(at: now) }
        publication.pump(at: now)
        if state == .finishing {
            if !isDelivered, publication.feeds.subscriptionCount == 0 {
                isDelivered = true
                finishBy = .earlier(finishBy, now.advanced(by: isHasty ? Self.passingOnInHaste : Self.passingOn))
            }
            if let finishBy, now < finishBy { return }
            publication.unannounce(settings.path)
            state = .over
        }
    }

    private func send(at now: Instant) {
        if let limit = settings.duration, let began, now >= began.advanced(by: limit) { return finish(at: now) }
        var count = 0
        while count < Self.mostAtOnce, let packet = upcoming, let due = due(packet), due <= now {
            count += 1
            figures.latest = max(figures.latest, due.duration(to: now))
            write(packet, at: now)
            upcoming = reader.next()
            if reader.lap > figures.laps {
                figures.laps = reader.lap
                tell(.lap(reader.lap), at: now)
            }
        }
        if upcoming == nil { finish(at: now) }
    }

    private func write(_ packet: MediaPacket, at now: Instant) {
        let (shown, decoded) = (packet.presentation + shift, packet.decode + shift)
        let frame = MoqHang.MediaFrame(
            timestamp: Int(shown), isKeyframe: packet.isKeyframe, payload: packet.payload,
            duration: packet.duration > 0 ? Int(packet.duration) : nil,
            decodeTimestamp: decoded == shown ? nil : Int(decoded))
        let bytes: [UInt8]
        do throws(ContainerError) {
            bytes = try lanes[packet.track].encoder.encode(frame)
        } catch {
            return tell(.problem("a packet of \(lanes[packet.track].name) cannot be sent: \(error)"), at: now)
        }
        let store = lanes[packet.track].store
        if packet.startsGroup || lanes[packet.track].group == nil {
            if let open = lanes[packet.track].group { store.finishGroup(open, at: now) }
            lanes[packet.track].group = try? store.openGroup(lanes[packet.track].sequence, at: now)
            lanes[packet.track].sequence += 1
        }
        guard let group = lanes[packet.track].group else { return }
        store.append(Frame(timestamp: UInt64(shown), payload: bytes), to: group, at: now)
        if file.tracks[packet.track].format.codec.kind == .audio {
            // Nothing more comes into it, and whoever waits for its end need not wait for the next.
            store.finishGroup(group, at: now)
            lanes[packet.track].group = nil
        }
        figures.packets += 1
        figures.bytes += packet.payload.count
        figures.position = max(figures.position, packet.presentation + packet.duration)
    }

    /// Ends the broadcast in order: groups and tracks are finished, and the relay gets the rest of them. In haste, because
    /// somebody waits for the end, viewers get less time for it.
    public func finish(at now: Instant, isHasty: Bool = false) {
        self.isHasty = self.isHasty || isHasty
        switch state {
        case .connecting, .over: state = .over
        case .finishing: return
        case .waiting, .sending:
            for index in lanes.indices {
                if let open = lanes[index].group { lanes[index].store.finishGroup(open, at: now) }
                lanes[index].group = nil
                lanes[index].store.finish(end: lanes[index].sequence)
            }
            for store in catalogStores { store.finish(end: 1) }
            state = .finishing
            finishBy = now.advanced(by: Self.farewell)
            tell(.finished(packets: figures.packets), at: now)
            publication.pump(at: now)
        }
    }
}
