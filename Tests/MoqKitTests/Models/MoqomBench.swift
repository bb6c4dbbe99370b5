import MoqBase
import Testing

@testable import MoqKit

/// Sessions of MoqomKit for tests: a relay of a few lines between them, a clock that is set by hand, and the machines that
/// they are held to.
final class MoqomBench {
    /// A session, and its link to the relay.
    final class Client {
        let session: MoqomSession
        let port: ModelPort
        fileprivate(set) var dials = 0
        fileprivate(set) var closes = 0
        fileprivate var prefixes: [String] = []
        fileprivate var announced: [String] = []
        fileprivate var subscriptions: [(id: Int, path: String)] = []
        fileprivate(set) var events: [ModelEvent] = []

        fileprivate init(_ session: MoqomSession, _ port: ModelPort) {
            self.session = session
            self.port = port
        }

        /// The names of what was told, in order.
        var names: [String] { events.map(\.name) }
        /// The events of a name.
        func told(_ name: String) -> [ModelEvent] { events.filter { $0.name == name } }
        var room: MoqomRoom { session.rooms[0] }
    }

    private(set) var clients: [Client] = []
    private var newest: [String: [UInt8]] = [:]
    private var machines: [String: Machine] = [:]
    private(set) var now = Instant.origin
    /// Paths of which subscriptions are refused, with the code.
    var refused: [String: UInt64] = [:]

    /// A session that is established and, if a room is named, in it.
    func session(
        _ user: String, _ role: MoqomRole = .speaker, in room: String? = "den", number: Int = 1,
        tokenExpires: Instant? = nil,
        set: (inout MoqomSession.Settings) -> Void = { _ in }
    ) throws -> Client {
        var settings = MoqomSession.Settings(user: user)
        settings.role = role
        set(&settings)
        let port = ModelPort(at: now)
        let client = Client(MoqomSession(number: number, settings, port: port), port)
        clients.append(client)
        try client.session.connect()
        up(client, tokenExpires: tokenExpires)
        if let room { try client.session.join(room) }
        settle()
        return client
    }

    // MARK: Links

    /// What was dialled is up; whatever the client had on its link before is gone.
    func up(_ client: Client, tokenExpires: Instant? = nil) {
        settle()
        client.session.dialled(tokenExpires: tokenExpires)
        client.prefixes = []
        client.subscriptions = []
        client.session.linkUp()
        settle()
    }

    /// The link is gone, and the relay has noticed.
    func lose(_ client: Client, _ loss: MoqomSession.Loss = .other) {
        client.prefixes = []
        client.subscriptions = []
        for path in client.announced { withdraw(path, client) }
        client.session.linkLost(loss)
        settle()
    }

    /// The end of a subscription to a path, while it stays announced.
    func end(_ path: String, _ how: UpstreamEnd) {
        for client in clients {
            for entry in client.subscriptions where entry.path == path {
                client.subscriptions.removeAll { $0.id == entry.id }
                client.session.subscriptionEnded(entry.id, how)
            }
        }
        settle()
    }

    // MARK: Time

    /// Goes on in steps of 50 ms, so that what is due is done in its order.
    func advance(_ milliseconds: Int) {
        for _ in 0..<max(1, milliseconds / 50) {
            now = now.advanced(by: .milliseconds(50))
            for client in clients {
                client.port.now = now
                client.session.advance()
            }
            settle()
        }
    }

    // MARK: The relay

    /// Does what the sessions ask for until they ask for nothing more.
    func settle() {
        for _ in 0..<100 {
            var isQuiet = true
            for client in clients {
                client.port.now = now
                let requests = client.port.takeRequests()
                if !requests.isEmpty { isQuiet = false }
                for request in requests { perform(request, client) }
                client.events += client.port.takeEvents()
                for step in client.port.takeSteps() { check(step, client) }
            }
            if isQuiet { return }
        }
        Issue.record("the sessions never come to rest")
    }

    private func perform(_ request: TransportRequest, _ client: Client) {
        switch request {
        case .connect: client.dials += 1
        case .close:
            client.closes += 1
            client.prefixes = []
            client.subscriptions = []
            for path in client.announced { withdraw(path, client) }
        case .watch(let prefix):
            client.prefixes.append(prefix)
            for path in clients.flatMap(\.announced) where path.hasPrefix(prefix + "/") {
                client.session.announced(path)
            }
        case .unwatch(let prefix): client.prefixes.removeAll { $0 == prefix }
        case .announce(let path):
            if !client.announced.contains(path) { client.announced.append(path) }
            for other in clients where other.prefixes.contains(where: { path.hasPrefix($0 + "/") }) {
                other.session.announced(path)
            }
        case .withdraw(let path): withdraw(path, client)
        case .write(let path, _, let frames, _, _):
            newest[path] = frames.last?.payload
            for other in clients {
                for entry in other.subscriptions where entry.path == path {
                    other.session.frame(entry.id, frames.last?.payload ?? [])
                }
            }
        case .subscribe(let id, let path, _, _, _):
            if let code = refused[path] { return client.session.subscriptionEnded(id, .code(code)) }
            client.subscriptions.append((id, path))
            if let payload = newest[path] { client.session.frame(id, payload) }
        case .unsubscribe(let id): client.subscriptions.removeAll { $0.id == id }
        case .openTrack, .finishTrack, .dropTrack, .catalog: break
        }
    }

    private func withdraw(_ path: String, _ client: Client) {
        client.announced.removeAll { $0 == path }
        newest[path] = nil
        for other in clients where other.prefixes.contains(where: { path.hasPrefix($0 + "/") }) {
            other.session.unannounced(path)
        }
    }

    private func check(_ step: ModelStep, _ client: Client) {
        let key = "\(client.session.id) \(step.machine) \(step.object)"
        guard let definition = MachineLibrary.builtIn.machine(step.machine, .moqom) else {
            Issue.record("there is no machine \(step.machine)")
            return
        }
        var machine = machines[key] ?? Machine(definition)
        let before = machine.state
        let outcome = machine.take(step.input, step.values, choosing: step.state)
        machines[key] = machine
        switch outcome {
        case .undefined(let undefined): Issue.record("\(step.object): \(undefined)")
        case .refused: #expect(step.isRefused, "\(step.object): \(step.input) in \(before)")
        case .moved, .ignored:
            #expect(
                !step.isRefused && machine.state == step.state,
                "\(step.object): \(step.input) in \(before): \(machine.state)")
        }
    }
}

/// The reason for which a call is turned down; nil when it goes through.
func moqomReason(_ body: () throws -> Void) -> MoqomError.Reason? {
    do {
        try body()
        return nil
    } catch {
        return (error as? MoqomError)?.reason
    }
}
