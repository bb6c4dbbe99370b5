import MoqMedia
import MoqMonitor
import MoqScenario
import MoqWire

/// What is known of the relay under test when the cases begin.
struct TargetFindings {
    /// What was found out over one transport.
    struct Reception {
        /// Over what.
        var transport: TransportChoice
        /// The versions that the relay accepts there, of those that the cases want, in the order of asking.
        var versions: [Version]
        /// Why nothing can be done over it; nil where a version was accepted.
        var refusal: String?
    }

    /// One for each transport that the cases want.
    var receptions: [Reception]
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
    /// What the monitors of the sessions that found this out noticed.
    var breaches: [MonitorBreach] = []
    /// Whether it is the embedded relay, and whether that is wrong on purpose or speaks TLS on TCP, too.
    var isEmbedded = false
    var isWrongOnPurpose = false
    var protectsStreams = false
    /// Whether the key is known with which it verifies tokens.
    var hasTokenKey = false
    /// Whether the harness may stop and start it, and whether it is a process.
    var isOwned = false
    var isProcess = false
    /// The outside programs whose commands the run was given.
    var programs: [String] = []
    /// Whether the run is in simulated time.
    var isSimulated = false

    /// What it lacks, for the monitor: names, and names on one version (NAME@VERSION).
    var lacks: [String] { (lacking + removed).filter { !added.contains($0) } }

    /// Over what the harness's own session is dialled: the first transport that works, and the newest version there.
    ///
    /// Where every case has an embedded relay of its own, that would be a TLS handshake for each: there it is plain TCP. A
    /// relay that is wrong on purpose is watched over what the cases use.
    var control: (transport: TransportChoice, version: Version) {
        let newest = receptions.flatMap(\.versions).max()
        if isEmbedded, isSimulated, !isWrongOnPurpose, !protectsStreams, let newest { return (.one(.tcp), newest) }
        let works = receptions.first { !$0.versions.isEmpty }
        return (works?.transport ?? .one(.quic), works?.versions.max() ?? .lite06)
    }

    /// Why a case cannot be played against this relay; nil when it can.
    func reasonToSkip(_ scenario: ScenarioCase) -> String? {
        if let exclusion = scenario.exclusion { return exclusion }
        if let reason = Combination.reasonToLeaveOut(scenario) { return reason }
        for wanted in Combination.sessions(of: scenario) {
            if let reason = reasonToRefuse(wanted.version, wanted.transport) { return reason }
        }
        guard let version = Version(name: scenario.version) else { return "\(scenario.version) cannot be spoken" }
        if scenario.actors.contains(where: { $0.token?.needsKey == true }), !scenario.needs.contains("tokens"),
            let reason = reasonToLack("tokens", version)
        {
            return reason
        }
        if scenario.usesMedia, !scenario.needs.contains("media"), let reason = reasonToLack("media", version) {
            return reason
        }
        for need in scenario.needs {
            if let reason = reasonToLack(need, version) { return reason }
        }
        return scenario.reasonToLackPrograms(programs, isSimulated: isSimulated)
    }

    /// The capabilities that this relay lacks on one of the versions of a case.
    func lackedCapabilities(_ scenario: ScenarioCase) -> Set<String> {
        let versions = Combination.sessions(of: scenario).compactMap { Version(name: $0.version) }
        return Set(Capability.names.filter { name in versions.contains { reasonToLack(name, $0) != nil } })
    }

    private func reasonToRefuse(_ version: String, _ transport: String) -> String? {
        guard let version = Version(name: version) else { return "\(version) cannot be spoken" }
        guard let choice = TransportChoice(name: transport) else { return "\(transport) cannot be dialled" }
        guard let reception = receptions.first(where: { $0.transport == choice }) else {
            return "the relay was not asked for \(choice)"
        }
        if let refusal = reception.refusal { return refusal }
        return reception.versions.contains(version) ? nil : "the relay does not accept \(version) over \(choice)"
    }

    private func reasonToLack(_ name: String, _ version: Version) -> String? {
        guard let capability = Capability.named(name) else { return "no relay is known to have `\(name)`" }
        if removed.contains(name) { return "the relay is said to lack `\(name)`: \(capability.meaning)" }
        if removed.contains("\(name)@\(version.name)") {
            return "the relay is said to lack `\(name)` on \(version): \(capability.meaning)"
        }
        if added.contains(name) { return nil }
        if lacking.contains(name) { return "this relay has no `\(name)`: \(capability.meaning)" }
        switch capability.basis {
        case .version, .combination, .expected:
            return nil
        case .optional:
            return isEmbedded
                ? nil : "the relay is not said to have `\(name)` (--with \(name) says it): \(capability.meaning)"
        case .simulatedTime:
            return isSimulated ? nil : "the run is not in simulated time (--simulate, or --with \(name) to wait for it)"
        case .mediaLibraries: return MediaLibraries.problem
        case .tokenKey:
            return hasTokenKey
                ? nil : "the key with which the relay verifies tokens is not known (--token-key FILE gives it)"
        case .ownedRelay:
            if name == "signals" { return isProcess ? nil : "the relay is no process of the harness's own" }
            return isOwned ? nil : "the harness did not start the relay, so it cannot stop it"
        }
    }
}
