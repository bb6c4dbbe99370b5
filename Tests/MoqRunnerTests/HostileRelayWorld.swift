import MoqBase
import MoqDial
import MoqDrivers
import MoqQUIC
import MoqRelay
import MoqScenario
import MoqWire

@testable import MoqRunner

/// A simulated world with a hostile relay, which a well-behaved one can take the place of.
final class HostileRelayWorld: World, @unchecked Sendable {
    // Sendable because the thread that probes has finished before the only worker begins.
    let driver: any Driver = SimulatedDriver(seed: 7)
    let access: TargetAccess
    let hostile: HostileRelay
    private var cured: EmbeddedRelay?
    private let credentials: QUICServerCredentials

    init(_ mode: HostileRelay.Mode) throws {
        let identity = try ServerIdentity.selfSigned(unixTime: 1_767_225_600)
        credentials = try QUICServerCredentials(identity: identity)
        hostile = HostileRelay(mode, server: Self.server(credentials))
        let address = try driver.bind(hostile, to: .loopback(port: 0))
        access = TargetAccess(
            routes: [
                Route(
                    kind: .quic, isSecure: true, address: address, serverName: "localhost", authority: "localhost",
                    requestPath: "/anon",
                    credentials: try DialCredentials(trust: .pinned([identity.fingerprint])))
            ],
            keyLog: nil, connectTimeout: .seconds(2), nonce: 0)
        hostile.leave = { [unowned self] in driver.unbind(hostile) }
    }

    private static func server(_ credentials: QUICServerCredentials) -> QUICServerConfiguration {
        QUICServerConfiguration(protocols: Version.protocolNames(for: Version.byPreference), credentials: credentials)
    }

    /// Puts a well-behaved relay in the place of the hostile one, whose sessions all end.
    func cure() throws {
        guard cured == nil else { return }
        hostile.closeAll()
        driver.unbind(hostile)
        let relay = EmbeddedRelay(
            configuration: RelayConfiguration(hopID: 5), server: Self.server(credentials),
            random: SeededRandom(seed: 11))
        _ = try driver.bind(relay, to: access.routes[0].address)
        cured = relay
    }

    func startRelay() throws(RunnerError) { throw .unusable("not here") }
    func stopRelay() throws(RunnerError) { throw .unusable("not here") }
    func signalRelay(_ signal: RelaySignal) throws(RunnerError) { throw .unusable("not here") }
    func trouble() -> String? { nil }
    func held(under prefix: BroadcastPath) -> String? { nil }
    let linger = Duration.zero
}
