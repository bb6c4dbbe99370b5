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
        /// The order between objects that it is against, with its source; nil when its own machine refuses it.
        public var order: String?
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
        otherLines = groups.others
        let owners = TraceOrders.owners(groups.objects.map(\.definition))
        var visibilities: [String: TraceVisibility] = [:]
        var found = groups.objects.map { group in
            let name = group.definition.name
            let visibility =
                visibilities[name] ?? trace.observes.map { TraceVisibility($0) }
                ?? TraceVisibility(
                    lines: groups.steps.filter { groups.objects[$0.object].definition.name == name }.map(\.line),
                    of: group.definition)
            visibilities[name] = visibility
            return TraceObject(
                group.object, group.definition, visibility, beginsAnywhere: trace.beginsAnywhere,
                isOwner: owners.contains(name))
        }
        let orders = trace.isOrdered && !owners.isEmpty ? TraceOrders(found) : nil
        for step in groups.steps where found[step.object].refusal == nil {
            found[step.object].take(step.line)
            guard found[step.object].refusal == nil else { continue }
            if let refusal = orders?.refusal(step.object, step.line, found) {
                found[step.object].refusal = refusal
            } else {
                found[step.object].accepted += 1
            }
        }
        if !trace.isCut {
            for index in found.indices where found[index].refusal == nil {
                found[index].end()
                guard found[index].refusal == nil else { continue }
                found[index].refusal = orders?.refusalAtEnd(index, found)
            }
        }
        objects = found.map(\.result)
        coverage = TransitionCoverage()
        for object in objects { coverage.add(object.coverage) }
    }

    private struct Group {
        var object: String
        var definition: MachineDefinition
    }

    /// The objects in the order in which they appear, the lines that are about them, and how many are not.
    private static func groups(
        _ trace: Trace, _ machine: String?, _ profile: MachineProfile?, _ library: MachineLibrary
    ) throws(TraceError) -> (objects: [Group], steps: [(object: Int, line: TraceLine)], others: Int) {
        if let machine, !library.names.contains(machine) { throw Trace.unknown("machine", machine, library.names) }
        var groups: [Group] = []
        var steps: [(object: Int, line: TraceLine)] = []
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
                steps.append((position, line))
                continue
            }
            guard groups.count < mostObjects else { throw .tooMuch(what: "objects", most: mostObjects) }
            positions[id] = groups.count
            steps.append((groups.count, line))
            groups.append(Group(object: line.object, definition: try definition(word, profile, line.line, library)))
        }
        return (groups, steps, others)
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
