import MoqBase

/// The language of scenarios as data: what may stand where, learned from the readers themselves.
///
/// It knows keys and kinds of values. Whether names are declared and steps make sense is for the loader.
public struct ScenarioShapes {
    /// Something that is defined by itself.
    public struct Definition {
        /// Its name, by which others refer to it.
        public let name: String
        /// What it is.
        public let shape: ValueShape
    }

    /// A step `ACTOR.VERB`: what may be its arguments, each for another kind of actor.
    public struct Verb {
        /// Its name.
        public let name: String
        /// The definitions of its arguments.
        public internal(set) var arguments: [String]
    }

    /// A file.
    public static let suite = "suite"
    /// A scenario of a file.
    public static let scenario = ShapeRecorder.scenario
    /// A step: what it has is in `structural` and `verbs`.
    public static let step = ShapeRecorder.step

    /// All definitions but that of the steps, in the order in which the language is told.
    public private(set) var definitions: [Definition] = []
    /// The steps that give other steps their shape, each with the definition of what it has.
    public private(set) var structural: [(name: String, definition: String)] = []
    /// The verbs.
    public private(set) var verbs: [Verb] = []

    private let recorder = ShapeRecorder()
    private let context: ReadingContext

    /// The language, with the words of a release.
    public init(vocabulary: Vocabulary) {
        context = ReadingContext(
            text: SourceText(file: "", text: ""), vocabulary: vocabulary, shapes: recorder)
        let context = context
        define(Self.suite) { _ = SuiteReader(context: context).suite($0) }
        let scenarios = ScenarioReader(context: context, suite: "", defaults: SuiteDefaults())
        define(Self.scenario) { _ = scenarios.scenarioCase($0, []) }
        define(ShapeRecorder.matrix) { _ = MatrixReader(context: context).axes($0) }
        defineActors()
        defineSteps()
        defineVerbs()
        let free = ValueShape()
        free.leaves = [.anything]
        let renditions = ValueShape()
        renditions.others = free
        definitions.append(Definition(name: ShapeRecorder.renditions, shape: renditions))
    }

    /// Lets a reader read a mapping.
    private mutating func define(_ name: String, _ read: (YAMLNode) -> Void) {
        let recorder = recorder
        recorder.learn(name) { _ in read(recorder.mapping(name)) }
        if let shape = recorder.shape(name) { definitions.append(Definition(name: name, shape: shape)) }
    }

    private static func entry(_ key: String, _ value: YAMLNode) -> YAMLNode.Entry {
        YAMLNode.Entry(key: key, keySpan: value.span, value: value)
    }

    // MARK: Actors

    private static let actorKinds: [ActorKind] = ActorKind.available.filter { $0 != .relay && $0 != .network }

    /// An actor is the word for its kind, or a mapping that depends on it.
    private mutating func defineActors() {
        let reader = ActorReader(context: context)
        let whole = ValueShape()
        whole.leaves = [.words(ActorKind.available.map(\.rawValue))]
        for kind in Self.actorKinds {
            let name = "actor of kind \(kind.rawValue)"
            whole.references.append(name)
            recorder.fixed = ("kind", kind.rawValue)
            define(name) { _ = reader.actor(Self.entry("name", $0)) }
            recorder.fixed = nil
            // Of the key itself the reader has seen this one word only.
            definitions.last?.shape.members?.first { $0.key == "kind" }?.shape.leaves = [.words([kind.rawValue])]
        }
        definitions.append(Definition(name: ShapeRecorder.actor, shape: whole))
    }

    // MARK: Steps

    private mutating func defineSteps() {
        let reader = StepReader(context: context)
        let reads: [(String, (YAMLNode.Entry) -> Void)] = [
            ("parallel", { _ = reader.parallel($0) }), ("repeat", { _ = reader.repeated($0) }),
            ("after", { _ = reader.after($0) }), ("wait", { _ = reader.wait($0) }),
        ]
        for (name, read) in reads {
            // `parallel` and `wait` have no mapping.
            recorder.learn(name) { read(Self.entry(name, $0)) }
            guard let shape = recorder.shape(name) else { continue }
            definitions.append(Definition(name: name, shape: shape))
            structural.append((name, name))
        }
    }

    private mutating func defineVerbs() {
        for kind in ActorKind.available {
            let known: [(String, (MappingReader) -> Void)] =
                switch kind {
                case .session, .raw:
                    (kind == .raw ? SessionVerb.ofRawActors : SessionVerb.all).map { verb in
                        (verb.name, { _ = verb.read($0) })
                    }
                case .publisher, .player:
                    ClientVerb.verbs(of: kind).map { verb in (verb.name, { _ = ClientVerb.call(verb, $0) }) }
                case .relay: HarnessVerbs.ofRelay.map { verb in (verb, { Self.harness(verb, kind, $0) }) }
                case .network: HarnessVerbs.ofNetwork.map { verb in (verb, { Self.harness(verb, kind, $0) }) }
                case .moqom: MoqomVerb.all.map { verb in (verb.name, { _ = MoqomVerb.call(verb, $0) }) }
                case .program: ProgramVerb.all.map { verb in (verb.name, { _ = verb.read($0) }) }
                case .external: []
                }
            for (verb, read) in known { define(verb, of: kind, read) }
            let reader = StepReader(context: context)
            if kind == .network { continue }
            define("expect", of: kind) { _ = reader.expect($0, actor: "", kind: kind) }
            if kind == .relay { continue }
            define("never", of: kind) { _ = reader.never($0, actor: "", kind: kind) }
            if kind != .raw {
                let context = context
                define(ShapeRecorder.expectation(of: kind)) { node in
                    _ = MappingReader(node, of: "", context: context).map { reader.tree($0, of: kind) }
                }
            }
        }
    }

    private static func harness(_ verb: String, _ kind: ActorKind, _ reader: MappingReader) {
        if kind == .relay {
            _ = HarnessVerbs.relay(verb, reader, at: reader.span)
        } else {
            _ = HarnessVerbs.network(verb, reader, at: reader.span, actor: kind.rawValue)
        }
    }

    private mutating func define(_ verb: String, of kind: ActorKind, _ read: (MappingReader) -> Void) {
        let name = "\(verb) of a \(kind.rawValue)"
        let context = context
        define(name) { _ = MappingReader($0, of: name, context: context).map(read) }
        if let index = verbs.firstIndex(where: { $0.name == verb }) {
            verbs[index].arguments.append(name)
        } else {
            verbs.append(Verb(name: verb, arguments: [name]))
        }
    }
}
