import MoqBase
import MoqLite
import MoqQUIC
import MoqTransport
import MoqWire

/// One way in which the embedded relay can be wrong on purpose, to see which case notices.
///
/// A relay has at most one (`RelayConfiguration.fault`). Most faults change what passes between the relay and its
/// sessions (`Means`); the others live at one place in the relay's code, which asks `isBroken(by:)`.
public final class RelayFault: Sendable, CustomStringConvertible {
    /// Its name, in kebab case.
    public let name: String
    /// What a relay with it does, in one sentence.
    public let about: String
    /// Ids of the requirements that it breaks: a finding that names one of them has noticed it.
    public let requirements: [String]
    /// The suite whose cases meet it, also where none of them names the requirements; `errors` stands for `errors.*` too.
    public let suite: String
    /// The versions on which it shows; nil for all.
    public let versions: ClosedRange<Version>?
    /// The transports on which it shows; nil for all.
    public let transports: [TransportKind]?
    /// How it is done.
    let means: Means

    /// How a fault is done.
    enum Means: Sendable {
        /// The relay's own code asks for it, with `isBroken(by:)`.
        case core
        /// The relay is set up otherwise.
        case configuration(@Sendable (inout RelayConfiguration) -> Void)
        /// Its sessions are set up otherwise.
        case session(@Sendable (inout LiteConfiguration) -> Void)
        /// QUIC, and Qmux after it, is set up otherwise.
        case settings(@Sendable (inout QUICTransportSettings) -> Void)
        /// The binding itself is wrong.
        case binding(BindingFlaw)
        /// What sessions report reaches the relay otherwise: the events to go on with, in place of the one that came.
        case events(@Sendable (LiteEvent, EventScene) -> [LiteEvent])
        /// What is done on a stream is done otherwise: the acts to do, in place of the one that was wanted.
        case wire(@Sendable (WireAct, FaultyStream) -> [WireAct])
        /// Datagrams go out otherwise.
        case datagrams(@Sendable ([UInt8], FaultyTransport) -> [[UInt8]])
        /// A stream says otherwise whether it has room for more.
        case room(@Sendable (StreamID, FaultyTransport) -> Bool)
        /// Sessions are closed otherwise: with another code or reason, or not at all.
        case close(@Sendable (UInt64, String) -> (code: UInt64, reason: String)?)
    }

    init(
        _ name: String, _ about: String, breaks requirements: [String], in suite: String,
        versions: ClosedRange<Version>? = nil, transports: [TransportKind]? = nil, by means: Means
    ) {
        self.name = name
        self.about = about
        self.requirements = requirements
        self.suite = suite
        self.versions = versions
        self.transports = transports
        self.means = means
    }

    /// What it does to a binding; nil for nothing.
    var flaw: BindingFlaw? {
        if case .binding(let flaw) = means { flaw } else { nil }
    }

    /// Whether it changes frames, or the writing of them, and so takes them whole only.
    public var takesFramesWhole: Bool {
        switch means {
        case .events, .wire: true
        case .core, .configuration, .session, .settings, .binding, .datagrams, .room, .close: false
        }
    }

    /// All faults, family by family.
    public static let all: [RelayFault] =
        announceFaults + routeFaults + subscribeFaults + requestFaults + fetchFaults + groupFaults + trackFaults
        + errorFaults + codeFaults + setupFaults + transportFaults + hostileFaults + limitFaults + endFaults
        + chainFaults + sharingFaults + fetchSharingFaults + hopFaults + viewFaults + bindingFaults + breachFaults
        + memoryFaults + publisherFaults + passingFaults + clientFaults + returnFaults + roomFaults

    /// The fault of a name; nil when there is none.
    public static func named(_ name: String) -> RelayFault? {
        all.first { $0.name == name }
    }

    public var description: String { name }
}

extension RelayConfiguration {
    /// The configuration of a relay that has its fault.
    var broken: RelayConfiguration {
        guard case .configuration(let change) = fault?.means else { return self }
        var configuration = self
        change(&configuration)
        return configuration
    }
}

extension RelayCore {
    /// Whether the relay has this fault on purpose.
    func isBroken(by fault: @autoclosure () -> RelayFault) -> Bool {
        guard let own = configuration.fault else { return false }
        return own === fault()
    }
}

/// What a fault remembers of one relay.
final class FaultMemory {
    private var counts: [String: Int] = [:]

    private var numbers: [String: UInt64] = [:]

    /// How often it was asked for this key, this time included.
    func count(_ key: String) -> Int {
        counts[key, default: 0] += 1
        return counts[key] ?? 0
    }

    /// The number that was noted under a key; nil for none.
    func number(_ key: String) -> UInt64? { numbers[key] }

    /// Notes a number under a key, or forgets it.
    func note(_ key: String, _ number: UInt64?) { numbers[key] = number }

    /// Notes that something was there.
    func note(_ key: String) { numbers[key] = 1 }

    /// Whether something was noted under a key.
    func has(_ key: String) -> Bool { numbers[key] != nil }
}
