/// One object of a trace while its lines are taken.
struct TraceObject {
    /// Its id.
    let name: String
    let definition: MachineDefinition
    var acceptor: TraceAcceptor
    /// What it belongs to, by the newest line that says so.
    var of: String?
    /// How many of its lines were accepted.
    var accepted = 0
    /// The line of the file that is its last one so far.
    var lastLine = 1
    /// Its first illegal step; what comes after it is not looked at.
    var refusal: TraceCheck.Refusal?
    /// The states that it may have been in so far; kept where orders ask for them.
    private(set) var reached: Set<String>
    private let keepsReached: Bool

    init(
        _ name: String, _ definition: MachineDefinition, _ visibility: TraceVisibility, beginsAnywhere: Bool,
        isOwner: Bool
    ) {
        self.name = name
        self.definition = definition
        acceptor = TraceAcceptor(definition, visibility, beginsAnywhere: beginsAnywhere)
        keepsReached = isOwner
        reached = isOwner ? acceptor.reachableStates() : []
    }

    /// Takes its next line against its own machine.
    mutating func take(_ line: TraceLine) {
        lastLine = line.line
        if let of = line.of { self.of = of }
        guard acceptor.take(line) else {
            refusal = TraceCheck.Refusal(
                line: line.line, came: line.summary, legal: acceptor.legal(), isUncertain: acceptor.isBeyondBound)
            return
        }
        if keepsReached { reached.formUnion(acceptor.reachableStates()) }
    }

    /// Takes the end of the trace.
    mutating func end() {
        guard refusal == nil, !acceptor.mayEnd() else { return }
        refusal = TraceCheck.Refusal(
            line: lastLine, came: nil, legal: acceptor.legal(), isUncertain: acceptor.isBeyondBound)
    }

    /// What came of it.
    var result: TraceCheck.ObjectResult {
        var result = TraceCheck.ObjectResult(
            object: name, machine: definition.name, profile: definition.profile, accepted: accepted,
            states: acceptor.possibleStates(), refusal: refusal)
        for (index, times) in acceptor.taken.sorted(by: { $0.key < $1.key }) {
            result.coverage.add(
                machine: definition.name, profile: definition.profile, key: definition.rules[index].key, times: times)
        }
        return result
    }
}
