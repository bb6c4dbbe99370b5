import MoqBase
import MoqLite
import MoqQUIC
import MoqTransport
import MoqWire
import Testing

/// Two sessions over QUIC with nothing between the endpoints: what memory stands in for must hold there as well.
private final class QUICPair {
    private let clientEndpoint: QUICEndpoint
    private let serverEndpoint: QUICEndpoint
    let client: LiteSession
    private(set) var server: LiteSession?
    private var now = Instant.origin
    private var clientEvents: [LiteEvent] = []
    private var serverEvents: [LiteEvent] = []

    init(_ version: Version) throws {
        let credentials = try QUICServerCredentials(identity: .selfSigned(unixTime: 1_790_000_000))
        let root = SeededRandom(seed: 4)
        clientEndpoint = QUICEndpoint(random: root.forked("client"))
        serverEndpoint = QUICEndpoint(
            random: root.forked("server"),
            server: QUICServerConfiguration(
                protocols: Version.protocolNames(for: Version.allCases), credentials: credentials))
        let connection = clientEndpoint.connect(
            to: .loopback(port: 1),
            configuration: QUICClientConfiguration(
                serverName: "localhost", protocols: [version.alpn],
                credentials: try QUICClientCredentials(trust: .insecure)))
        client = LiteSession(
            transport: NativeQUICSession(connection),
            configuration: LiteConfiguration(versions: [version], hopID: SessionPair.clientHop))
    }

    func run() {
        for _ in 0..<60 {
            now = now.advanced(by: .milliseconds(1))
            for (from, to, remote) in [
                (clientEndpoint, serverEndpoint, NetworkAddress.loopback(port: 2)),
                (serverEndpoint, clientEndpoint, NetworkAddress.loopback(port: 1)),
            ] {
                while var batch = from.transmit(at: now) {
                    batch.remote = remote
                    to.receive(batch, at: now)
                }
                if let deadline = from.deadline, deadline <= now { from.advance(to: now) }
            }
            if server == nil, let accepted = serverEndpoint.pollAccepted() {
                server = LiteSession(
                    transport: NativeQUICSession(accepted),
                    configuration: LiteConfiguration(versions: Version.allCases, hopID: SessionPair.serverHop))
            }
            client.process(at: now)
            server?.process(at: now)
            while let event = client.poll() { clientEvents.append(event) }
            while let event = server?.poll() { serverEvents.append(event) }
        }
    }

    func clientTold() -> [LiteEvent] {
        run()
        defer { clientEvents = [] }
        return clientEvents
    }

    func serverTold() -> [LiteEvent] {
        run()
        defer { serverEvents = [] }
        return serverEvents
    }

    var openPurposes: [StreamPurpose] {
        run()
        return (client.openStreams + (server?.openStreams ?? [])).map(\.purpose).filter { $0 != .session }
    }
}

@Suite struct OverQUICTests {
    @Test(arguments: Version.allCases)
    func sessionsMeetAndLeaveNothingOpen(_ version: Version) throws {
        let pair = try QUICPair(version)
        let subscription = pair.client.subscribe(broadcast: path("a"), track: "b")
        let announce = pair.client.requestAnnouncements(prefix: .empty)
        let told = pair.serverTold()
        #expect(pair.client.version == version)
        let server = try #require(pair.server)
        var requested: (subscription: IncomingSubscriptionID, announce: IncomingAnnounceID)?
        for case .subscribeRequested(let incoming, _) in told {
            for case .announceRequested(let watcher, _, _) in told { requested = (incoming, watcher) }
        }
        let (incoming, watcher) = try #require(requested)
        server.answerAnnounce(watcher, active: [Announced(path: path("a"))])
        server.acceptSubscription(incoming)
        server.startSubscription(incoming, group: 0)
        let stamp: UInt64? = version.hasFrameTimestamps ? 5 : nil
        let large = [UInt8](repeating: 6, count: 200_000)
        let groups = (0..<3).compactMap {
            server.openGroup(for: incoming, sequence: UInt64($0), priority: SendPriority(urgency: 1))
        }
        try #require(groups.count == 3)
        server.writeFrame(groups[0], Frame(timestamp: stamp, payload: large))
        server.finishGroup(groups[0])
        server.writeFrame(groups[1], Frame(timestamp: stamp, payload: [1]))
        server.writeFrame(groups[2], Frame(timestamp: stamp, payload: [2]))
        let ids = groups.map { IncomingGroupID(stream: $0.stream) }
        let received = pair.clientTold()
        #expect(received.contains(.frame(ids[0], index: 0, Frame(timestamp: stamp, payload: large))))
        #expect(received.contains(.groupEnded(ids[0], .finished)))
        server.resetGroup(groups[1], code: .code(71))
        pair.client.stopGroup(ids[2], code: .code(25))
        #expect(pair.clientTold().contains(.groupEnded(ids[1], .reset(.code(71)))))
        let stopped = pair.serverTold()
        #expect(stopped.contains(.groupDelivered(groups[0])) && stopped.contains(.groupStopped(groups[2], .code(25))))
        server.finishSubscription(incoming)
        pair.client.cancelAnnouncements(announce)
        let ended = pair.clientTold()
        #expect(ended.contains(.subscriptionEnded(subscription, .finished)))
        #expect(ended.contains(.announcementsEnded(announce, .finished)))
        #expect(pair.serverTold().contains(.subscriptionDelivered(incoming)))
        #expect(pair.openPurposes.isEmpty)
    }

    @Test(arguments: Version.allCases)
    func leavingAndRefusingCarryTheirCodes(_ version: Version) throws {
        let pair = try QUICPair(version)
        let left = pair.client.subscribe(broadcast: path("a"), track: "left")
        let refused = pair.client.subscribe(broadcast: path("a"), track: "refused")
        var incoming: [TrackName: IncomingSubscriptionID] = [:]
        for case .subscribeRequested(let id, let request) in pair.serverTold() { incoming[request.track] = id }
        let server = try #require(pair.server)
        let (leaving, refusing) = (try #require(incoming["left"]), try #require(incoming["refused"]))
        pair.client.unsubscribe(left, .reset(.code(90)))
        server.resetSubscription(refusing, code: .code(13))
        let ended = pair.clientTold()
        #expect(ended.contains(.subscriptionEnded(left, .reset(.code(1)))))
        #expect(ended.contains(.subscriptionEnded(refused, .reset(.code(13)))))
        #expect(pair.serverTold().contains(.subscribeCancelled(leaving, .reset(.code(90)))))
        #expect(pair.openPurposes.isEmpty)
        pair.client.close(code: 7, reason: "bye")
        pair.run()
        #expect(
            server.closeReason == SessionClose(initiator: .peer, cause: .application(code: 7), reason: "bye"))
    }
}
