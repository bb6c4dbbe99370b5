/// One way in which client kits can be wrong on purpose, to see which case notices.
///
/// All client kits of a run have the same fault, or none. Most faults change what passes through the port of the models
/// (`Means`); the others live at one place in a model, which asks `port.isBroken(by:)`.
public final class KitFault: Sendable, CustomStringConvertible {
    /// Its name, in kebab case; it begins with `kit-`.
    public let name: String
    /// What a kit with it does, in one sentence.
    public let about: String
    /// Ids of the requirements that it breaks: a finding that names one of them has noticed it.
    public let requirements: [String]
    /// The suite whose cases meet it.
    public let suite: String
    /// How it is done.
    let means: Means

    /// How a fault is done.
    enum Means: Sendable {
        /// The models ask for it, with `isBroken(by:)`.
        case core
        /// The application is told otherwise: the events to tell, in place of the one that was meant.
        case events(@Sendable (ModelEvent, BrokenKit) -> [ModelEvent])
        /// The transport is asked otherwise: the requests to make, in place of the one that was meant.
        case requests(@Sendable (TransportRequest, BrokenKit) -> [TransportRequest])
        /// What a subscription brings reaches its reader otherwise: the frames to go on with, of the track of that name.
        case frames(@Sendable (_ payload: [UInt8], _ track: String, BrokenKit) -> [[UInt8]])
        /// How a subscription ends reaches its reader otherwise; nil for not at all.
        case ends(@Sendable (_ end: UpstreamEnd, _ track: String) -> UpstreamEnd?)
        /// A call that has to be turned down is turned down otherwise; nil for not at all.
        case refusals(@Sendable (ModelError) -> ModelError?)
        /// The statistics of a player say something else.
        case samples(@Sendable (PlayerStatistics) -> PlayerStatistics)
    }

    init(_ name: String, _ about: String, breaks requirements: [String], in suite: String, by means: Means) {
        self.name = name
        self.about = about
        self.requirements = requirements
        self.suite = suite
        self.means = means
    }

    /// All faults, family by family.
    public static let all: [KitFault] =
        eventFaults + callFaults + publishingFaults + trackFaults + playerFaults + figureFaults + roomFaults
        + orderFaults

    /// The fault of a name; nil when there is none.
    public static func named(_ name: String) -> KitFault? {
        all.first { $0.name == name }
    }

    public var description: String { name }
}

/// What a fault remembers of one application, and what it does there.
final class BrokenKit {
    let fault: KitFault
    private var counts: [String: Int] = [:]
    private var tracks: [Int: String] = [:]
    private var payloads: [String: [UInt8]] = [:]
    /// Events that are told later.
    var held: [ModelEvent] = []

    init(_ fault: KitFault) { self.fault = fault }

    /// How often it was asked for this key, this time included.
    func count(_ key: String) -> Int {
        counts[key, default: 0] += 1
        return counts[key] ?? 0
    }

    /// The first payload that was given for this key.
    func first(_ key: String, _ payload: [UInt8]) -> [UInt8] {
        if let known = payloads[key] { return known }
        payloads[key] = payload
        return payload
    }

    func events(_ event: ModelEvent) -> [ModelEvent] {
        if case .events(let change) = fault.means { change(event, self) } else { [event] }
    }

    func requests(_ request: TransportRequest) -> [TransportRequest] {
        if case .subscribe(let id, let path, let track, _, _) = request { tracks[id] = "\(path) \(track)" }
        return if case .requests(let change) = fault.means { change(request, self) } else { [request] }
    }

    func frames(_ id: Int, _ payload: [UInt8]) -> [[UInt8]] {
        if case .frames(let change) = fault.means { change(payload, tracks[id] ?? "", self) } else { [payload] }
    }

    func end(_ id: Int, _ end: UpstreamEnd) -> UpstreamEnd? {
        if case .ends(let change) = fault.means { change(end, tracks[id] ?? "") } else { end }
    }
}

extension ModelPort {
    /// Whether the kit has this fault on purpose.
    func isBroken(by fault: @autoclosure () -> KitFault) -> Bool {
        guard let broken else { return false }
        return broken.fault === fault()
    }

    /// How a call is turned down; nil where a fault lets it through.
    public func refusal(_ error: ModelError) -> ModelError? {
        if case .refusals(let change)? = broken?.fault.means { change(error) } else { error }
    }

    /// The frames that a subscription brings in place of one.
    func frames(_ id: Int, _ payload: [UInt8]) -> [[UInt8]] { broken?.frames(id, payload) ?? [payload] }

    /// How a subscription ends; nil where its reader does not hear of it.
    func end(_ id: Int, _ end: UpstreamEnd) -> UpstreamEnd? {
        guard let broken else { return end }
        return broken.end(id, end)
    }

    /// The statistics as a player shows them.
    func shown(_ statistics: PlayerStatistics) -> PlayerStatistics {
        if case .samples(let change)? = broken?.fault.means { change(statistics) } else { statistics }
    }
}
