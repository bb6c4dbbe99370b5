/// `PublishedTrack`: a track of a publisher, from being added to being stopped.
public final class PublishedTrackModel {
    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case idle, starting, active, stopped
    }

    /// What kind of track.
    public enum Content: Hashable, Sendable {
        case media(EncoderConfiguration)
        case data
    }

    /// The local label of a media track, which never reaches the wire, or the name of a data track.
    public let label: String
    /// What kind of track.
    public let content: Content
    /// Where it stands.
    public private(set) var state = State.idle
    /// The name on the wire, once there is a producer.
    public internal(set) var wireName: String?
    /// Whether a group is open.
    var hasOpenGroup = false
    private let object: String
    private let publisher: String
    private let port: ModelPort

    init(_ label: String, _ content: Content, publisher: String, port: ModelPort) {
        self.label = label
        self.content = content
        self.port = port
        self.publisher = publisher
        object = "\(publisher)/\(label)"
    }

    /// Whether it carries an application's own objects.
    public var isData: Bool { content == .data }

    func move(to next: State, by input: String, _ values: MachineValues = [:]) {
        port.step("published-track", object, of: publisher, input, values, to: next.rawValue)
        state = next
    }

    func start(_ next: State) { move(to: next, by: "start", ["kind": isData ? "data" : "media"]) }

    /// A call that changes nothing.
    func ignore(_ input: String) { move(to: state, by: input) }
}

/// `DataTrackEmitter`: what an application sends objects with. What is sent while it is not attached is dropped without a
/// word.
public final class DataTrackEmitter {
    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case detached, attached, stopped
    }

    /// Where it stands.
    public private(set) var state = State.detached
    /// How many objects went out.
    public private(set) var sent = 0
    /// How many were dropped.
    public private(set) var dropped = 0
    private weak var publisher: PublisherModel?
    private var track: PublishedTrackModel?
    private let object: String
    private let platform: KitPlatform
    private let port: ModelPort

    init(_ object: String, as platform: KitPlatform, port: ModelPort) {
        self.object = object
        self.platform = platform
        self.port = port
    }

    private func move(to next: State, by input: String, _ values: MachineValues = [:]) {
        port.step("data-track-emitter", object, of: publisher?.name, input, values, to: next.rawValue)
        state = next
    }

    /// A publisher starts with it. On iOS one that was stopped stays so.
    func attach(to publisher: PublisherModel, _ track: PublishedTrackModel) {
        guard state != .stopped || (platform == .android) != port.isBroken(by: .emitterKept) else {
            return move(to: .stopped, by: "attach")
        }
        self.publisher = publisher
        self.track = track
        move(to: .attached, by: "attach")
    }

    func stop() {
        guard state == .attached else { return }
        move(to: .stopped, by: "stop")
        publisher = nil
        track = nil
    }

    /// `send`: one object is one group of one frame.
    public func send(_ payload: [UInt8]) {
        guard state == .attached, let publisher, let track else {
            dropped += 1
            return move(to: state, by: "send", ["write": "done"])
        }
        move(to: .attached, by: "send", ["write": "done"])
        sent += 1
        publisher.write(object: payload, on: track)
    }
}
