/// Reads the verbs of the relay and of the network, and the conditions of links.
enum HarnessVerbs {
    /// The verbs of the relay.
    static let ofRelay = ["start", "stop", "restart", "signal"]
    /// The verbs of the network.
    static let ofNetwork = ["set", "cut", "restore"]

    static func relay(_ verb: String, _ reader: MappingReader, at span: SourceSpan) -> RelayAction? {
        let action: RelayAction?
        switch verb {
        case "start": action = .start
        case "stop": action = .stop
        case "restart": action = .restart(linger: reader.duration("linger"))
        case "signal":
            let signal = reader.need("name").flatMap {
                reader.context.word($0.value, "name", as: RelaySignal.self)
            }
            action = signal.map(RelayAction.signal)
        default:
            reader.context.unknownWord(
                verb, at: span, "`\(verb)` is not a verb of the relay",
                among: ofRelay + ["expect"])
            return nil
        }
        reader.finish()
        return action
    }

    static func network(
        _ verb: String, _ reader: MappingReader, at span: SourceSpan, actor name: String
    ) -> NetworkAction? {
        let change: NetworkAction.Change
        switch verb {
        case "set": change = .set(conditions(reader))
        case "cut": change = .cut
        case "restore": change = .restore
        default:
            reader.context.unknownWord(
                verb, at: span, "`\(verb)` is not a verb of `\(name)`, which is a network",
                among: ofNetwork)
            return nil
        }
        let actor = reader.text("for")
        let sessions = reader.context.actors.filter { $0.kind == .session || $0.kind == .raw || $0.kind.isClient }.map(
            \.name)
        if let actor, !sessions.contains(actor), let entry = reader.take("for") {
            reader.context.unknownWord(actor, at: entry.value.span, "there is no session `\(actor)`", among: sessions)
        }
        reader.finish()
        return NetworkAction(change: change, actor: actor)
    }

    /// Takes the keys that describe a link. The caller finishes the mapping.
    static func conditions(_ reader: MappingReader) -> NetworkConditions {
        var conditions = NetworkConditions()
        let context = reader.context
        conditions.delay = reader.duration("delay") ?? .zero
        conditions.jitter = reader.duration("jitter") ?? .zero
        conditions.loss = reader.take("loss").flatMap { context.share($0.value, "loss") } ?? 0
        conditions.duplicate = reader.take("duplicate").flatMap { context.share($0.value, "duplicate") } ?? 0
        conditions.reorder = reader.take("reorder").flatMap { context.share($0.value, "reorder") } ?? 0
        conditions.rate = reader.take("rate").flatMap { context.rate($0.value, "rate") }
        return conditions
    }
}
