import MoqEvents
import MoqScenario

/// What the findings of a case amount to: under the profile that the relay is held to, and the list of known failures.
struct Ruling {
    /// The findings, as heavy as they are under the profile.
    private(set) var findings: [Finding]
    /// The verdict.
    private(set) var verdict: Verdict
    /// Why, in one line; nil when there is nothing to say.
    private(set) var reason: String?

    /// The ruling on what ended the steps of a case, if anything did, and on everything else that was found.
    init(_ failure: Finding?, _ others: [Finding], of caseID: String, _ options: RunOptions) {
        func informs(_ finding: Finding) -> Bool {
            guard finding.severity == .fail || finding.severity == .warn else { return false }
            return !finding.requirements.isEmpty && finding.requirements.allSatisfy(options.notHeldTo.contains)
        }
        let note = "not held to it under the profile \(options.profile.rawValue): "
        findings = others.map { finding in
            var finding = finding
            if informs(finding) {
                finding.severity = .note
                finding.headline = note + finding.headline
            }
            return finding
        }
        if var failure {
            if informs(failure) {
                // The steps ended here: the case neither passed, nor does it say anything against the relay.
                failure.severity = .skip
                failure.headline = note + failure.headline
            }
            findings.insert(failure, at: 0)
        }
        verdict = CaseReport.verdict(of: findings)
        reason = findings.first { $0.severity != .note }?.headline
        if let (known, why) = options.known?.verdict(of: caseID, verdict, findings) {
            (verdict, reason) = (known, why)
        }
    }
}
