import MoqBase

/// Turns the crank of machines on a virtual network in virtual time, without a single call to the operating system.
///
/// Waiting takes no time: a turn moves the clock to the next arrival or deadline. Everything is ordered by (instant,
/// order of cause), and chance comes from the seed, so the same machines with the same seed make the same run.
///
/// Datagrams and bytes take `baseLatency` from one machine to the other, and what the links of both add.
public final class SimulatedDriver: Driver {
    /// How long anything takes from one machine to another over perfect links: about what loopback takes, and never
    /// nothing, so that time moves whenever something is said.
    public static let baseLatency: Duration = .nanoseconds(Int64(latencyNanoseconds))
    private static let latencyNanoseconds: UInt64 = 50_000
    /// How many batches one machine may give in one turn; the rest waits for the next turn.
    static let batchesPerTurn = 1024
    /// How many turns may pass without the clock moving before something is taken to be broken.
    static let standstillLimit = 100_000
    /// The first port that the driver chooses (RFC 6335 section 6: the dynamic range).
    static let firstPort: UInt16 = 49_152
    /// When virtual time starts. Not 0, which C libraries like to take for "unset".
    static let start = Instant(nanoseconds: 1_000_000)

    public internal(set) var now = SimulatedDriver.start
    /// How much virtual time has passed.
    public var protocolTime: Duration { Self.start.duration(to: now) }
    /// Does nothing: a simulated turn never waits.
    public let waker: any Waker = NoWaker()

    let random: SeededRandom
    /// Bound machines in order of binding.
    private(set) var ports: [SimulatedPort] = []
    /// Those of them whose links are not transparent, in the same order: nobody else's links need be looked at.
    private var impaired: [SimulatedPort] = []
    /// The earliest deadline of a machine, as of the start of the turn.
    var machineDeadline: Instant?
    /// Unbound machines whose links still hold datagrams on the way out.
    private var departing: [SimulatedPort] = []
    private var directory: [NetworkAddress: SimulatedPort] = [:]
    private var boundCount = 0
    private var nextPort = SimulatedDriver.firstPort
    private var standstill = 0
    /// When what is sent now arrives over perfect links.
    var arrivalTime: Instant { Instant(nanoseconds: now.nanoseconds + Self.latencyNanoseconds) }
    /// Whether anything was given to a machine that somebody looks after.
    private var concernsOwner = false
    /// Whether a machine had more to send than one turn takes.
    var hasMoreToSend = false
    var wire = DueQueue<SimulatedArrival>()
    var listeners: [SimulatedListener] = []
    /// Open and opening ends of streams in order of creation.
    var streams: [SimulatedStream] = []
    /// How many ends of streams there were.
    var streamCount = 0
    var pastStreams = PastStreams()

    /// A virtual network without machines; every chance in it comes from `seed`.
    public init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    public func bind(_ machine: any DatagramMachine, to address: NetworkAddress) throws(DriverError) -> NetworkAddress {
        let taken = { [ports] (candidate: NetworkAddress) in
            ports.contains { $0.addresses.contains { $0.takes(candidate) || candidate.takes($0) } }
        }
        let address = try choosePort(address, isTaken: taken)
        let port: SimulatedPort
        if let known = find(machine) {
            guard !known.addresses.contains(where: { $0.isV6 == address.isV6 }) else {
                throw .cannotBind(address, "the machine has an address of this family already; unbind it first")
            }
            port = known
        } else {
            port = SimulatedPort(machine: machine, links: LinkPair(random: random.forked("link \(boundCount)")))
            boundCount += 1
            ports.append(port)
        }
        port.addresses.append(address)
        directory[address] = port
        return address
    }

    public func unbind(_ machine: any DatagramMachine) {
        guard let port = find(machine) else { return }
        collect(from: port)
        ports.removeAll { $0 === port }
        impaired.removeAll { $0 === port }
        for address in port.addresses { directory[address] = nil }
        port.isBound = false
        if port.links.outbound.nextDue != nil { departing.append(port) }
    }

    public func setLink(_ conditions: LinkConditions, of machine: any DatagramMachine) {
        guard let port = find(machine) else { return }
        port.links.change(to: conditions)
        impaired = ports.filter { !$0.links.isTransparent }
    }

    public func linkStatistics(of machine: any DatagramMachine) -> LinkStatistics {
        find(machine)?.links.statistics ?? LinkStatistics()
    }

    public func unreachable(_ machine: any DatagramMachine) -> Bool {
        find(machine)?.isUnreachable ?? false
    }

    public func turn(until limit: Instant) throws(DriverError) {
        let limit = max(limit, now)
        concernsOwner = false
        // What machines on their own answer one another takes no turn of those who look after the others.
        while try !isOver(until: limit), !concernsOwner {}
    }

    /// Sends what the machines have, goes to the next event, and hands over what became due. Gives whether the turn has
    /// come to its limit.
    private func isOver(until limit: Instant) throws(DriverError) -> Bool {
        hasMoreToSend = false
        machineDeadline = nil
        for port in ports {
            collect(from: port)
            machineDeadline = .earlier(machineDeadline, port.machine.deadline)
        }
        collectFromStreams()
        while true {
            guard let next = nextEvent() else {
                guard limit < .distantFuture else {
                    throw .system("nothing is under way and no machine has a deadline: this turn would never end")
                }
                now = limit
                return true
            }
            guard next <= limit else {
                now = limit
                return true
            }
            if next > now {
                now = next
                standstill = 0
            }
            let gave = arrive()
            if advanceMachines() || gave || hasMoreToSend { break }
        }
        standstill += 1
        if standstill > Self.standstillLimit {
            throw .system("virtual time stands still at \(now): a machine's deadline does not move on")
        }
        return false
    }

