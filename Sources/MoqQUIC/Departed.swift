import MoqBase

/// What is left of a connection that is over: enough to say so once more when the peer did not hear it.
final class Departed {
    let remote: NetworkAddress
    /// The packet with the close; empty when the peer closed, or nobody said anything.
    let packet: [UInt8]
    let identifiers: [ConnectionID]
    let until: Instant
    private var heard = 0

    init(remote: NetworkAddress, packet: [UInt8], identifiers: [ConnectionID], until: Instant) {
        self.remote = remote
        self.packet = packet
        self.identifiers = identifiers
        self.until = until
    }

    /// The close once more, for the first, second, fourth, eighth ... packet that still arrives (RFC 9000 section
    /// 10.2.1 asks for a limit).
    func answer() -> DatagramBatch? {
        heard += 1
        guard !packet.isEmpty, heard & (heard - 1) == 0 else { return nil }
        return DatagramBatch(remote: remote, datagram: packet)
    }
}
