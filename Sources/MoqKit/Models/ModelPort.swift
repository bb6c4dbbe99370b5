import MoqBase

/// What happened to an object, by the names of its machine, and what it made of it.
public struct ModelStep: Hashable, Sendable {
    /// The machine that it runs on, such as `session`.
    public var machine: String
    /// Which of the objects, such as `publisher 1`.
    public var object: String
    /// The object that it belongs to, such as `session 1`; nil where it belongs to none, or to the one before still.
    public var owner: String?
    /// What happened.
    public var input: String
    /// What came with it.
    public var values: MachineValues
    /// The state in which it shows itself afterwards.
    public var state: String
    /// Whether the call was turned down.
    public var isRefused: Bool
    /// When.
    public var at: Instant

    /// A step of its parts.
    public init(
        machine: String, object: String, owner: String? = nil, input: String, values: MachineValues = [:],
        state: String, isRefused: Bool = false, at: Instant
    ) {
        self.machine = machine
        self.object = object
        self.owner = owner
        self.input = input
        self.values = values
        self.state = state
        self.isRefused = isRefused
        self.at = at
    }
}

/// Something that an object tells the application.
public struct ModelEvent: Hashable, Sendable {
    /// Which of the objects.
    public var object: String
    /// Its name, such as `playback.start`.
    public var name: String
    /// What comes with it.
    public var fields: [Field]
    /// When.
    public var at: Instant

    /// One field.
    public struct Field: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Its value as text; times are in microseconds.
        public var value: String

        /// A field of its parts.
        public init(_ name: String, _ value: some CustomStringConvertible) {
            self.name = name
            self.value = value.description
        }
    }

    /// An event of its parts.
    public init(object: String, name: String, fields: [Field], at: Instant) {
        self.object = object
        self.name = name
        self.fields = fields
        self.at = at
    }

    /// The value of a field; nil when it has none.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}

/// What models ask of the transport.
public enum TransportRequest: Hashable, Sendable {
    /// A session.
    case connect
    /// The end of it.
    case close
    /// The announcements under a prefix.
    case watch(prefix: String)
    /// No more of them.
    case unwatch(prefix: String)
    /// A broadcast is there.
    case announce(path: String)
    /// It is gone.
    case withdraw(path: String)
    /// It has a track.
    case openTrack(path: String, name: String, TrackWish)
    /// Frames of the track's newest group, or of a new one.
    case write(path: String, name: String, [OutgoingFrame], startsGroup: Bool, endsGroup: Bool)
    /// The newest group is complete, and so is the track.
    case finishTrack(path: String, name: String)
    /// The track is let go of unfinished.
    case dropTrack(path: String, name: String)
    /// What media the broadcast has changed.
    case catalog(path: String, [Rendition])
    /// A track of somebody else.
    case subscribe(id: Int, path: String, track: String, maximumAge: Duration, priority: UInt8)
    /// No more of it.
    case unsubscribe(id: Int)
}

/// The properties of a published track.
public struct TrackWish: Hashable, Sendable {
    /// 255 the most urgent.
    public var priority: UInt8
    /// Units of the frames' timestamps a second.
    public var timescale: UInt64
    /// How long old groups are kept.
    public var retention: Duration
}

/// One frame to be written.
public struct OutgoingFrame: Hashable, Sendable {
    /// What goes out.
    public var payload: [UInt8]
    /// In the track's timescale.
    public var timestamp: UInt64
}

/// What the models of one application share: the instant, what they ask for and what they tell. Whoever drives them sets
/// `now` first, and takes the rest afterwards.
public final class ModelPort {
    /// The present instant.
    public var now: Instant
    private var requests: [TransportRequest] = []
    private var steps: [ModelStep] = []
    private var events: [ModelEvent] = []
    private var lastSubscription = 0
    private var lastObject = 0

    /// What is wrong with the kit on purpose; nil for nothing.
    let broken: BrokenKit?

    /// A port at an instant, of a kit that has a fault or none.
    public init(at now: Instant, fault: KitFault? = nil) {
        self.now = now
        broken = fault.map(BrokenKit.init)
    }

    /// What is asked of the transport, in order; afterwards there is nothing.
    public func takeRequests() -> [TransportRequest] {
        defer { requests = [] }
        return requests
    }

    /// Hands on what is asked of the transport until nothing more is: doing one thing may lead to another, as a
    /// subscription that cannot be made ends at once.
    public func settle(_ perform: (TransportRequest) -> Void) {
        for _ in 0..<Self.mostRounds {
            let requests = takeRequests()
            if requests.isEmpty { return }
            for request in requests { perform(request) }
        }
    }

    /// Far more than any chain of requests is long; what is left over is done the next time.
    private static let mostRounds = 64

    /// The steps that were made, in order; afterwards there are none.
    public func takeSteps() -> [ModelStep] {
        defer { steps = [] }
        return steps
    }

    /// What was told, in order; afterwards there is nothing.
    public func takeEvents() -> [ModelEvent] {
        defer { events = [] }
        return events
    }

    func ask(_ request: TransportRequest) {
        if let broken { requests += broken.requests(request) } else { requests.append(request) }
    }

    func tell(_ object: String, _ name: String, _ fields: [ModelEvent.Field] = []) {
        let event = ModelEvent(object: object, name: name, fields: fields, at: now)
        if let broken { events += broken.events(event) } else { events.append(event) }
    }

    func step(
        _ machine: String, _ object: String, of owner: String? = nil, _ input: String, _ values: MachineValues = [:],
        to state: String, isRefused: Bool = false
    ) {
        steps.append(
            ModelStep(
                machine: machine, object: object, owner: owner, input: input, values: values, state: state,
                isRefused: isRefused, at: now))
    }

    /// A number for an object that has no name of its own.
    func newObject() -> Int {
        lastObject += 1
        return lastObject
    }

    /// A number for a subscription.
    func newSubscription() -> Int {
        lastSubscription += 1
        return lastSubscription
    }
}
