import MoqEvents

extension ExitStatus {
    /// The exit code, where reports may have been lost on their way to the disk: that is the environment's doing (3),
    /// and a pipeline must not take the run for a good one.
    public func code(withReportsLost isLost: Bool) -> Int32 {
        let environment = Reason.environment("").code
        guard isLost else { return code }
        switch reasons.first {
        case .interrupted, .terminated, .deadlinePassed, .usage, .environment, .errors: return code
        case .nondeterministic, .failures, .warnings, .knownFailures, .vacuous, .nothingChecked, nil:
            return environment
        }
    }
}
