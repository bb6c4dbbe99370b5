import MoqBase
import MoqDial
import MoqDrivers
import MoqLite
import MoqTransport
import MoqWire

/// One session with a relay on a driver. The owner turns the crank, calls `process`, and takes what happened.
public final class LiveSession {
    /// The session.
    public let session: LiteSession
    private let connection: Connection
    private let driver: any Driver

    /// How long a close may take to leave: it fits into one packet.
    private static let farewell = Duration.milliseconds(100)

    /// Begins to connect; several plans are a race. All chance of the session comes from `random`.
    public init(
        _ plans: [DialPlan], versions: [Version], on driver: any Driver, random: SeededRandom
    ) throws(LiveError) {
        var random = random
        self.driver = driver
        do throws(DialError) {
            connection = try Connection(racing: plans)
            try connection.attach(to: driver)
        } catch {
            throw .environment(error.description)
        }
        let hop = 1 + random.next() % ((1 << 52) - 1)
        session = LiteSession(
            transport: connection.transport,
            configuration: LiteConfiguration(
                versions: versions, hopID: hop, requestPath: plans.first?.route.requestPath))
    }

    /// What was agreed on.
    public var facts: ConnectionFacts { connection.facts }
    /// Whether the network says that nobody listens there.
    public var isUnreachable: Bool { connection.isUnreachable }
    /// How far the handshake came; nil or empty where nobody answered.
    public var standing: String? { connection.standing }
    /// The route in use.
    public var route: Route { connection.route }

    /// Takes what arrived; gives what happened, in order.
    public func process() -> [LiteEvent] {
        connection.advance(to: driver.now)
        session.process(at: driver.now)
        var events: [LiteEvent] = []
        while let event = session.poll() {
            if case .closed(let close) = event {
                events.append(.closed(connection.explained(close)))
            } else {
                events.append(event)
            }
        }
        return events
    }

    /// When `process` wants to be called at the latest.
    public var deadline: Instant? { session.deadline }

    /// Changes the link from now on.
    public func setLink(_ conditions: LinkConditions) { connection.setLink(conditions) }

    /// Nothing leaves and nothing arrives any more, from one moment to the next.
    public func cut() { connection.cut() }

    /// Closes in order, and lets the close leave.
    public func close() throws(DriverError) {
        session.close(code: CodeTable.numberToSend(for: .noError, in: .second, on: .close), reason: "")
        session.process(at: driver.now)
        connection.detach()
        let end = driver.now.advanced(by: Self.farewell)
        while driver.now < end { try driver.turn(until: end) }
    }
}
