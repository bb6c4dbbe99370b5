import MoqBase
import MoqLite
import MoqTransport
import MoqWire

/// Two sessions over one connection in memory, and what their owners were told.
final class SessionPair {
    let client: LiteSession
    let server: LiteSession
    let clientTransport: InMemoryTransport
    let serverTransport: InMemoryTransport
    private(set) var now = Instant.origin
    private var clientEvents: [LiteEvent] = []
    private var serverEvents: [LiteEvent] = []

    static let clientHop: UInt64 = 11
    static let serverHop: UInt64 = 22

    init(
        _ version: Version, clientLimits: InMemoryLimits = InMemoryLimits(),
        serverLimits: InMemoryLimits = InMemoryLimits(), requestPath: String? = nil,
        configure: (inout LiteConfiguration, EndpointRole) -> Void = { _, _ in }
    ) {
        (clientTransport, serverTransport) = InMemoryTransport.pair(
            negotiatedProtocol: version.alpn, requestPath: requestPath, clientLimits: clientLimits,
            serverLimits: serverLimits)
        var clientConfiguration = LiteConfiguration(versions: [version], hopID: Self.clientHop)
        var serverConfiguration = LiteConfiguration(versions: [version], hopID: Self.serverHop)
        configure(&clientConfiguration, .client)
        configure(&serverConfiguration, .server)
        client = LiteSession(transport: clientTransport, configuration: clientConfiguration)
        server = LiteSession(transport: serverTransport, configuration: serverConfiguration)
    }

    /// Limits under which every read gives one byte.
    static var byteByByte: InMemoryLimits {
        var limits = InMemoryLimits()
        limits.readSize = 1
        return limits
    }

    /// A pair whose sessions are established, with nothing left to be told.
    static func established(
        _ version: Version, clientLimits: InMemoryLimits = InMemoryLimits(),
        serverLimits: InMemoryLimits = InMemoryLimits(),
        configure: (inout LiteConfiguration, EndpointRole) -> Void = { _, _ in }
    ) -> SessionPair {
        let pair = SessionPair(
            version, clientLimits: clientLimits, serverLimits: serverLimits, configure: configure)
        _ = pair.clientTold()
        _ = pair.serverTold()
        return pair
    }

    /// Lets both sides work until neither has anything more to say.
    func run() {
        var isQuiet = false
        while !isQuiet {
            client.process(at: now)
            server.process(at: now)
            isQuiet = true
            while let event = client.poll() {
                clientEvents.append(event)
                isQuiet = false
            }
            while let event = server.poll() {
                serverEvents.append(event)
                isQuiet = false
            }
        }
        // What the last turn wrote may not have made an event yet.
        for _ in 0..<3 {
            client.process(at: now)
            server.process(at: now)
        }
        while let event = client.poll() { clientEvents.append(event) }
        while let event = server.poll() { serverEvents.append(event) }
    }

    func advance(by duration: Duration) {
        now = now.advanced(by: duration)
        run()
    }

    /// Everything that the client's owner was told since the last call.
    func clientTold() -> [LiteEvent] {
        run()
        defer { clientEvents = [] }
        return clientEvents
    }

    /// Everything that the server's owner was told since the last call.
    func serverTold() -> [LiteEvent] {
        run()
        defer { serverEvents = [] }
        return serverEvents
    }

    /// The streams that are still open at either side besides those that live with the session.
    var openPurposes: [StreamPurpose] {
        run()
        return (client.openStreams + server.openStreams).map(\.purpose).filter { $0 != .session }
    }
}

/// A subscription as both sides know it.
struct SubscribedPair {
    let pair: SessionPair
    /// At the client, who subscribes.
    let subscription: SubscriptionID
    /// At the server, who publishes.
    let incoming: IncomingSubscriptionID

    var version: Version { pair.client.version ?? .lite06 }

    init(
        _ version: Version, clientLimits: InMemoryLimits = InMemoryLimits(),
        serverLimits: InMemoryLimits = InMemoryLimits(), options: SubscribeOptions = SubscribeOptions(),
        configure: (inout LiteConfiguration, EndpointRole) -> Void = { _, _ in }
    ) {
        pair = .established(version, clientLimits: clientLimits, serverLimits: serverLimits, configure: configure)
        subscription = pair.client.subscribe(broadcast: path("room/alice"), track: "video", options: options)
        var found: IncomingSubscriptionID?
        for case .subscribeRequested(let id, _) in pair.serverTold() { found = id }
        incoming = found ?? IncomingSubscriptionID(stream: StreamID(rawValue: 0))
    }

    /// A frame with what the version can carry.
    func frame(_ text: String, at timestamp: UInt64 = 0) -> Frame {
        Frame(timestamp: version.hasFrameTimestamps ? timestamp : nil, payload: Array(text.utf8))
    }

    /// Opens a group at the publisher.
    func group(_ sequence: UInt64, frameStart: UInt64 = 0) -> OutgoingGroupID? {
        pair.server.openGroup(
            for: incoming, sequence: sequence, frameStart: frameStart,
            priority: SendPriority(urgency: 1, sequence: sequence))
    }
}

/// A path that is known to be good.
func path(_ text: String) -> BroadcastPath { (try? BroadcastPath(text)) ?? .empty }

/// A hop list that is known to be good.
func hops(_ ids: UInt64...) -> HopList { (try? HopList(ids)) ?? .empty }
