import MoqBase

/// Why a driver could not do what it was asked.
public enum DriverError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A socket could not be opened or bound; the text says why and what to try.
    case cannotBind(NetworkAddress, String)
    /// This machine has no such address (no IPv6, say); the text says what to try.
    case addressUnavailable(NetworkAddress, String)
    /// A host name has no usable address.
    case cannotResolve(String, String)
    /// The operating system failed a call that does not fail in normal running.
    case system(String)

    public var description: String {
        switch self {
        case .cannotBind(let address, let why), .addressUnavailable(let address, let why):
            "cannot bind \(address): \(why)"
        case .cannotResolve(let host, let why): "cannot resolve \(host): \(why)"
        case .system(let why): why
        }
    }
}

/// Turns the crank of machines, in real or in simulated time.
public protocol Driver: AnyObject {
    /// The instant of the current turn.
    var now: Instant { get }

    /// Gives a machine a datagram socket. Port 0 lets the driver choose; the address in use is returned.
    ///
    /// A machine may have one address of each family: what it sends leaves from the one of the far end's family.
    /// `[::]` takes IPv4 as well.
    func bind(_ machine: any DatagramMachine, to address: NetworkAddress) throws(DriverError) -> NetworkAddress
    /// Takes the sockets away again. What the machine still has to send, and what its link still holds on the way
    /// out, is sent in the turns that follow. Nothing happens for a stranger.
    func unbind(_ machine: any DatagramMachine)
    /// Changes the link of a machine from now on (both directions). Nothing happens for a stranger.
    func setLink(_ conditions: LinkConditions, of machine: any DatagramMachine)
    /// What the link of a machine did since it was bound; zeros for a stranger.
    func linkStatistics(of machine: any DatagramMachine) -> LinkStatistics
    /// Whether the network said that nobody listens where the machine last sent to, and nothing arrived since.
    ///
    /// A `turn` returns when this becomes true.
    func unreachable(_ machine: any DatagramMachine) -> Bool

    /// Accepts byte streams; each gets the machine that `accept` makes for its peer, or is refused on nil.
    func listen(on address: NetworkAddress, accept: @escaping (NetworkAddress) -> (any ByteStreamMachine)?)
        throws(DriverError) -> NetworkAddress
    /// Stops accepting at an address that `listen` returned. Streams already accepted go on.
    func stopListening(at address: NetworkAddress)
    /// Dials a byte stream. A failure reaches the machine through `receiveEnd(failure:)`.
    ///
    /// Once the machine is finished and its bytes are out, its half of the stream is ended; what the peer still sends
    /// is handed over until the peer ends its half too. Set the link right behind this call to have it in force from
    /// the first packet on: setting up a stream takes one round trip of the link.
    func connect(_ machine: any ByteStreamMachine, to address: NetworkAddress) throws(DriverError)
    /// Takes a byte stream away from its machine. What the machine still has to say is sent in the turns that follow;
    /// then the stream ends in order if the machine was finished, else the peer sees it break. Over a cut link the peer
    /// sees nothing at all. Nothing happens for a stranger.
    func unbind(_ machine: any ByteStreamMachine)
    /// Changes the link of a byte stream from now on (both directions). `StreamLink` says what conditions mean for TCP:
    /// nothing is ever missing, all of them cost time. Nothing happens for a stranger.
    func setLink(_ conditions: LinkConditions, of machine: any ByteStreamMachine)
    /// What the link of a byte stream did, in segments, also after its end; zeros for a stranger.
    func linkStatistics(of machine: any ByteStreamMachine) -> LinkStatistics

    /// Turns the crank once: sends what the machines have, waits for the first arrival or deadline, but not past
    /// `limit`, and hands over what became due. In simulated time waiting takes no time.
    ///
    /// Returns once at least one machine was given something to do, or at `limit`; in simulated time machines on their
    /// own do not count. What the machines answer is sent at the start of the next turn, together with what their owner
    /// makes them say in between.
    func turn(until limit: Instant) throws(DriverError)

    /// Makes a `turn` in progress on another thread return soon. Only this call may come from another thread.
    var waker: any Waker { get }
}

/// Interrupts a waiting driver from another thread.
public protocol Waker: Sendable {
    /// Makes the turn in progress return, or else the next one.
    func wake()
}
