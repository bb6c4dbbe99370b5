import MoqEvents

/// What a command writes to: standard output, standard error, and the files that its flags name. It is what knows, at the
/// end, whether all of it arrived: a command whose words found no room has not done what it was asked for.
public final class CommandOutput {
    /// Standard output, one for the whole command.
    public let standard: OutputFile
    /// Standard error.
    public let errors: OutputFile
    private var files: [OutputFile] = []

    /// The output of the process.
    public convenience init() {
        self.init(standard: .standardOutput(), errors: .standardError())
    }

    /// An output to other files than those of the process.
    init(standard: OutputFile, errors: OutputFile) {
        self.standard = standard
        self.errors = errors
    }

    /// Where people read: standard output, unless a report `isTaken` has it for itself.
    public func screen(isTaken: Bool) -> OutputFile { isTaken ? errors : standard }

    /// The file at a path, made empty; standard output where there is none or it is `-`. `flag` is what asked for it.
    public func file(_ path: String?, flag: String) throws(UsageError) -> OutputFile {
        guard let path, path != "-" else { return standard }
        let file = try OutputFile(creating: path, flag: flag)
        files.append(file)
        return file
    }

    /// What could not be written, and why; nil when all was. Whoever stops reading standard output has had enough of
    /// it, as `head` has.
    public var loss: String? {
        if let problem = standard.problem, !standard.isReaderGone { return problem }
        return files.lazy.compactMap(\.problem).first
    }

    /// The exit code of a command that would have ended with `code`.
    public func code(_ code: Int32) -> Int32 {
        loss == nil ? code : ExitStatus.codeWithOutputLost(code)
    }
}
