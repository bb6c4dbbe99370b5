import MoqCommandLine
import MoqDial
import MoqRunner

/// The files of `--tls-root`.
enum TrustFiles {
    /// Says so when one of them is not there, or holds no certificate: before anything runs, as of every file that a
    /// flag names.
    static func check(_ trust: TargetTrust) throws(UsageError) {
        guard case .roots(let files) = trust else { return }
        for file in files {
            try InputFile.check(file, flag: "tls-root", mustBeRegular: true)
            do {
                _ = try DialCredentials(trust: .roots([file]))
            } catch {
                throw UsageError("--tls-root \(file): \(error)")
            }
        }
    }
}
