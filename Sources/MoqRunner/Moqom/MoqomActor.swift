import MoqBase
import MoqConformance
import MoqEvents
import MoqKit
import MoqLite
import MoqScenario
import MoqTransport
import MoqWire

/// The application and the session of MoqomKit behind an actor of kind `moqom`: the model, and the links that it has.
///
/// There are two of them in turn: a fresh token needs a transport session of its own, which takes over while the one
/// before still stands.
final class MoqomActor: KitActor {
    let port: ModelPort
    /// The actor that it is, which owns this and is its first link.
    unowned let actor: SessionActor
    let scene: Scene
    /// The other link; nil where no token is renewed.
    let spare: SessionActor?
    let settings: MoqomSettings
    var session: MoqomSession
    var watch: MachineWatch
    /// The states that each object entered.
    var entered: [String: [String]] = [:]
    /// The subscriptions of the present link by the model's numbers, and the groups that are open.
    var subscriptions: [SubscriptionID: Int] = [:]
    var numbers: [Int: SubscriptionID] = [:]
    var groups: [IncomingGroupID: Int] = [:]
    /// Ends in good order that wait for groups still on their way.
    private var cleanEnds: [(id: SubscriptionID, due: Instant)] = []
    private var usesSpare = false
    private var dial: Dial?
    private var retiring: (link: SessionActor, at: Instant)?
    private var tokenExpires: Instant?
    private var number = 1
    /// Whether the case is over, and nothing that still happens is of interest.
    private var isResting = false

    /// A link that is coming up.
    private final class Dial {
        let link: SessionActor
        var fence: SessionActor.Fence?
        init(_ link: SessionActor) { self.link = link }
    }

    /// How long a link stands beside the one that took over.
    private static let overlap = Duration.milliseconds(500)
    /// How long groups may be on their way behind the end of their subscription: streams overtake each other.
    private static let graceOfEnd = Duration.milliseconds(50)

    init(_ actor: SessionActor, _ settings: MoqomSettings) {
        self.actor = actor
        scene = actor.scene
        self.settings = settings
        watch = MachineWatch(.moqom, since: scene.start)
        port = ModelPort(at: actor.scene.driver.now, fault: actor.scene.kitFault)
        session = MoqomSession(number: 1, MoqomSession.Settings(settings, actor.definition.token), port: port)
        if case .minted(let token)? = actor.definition.token, token.expires != nil {
            var definition = actor.definition
            definition.name += " (fresh token)"
            definition.kind = .session
            definition.moqom = nil
            definition.hop = actor.hopID
            spare = SessionActor(definition, scene: actor.scene)
        } else {
            spare = nil
        }
        watch.meet("moqom-session", session.name)
        actor.record.client = ClientRecord()
        actor.record.client?.moqom = MoqomRecord()
        spare?.follower = self
    }

    /// The link that is used.
    var link: SessionActor { usesSpare ? spare ?? actor : actor }
    private var links: [SessionActor] { [actor] + [spare].compactMap { $0 } }

    /// Makes a new session object, as an application does that comes back: a closed one stays closed.
    func makeSession() {
        isResting = false
        for one in links { one.close(code: 0, reason: "") }
        dial = nil
        retiring = nil
        tokenExpires = nil
        number += 1
        session = MoqomSession(number: number, MoqomSession.Settings(settings, actor.definition.token), port: port)
        watch.meet("moqom-session", session.name)
        actor.record.client?.moqom?.states = [:]
        actor.record.client?.moqom?.rooms = []
    }

    func vanish() {
        for one in links { one.vanish() }
        rest()
    }

    // MARK: Each turn

    /// When it has something to do at the latest.
    var deadline: Instant? {
        guard !isResting else { return nil }
        var due = Instant?.earlier(session.deadline, retiring?.at)
        for end in cleanEnds { due = Instant?.earlier(due, end.due) }
        // What is due is done in the next turn; a turn at the same instant would be the last one again.
        return due.map { max($0, scene.driver.now.advanced(by: .milliseconds(1))) }
    }

    /// Takes what is due, and passes on what the model asks for and tells.
    func process() {
        guard !isResting else { return }
        port.now = scene.driver.now
        if let retiring, port.now >= retiring.at {
            self.retiring = nil
            retiring.link.close(code: 0, reason: "")
        }
        let due = cleanEnds.filter { port.now >= $0.due }
        cleanEnds.removeAll { port.now >= $0.due }
        for end in due { ended(end.id, .clean) }
        watchDial()
        session.advance()
        settle()
    }

    /// Lets go of everything: the case is over.
    func rest() { isResting = true }

    // MARK: Links

    /// Up is not served: a relay may refuse what it learns after the handshake. Any answer settles it.
    private func watchDial() {
        guard let dial, dial.link.isConnected else { return }
        let fence = dial.fence ?? dial.link.startFence()
        dial.fence = fence
        guard fence.isAnswered else { return }
        self.dial = nil
        if dial.link !== link {
            retiring = (link, port.now.advanced(by: Self.overlap))
            dial.link.nextGroups = link.nextGroups
            usesSpare.toggle()
            forgetSubscriptions()
            scene.note(.session, name, "goes on with a fresh token")
        }
        session.linkUp()
    }

