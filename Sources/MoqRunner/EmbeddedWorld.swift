import MoqBase
import MoqDial
import MoqDrivers
import MoqQUIC
import MoqRelay
import MoqScenario
import MoqTokens
import MoqTransport
import MoqWire

/// How the embedded relays of a run are made: one certificate for all, so that only the first costs.
struct EmbeddedRelaySettings: Sendable {
    /// The SHA-256 of the certificate.
    let fingerprint: String
    private let identity: QUICServerCredentials
    private let certificate: [UInt8]
    private let clients: DialCredentials
    private let keyLog: QUICKeyLog?
    private let generation: CodeGeneration
    private let isSimulated: Bool
    private let connectTimeout: Duration
    private let patience: Int
    private let tokenKey: JSONWebKey
    private let protectsStreams: Bool
    /// Whether versions that are not frozen are served: in runs that have cases of them.
    let servesUnfinished: Bool

    /// The request path of sessions at the embedded relay: what `moqspec relay` serves by default.
    static let path = "/anon"
    /// How long sessions at it may be silent.
    private static let idleTimeout = Duration.seconds(30)
    /// The validity of certificates in simulated time begins here, so that two runs have the same ones (2026-01-01).
    private static let simulatedNow: Int = 1_767_225_600

    init(keyLog: QUICKeyLog?, options: RunOptions) throws(RunnerError) {
        self.keyLog = keyLog
        generation = options.generation ?? .second
        isSimulated = options.isSimulated
        connectTimeout = options.connectTimeout
        patience = options.patience
        protectsStreams = options.protectsStreams
        servesUnfinished = options.cases.contains { scenario in
            Combination.sessions(of: scenario).contains { Version(name: $0.version)?.isReleased == false }
        }
        do {
            tokenKey = try options.tokenKey ?? TokenMint.freshKey(seed: options.seed)
            let server = try ServerIdentity.selfSigned(
                unixTime: isSimulated ? Self.simulatedNow : Int(ProcessClock.secondsSince1970))
            fingerprint = server.fingerprint
            certificate = server.certificateChain
            identity = try QUICServerCredentials(identity: server)
            clients = try DialCredentials(trust: .pinned([server.fingerprint]))
        } catch {
            throw .environment("the embedded relay cannot have a certificate: \(error)")
        }
    }

    /// A driver with a relay on it, ready to be dialled. The relay is wrong on purpose where a fault is given.
    func makeWorld(seed: UInt64, fault: RelayFault? = nil) throws(RunnerError) -> EmbeddedWorld {
        let driver: any Driver =
            isSimulated ? SimulatedDriver(seed: seed) : try PreparedTarget.socketDriver()
        let epoch = epoch(on: driver)
        let hop = 1 + (seed ^ 0x5EED) % ((1 << 52) - 1)
        return try EmbeddedWorld(
            driver: driver, seed: seed,
            make: { [self] in
                makeRelay(seed: seed, name: "relay \($0)", hop: hop, linger: $1, epoch: epoch, fault)
            },
            access: { [self] in access(to: $0, epoch: epoch) })
    }

    /// Writes the certificate, which is public, into a folder for those who are no sessions of the harness. Gives where
    /// it is; nil when that cannot be.
    func certificateFile(in folder: String) -> String? {
        guard let file = BoundedFile(path: "\(folder)/certificate.pem") else { return nil }
        file.write(line: String(decoding: certificate, as: UTF8.self))
        return file.path
    }

    /// What had passed since 1970 at the origin of a driver's clock.
    private func epoch(on driver: any Driver) -> Duration {
        let start = isSimulated ? Duration.seconds(Self.simulatedNow) : ProcessClock.since1970
        return start - Instant.origin.duration(to: driver.now)
    }

    /// How a relay at an address is met.
    private func access(to address: NetworkAddress, epoch: Duration) -> TargetAccess {
        TargetAccess(
            routes: TransportKind.allCases.map { kind in
                Route(
                    kind: kind, isSecure: protectsStreams, address: address, serverName: "localhost",
                    authority: "localhost:\(address.port)", requestPath: Self.path, credentials: clients)
            },
            keyLog: keyLog, connectTimeout: connectTimeout, patience: patience, certificate: fingerprint,
            nonce: isSimulated ? 0 : ProcessClock.freshSeed(), tokens: TokenMint(key: tokenKey, epoch: epoch))
    }

