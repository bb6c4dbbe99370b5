/// Reads the actors of a scenario.
struct ActorReader {
    let context: ReadingContext
    /// The further relays of the scenario.
    var relays: [FurtherRelay] = []

    func actors(_ node: YAMLNode) -> [ActorDefinition] {
        guard case .mapping(let entries) = node.content, !entries.isEmpty else {
            context.error(
                node.span, "`actors` is \(node.kindDescription)",
                expected: "the actors by name, such as `{ camera: session, viewer: session }`")
            return []
        }
        if context.shapes != nil {
            _ = entries.map { context.refers($0.value, to: ShapeRecorder.actor) }
            return []
        }
        return entries.compactMap(actor)
    }

    /// An actor, by its name.
    func actor(_ entry: YAMLNode.Entry) -> ActorDefinition? {
        let name = entry.key
        if relays.contains(where: { $0.name == name }) {
            context.error(entry.keySpan, "`\(name)` is a further relay already", expected: "another name")
        }
        if !Self.isName(name) {
            context.error(
                entry.keySpan, "`\(name)` cannot be the name of an actor",
                expected: "a letter, then letters, digits, `_` and `-`")
        }
        if case .scalar = entry.value.content {
            guard let kind = kind(entry.value, of: name, at: entry.keySpan) else { return nil }
            return definition(name, kind, entry)
        }
        guard let reader = MappingReader(entry.value, of: name, context: context) else { return nil }
        guard let kindEntry = reader.need("kind") else {
            context.error(entry.keySpan, "the actor `\(name)` has no `kind`", expected: Self.kinds)
            return nil
        }
        guard let kind = kind(kindEntry.value, of: name, at: entry.keySpan) else { return nil }
        var actor = definition(name, kind, entry)
        if kind == .program {
            program(reader, &actor)
            return actor
        }
        guard kind == .session || kind == .raw || kind.isClient else {
            if ActorKind.available.contains(kind) { reader.finish() }
            return actor
        }
        actor.path = reader.text("path")
        actor.relay = relay(reader)
        actor.version = reader.version("version")
        actor.transport = reader.transport("transport")
        actor.protocols = reader.texts("protocols")
        actor.serverName = reader.text("server_name")
        actor.authority = reader.text("authority")
        actor.tls = reader.truth("tls")
        if kind == .raw {
            let level = reader.word("at", as: RawLevel.self) ?? .lite
            actor.level = level
            if let transport = level.transport {
                reader.exclude("at", "transport", because: "the level says over what")
                actor.transport = transport
            }
            reader.exclude("at", "setup", because: "SETUP is a stream of `at: lite`")
            actor.sendsSetup = reader.truth("setup") ?? false
        } else if kind == .moqom {
            actor.moqom = moqom(reader, name)
        } else if kind.isClient {
            actor.profile = reader.word("profile", as: ClientProfile.self) ?? .ios
            if kind == .player {
                actor.targetBuffering = reader.duration("target_buffering")
                actor.decodes = reader.truth("decode") ?? false
            }
        } else {
            if let text = reader.text("announce") { actor.announce = text == "none" ? .none : .prefix(text) }
            actor.role = reader.word("role", as: SessionRole.self)
            actor.cost = reader.integer("cost")
            actor.hop = reader.integer("hop", in: 0...Self.greatestHop)
            actor.announcesByHand = reader.word("announces", as: Announcing.self) == .byHand
        }
        actor.keepsAlive = reader.word("keep_alive", as: KeepAlive.self) != KeepAlive.none
        if let token = reader.take("token") { actor.token = TokenReader(context: context).token(token) }
        if let link = reader.take("link"), let inner = MappingReader(link.value, of: "link", context: context) {
            actor.link = HarnessVerbs.conditions(inner)
            inner.finish()
        }
        if kind == .moqom { checkRenewal(actor, entry) }
        reader.finish()
        return actor
    }

    /// The further relay at which an actor is; nil for the one under test.
    private func relay(_ reader: MappingReader) -> String? {
        guard let relay = reader.take("relay"), let name = context.text(relay.value, "relay"),
            name != FurtherRelay.underTest
        else { return nil }
        if !relays.contains(where: { $0.name == name }) {
            context.unknownWord(
                name, at: relay.value.span, "there is no relay `\(name)`",
                among: [FurtherRelay.underTest] + relays.map(\.name))
        }
        return name
    }

    /// What can be said of an outside program: what its command is told of.
    private func program(_ reader: MappingReader, _ actor: inout ActorDefinition) {
        actor.program = reader.text("program")
        actor.relay = relay(reader)
        actor.version = reader.version("version")
        actor.transport = reader.transport("transport")
        if let token = reader.take("token") { actor.token = TokenReader(context: context).token(token) }
        reader.finish()
    }

    private enum KeepAlive: String, CaseIterable {
        case usual
        case none
    }

    /// Whether actors and relays can be called so.
    static func isName(_ name: String) -> Bool {
        name.first?.isLetter == true
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
    }

    /// Who answers the relay's requests for announcements.
    private enum Announcing: String, CaseIterable {
        case itself
        case byHand = "by_hand"
    }

    /// Running implementations keep hop ids in the whole numbers of a Double.
    private static let greatestHop: UInt64 = (1 << 53) - 1

    private static let kinds = "one of " + ActorKind.available.map { "`\($0.rawValue)`" }.joined(separator: ", ")

    private func definition(_ name: String, _ kind: ActorKind, _ entry: YAMLNode.Entry) -> ActorDefinition {
        ActorDefinition(
            name: name, kind: kind, location: context.text.location(of: entry.keySpan),
            level: kind == .raw ? .lite : nil, announce: kind == .session ? .wholeCase : .none,
            profile: kind.isClient && kind != .moqom ? .ios : nil,
            moqom: kind == .moqom ? MoqomSettings(user: name) : nil)
    }

    private func kind(_ node: YAMLNode, of name: String, at span: SourceSpan) -> ActorKind? {
        guard let text = context.text(node, "kind") else { return nil }
        guard let kind = ActorKind(rawValue: text) else {
            context.unknownWord(
                text, at: node.span, "`\(text)` is not a kind of actor", among: ActorKind.available.map(\.rawValue))
            // Its steps can be read all the same.
            return .session
        }
        if !ActorKind.available.contains(kind) {
            context.error(
                node.span, "the actor kind `\(text)` is not available in this release",
                expected: "`session`, which speaks the protocol itself")
        }
        let reserved = ["relay": ActorKind.relay, "network": .network]
        if let own = reserved[name], own != kind {
            context.error(span, "`\(name)` is the name of the \(name) itself", expected: "another name")
        }
        return kind
    }
}
