import MoqLite
import MoqTransport
import MoqWire

// Faults of codes: what is told where something ended before its time.
extension RelayFault {
    static let errorFaults = [
        groupCodeLost, refusalCodeLost, resetSwallowed, refusalWithheld, generationMixed,
    ]

    static let groupCodeLost = RelayFault(
        "group-code-lost", "The reset of a group carries 0, whatever its publisher said.",
        breaks: ["errors.passed-on-unchanged", "group.reset.prompt"], in: "errors",
        by: .wire { act, stream in
            if stream.isGroup, case .reset = act { [.reset(.code(0))] } else { [act] }
        })

    static let refusalCodeLost = RelayFault(
        "refusal-code-lost", "A refused subscription is reset with 0, whatever its publisher said.",
        breaks: ["errors.passed-on-unchanged", "errors.not-found.code"], in: "errors",
        by: .wire { act, stream in
            if stream.kind == .answer(.subscribe), case .reset = act { [.reset(.code(0))] } else { [act] }
        })

    static let resetSwallowed = RelayFault(
        "reset-swallowed", "A group that was reset upstream ends in good order.",
        breaks: ["errors.passed-on-unchanged", "group.never-completed-by-loss", "group.whole"], in: "errors",
        by: .wire { act, stream in
            if stream.isGroup, case .reset = act { [.finish] } else { [act] }
        })

    static let refusalWithheld = RelayFault(
        "refusal-withheld", "A subscription that its publisher refused stays open without an answer.",
        breaks: ["subscribe.refusal-is-reset", "subscribe.refusal-prompt"], in: "errors",
        by: .wire { act, stream in
            if stream.kind == .answer(.subscribe), stream.writes == 0, case .reset = act { [] } else { [act] }
        })

    static let generationMixed = RelayFault(
        "generation-mixed", "What the relay itself says on streams has the numbers of the other generation.",
        breaks: ["errors.one-generation", "errors.unroutable.code", "errors.not-found.code"], in: "errors",
        by: .configuration { $0.generation = $0.generation == .first ? .second : .first })
}