    /// Dials: beside the present link for a fresh token, or in its place.
    func connect() {
        let isFresh = session.wantsFreshToken
        let link = isFresh && session.state == .established ? other : link
        let (token, expires) = token(isFresh: isFresh || tokenExpires == nil)
        dial = Dial(link)
        if link === self.link { forgetSubscriptions() }
        session.dialled(tokenExpires: expires.map { $0.advanced(by: settings.clockBehind) })
        tokenExpires = expires
        // A link that stands in for the other one is the same device in the same place.
        if link === spare { link.link = actor.link }
        do throws(RunnerError) {
            try link.connect(path: dialledPath, token: token)
        } catch {
            dial = nil
            scene.note(.session, name, "cannot dial: \(error.description)")
            session.linkFailed(.other)
        }
    }
    /// What the relay is given instead of the actor's path.
    var dialledPath: String?

    private var other: SessionActor { usesSpare ? actor : spare ?? actor }

    /// The token to dial with, and when it lapses: it stays the same until it is renewed.
    private func token(isFresh: Bool) -> (ActorToken?, Instant?) {
        guard case .minted(var token)? = actor.definition.token, case .after(let life)? = token.expires else {
            let lapsed: Instant? =
                if case .minted(let token)? = actor.definition.token, case .before? = token.expires { port.now } else {
                    nil
                }
            return (actor.definition.token, lapsed)
        }
        // Tokens name whole seconds of the clock, of which the later one is taken.
        let epoch = scene.access(of: actor.definition).tokens.epoch
        let end = epoch + Instant.origin.duration(to: port.now) + life + .nanoseconds(999_999_999)
        let fresh = Instant.origin.advanced(by: .seconds(end.components.seconds) - epoch)
        let expires = isFresh ? fresh : tokenExpires ?? fresh
        let left = port.now.duration(to: expires)
        token.expires = left > .zero ? .after(left) : .before(expires.duration(to: port.now))
        return (.minted(token), expires)
    }

    func closeLinks() {
        dial = nil
        retiring = nil
        for one in links { one.close(code: 0, reason: "") }
    }

    private func forgetSubscriptions() {
        subscriptions = [:]
        numbers = [:]
        groups = [:]
        cleanEnds = []
    }

    // MARK: What a link brings

    /// Takes what happened on a link.
    func observe(_ event: LiteEvent, on source: SessionActor) {
        guard !isResting else { return }
        port.now = scene.driver.now
        if case .closed(let close) = event {
            closed(RecordedClose(close), source)
        } else if source === link, dial?.link !== source {
            take(event)
        }
        settle()
    }

    private func closed(_ close: RecordedClose, _ source: SessionActor) {
        let unauthorized = CloseExpectation.oneOf([.code(.condition("unauthorized"))])
        let loss: MoqomSession.Loss =
            if case .met = scene.codes.judge(close, against: unauthorized) { .unauthorized } else { .other }
        if dial?.link === source {
            dial = nil
            session.linkFailed(loss)
        } else if source === link {
            forgetSubscriptions()
            session.linkLost(loss)
        }
    }

    private func ended(_ id: SubscriptionID, _ end: UpstreamEnd) {
        guard let number = subscriptions.removeValue(forKey: id) else { return }
        numbers[number] = nil
        session.subscriptionEnded(number, end)
    }

    private func take(_ event: LiteEvent) {
        switch event {
        case .announced(_, let announced, _):
            if let path = scene.relative(announced.path) { session.announced(path) }
        case .unannounced(_, let path):
            if let path = scene.relative(path) { session.unannounced(path) }
        case .subscriptionEnded(let id, let end):
            let end = UpstreamEnd(end)
            if end == .clean {
                cleanEnds.append((id, port.now.advanced(by: Self.graceOfEnd)))
            } else {
                ended(id, end)
            }
        case .groupOpened(let group, let id, _, _): groups[group] = subscriptions[id]
        case .frame(let group, _, let frame):
            if let number = groups[group] { session.frame(number, frame.payload) }
        case .groupEnded(let group, _): groups[group] = nil
        default: break
        }
    }
}

extension MoqomSession.Settings {
    /// What a scenario sets; a token is renewed after half of its life unless it says otherwise.
    init(_ settings: MoqomSettings, _ token: ActorToken?) {
        self.init(user: settings.user)
        role = MoqomRole(rawValue: settings.role.rawValue) ?? .speaker
        service = MoqomToken.Service(rawValue: settings.service.rawValue) ?? .none
        window = settings.window
        awayAfter = settings.awayAfter
        if case .minted(let token)? = token, case .after(let life)? = token.expires { renewBefore = life / 2 }
        renewBefore = settings.renewBefore ?? renewBefore
    }
}
