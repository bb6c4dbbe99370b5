import MoqScenario
import MoqTransport
import MoqWire

/// What a version and a transport can and cannot do together, whatever relay is met: what a case needs and such a pair
/// cannot have, no relay can be asked for.
public enum Combination {
    /// The versions and transports of the sessions of a case: its own, and those that actors and steps name.
    public static func sessions(of scenario: ScenarioCase) -> [(version: String, transport: String)] {
        var found: [(version: String, transport: String)] = []
        func add(_ version: String?, _ transport: String?) {
            let pair = (version: version ?? scenario.version, transport: transport ?? scenario.transport)
            if !found.contains(where: { $0 == pair }) { found.append(pair) }
        }
        add(nil, nil)
        for relay in scenario.relays { add(relay.version, relay.transport) }
        for actor in scenario.actors { add(actor.version, actor.transport) }
        for (name, connect) in scenario.steps.connects {
            let actor = scenario.actor(named: name)
            add(connect.version ?? actor?.version, connect.transport ?? actor?.transport)
        }
        return found
    }

    /// Why a case cannot exist with its version and its transport; nil when it can.
    public static func reasonToLeaveOut(_ scenario: ScenarioCase) -> String? {
        guard let version = Version(name: scenario.version), let choice = TransportChoice(name: scenario.transport)
        else { return nil }
        for need in scenario.needs {
            guard let capability = Capability.named(need) else { continue }
            if case .version(let from) = capability.basis, version < from {
                return "\(version) has no `\(need)`: \(capability.meaning)"
            }
            if let reason = reasonOfTransport(need, version, choice) { return reason }
        }
        if scenario.losesPackets, let stream = choice.candidates.first(where: { !$0.usesDatagrams }) {
            return "\(stream) runs over TCP, where a link loses, doubles and reorders nothing that could be seen"
        }
        return nil
    }

    private static func reasonOfTransport(
        _ need: String, _ version: Version, _ choice: TransportChoice
    ) -> String? {
        switch need {
        case "datagrams":
            guard let without = choice.candidates.first(where: { !$0.carriesDatagrams }) else { return nil }
            return "\(without) carries no datagrams"
        case "request-path", "path-scoping":
            guard !version.hasSetup, let without = choice.candidates.first(where: { !$0.carriesRequestPath }) else {
                return nil
            }
            return "\(version) carries no request path on \(without): it has no SETUP, and the transport no request"
        case "request-url":
            return choice.candidates.first { !$0.carriesRequestPath }.map { "\($0) has no request with a URL" }
        default:
            return nil
        }
    }
}

extension ScenarioCase {
    /// Whether a link of the case loses, doubles or reorders packets.
    var losesPackets: Bool {
        conditions.contains { $0.loss > 0 || $0.duplicate > 0 || $0.reorder > 0 }
    }

    /// Whether steps of the case go on side by side on links whose delay varies: which comes first is then chance.
    var racesOnLinks: Bool {
        conditions.contains { $0.jitter > .zero } && steps.goSideBySide
    }

    /// Whether publishers of client kits write in it: they capture by the clock, not step by step.
    var writesByTheClock: Bool {
        actors.contains { $0.kind == .publisher || $0.kind == .moqom }
    }

    /// What its links are like, at any time.
    private var conditions: [NetworkConditions] {
        var all = [network] + actors.map(\.link) + relays.map(\.link)
        all += steps.networkActions.map { if case .set(let conditions) = $0.change { conditions } else { nil } }
        return all.compactMap { $0 }
    }
}

extension [Step] {
    /// Whether some go on side by side.
    fileprivate var goSideBySide: Bool {
        contains { step in
            switch step.kind {
            case .parallel: true
            case .repeat(let inner): inner.firstRound.goSideBySide
            case .after(let inner): inner.steps.goSideBySide
            case .session, .client, .program, .relay, .network, .expect, .never, .wait: false
            }
        }
    }

    /// Every change of a link in them.
    fileprivate var networkActions: [NetworkAction] {
        flatMap { step -> [NetworkAction] in
            switch step.kind {
            case .network(let action): [action]
            case .parallel(let branches): branches.flatMap(\.networkActions)
            case .repeat(let inner): inner.firstRound.networkActions
            case .after(let inner): inner.steps.networkActions
            case .session, .client, .program, .relay, .expect, .never, .wait: []
            }
        }
    }

    /// Every `connect` in them, with the actor that it is of.
    var connects: [(actor: String, connect: ConnectAction)] {
        flatMap { step -> [(actor: String, connect: ConnectAction)] in
            switch step.kind {
            case .session(let name, .connect(let connect)): [(name, connect)]
            case .parallel(let branches): branches.flatMap(\.connects)
            case .repeat(let inner): inner.firstRound.connects
            case .after(let inner): inner.steps.connects
            case .session, .client, .program, .relay, .network, .expect, .never, .wait: []
            }
        }
    }
}
