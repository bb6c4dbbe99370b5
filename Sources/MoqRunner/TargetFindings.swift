import MoqScenario
import MoqWire

/// What is known of the relay under test when the cases begin.
struct TargetFindings {
    /// The versions that it accepts, of those that the cases want.
    var versions: [Version]
    /// The generation of its codes; nil when it could not be found out.
    var generation: CodeGeneration?
    /// How the generation was found out.
    var evidence: String
    /// The SHA-256 of its certificate, where seen.
    var fingerprint: String?
    /// Capabilities said to be there, or to be missing: the latter everywhere, or on one version (NAME@VERSION).
    var added: [String] = []
    var removed: [String] = []
    /// Capabilities that the harness knows it to lack.
    var lacking: [String] = []
    /// Whether it is the embedded relay.
    var isEmbedded = false
    /// Whether the harness may stop and start it, and whether it is a process.
    var isOwned = false
    var isProcess = false

    /// Why a case cannot be played against this relay; nil when it can.
    func reasonToSkip(_ scenario: ScenarioCase) -> String? {
        if let exclusion = scenario.exclusion { return exclusion }
        guard let version = Version(name: scenario.version) else { return "\(scenario.version) cannot be spoken" }
        guard versions.contains(version) else { return "the relay does not accept \(version)" }
        for need in scenario.needs {
            if let reason = reasonToLack(need, version) { return reason }
        }
        return nil
    }

    private func reasonToLack(_ name: String, _ version: Version) -> String? {
        guard let capability = Capability.named(name) else { return "no relay is known to have `\(name)`" }
        if name == "path-scoping", !version.hasSetup {
            return "\(version) carries no request path on raw QUIC, so nothing can be scoped by it"
        }
        if removed.contains(name) { return "the relay is said to lack `\(name)`: \(capability.meaning)" }
        if removed.contains("\(name)@\(version.name)") {
            return "the relay is said to lack `\(name)` on \(version): \(capability.meaning)"
        }
        if added.contains(name) { return nil }
        if lacking.contains(name) { return "this relay has no `\(name)`: \(capability.meaning)" }
        switch capability.basis {
        case .version(let from):
            return version >= from ? nil : "\(version) has no `\(name)`: \(capability.meaning)"
        case .expected:
            return nil
        case .optional:
            return isEmbedded
                ? nil : "the relay is not said to have `\(name)` (--with \(name) says it): \(capability.meaning)"
        case .ownedRelay:
            if name == "signals" { return isProcess ? nil : "the relay is no process of the harness's own" }
            return isOwned ? nil : "the harness did not start the relay, so it cannot stop it"
        }
    }
}
