import MoqBase

/// One end of a virtual byte stream.
final class SimulatedStream {
    /// How far the handshake of TCP has come.
    enum Phase {
        /// Nothing was said.
        case new
        /// This end has knocked, or has answered a knock.
        case opening
        /// Bytes may be sent.
        case open
    }

    let machine: any ByteStreamMachine
    /// This end's virtual address.
    let address: NetworkAddress
    /// The far end's.
    let remote: NetworkAddress
    var links: StreamLinkPair
    /// The other end, from the moment of acceptance until it is over.
    weak var peer: SimulatedStream?
    var phase: Phase
    /// How many bytes sent from here have not arrived yet.
    var onTheWire = 0
    /// Whether the machine was not taken away.
    var isBound = true
    /// Whether this end has said that it sends nothing more.
    var hasSentEnd = false
    /// Whether the machine was told that the peer sends nothing more, or does not want to know.
    var hasHeardEnd = false

    init(
        machine: any ByteStreamMachine, address: NetworkAddress, remote: NetworkAddress, phase: Phase,
        links: StreamLinkPair
    ) {
        self.machine = machine
        self.address = address
        self.remote = remote
        self.phase = phase
        self.links = links
    }

    /// Whether nothing more can happen here. An end that was taken away over a cut link stays, so that whoever speaks
    /// to it is not told that it is gone.
    var isOver: Bool { hasSentEnd && hasHeardEnd && links.outbound.isEmpty && (isBound || !links.isCut) }

    /// Whether another piece may be under way.
    var hasRoom: Bool {
        onTheWire < links.outbound.allowance(with: peer?.links.inbound.conditions ?? .perfect)
    }
}
