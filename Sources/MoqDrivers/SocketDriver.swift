import CShim
import Glibc
import MoqBase

/// Turns the crank of machines on real sockets and the monotonic clock: one thread, one epoll set.
///
/// A turn sends, waits, receives. Instants are nanoseconds since the driver was made, less the time that a clock which
/// forgives lateness left out.
public final class SocketDriver: Driver {
    /// How many batches one machine may send in one turn before others get theirs (64 of 64 KB: 4 MB).
    static let batchesPerTurn = 64
    /// How many receive calls one socket gets in one turn, for the same reason (each up to 8 batches of 64 KB).
    static let receivesPerTurn = 4
    /// How long sockets of unbound machines stay open to send what links hold: longer than a link's usual delays.
    static let departureLimit: Duration = .seconds(5)

    /// How late a forgiving clock may be without anything being left out: what waking a thread takes on a machine that
    /// is not short of processors.
    static let latenessAllowed: Duration = .milliseconds(10)

    public private(set) var now = Instant.origin
    /// How much time the clock left out because the thread was not run, or had more to do than it could.
    public private(set) var forgiven = Duration.zero
    public var waker: any Waker { eventWaker }

    let epoll: EpollSet
    let buffer = ReceiveBuffer()
    private let eventWaker: EventWaker
    private let startedAt: UInt64
    private let forgivesLateness: Bool
    let random: SeededRandom
    /// Bound machines in order of binding.
    private var bindings: [SocketBinding] = []
    /// Those of them whose links are not transparent, in the same order: nobody else's links need be looked at.
    private var impaired: [SocketBinding] = []
    /// The earliest deadline of a datagram machine, as of the start of the turn.
    private var machineDeadline: Instant?
    /// Unbound machines that still have something on the way out, and until when they may take.
    private var departing: [(binding: SocketBinding, until: Instant)] = []
    private var boundCount = 0
    private var nextToken: UInt64 = 1
    /// Who is behind a token of the epoll set; 0 is the waker.
    var watched: [UInt64: Watched] = [:]

    var listeners: [StreamListener] = []
    /// Byte streams in order of creation.
    var connections: [StreamConnection] = []
    /// Connections of no machine whose far ends are to see nothing.
    var silenced: [StreamConnection] = []
    /// How many byte streams there were.
    var connectionCount = 0
    var pastStreams = PastStreams()

    /// What the epoll set watches.
    enum Watched {
        case datagrams(DatagramSocket)
        case listener(StreamListener)
        case connection(StreamConnection)
    }

    /// Makes a driver without machines. Chances of impaired links come from `linkSeed`.
    ///
    /// With `forgivesLateness` its clock stands still while this thread is kept from running: a machine that is short of
    /// processors then makes everything here take longer, and nothing miss its time. Where the driver measures (a
    /// benchmark) or serves others (a relay by itself) its clock has to be everybody's.
    public init(linkSeed: UInt64 = 0, forgivesLateness: Bool = false) throws(DriverError) {
        self.forgivesLateness = forgivesLateness
        epoll = try EpollSet()
        eventWaker = try EventWaker()
        random = SeededRandom(seed: linkSeed)
        startedAt = shim_monotonic()
        try epoll.add(eventWaker.descriptor, token: 0)
    }

    public func bind(_ machine: any DatagramMachine, to address: NetworkAddress) throws(DriverError) -> NetworkAddress {
        let known = find(machine)
        if let known, known.sockets.contains(where: { $0.isV6 == address.isV6 }) {
            throw .cannotBind(address, "the machine has an address of this family already; unbind it first")
        }
        // A machine that is leaving does not keep its port from the next.
        for entry in departing where entry.binding.sockets.contains(where: { $0.address.port == address.port }) {
            closeSockets(of: entry.binding)
        }
        departing.removeAll { $0.binding.sockets.isEmpty }

        let binding =
            known ?? SocketBinding(machine: machine, links: LinkPair(random: random.forked("link \(boundCount)")))
        let socket = try DatagramSocket(address, token: newToken(), binding: binding)
        try epoll.add(socket.descriptor, token: socket.token)
        watched[socket.token] = .datagrams(socket)
        binding.sockets.append(socket)
        if known == nil {
            boundCount += 1
            bindings.append(binding)
        }
        return socket.address
    }

    public func unbind(_ machine: any DatagramMachine) {
        guard let binding = find(machine) else { return }
        _ = binding.collect(at: now, limit: Self.batchesPerTurn)
        binding.isBound = false
        bindings.removeAll { $0 === binding }
        impaired.removeAll { $0 === binding }
        if binding.holdsOutbound {
            departing.append((binding, now.advanced(by: Self.departureLimit)))
        } else {
            closeSockets(of: binding)
        }
    }

    public func setLink(_ conditions: LinkConditions, of machine: any DatagramMachine) {
        guard let binding = find(machine) else { return }
        binding.links.change(to: conditions)
        impaired = bindings.filter { !$0.links.isTransparent }
    }

    public func linkStatistics(of machine: any DatagramMachine) -> LinkStatistics {
        find(machine)?.links.statistics ?? LinkStatistics()
    }

    public func unreachable(_ machine: any DatagramMachine) -> Bool {
        find(machine)?.isUnreachable ?? false
    }

