import MoqBase

/// A machine on the virtual network.
final class SimulatedPort {
    let machine: any DatagramMachine
    /// The virtual addresses, at most one of each family.
    var addresses: [NetworkAddress] = []
    var links: LinkPair
    /// How many datagrams have left and not arrived yet, impaired links aside.
    var onTheWire = 0
    /// A datagram found nobody, and nothing arrived since.
    var isUnreachable = false
    /// Whether arrivals still reach the machine.
    var isBound = true

    init(machine: any DatagramMachine, links: LinkPair) {
        self.machine = machine
        self.links = links
    }

    /// The address that datagrams to `remote` leave from, or nil when no address has a fitting family.
    func source(towards remote: NetworkAddress) -> NetworkAddress? {
        for address in addresses where address.isV6 == remote.isV6 {
            return address.isWildcard ? NetworkAddress(host: remote.host, port: address.port) : address
        }
        for address in addresses where address.isV6 && address.isWildcard {
            return NetworkAddress(host: remote.host, port: address.port)
        }
        return nil
    }
}

/// Something on the virtual wire.
enum SimulatedArrival {
    /// Datagrams of `sender` for `destination`; the batch names their source.
    case datagrams(DatagramBatch, destination: NetworkAddress, sender: SimulatedPort)
    /// A stream's first knock.
    case dial(SimulatedStream)
    /// Something for an end of a stream.
    case piece(StreamPiece, SimulatedStream)

    var isOfStream: Bool {
        if case .datagrams = self { false } else { true }
    }
}

extension NetworkAddress {
    var isV6: Bool {
        if case .v6 = host { true } else { false }
    }

    /// Whether this is 0.0.0.0 or [::], every address of the family ([::]: of both).
    var isWildcard: Bool {
        switch host {
        case .v4(let word): word == 0
        case .v6(let high, let low): high == 0 && low == 0
        }
    }

    /// Whether a datagram to `destination` arrives at a socket bound to this address.
    func takes(_ destination: NetworkAddress) -> Bool {
        guard port == destination.port else { return false }
        return self == destination || isWildcard && (isV6 || !destination.isV6)
    }
}
