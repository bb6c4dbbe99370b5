import MoqBase

/// The token of a session: renewed before it lapses where somebody renews it.
public final class MoqomToken {
    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case valid, renewing, expired
    }

    /// What becomes of it when it is about to lapse.
    public enum Service: String, CaseIterable, Hashable, Sendable {
        /// There is no renew closure.
        case none
        /// It gives a fresh one.
        case grants
        /// It fails.
        case refuses
    }

    /// Where it stands.
    public private(set) var state = State.valid
    /// When it lapses, as this device's clock has it; nil for never.
    public internal(set) var expires: Instant?
    /// How long before that a fresh one is asked for.
    private let lead: Duration
    private let object: String
    private let port: ModelPort
    private var wasDue = false
    private var nextTry: Instant?

    /// After a renewal that failed, the next try; how long it is is not documented.
    private static let retry = Duration.milliseconds(500)

    init(_ object: String, lead: Duration, port: ModelPort) {
        self.object = object
        self.lead = lead
        self.port = port
    }

    private func move(to next: State, by input: String, _ values: MachineValues = [:]) {
        port.step("moqom-token", object, input, values, to: next.rawValue)
        state = next
    }

    /// Whether it has lapsed by this device's clock.
    var hasLapsed: Bool { expires.map { port.now >= $0 && !port.isBroken(by: .lapseUnseen) } ?? false }

    /// When something is due.
    var deadline: Instant? {
        guard state != .expired, let expires else { return nil }
        if state == .valid, !wasDue { return min(expires, Self.before(expires, lead)) }
        return Instant?.earlier(expires, nextTry)
    }

    /// Whether it is time to ask for a fresh one.
    func isDue(canRenew: Bool) -> Bool {
        guard let expires, state != .expired, port.now < expires, !port.isBroken(by: .tokenNotRenewed) else {
            return false
        }
        if state == .valid {
            guard !wasDue, port.now >= Self.before(expires, lead) else { return false }
            wasDue = true
            move(to: canRenew ? .renewing : .valid, by: "renewal.due", ["can_renew": .flag(canRenew)])
            return canRenew
        }
        guard let due = nextTry, port.now >= due else { return false }
        nextTry = nil
        return true
    }

    func renewed(expires: Instant?) {
        move(to: .valid, by: "renewed")
        self.expires = expires
        wasDue = false
        nextTry = nil
        port.tell(object, "token")
    }

    func renewalFailed() {
        move(to: .renewing, by: "renewal.failed")
        nextTry = port.now.advanced(by: Self.retry)
    }

    func lapse() {
        move(to: .expired, by: "expires")
        port.tell(object, "tokenExpired")
    }

    private static func before(_ instant: Instant, _ lead: Duration) -> Instant {
        let back = UInt64(clamping: lead.wholeNanoseconds)
        return Instant(nanoseconds: instant.nanoseconds - min(back, instant.nanoseconds))
    }
}
