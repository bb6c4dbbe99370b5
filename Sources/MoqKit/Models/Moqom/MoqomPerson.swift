import MoqBase

/// Somebody else in a room.
public final class MoqomPerson {
    /// Where they stand.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case outside, present, reconnecting, left
    }

    /// Who.
    public let name: String
    /// Which of their entries into the room.
    public let entry: String
    /// Where they stand.
    public private(set) var state = State.outside
    /// What they said last.
    public private(set) var report: MoqomReport
    private let object: String
    private let port: ModelPort
    private(set) var lostAt: Instant?

    /// Somebody who is there from now on; `earlier` counts how often the same entry was taken for lost before.
    init(_ report: MoqomReport, in room: String, earlier: Int, port: ModelPort) {
        name = report.name
        entry = report.entry
        self.report = report
        self.port = port
        object = "\(room)/\(report.entry)" + (earlier == 0 ? "" : " again \(earlier)")
        move(to: .present, by: "join", ["participant": .word(report.name)])
        tell("participantJoined")
    }

    private func move(to next: State, by input: String, _ values: MachineValues = [:]) {
        port.step("moqom-participant", object, input, values, to: next.rawValue)
        state = next
    }

    private func tell(_ event: String, _ fields: [ModelEvent.Field] = []) {
        port.tell(object, event, [.init("who", name)] + fields)
    }

    /// Whether they are in the room.
    public var isThere: Bool { state == .present || state == .reconnecting }

    /// Takes what they say now. What is older than what they said changes nothing.
    func take(_ new: MoqomReport) {
        guard isThere else { return }
        linkBack()
        guard new.revision == 0 || new.revision > report.revision else { return }
        let old = report
        report = new
        if new.grants != old.grants {
            move(to: state, by: "grants")
            tell("grantsChanged", [.init("grants", new.grants.map(\.rawValue).joined(separator: ","))])
        }
        for medium in MoqomMedium.allCases where Self.mute(old, medium) != Self.mute(new, medium) {
            move(to: state, by: "mute")
            tell("muteChanged", [.init("kind", medium.rawValue), .init("mute", Self.mute(new, medium))])
        }
        switch new.leave {
        case nil: break
        case .left: left(by: "leave", "left")
        case .evicted: left(by: "evict", "evicted")
        }
    }

    /// `none`, `self` or `forced`.
    public static func mute(_ report: MoqomReport, _ medium: MoqomMedium) -> String {
        if report.forceMuted.contains(medium) { return "forced" }
        return report.selfMuted.contains(medium) ? "self" : "none"
    }

    /// In the spotlight from now on.
    func spotlighted() {
        guard isThere else { return }
        move(to: state, by: "spotlight")
    }

    /// What they announced is gone, and did not come back at once.
    func linkLost() {
        guard state == .present else { return }
        lostAt = port.now
        move(to: .reconnecting, by: "link.lost")
        tell("presenceChanged", [.init("presence", "reconnecting")])
    }

    private func linkBack() {
        guard state == .reconnecting else { return }
        lostAt = nil
        move(to: .present, by: "link.back")
        tell("presenceChanged", [.init("presence", "present")])
    }

    /// Their time to come back is over.
    func timedOut() { left(by: "time.out", "timedOut") }

    /// They are gone without a word, and what they announced is of no use.
    func connectionLost() { left(by: "connection.lost", "connectionLost") }

    private func left(by input: String, _ why: String) {
        guard isThere else { return }
        lostAt = nil
        move(to: .left, by: input)
        tell("participantLeft", [.init("why", why)])
    }
}

/// A track of somebody else, for as long as it is announced. One that ends although its broadcast is announced is asked
/// for again, since another session of the same publisher may have taken over.
final class MoqomIncoming {
    let path: String
    let track: String
    let kind: MoqomRoom.Area
    let name: String
    let medium: MoqomMedium?
    var isAnnounced = true
    /// It was withdrawn and has not come back.
    var isOver = false
    /// Nobody wants it: muted here.
    var isUnwanted = false
    private(set) var subscription: Int?
    private(set) var objects = 0
    /// How it ended, once it was given up.
    private(set) var end: UpstreamEnd?
    var goneAt: Instant?
    private var failures = 0
    private var retryAt: Instant?
    private let port: ModelPort

    /// Tries in a row, and the pause before the second; each further one is twice as long.
    private static let mostTries = 3
    private static let firstPause = Duration.milliseconds(100)

    init(
        _ path: String, track: String, _ kind: MoqomRoom.Area, name: String, _ medium: MoqomMedium?, port: ModelPort
    ) {
        self.path = path
        self.track = track
        self.kind = kind
        self.name = name
        self.medium = medium
        self.port = port
    }

    var deadline: Instant? { retryAt }

    func subscribe() {
        guard subscription == nil, !isUnwanted, end == nil else { return }
        retryAt = nil
        let id = port.newSubscription()
        subscription = id
        port.ask(.subscribe(id: id, path: path, track: track, maximumAge: .zero, priority: medium == nil ? 90 : 60))
    }

    func unsubscribe() {
        retryAt = nil
        guard let id = subscription else { return }
        subscription = nil
        port.ask(.unsubscribe(id: id))
    }

    /// The link is another one: what was asked for there is gone.
    func forget() {
        subscription = nil
        retryAt = nil
        failures = 0
    }

    /// It is announced anew.
    func begin() {
        isAnnounced = true
        isOver = false
        goneAt = nil
        failures = 0
        end = nil
        subscribe()
    }

    func tookFrame() {
        objects += 1
        failures = 0
    }

    /// Its subscription ended; whether it is given up.
    func ended(_ how: UpstreamEnd) -> Bool {
        subscription = nil
        failures += 1
        guard isAnnounced else { return false }
        guard failures < Self.mostTries else {
            end = how
            return true
        }
        retryAt = port.now.advanced(by: Self.firstPause * (1 << (failures - 1)))
        return false
    }

    func advance() {
        if let due = retryAt, port.now >= due { subscribe() }
    }
}