    /// Gives `address` a port that is free, or says that it is not.
    func choosePort(_ address: NetworkAddress, isTaken: (NetworkAddress) -> Bool) throws(DriverError)
        -> NetworkAddress
    {
        guard address.port == 0 else {
            if isTaken(address) {
                throw .cannotBind(address, "the port is in use; stop who uses it, or take port 0 to get a free one")
            }
            return address
        }
        for _ in Self.firstPort...UInt16.max {
            let candidate = NetworkAddress(host: address.host, port: nextPort)
            nextPort = nextPort == .max ? Self.firstPort : nextPort + 1
            if !isTaken(candidate) { return candidate }
        }
        throw .cannotBind(address, "every port of the dynamic range is in use; unbind some machines first")
    }

    private func find(_ machine: any DatagramMachine) -> SimulatedPort? {
        ports.first { $0.machine === machine }
    }

    private func nextEvent() -> Instant? {
        if hasMoreToSend { return now }
        var next = Optional.earlier(wire.nextDue, machineDeadline)
        for port in impaired { next = .earlier(next, port.links.nextDue) }
        for port in departing { next = .earlier(next, port.links.outbound.nextDue) }
        next = .earlier(next, nextStreamDue())
        return next.map { max($0, now) }
    }
}

extension SimulatedDriver {
    /// Takes what a machine has to send.
    private func collect(from port: SimulatedPort) {
        for _ in 0..<Self.batchesPerTurn {
            guard let batch = port.machine.transmit(at: now) else { return }
            if port.links.outbound.isTransparent {
                port.links.outbound.notePassed(batch.segmentCount)
                send(batch, from: port)
            } else {
                port.links.outbound.admit(batch, at: now)
            }
        }
        hasMoreToSend = true
    }

    /// Puts datagrams that passed the sender's link on the wire.
    private func send(_ batch: DatagramBatch, from port: SimulatedPort) {
        guard let source = port.source(towards: batch.remote) else {
            port.isUnreachable = true
            concernsOwner = true
            return
        }
        guard port.onTheWire < ImpairedLink.queueLimit else {
            port.links.outbound.noteOverflowed(batch.segmentCount)
            return
        }
        port.onTheWire += batch.segmentCount
        var batch = batch
        let destination = batch.remote
        batch.remote = source
        wire.insert(.datagrams(batch, destination: destination, sender: port), due: arrivalTime)
    }

    /// Lets everything that is due arrive. Gives whether a machine was told something.
    private func arrive() -> Bool {
        var gave = false
        for port in impaired { releaseOutbound(of: port) }
        if !departing.isEmpty {
            for port in departing { releaseOutbound(of: port) }
            departing.removeAll { $0.links.outbound.nextDue == nil }
        }
        releaseOutboundOfStreams()
        while let arrival = wire.popDue(at: now) {
            let told =
                switch arrival {
                case .datagrams(let batch, let destination, let sender):
                    deliver(batch, to: destination, from: sender)
                default: deliverToStream(arrival)
                }
            if told, arrival.isOfStream { concernsOwner = true }
            gave = told || gave
        }
        for port in impaired {
            while port.isBound, let batch = port.links.inbound.release(at: now) {
                give(batch, to: port)
                gave = true
            }
        }
        if releaseInboundOfStreams() {
            gave = true
            concernsOwner = true
        }
        if !impaired.isEmpty { impaired.removeAll { $0.links.isTransparent } }
        forgetFinishedStreams()
        return gave
    }

    private func releaseOutbound(of port: SimulatedPort) {
        while let batch = port.links.outbound.release(at: now) { send(batch, from: port) }
    }

    private func deliver(_ batch: DatagramBatch, to destination: NetworkAddress, from sender: SimulatedPort) -> Bool {
        sender.onTheWire -= batch.segmentCount
        guard let port = directory[destination] ?? wildcard(for: destination) else {
            sender.isUnreachable = true
            concernsOwner = true
            return sender.isBound
        }
        guard port.links.inbound.isTransparent else {
            port.links.inbound.admit(batch, at: now)
            return false
        }
        port.links.inbound.notePassed(batch.segmentCount)
        give(batch, to: port)
        return true
    }

    private func give(_ batch: DatagramBatch, to port: SimulatedPort) {
        port.isUnreachable = false
        if !port.machine.isOnItsOwn { concernsOwner = true }
        port.machine.receive(batch, at: now)
    }

    private func wildcard(for destination: NetworkAddress) -> SimulatedPort? {
        directory[NetworkAddress(host: .v4(0), port: destination.port)].flatMap { destination.isV6 ? nil : $0 }
            ?? directory[NetworkAddress(host: .v6(high: 0, low: 0), port: destination.port)]
    }

    private func advanceMachines() -> Bool {
        guard let machineDeadline, machineDeadline <= now else { return false }
        var advanced = false
        for port in ports {
            guard let deadline = port.machine.deadline, deadline <= now, port.isBound else { continue }
            if !port.machine.isOnItsOwn { concernsOwner = true }
            port.machine.advance(to: now)
            advanced = true
        }
        for stream in streams where stream.isBound {
            guard let deadline = stream.machine.deadline, deadline <= now else { continue }
            concernsOwner = true
            stream.machine.advance(to: now)
            advanced = true
        }
        return advanced
    }
}

/// The waker of a driver that never waits.
private struct NoWaker: Waker {
    func wake() {}
}
