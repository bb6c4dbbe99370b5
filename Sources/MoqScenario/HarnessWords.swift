// What the harness itself says in the words of a scenario: its own sessions are actors too.

extension ActorDefinition {
    /// A session that the harness adds to a case.
    public static func session(named name: String) -> ActorDefinition {
        ActorDefinition(
            name: name, kind: .session, location: SourceLocation(file: "", line: 0, column: 0), path: nil, version: nil,
            announce: .wholeCase, link: nil)
    }
}

extension TrackReference {
    /// A track of a broadcast.
    public init(broadcast: String?, named track: String) {
        self.init(broadcast: broadcast, track: track)
    }
}
