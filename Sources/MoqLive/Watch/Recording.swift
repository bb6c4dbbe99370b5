import MoqBase
import MoqKit
import MoqLite
import MoqMedia
import MoqPlayback
import MoqWire

/// What a broadcast's renditions carry, as an MP4 file in the making.
///
/// It has subscriptions of its own, which want every group however late it comes: what a player passes over to stay at the
/// live edge is in the file all the same.
final class Recording {
    private let session: LiteSession
    private let writer: MediaWriter
    private let unpacker = RenditionUnpacker()
    private var lanes: [RecordingLane] = []
    private var groups: [IncomingGroupID: (lane: Int, sequence: UInt64)] = [:]
    /// What went wrong first.
    private(set) var problem: String?

    /// How old groups may be: as long as publishers keep them.
    private static let maximumAge: UInt64 = 10_000
    /// How long groups may be on their way behind the end of a subscription that does not say which is the last.
    private static let graceOfEnd = Duration.seconds(1)
    /// Less than what the player asks for the same tracks with.
    private static let priority: UInt8 = 20

    /// Subscribes to these renditions of the broadcast at a path, and begins a file of them.
    init(_ renditions: [Rendition], of path: BroadcastPath, on session: LiteSession) throws(MediaError) {
        self.session = session
        var formats: [TrackFormat] = []
        for rendition in renditions { formats.append(try TrackFormat(rendition)) }
        writer = try MediaWriter(formats)
        let options = SubscribeOptions(priority: Self.priority, maxAge: Self.maximumAge)
        lanes = renditions.map { rendition in
            RecordingLane(
                rendition, session.subscribe(broadcast: path, track: TrackName(rendition.name), options: options))
        }
    }

    /// Frames that are in the file or will be.
    var frameCount: Int { writer.frameCount }

    /// When everything came that was to come; nil while that is not known.
    var completion: Instant? {
        guard groups.isEmpty else { return nil }
        var latest = Instant.origin
        for lane in lanes {
            guard let whole = lane.whole(after: Self.graceOfEnd) else { return nil }
            latest = max(latest, whole)
        }
        return latest
    }

    /// Takes an event of the session; those of others' subscriptions are passed over.
    func take(_ event: LiteEvent, at now: Instant) {
        switch event {
        case .subscribeStart(let id, let group):
            if let lane = index(of: id) { lanes[lane].start(at: group) }
        case .subscribeDrop(let id, let start, let end, _):
            if let lane = index(of: id) { lanes[lane].skip(start, through: end) }
        case .subscribeEnd(let id, let group):
            if let lane = index(of: id) { lanes[lane].finish(at: group) }
        case .subscriptionEnded(let id, let end):
            guard let lane = index(of: id) else { return }
            lanes[lane].finish(at: now)
            // What was reset has no further groups, whatever was said before.
            if end != .finished { lanes[lane].finish(at: 0) }
        case .groupOpened(let group, let id, let sequence, _):
            guard let lane = index(of: id) else { return }
            groups[group] = (lane, sequence)
            lanes[lane].open(sequence)
        case .frame(let group, _, let frame):
            if let place = groups[group] { add(frame.payload, place.sequence, place.lane) }
        case .groupEnded(let group, _):
            guard let place = groups.removeValue(forKey: group) else { return }
            lanes[place.lane].end(place.sequence)
            write(place.lane)
        case .datagram(let id, let sequence, _, let payload):
            // A group of one frame that came in another way.
            guard let lane = index(of: id) else { return }
            lanes[lane].open(sequence)
            add(payload, sequence, lane)
            lanes[lane].end(sequence)
            write(lane)
        default: return
        }
    }

    private func index(of id: SubscriptionID) -> Int? { lanes.firstIndex { $0.id == id } }

    private func add(_ bytes: [UInt8], _ sequence: UInt64, _ lane: Int) {
        switch unpacker.unpack(lanes[lane].rendition, bytes) {
        // A frame without payload is a marker, and no media.
        case .success(let frames): lanes[lane].add(frames.filter { !$0.payload.isEmpty }, to: sequence)
        case .failure(let error): problem = problem ?? "a frame of \(lanes[lane].rendition.name): \(error.text)"
        }
    }

    private func write(_ lane: Int, everything: Bool = false) {
        for frames in lanes[lane].take(everything: everything) {
            for (index, frame) in frames.enumerated() {
                do throws(MediaError) {
                    try writer.append(
                        track: lane, presentation: frame.timestamp, isKeyframe: index == 0, payload: frame.payload)
                } catch {
                    problem = problem ?? error.description
                }
            }
        }
    }

    /// Leaves the subscriptions, and ends the file.
    func finish() {
        for index in lanes.indices {
            if lanes[index].over == nil { session.unsubscribe(lanes[index].id) }
            write(index, everything: true)
        }
        do throws(MediaError) {
            try writer.finish()
        } catch {
            problem = problem ?? error.description
        }
    }

    /// The bytes that are new.
    func take() -> [UInt8] { writer.take() }
}
