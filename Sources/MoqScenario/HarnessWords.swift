// What the harness itself says in the words of a scenario: its own sessions are actors too.

extension ActorDefinition {
    /// A session that the harness adds to a case.
    public static func session(named name: String) -> ActorDefinition {
        ActorDefinition(
            name: name, kind: .session, location: SourceLocation(file: "", line: 0, column: 0), path: nil, version: nil,
            announce: .wholeCase, link: nil)
    }
}

extension ExpectStep {
    /// What must come of something that an actor did.
    public init(of actor: String, _ condition: ExpectationTree, within: Duration) {
        self.init(actor: actor, condition: condition, within: within, holds: nil)
    }
}

extension ConnectAction {
    /// A connection as the actor is set to make it.
    public init(path: String?, outcome: ConnectOutcome, within: Duration) {
        self.init(
            path: path, version: nil, transport: nil, protocols: nil, expect: outcome, within: within)
    }
}

extension CatalogAction {
    /// Changes of a catalog.
    public init(_ target: TrackReference, changes: [CatalogChange]) {
        self.init(target: target, changes: changes)
    }
}

extension TrackReference {
    /// A track of a broadcast.
    public init(broadcast: String?, named track: String) {
        self.init(broadcast: broadcast, track: track)
    }
}
