/// What can be done to a relay whose process the harness owns.
public enum RelayAction: Equatable, Sendable {
    /// Starts it, and waits until it is ready.
    case start
    /// Ends it in good order, and waits until it is gone.
    case stop
    /// Stops and starts it. `linger` is how long it is then to keep the broadcasts of publishers that were lost; nil for
    /// the usual.
    case restart(linger: Duration?)
    /// Sends it a signal.
    case signal(RelaySignal)
}

/// Signals for a process: of the relay, or of an outside program.
public enum RelaySignal: String, CaseIterable, Equatable, Sendable {
    case term, kill, int, hup, stop
    /// Lets a stopped process run again.
    case resume = "cont"
}

/// What can be done to the links.
public struct NetworkAction: Equatable, Sendable {
    /// What changes.
    public enum Change: Equatable, Sendable {
        /// These conditions from now on.
        case set(NetworkConditions)
        /// Nothing passes, in either direction.
        case cut
        /// Back to what the scenario began with.
        case restore
    }
    /// What changes.
    public var change: Change
    /// The actor whose link it is; nil for all.
    public var actor: String?
}
