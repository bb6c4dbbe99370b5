import MoqKit
import MoqRelay
import MoqTransport
import MoqWire

/// What a mutation run breaks: the embedded relay, or the client kits.
public enum Mutant: Sendable, CustomStringConvertible {
    /// A relay with a fault.
    case relay(RelayFault)
    /// Client kits with a fault.
    case kit(KitFault)

    /// All faults, those of relays first.
    public static let all: [Mutant] = RelayFault.all.map(Mutant.relay) + KitFault.all.map(Mutant.kit)

    /// The name of the fault.
    public var name: String {
        switch self {
        case .relay(let fault): fault.name
        case .kit(let fault): fault.name
        }
    }

    /// What is done wrong, in one sentence.
    public var about: String {
        switch self {
        case .relay(let fault): fault.about
        case .kit(let fault): fault.about
        }
    }

    /// Ids of the requirements that it breaks.
    public var requirements: [String] {
        switch self {
        case .relay(let fault): fault.requirements
        case .kit(let fault): fault.requirements
        }
    }

    /// The suite whose cases meet it.
    public var suite: String {
        switch self {
        case .relay(let fault): fault.suite
        case .kit(let fault): fault.suite
        }
    }

    /// The versions on which it shows; nil for all.
    public var versions: ClosedRange<Version>? {
        if case .relay(let fault) = self { fault.versions } else { nil }
    }

    /// The transports on which it shows; nil for all.
    public var transports: [TransportKind]? {
        if case .relay(let fault) = self { fault.transports } else { nil }
    }

    /// What is wrong with the relay; nil for nothing.
    var relayFault: RelayFault? { if case .relay(let fault) = self { fault } else { nil } }
    /// What is wrong with the client kits; nil for nothing.
    var kitFault: KitFault? { if case .kit(let fault) = self { fault } else { nil } }

    public var description: String { name }
}
