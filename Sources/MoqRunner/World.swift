import MoqBase
import MoqDrivers
import MoqScenario
import MoqWire

/// Where a worker plays: a driver, a relay, and what is known of it.
protocol World: AnyObject {
    /// Turns the crank.
    var driver: any Driver { get }
    /// Where the relay is.
    var access: TargetAccess { get }
    /// Begins the relay where the harness owns it.
    func startRelay() throws(RunnerError)
    /// Tells it that it will be stopped, and returns until when it may then take to see its sessions off; nil when there
    /// is nothing to wait for. A process hears of it by its signal.
    func warnRelay() -> Instant?
    /// Whether it has seen its sessions off.
    var isRelayDeserted: Bool { get }
    /// Ends it in good order.
    func stopRelay() throws(RunnerError)
    /// Sends it a signal.
    func signalRelay(_ signal: RelaySignal) throws(RunnerError)
    /// Why the relay cannot serve any more, if that is known: its process ended, nobody listens.
    func trouble() -> String?
    /// What the relay still holds under a path, in words; nil when nothing, or when that cannot be seen from outside.
    func held(under prefix: BroadcastPath) -> String?
    /// The time that a relay keeps what an abrupt end left behind.
    var linger: Duration { get }
    /// Sets that time for the next start of the relay.
    func setLinger(_ linger: Duration) throws(RunnerError)
}

extension World {
    func setLinger(_ linger: Duration) throws(RunnerError) {
        guard linger == self.linger else {
            throw .unusable("how long this relay keeps the broadcasts of lost publishers is not the harness's to say")
        }
    }
}

extension World {
    func warnRelay() -> Instant? { nil }
    var isRelayDeserted: Bool { true }
}
