import MoqEvents

extension ExitStatus {
    /// The exit code, where reports may have been lost on their way to the disk: that is the environment's doing (3),
    /// and a pipeline must not take the run for a good one.
    public func code(withReportsLost isLost: Bool) -> Int32 {
        isLost ? Self.codeWithOutputLost(code) : code
    }

    /// The exit code of a command that would have ended with `code`, had all that it writes arrived: signals, the deadline
    /// and mistakes of the command line go before.
    static func codeWithOutputLost(_ code: Int32) -> Int32 {
        let before: [Reason] = [.interrupted, .terminated, .deadlinePassed, .usage("")]
        return before.contains { $0.code == code } ? code : Reason.environment("").code
    }
}
