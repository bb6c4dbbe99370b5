import MoqBase
import MoqDrivers
import MoqQUIC
import MoqTransport

/// A session being dialled, or dialled: over one transport, or as a race between several.
///
/// `attach` begins. The owner turns the driver's crank, calls `advance` after each turn, and takes the events of
/// `transport`; whoever wins a race, it is one and the same object. Which it was, `facts` says.
public final class Connection {
    /// The session. Nobody else polls it.
    public let transport: any TransportSession
    /// What was planned: one route, or the contestants of a race in the order in which they start.
    public let plans: [DialPlan]
    private let attempts: [Attempt]
    private let race: Race?
    private var driver: (any Driver)?
    private var isCut = false

    /// One connection over one transport.
    public init(_ plan: DialPlan) throws(DialError) {
        let attempt = try Attempt(plan)
        plans = [plan]
        attempts = [attempt]
        race = nil
        transport = attempt.transport
    }

    /// A race: the first plan starts at once, the others `headStart` later or when all before them have failed; the
    /// first that is established wins, and the others are closed. A refusal for want of permission (HTTP 401 or 403)
    /// ends the race. So the reference client meets `https://` and `http://`.
    public init(racing plans: [DialPlan], headStart: Duration = Race.headStart) throws(DialError) {
        guard let first = plans.first else { throw .unusable("there is nothing to dial") }
        self.plans = plans
        guard plans.count > 1 else {
            let attempt = try Attempt(first)
            attempts = [attempt]
            race = nil
            transport = attempt.transport
            return
        }
        var attempts: [Attempt] = []
        for plan in plans { attempts.append(try Attempt(plan)) }
        self.attempts = attempts
        let race = Race(attempts, headStart: headStart)
        self.race = race
        transport = race
    }

    /// Whether it has a socket.
    public var isAttached: Bool { !isCut && attempts.contains(where: \.isAttached) }

    /// Puts the machine on a driver, and begins to connect.
    public func attach(to driver: any Driver) throws(DialError) {
        self.driver = driver
        if let race { try race.start(on: driver) } else { try attempts[0].attach(to: driver) }
    }

    /// Lets a race go on. To be called after every turn.
    public func advance(to now: Instant) {
        race?.advance(to: now)
    }

    /// Gives the socket back. What was still to be said is said in the turns that follow.
    public func detach() {
        for attempt in attempts { attempt.detach() }
    }

    /// Nothing leaves and nothing arrives any more, from one moment to the next.
    public func cut() {
        guard isAttached else { return }
        isCut = true
        for attempt in attempts where attempt.isAttached { attempt.cut() }
    }

    /// Changes the link from now on.
    public func setLink(_ conditions: LinkConditions) {
        race?.link = conditions
        for attempt in attempts { attempt.setLink(conditions) }
    }

    /// What the link did so far.
    public var linkStatistics: LinkStatistics {
        attempts.reduce(LinkStatistics()) { $0 + $1.linkStatistics }
    }

    /// Whether the network says that nobody listens where it was dialled. Of a race the close says it.
    public var isUnreachable: Bool { race == nil && attempts[0].isUnreachable }

    /// What was agreed on. Of a race that is still open, what its first contestant is.
    public var facts: ConnectionFacts { (race?.winner ?? attempts[0]).facts }

    /// The same without what stands in the peer's certificate, which is what takes longest to tell.
    public var terms: ConnectionFacts { (race?.winner ?? attempts[0]).terms }

    /// How far the handshake came that does not go on, as one clause for people; nil where nobody answered. Of a race
    /// what is said of each contestant that was answered.
    public var standing: String? {
        guard race != nil else { return attempts[0].standing }
        let words = attempts.filter(\.isAttached).compactMap { attempt in
            attempt.standing.map { "over \(attempt.plan.route.description) \($0)" }
        }
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }

    /// A close as the layers beneath explain it: the session over TLS only hears that its stream broke.
    public func explained(_ close: SessionClose) -> SessionClose {
        race == nil ? attempts[0].explained(close) : close
    }

    /// The route in use; of a race that is still open, its first contestant's.
    public var route: Route { (race?.winner ?? attempts[0]).plan.route }
}

extension Attempt {
    /// Cuts the link, and gives the socket back without a word.
    func cut() {
        var conditions = LinkConditions.perfect
        conditions.isCut = true
        setLink(conditions)
        detach()
    }
}