    public func turn(until limit: Instant) throws(DriverError) {
        var isDone = false
        while !isDone {
            tick(due: now)
            let hasMore = sendEverything()
            let wake = hasMore ? now : Optional.earlier(nextDeadline(), limit)
            let ready = try epoll.wait(wake == .distantFuture ? nil : wake.map { now.duration(to: $0) })
            tick(due: wake.map { max($0, now) } ?? .distantFuture)
            isDone = hasMore || now >= limit
            for entry in ready { isDone = handle(entry) || isDone }
            isDone = advanceMachines() || isDone
        }
    }

    func newToken() -> UInt64 {
        defer { nextToken += 1 }
        return nextToken
    }

    /// Reads the clock, when this thread meant to be here at `due`, which is not in its past.
    private func tick(due: Instant) {
        let clock = Instant(nanoseconds: shim_monotonic() - startedAt)
        guard forgivesLateness else {
            now = clock
            return
        }
        let late = due.duration(to: clock.advanced(by: .zero - forgiven)) - Self.latenessAllowed
        if late > .zero { forgiven += late }
        now = clock.advanced(by: .zero - forgiven)
    }

    private func find(_ machine: any DatagramMachine) -> SocketBinding? {
        bindings.first { $0.machine === machine }
    }
}

extension SocketDriver {
    /// Sends what machines have and links let out. Gives whether a machine may have more right now.
    private func sendEverything() -> Bool {
        var hasMore = false
        for binding in impaired { binding.releaseOutbound(at: now) }
        machineDeadline = nil
        for binding in bindings {
            if binding.collect(at: now, limit: Self.batchesPerTurn) { hasMore = true }
            machineDeadline = .earlier(machineDeadline, binding.machine.deadline)
            if binding.hasNewsForEpoll { watchForRoom(binding) }
        }
        if !impaired.isEmpty { impaired.removeAll { $0.links.isTransparent } }
        if !departing.isEmpty { sendForDeparting() }
        return sendOnStreams() || hasMore
    }

    private func sendForDeparting() {
        for entry in departing {
            entry.binding.releaseOutbound(at: now)
            if entry.binding.holdsOutbound, now < entry.until {
                watchForRoom(entry.binding)
            } else {
                closeSockets(of: entry.binding)
            }
        }
        departing.removeAll { $0.binding.sockets.isEmpty }
    }

    private func watchForRoom(_ binding: SocketBinding) {
        binding.hasNewsForEpoll = false
        for socket in binding.sockets where socket.isBlocked != socket.isWatchedForRoom {
            socket.isWatchedForRoom = socket.isBlocked
            epoll.change(socket.descriptor, token: socket.token, wantsWrite: socket.isBlocked)
        }
    }

    private func nextDeadline() -> Instant? {
        var next = Optional.earlier(nextStreamDeadline(), machineDeadline)
        for binding in impaired {
            next = .earlier(next, binding.links.inbound.nextDue)
            if !binding.isBlocked { next = .earlier(next, binding.links.outbound.nextDue) }
        }
        for entry in departing {
            let due = entry.binding.isBlocked ? nil : entry.binding.links.outbound.nextDue
            next = .earlier(next, .earlier(due, entry.until))
        }
        return next
    }

    /// Does what a ready descriptor asks for. Gives whether the turn is over with it.
    private func handle(_ entry: EpollSet.Ready) -> Bool {
        guard entry.token != 0 else {
            eventWaker.settle()
            return true
        }
        switch watched[entry.token] {
        case .datagrams(let socket)?: return handle(socket, entry)
        case .listener(let listener)?: return accept(from: listener)
        case .connection(let connection)?: return connection.handle(entry, buffer: buffer, at: now)
        case nil: return false
        }
    }

    private func handle(_ socket: DatagramSocket, _ entry: EpollSet.Ready) -> Bool {
        let binding = socket.binding
        var gave = false
        if entry.hasFailed, socket.takeErrors(), binding.isBound {
            binding.isUnreachable = true
            gave = true
        }
        if entry.isWritable { socket.resume() }
        guard entry.isReadable else { return gave }
        for _ in 0..<Self.receivesPerTurn {
            switch buffer.receive(from: socket) {
            case .nothing: return gave
            case .refused:
                binding.isUnreachable = true
                gave = binding.isBound || gave
            case .batches(let batches, let mayHaveMore):
                for batch in batches where binding.isBound { gave = take(batch, for: binding) || gave }
                if !mayHaveMore { return gave }
            }
        }
        return gave
    }

    private func take(_ batch: DatagramBatch, for binding: SocketBinding) -> Bool {
        guard binding.links.inbound.isTransparent else {
            binding.links.inbound.admit(batch, at: now)
            return false
        }
        binding.links.inbound.notePassed(batch.segmentCount)
        binding.isUnreachable = false
        binding.machine.receive(batch, at: now)
        return true
    }

    /// Hands over what came out of links, and lets time-driven work happen. Gives whether there was any.
    private func advanceMachines() -> Bool {
        var gave = advanceStreams()
        for binding in impaired {
            while binding.isBound, let batch = binding.links.inbound.release(at: now) {
                binding.isUnreachable = false
                binding.machine.receive(batch, at: now)
                gave = true
            }
        }
        guard let machineDeadline, machineDeadline <= now else { return gave }
        for binding in bindings {
            if binding.isBound, let deadline = binding.machine.deadline, deadline <= now {
                binding.machine.advance(to: now)
                gave = true
            }
        }
        return gave
    }

    private func closeSockets(of binding: SocketBinding) {
        for socket in binding.sockets {
            epoll.remove(socket.descriptor)
            watched[socket.token] = nil
        }
        binding.sockets = []
    }
}
