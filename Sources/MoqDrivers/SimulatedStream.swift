import MoqBase

/// One end of a virtual byte stream.
final class SimulatedStream {
    /// How many bytes of one direction are on the wire at most, as the buffers of a real connection would hold.
    static let window = 1 << 20

    let machine: any ByteStreamMachine
    /// This end's virtual address.
    let address: NetworkAddress
    /// The other end, from the moment of acceptance until this end has sent and heard everything.
    var peer: SimulatedStream?
    /// Whether bytes may be sent.
    var isOpen = false
    /// How many bytes sent from here have not arrived yet.
    var onTheWire = 0
    /// Whether this end has said that it sends nothing more.
    var hasSentEnd = false
    /// Whether the machine was told that the peer sends nothing more.
    var hasHeardEnd = false

    init(machine: any ByteStreamMachine, address: NetworkAddress) {
        self.machine = machine
        self.address = address
    }

    /// Whether nothing more can happen here.
    var isOver: Bool { hasSentEnd && hasHeardEnd }
}
