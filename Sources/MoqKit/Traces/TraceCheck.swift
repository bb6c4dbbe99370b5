import MoqBase

/// A trace that is held against the machines of a library.
public struct TraceCheck: Sendable {
    /// Objects above this are no trace of a client.
    public static let mostObjects = 10_000

    /// What came of one object.
    public struct ObjectResult: Equatable, Sendable {
        /// The object.
        public var object: String
        /// What it was held against.
        public var machine: String
        /// Under which profile.
        public var profile: MachineProfile
        /// How many of its lines were accepted.
        public var accepted: Int
        /// The states that it may be in after them.
        public var states: [String]
        /// The first illegal step; nil when there is none.
        public var refusal: Refusal?
        /// Which transitions its lines showed beyond doubt.
        public var coverage = TransitionCoverage()
    }

    /// The first illegal step of an object.
    public struct Refusal: Equatable, Sendable {
        /// The line of the file; the last one of the object when something is missing after it.
        public var line: Int
        /// What the line shows; nil when the trace ends too early.
        public var came: String?
        /// What was legal there.
        public var legal: [String]
        /// Whether so much was possible that not everything was looked at: the step may be legal.
        public var isUncertain: Bool
    }

    /// The objects, in the order in which they appear.
    public var objects: [ObjectResult]
    /// Lines that are about other machines than the one that was asked for.
    public var otherLines: Int
    /// Which transitions lines showed beyond doubt.
    public var coverage: TransitionCoverage

    /// The first illegal step of the trace; nil when it is accepted.
    public var first: ObjectResult? {
        objects.filter { $0.refusal != nil }.min { ($0.refusal?.line ?? 0) < ($1.refusal?.line ?? 0) }
    }

    /// Holds a trace against one machine, or against those that its lines name.
    public init(
        _ trace: Trace, machine: String? = nil, profile: MachineProfile? = nil, library: MachineLibrary = .builtIn
    ) throws(TraceError) {
        let groups = try Self.groups(trace, machine, profile ?? trace.profile, library)
        if let machine, groups.objects.isEmpty { throw .nothingAbout(machine: machine) }
        objects = []
        coverage = TransitionCoverage()
        otherLines = groups.others
        for group in groups.objects {
            let visibility =
                trace.observes.map { TraceVisibility($0) }
                ?? TraceVisibility(
                    lines: groups.objects.filter { $0.definition.name == group.definition.name }.flatMap(\.lines),
                    of: group.definition)
            var acceptor = TraceAcceptor(group.definition, visibility, beginsAnywhere: trace.beginsAnywhere)
            var result = Self.result(group, &acceptor, isCut: trace.isCut)
            for (index, times) in acceptor.taken.sorted(by: { $0.key < $1.key }) {
                result.coverage.add(
                    machine: group.definition.name, profile: group.definition.profile,
                    key: group.definition.rules[index].key, times: times)
            }
            objects.append(result)
            coverage.add(result.coverage)
        }
    }

    private struct Group {
        var object: String
        var definition: MachineDefinition
        var lines: [TraceLine]
    }

    private static func result(_ group: Group, _ acceptor: inout TraceAcceptor, isCut: Bool) -> ObjectResult {
        var refusal: Refusal?
        var accepted = 0
        for line in group.lines {
            guard acceptor.take(line) else {
                refusal = Refusal(
                    line: line.line, came: line.summary, legal: acceptor.legal(),
                    isUncertain: acceptor.isBeyondBound)
                break
            }
            accepted += 1
        }
        if refusal == nil, !isCut, !acceptor.mayEnd() {
            refusal = Refusal(
                line: group.lines.last?.line ?? 1, came: nil, legal: acceptor.legal(),
                isUncertain: acceptor.isBeyondBound)
        }
        return ObjectResult(
            object: group.object, machine: group.definition.name, profile: group.definition.profile,
            accepted: accepted, states: acceptor.possibleStates(), refusal: refusal)
    }

    /// The lines by object, in the order in which objects appear.
    private static func groups(
        _ trace: Trace, _ machine: String?, _ profile: MachineProfile?, _ library: MachineLibrary
    ) throws(TraceError) -> (objects: [Group], others: Int) {
        if let machine, !library.names.contains(machine) { throw Trace.unknown("machine", machine, library.names) }
        var groups: [Group] = []
        var positions: [String: Int] = [:]
        var others = 0
        var kinds: [String: String] = [:]
        for line in trace.lines {
            if let named = line.machine ?? line.objectKind, kinds[line.object] == nil { kinds[line.object] = named }
            let named = line.machine ?? line.objectKind ?? kinds[line.object]
            if let machine, let named, named != machine, !isObject(named, of: machine, library) {
                others += 1
                continue
            }
            guard let word = machine ?? named else { throw .unclear(what: "machine", line: line.line) }
            let id = "\(word)\u{0}\(line.object)"
            if let position = positions[id] {
                groups[position].lines.append(line)
                continue
            }
            guard groups.count < mostObjects else { throw .tooMuch(what: "objects", most: mostObjects) }
            positions[id] = groups.count
            groups.append(
                Group(object: line.object, definition: try definition(word, profile, line.line, library), lines: [line])
            )
        }
        return (groups, others)
    }

    private static func isObject(_ word: String, of machine: String, _ library: MachineLibrary) -> Bool {
        library.definitions.contains { $0.name == machine && $0.object == word }
    }

    private static func definition(
        _ word: String, _ profile: MachineProfile?, _ line: Int, _ library: MachineLibrary
    ) throws(TraceError) -> MachineDefinition {
        let name = library.definitions.first { $0.name == word || $0.object == word }?.name
        guard let name else { throw Trace.unknown("machine", word, library.names) }
        let profiles = library.profiles(of: name)
        guard let profile = profile ?? (profiles.count == 1 ? profiles[0] : nil) else {
            throw .unclear(what: "profile", line: nil)
        }
        guard let definition = library.machine(name, profile) else {
            throw Trace.unknown("profile of `\(name)`", profile.rawValue, profiles.map(\.rawValue))
        }
        return definition
    }
}
