import MoqBase

/// How a link treats datagrams on their way out of and in to one machine.
public struct LinkConditions: Hashable, Sendable {
    /// One-way delay.
    public var delay: Duration = .zero
    /// Uniformly added to the delay, up to this much.
    public var jitter: Duration = .zero
    /// Probability that a datagram is lost, 0 to 1.
    public var loss: Double = 0
    /// Probability that a datagram is delivered twice, 0 to 1.
    public var duplication: Double = 0
    /// Probability that a datagram is held back so that later ones overtake it, 0 to 1.
    public var reordering: Double = 0
    /// Bytes a second, nil for no limit.
    public var rate: UInt64?
    /// Whether nothing passes at all, in either direction.
    public var isCut = false

    public init() {}

    /// A link that does nothing to what passes.
    public static let perfect = LinkConditions()
}

/// What a link did so far: proof that an impairment really hit.
public struct LinkStatistics: Hashable, Sendable {
    public var passed: UInt64 = 0
    public var lost: UInt64 = 0
    public var duplicated: UInt64 = 0
    public var reordered: UInt64 = 0
    public var delayed: UInt64 = 0

    public init() {}
}

/// Why a driver could not do what it was asked.
public enum DriverError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A socket could not be opened or bound; the text says why and what to try.
    case cannotBind(NetworkAddress, String)
    /// A host name has no usable address.
    case cannotResolve(String, String)
    /// The operating system failed a call that does not fail in normal running.
    case system(String)

    public var description: String {
        switch self {
        case .cannotBind(let address, let why): "cannot bind \(address): \(why)"
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
    func bind(_ machine: any DatagramMachine, to address: NetworkAddress) throws(DriverError) -> NetworkAddress
    /// Takes the socket away again, after sending what the machine still has. Nothing happens for a stranger.
    func unbind(_ machine: any DatagramMachine)
    /// Changes the link of a machine from now on (both directions).
    func setLink(_ conditions: LinkConditions, of machine: any DatagramMachine)
    /// What the link of a machine did so far.
    func linkStatistics(of machine: any DatagramMachine) -> LinkStatistics

    /// Accepts byte streams; each gets the machine that `accept` makes for its peer, or is refused on nil.
    func listen(on address: NetworkAddress, accept: @escaping (NetworkAddress) -> (any ByteStreamMachine)?)
        throws(DriverError) -> NetworkAddress
    /// Stops accepting at an address that `listen` returned. Streams already accepted go on.
    func stopListening(at address: NetworkAddress)
    /// Dials a byte stream. A failure reaches the machine through `receiveEnd(failure:)`.
    func connect(_ machine: any ByteStreamMachine, to address: NetworkAddress) throws(DriverError)

    /// Turns the crank once: sends what the machines have, waits for the first arrival or deadline, but not past
    /// `limit`, and hands over what became due. In simulated time waiting takes no time.
    ///
    /// Returns once at least one machine was given something to do, or at `limit`.
    func turn(until limit: Instant) throws(DriverError)

    /// Makes a `turn` in progress on another thread return soon. Only this call may come from another thread.
    var waker: any Waker { get }
}

/// Interrupts a waiting driver from another thread.
public protocol Waker: Sendable {
    func wake()
}
