import MoqBase

/// A machine and its UDP sockets.
final class SocketBinding {
    let machine: any DatagramMachine
    /// At most one of each family.
    var sockets: [DatagramSocket] = []
    var links: LinkPair
    /// The network said that nobody listens, and nothing arrived since.
    var isUnreachable = false
    /// Whether arrivals still reach the machine.
    var isBound = true

    init(machine: any DatagramMachine, links: LinkPair) {
        self.machine = machine
        self.links = links
    }

    /// Whether a socket has no room.
    private(set) var isBlocked = false
    /// Whether that changed since the epoll set was told.
    var hasNewsForEpoll = false

    /// Looks again whether a socket has no room.
    func noteRoom() {
        isBlocked = sockets.contains { $0.isBlocked }
        hasNewsForEpoll = true
    }

    /// Sends a batch that passed the link from the socket of its family.
    func send(_ batch: DatagramBatch) {
        guard let socket = sockets.first(where: { $0.reaches(batch.remote) }) else {
            isUnreachable = true
            return
        }
        socket.send(batch)
    }

    /// Sends what comes out of the link by `now`.
    func releaseOutbound(at now: Instant) {
        while !isBlocked, let batch = links.outbound.release(at: now) { send(batch) }
    }

    /// Whether something still has to go out.
    var holdsOutbound: Bool { isBlocked || links.outbound.nextDue != nil }

    /// Takes what the machine has to send, at most `limit` batches. Gives whether it may have more right now.
    func collect(at now: Instant, limit: Int) -> Bool {
        for _ in 0..<limit {
            guard !isBlocked, let batch = machine.transmit(at: now) else { return false }
            if links.outbound.isTransparent {
                links.outbound.notePassed(batch.segmentCount)
                send(batch)
            } else {
                links.outbound.admit(batch, at: now)
                releaseOutbound(at: now)
            }
        }
        return true
    }
}
