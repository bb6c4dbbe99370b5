import MoqBase
import MoqDrivers
import MoqLite
import MoqMonitor
import MoqTransport
import MoqWire

/// Finds out, before the cases, what the relay accepts and of which generation its codes are: one session a version
/// and transport, which subscribes to a broadcast that nobody announces and looks at the code of the refusal.
///
/// 54 is the second generation's "unroutable"; 30, and 13 before June 2026, the first's (moq-ffi 0.2.18 to 0.4.18,
/// observed).
final class TargetProbe {
    /// What the cases want over one transport.
    struct Wanted {
        var transport: TransportChoice
        /// The most wanted first.
        var versions: [Version]
    }

    /// What one attempt led to.
    private enum Attempt {
        case accepted(UInt64?)
        /// Accepted, and then not one byte came although something was asked.
        case mute(Duration)
        case refused(SessionClose)
        case unreachable(String)
        /// The handshake began, and did not go on.
        case silent(String)
    }

    private let access: TargetAccess
    private let driver: any Driver
    private let seed: UInt64
    private let isCutShort: () -> Bool
    private var numbers: [(version: Version, number: UInt64)] = []
    private var breaches: [MonitorBreach] = []
    /// Whether any session heard anything of moq-lite.
    private var hasHeard = false
    /// What is to be said if none ever does.
    private var muteness: String?

    /// How long a relay may take to refuse a subscription before the generation counts as not found out.
    private static let answerPatience = Duration.seconds(2)
    /// How long a session that asks for nothing has to live to count as accepted: a few round trips, in which a relay
    /// that denies access says so.
    private static let quietPatience = Duration.milliseconds(500)

    /// How long it may go unnoticed that the run was cut short.
    private static let attention = Duration.milliseconds(100)

    init(
        access: TargetAccess, driver: any Driver, seed: UInt64, isCutShort: @escaping () -> Bool = { false }
    ) {
        self.access = access
        self.driver = driver
        self.seed = seed
        self.isCutShort = isCutShort
    }

    /// Probes for the given transports and versions. Throws when the relay cannot be used at all.
    func run(_ wanted: [Wanted], generation given: CodeGeneration?) throws(RunnerError) -> TargetFindings {
        numbers = []
        breaches = []
        hasHeard = false
        muteness = nil
        var receptions: [TargetFindings.Reception] = []
        var errors: [RunnerError] = []
        for wish in wanted {
            let (versions, error) = try reception(of: wish)
            if versions.isEmpty, let error { errors.append(error) }
            receptions.append(
                TargetFindings.Reception(
                    transport: wish.transport, versions: versions,
                    refusal: versions.isEmpty ? error?.description : nil))
        }
        if receptions.allSatisfy({ $0.versions.isEmpty }), let error = errors.first { throw error }
        // A relay that is mute on one version only, or later, is judged by the cases.
        if !hasHeard, let muteness { throw .target(muteness) }
        var findings = TargetFindings(receptions: receptions, generation: given, evidence: "set by hand")
        findings.breaches = breaches
        if given == nil { (findings.generation, findings.evidence) = Self.conclude(numbers) }
        return findings
    }

    /// The versions accepted over one transport, or why none is.
    private func reception(of wish: Wanted) throws(RunnerError) -> ([Version], RunnerError?) {
        let advice = DialAdvice(access: access, choice: wish.transport)
        guard !access.routes(for: wish.transport).isEmpty else {
            return ([], .target("the relay's URL names no way to meet it over \(wish.transport)"))
        }
        var accepted: [Version] = []
        var lastClose: SessionClose?
        for version in wish.versions {
            switch try attempt(version, wish.transport, advice) {
            case .accepted(let number):
                accepted.append(version)
                if let number, !numbers.contains(where: { $0 == (version, number) }) {
                    numbers.append((version, number))
                }
            case .mute(let wait):
                accepted.append(version)
                muteness = muteness ?? advice.mute(version, within: wait)
            case .refused(let close):
                lastClose = close
                if case .certificateRefused = close.cause { return ([], .target(advice.certificate(close))) }
            case .unreachable(let why):
                // Where nobody answers, the next version would not be answered either.
                return accepted.isEmpty ? ([], .unreachable(why)) : (accepted, nil)
            case .silent(let why):
                return accepted.isEmpty ? ([], .silent(why)) : (accepted, nil)
            }
        }
        return accepted.isEmpty ? ([], .target(advice.refused(lastClose, versions: wish.versions))) : (accepted, nil)
    }

