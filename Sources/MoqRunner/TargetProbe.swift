import MoqBase
import MoqDrivers
import MoqLite
import MoqTransport
import MoqWire

/// Finds out, before the cases, what the relay accepts and of which generation its codes are: one session a version,
/// which subscribes to a broadcast that nobody announces and looks at the code of the refusal.
///
/// 54 is the second generation's "unroutable"; 30, and 13 before June 2026, the first's (moq-ffi 0.2.18 to 0.4.18,
/// observed).
final class TargetProbe {
    /// What one attempt led to.
    private enum Attempt {
        case accepted(UInt64?)
        case refused(SessionClose)
        case unreachable(String)
    }

    private let access: TargetAccess
    private let driver: any Driver
    private let seed: UInt64

    /// How long a relay may take to refuse a subscription before the generation counts as not found out.
    private static let answerPatience = Duration.seconds(2)

    /// How long it may go unnoticed that the run was cut short.
    private static let attention = Duration.milliseconds(100)

    init(access: TargetAccess, driver: any Driver, seed: UInt64) {
        self.access = access
        self.driver = driver
        self.seed = seed
    }

    /// Probes for the given versions. Throws when the relay cannot be used at all.
    func run(
        versions: [Version], generation given: CodeGeneration?, isCutShort: () -> Bool = { false }
    ) throws(RunnerError) -> TargetFindings {
        var accepted: [Version] = []
        var numbers: [(Version, UInt64)] = []
        var lastClose: SessionClose?
        for version in versions {
            switch try attempt(version, isCutShort) {
            case .accepted(let number):
                accepted.append(version)
                if let number { numbers.append((version, number)) }
            case .refused(let close):
                lastClose = close
                if case .certificateRefused = close.cause { throw .target(certificateAdvice(close)) }
            case .unreachable(let why):
                throw .unreachable(why)
            }
        }
        guard !accepted.isEmpty else {
            let names = versions.map(\.description).joined(separator: ", ")
            throw .target(
                "the relay at \(access.address) accepts none of \(names) on raw QUIC: \(lastClose.map(\.description) ?? "no reason given"). "
                    + "Try another --moq-version, or check that it speaks moq-lite.")
        }
        var findings = TargetFindings(versions: accepted, generation: given, evidence: "set by hand")
        if given == nil { (findings.generation, findings.evidence) = Self.conclude(numbers) }
        return findings
    }

    /// The generation that the codes of refusals speak for.
    static func conclude(_ numbers: [(Version, UInt64)]) -> (CodeGeneration?, String) {
        let seen = numbers.map { "\($0.1) on \($0.0)" }.joined(separator: ", ")
        let generations = Set(numbers.compactMap { generation(of: $0.1) })
        guard let generation = generations.first else {
            let what = numbers.isEmpty ? "it did not answer" : "it answered \(seen)"
            return (nil, "a subscription to an unknown broadcast does not tell: \(what)")
        }
        if generations.count > 1 {
            return (nil, "mixed evidence: a subscription to an unknown broadcast was refused with \(seen)")
        }
        return (generation, "a subscription to an unknown broadcast was refused with \(seen)")
    }

    private static func generation(of number: UInt64) -> CodeGeneration? {
        switch number {
        case 13, 30: .first
        case 51, 54: .second
        default: nil
        }
    }

    private func attempt(_ version: Version, _ isCutShort: () -> Bool) throws(RunnerError) -> Attempt {
        let line = try Line(
            access: access, driver: driver, versions: [version], path: nil, hopID: 1 + seed % ((1 << 52) - 1),
            seed: seed ^ UInt64(version.rawValue), generation: .second, vanishes: false)
        defer { line.detach(driver) }
        let deadline = driver.now.advanced(by: access.connectTimeout)
        var answerDeadline: Instant?
        while driver.now < (answerDeadline ?? deadline) {
            do {
                try driver.turn(until: min(answerDeadline ?? deadline, driver.now.advanced(by: Self.attention)))
            } catch {
                throw .environment("the sockets failed: \(error)")
            }
            guard !isCutShort() else { throw .environment("the run was cut short while the relay was probed") }
            line.process(at: driver.now)
            while let event = line.session.poll() {
                switch event {
                case .established:
                    guard let path = try? BroadcastPath(".nobody-probe") else { continue }
                    _ = line.session.subscribe(broadcast: path, track: "probe")
                    answerDeadline = driver.now.advanced(by: Self.answerPatience)
                case .announceRequested(let id, _, _):
                    line.session.answerAnnounce(id, active: [])
                case .subscriptionEnded(_, let end):
                    bidFarewell(line)
                    if case .reset(.code(let number)) = end { return .accepted(number) }
                    return .accepted(nil)
                case .closed(let close):
                    if answerDeadline != nil { return .accepted(nil) }
                    if case .handshakeTimeout = close.cause { return .unreachable(unreachableAdvice) }
                    return .refused(close)
                default:
                    break
                }
            }
            if answerDeadline == nil, driver.unreachable(line.endpoint) { return .unreachable(closedPortAdvice) }
        }
        if answerDeadline != nil {
            bidFarewell(line)
            return .accepted(nil)
        }
        return .unreachable(unreachableAdvice)
    }

    private func bidFarewell(_ line: Line) {
        line.session.close(code: 0, reason: "")
        line.process(at: driver.now)
    }

    // MARK: Advice

    private var unreachableAdvice: String {
        "nobody answered at \(access.address) (raw QUIC over UDP) within \(access.connectTimeout.text). "
            + "Check that the relay runs, that it listens for QUIC on that UDP port, and that no firewall is between."
    }

    private var closedPortAdvice: String {
        "nobody listens at \(access.address) (raw QUIC over UDP). Start the relay, or check its address and port."
    }

    private func certificateAdvice(_ close: SessionClose) -> String {
        "the certificate of the relay at \(access.address) was refused: \(close.reason). "
            + "Pin it with --fingerprint, trust its authority with --tls-root FILE, or, to skip the check, use --insecure."
    }
}
