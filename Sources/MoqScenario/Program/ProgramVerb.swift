/// A verb of the actors that are outside programs: its name, and how its arguments are read.
struct ProgramVerb: Sendable {
    let name: String
    /// Reads the arguments; nil after reporting what is wrong. The caller finishes the mapping.
    let read: @Sendable (MappingReader) -> ProgramAction?

    /// The verbs, in the order in which the documentation tells them.
    static let all: [ProgramVerb] = [
        ProgramVerb(name: "start") { reader in
            .start(
                StartProgramAction(broadcast: reader.text("broadcast"), arguments: reader.texts("arguments") ?? []))
        },
        ProgramVerb(name: "tell") { reader in
            guard let line = reader.neededText("line") else { return nil }
            guard !line.contains(where: \.isNewline) else {
                reader.context.error(
                    reader.span, "the `line` of `\(reader.what)` is several lines", expected: "a step for each of them")
                return nil
            }
            return .tell(line: line)
        },
        ProgramVerb(name: "end_input") { _ in .endInput },
        ProgramVerb(name: "signal") { reader in
            reader.need("name").flatMap { reader.context.word($0.value, "name", as: RelaySignal.self) }
                .map(ProgramAction.signal)
        },
        ProgramVerb(name: "stop") { reader in
            let signal = reader.word("signal", as: RelaySignal.self) ?? .term
            if signal == .stop || signal == .resume {
                reader.context.error(
                    reader.span,
                    "`\(reader.what)` waits for an end that the signal `\(signal.rawValue)` does not bring",
                    expected: "`term`, `int`, `hup` or `kill`; `signal` sends one without waiting")
            }
            return .stop(
                StopProgramAction(
                    signal: signal, grace: reader.duration("grace") ?? StopProgramAction.usualGrace))
        },
    ]
}