    /// The generation that the codes of refusals speak for.
    static func conclude(_ numbers: [(version: Version, number: UInt64)]) -> (CodeGeneration?, String) {
        CodeGeneration.concluded(from: numbers)
    }

    /// One session of a version. With `asks` it subscribes to what nobody announces; one that ends over that is tried
    /// again without, because a relay that closes every session accepts nothing, whatever its handshake says.
    private func attempt(
        _ version: Version, _ choice: TransportChoice, _ advice: DialAdvice, asks: Bool = true
    ) throws(RunnerError) -> Attempt {
        let line = try Line(
            Line.Wish(
                transport: choice, versions: [version], hopID: 1 + seed % ((1 << 52) - 1),
                seed: seed ^ UInt64(version.rawValue), generation: .second),
            access: access, driver: driver)
        defer {
            breaches += line.takeBreaches()
            line.detach()
        }
        let deadline = driver.now.advanced(by: access.connectTimeout * access.patience)
        var answerDeadline: Instant?
        // Where the first session was mute, others need not be waited for as long.
        var wait = Self.answerPatience * access.patience
        while driver.now < (answerDeadline ?? deadline) {
            do {
                try driver.turn(until: min(answerDeadline ?? deadline, driver.now.advanced(by: Self.attention)))
            } catch {
                throw .environment("the sockets failed: \(error)")
            }
            guard !isCutShort() else { throw .environment("the run was cut short while the relay was probed") }
            line.process(at: driver.now)
            hasHeard = hasHeard || line.session.hasHeard
            while let event = line.session.poll() {
                switch event {
                case .established:
                    guard asks else {
                        answerDeadline = driver.now.advanced(by: Self.quietPatience * access.patience)
                        continue
                    }
                    guard let path = try? BroadcastPath(".nobody-probe") else { continue }
                    _ = line.session.subscribe(broadcast: path, track: "probe")
                    wait = (muteness == nil || hasHeard ? Self.answerPatience : Self.quietPatience) * access.patience
                    answerDeadline = driver.now.advanced(by: wait)
                case .announceRequested(let id, _, _):
                    line.session.answerAnnounce(id, active: [])
                case .subscriptionEnded(_, let end):
                    bidFarewell(line)
                    if case .reset(.code(let number)) = end { return .accepted(number) }
                    // It may have ended with its session.
                    return try attempt(version, choice, advice, asks: false)
                case .closed(let told):
                    let close = line.connection.explained(told)
                    if answerDeadline != nil {
                        return try asks ? attempt(version, choice, advice, asks: false) : .refused(close)
                    }
                    if advice.isSilence(close) { return Self.silence(close.reason, advice) }
                    if advice.isClosedPort(close) { return .unreachable(advice.closedPort) }
                    return .refused(close)
                default:
                    break
                }
            }
            if answerDeadline == nil, line.connection.isUnreachable { return .unreachable(advice.closedPort) }
        }
        if answerDeadline != nil {
            bidFarewell(line)
            return asks && !line.session.hasHeard ? .mute(wait) : .accepted(nil)
        }
        return Self.silence(line.connection.standing, advice)
    }

    private static func silence(_ standing: String?, _ advice: DialAdvice) -> Attempt {
        let words = advice.silence(standing)
        return standing?.isEmpty ?? true ? .unreachable(words) : .silent(words)
    }

    private func bidFarewell(_ line: Line) {
        line.session.close(code: 0, reason: "")
        line.process(at: driver.now)
    }
}