    /// A relay beside the one under test, bound to a port of the driver, and where it is.
    func makeFurtherRelay(
        _ definition: FurtherRelay, seed: UInt64, driver: any Driver
    ) throws(RunnerError) -> (relay: EmbeddedRelay, access: TargetAccess) {
        let epoch = epoch(on: driver)
        let hop = definition.hop ?? 1 + StableHash.of("\(definition.name)#\(seed)") % ((1 << 52) - 1)
        let relay = makeRelay(seed: seed, name: definition.name, hop: hop, epoch: epoch, nil)
        do {
            let address = try driver.bind(relay, on: [NetworkAddress.loopback(port: 0).host], port: 0) {
                [weak relay, unowned driver] remote in relay?.makeStream(from: remote, at: driver.now)
            }[0]
            return (relay, access(to: address, epoch: epoch))
        } catch {
            throw .environment("the relay `\(definition.name)` could not have a socket: \(error)")
        }
    }

    private func makeRelay(
        seed: UInt64, name: String, hop: UInt64, linger: Duration = .zero, epoch: Duration, _ fault: RelayFault?
    ) -> EmbeddedRelay {
        var configuration = RelayConfiguration(hopID: hop)
        configuration.generation = generation
        configuration.tokenKey = tokenKey
        configuration.epoch = epoch
        configuration.fault = fault
        configuration.versions = servesUnfinished ? Version.allCases.sorted(by: >) : Version.byPreference
        configuration.linger = linger
        var settings = QUICTransportSettings()
        settings.idleTimeout = Self.idleTimeout
        return EmbeddedRelay(
            configuration: configuration,
            server: QUICServerConfiguration(
                protocols: Version.protocolNames(for: Version.byPreference), credentials: identity, transport: settings,
                keyLog: keyLog),
            random: SeededRandom(seed: seed).forked(name))
    }
}

/// The embedded relay, in the same thread as the sessions that meet it, over real sockets or in simulated time.
final class EmbeddedWorld: World {
    let driver: any Driver
    private(set) var access: TargetAccess
    private let make: (UInt64, Duration) -> EmbeddedRelay
    private var relay: EmbeddedRelay?
    private var starts: UInt64 = 0
    private let address: NetworkAddress
    private var door: Door

    init(
        driver: any Driver, seed: UInt64, make: @escaping (UInt64, Duration) -> EmbeddedRelay,
        access: (NetworkAddress) -> TargetAccess
    ) throws(RunnerError) {
        self.driver = driver
        self.make = make
        let relay = make(0, .zero)
        relay.isOnItsOwn = true
        let door = Door(relay)
        do {
            let host = NetworkAddress.loopback(port: 0).host
            address = try driver.bind(relay, on: [host], port: 0) { [unowned driver] remote in
                door.relay?.makeStream(from: remote, at: driver.now)
            }[0]
        } catch {
            throw .environment("the embedded relay could not have a socket: \(error)")
        }
        self.relay = relay
        self.door = door
        self.access = access(address)
    }

    /// Which relay TCP connections go to.
    private final class Door {
        weak var relay: EmbeddedRelay?

        init(_ relay: EmbeddedRelay) {
            self.relay = relay
        }
    }

    func startRelay() throws(RunnerError) {
        guard relay == nil else { throw .unusable("the relay runs already") }
        starts += 1
        let relay = make(starts, linger)
        relay.isOnItsOwn = true
        let door = Door(relay)
        do {
            _ = try driver.bind(relay, on: [address.host], port: address.port) { [unowned driver] remote in
                door.relay?.makeStream(from: remote, at: driver.now)
            }
        } catch {
            throw .environment("the embedded relay could not have its socket again: \(error)")
        }
        self.relay = relay
        self.door = door
    }

    func warnRelay() -> Instant? { relay?.leave(at: driver.now) }

    // The harness's own session stays to the end.
    var isRelayDeserted: Bool { relay.map { $0.core.sessionCount <= 1 } ?? true }

    func stopRelay() throws(RunnerError) {
        guard let relay else { throw .unusable("the relay does not run") }
        relay.shutdown(reason: "stopped", at: driver.now)
        driver.unbind(relay)
        driver.stopListening(at: address)
        self.relay = nil
    }

    func signalRelay(_ signal: RelaySignal) throws(RunnerError) {
        throw .unusable("the embedded relay is no process, so it takes no signals")
    }

    func trouble() -> String? { nil }

    func held(under prefix: BroadcastPath) -> String? {
        guard let relay, let root = try? BroadcastPath(EmbeddedRelaySettings.path), let path = root.appending(prefix)
        else { return nil }
        var snapshot = relay.snapshot(under: path)
        // In a case that has the namespace alone, the harness's own session is among those that are held.
        if prefix.isEmpty { snapshot.sessions = max(0, snapshot.sessions - 1) }
        return snapshot.isEmpty ? nil : "the relay holds \(snapshot)"
    }

    private(set) var linger = Duration.zero

    func setLinger(_ linger: Duration) {
        self.linger = linger
    }
}
