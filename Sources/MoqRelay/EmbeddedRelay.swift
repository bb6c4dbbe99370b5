import MoqBase
import MoqLite
import MoqQUIC
import MoqTransport
import MoqWire

public final class EmbeddedRelay: DatagramMachine {
    let endpoint: QUICEndpoint
    public let core: RelayCore
    var sessions: [RelaySession] = []
    public init(configuration: RelayConfiguration, server: QUICServerConfiguration, random: SeededRandom) {
        endpoint = QUICEndpoint(random: random, server: server)
        core = RelayCore(configuration: configuration)
    }
    func work(_ now: Instant) {
        while let connection = endpoint.pollAccepted() {
            let lite = LiteSession(
                transport: NativeQUICSession(connection),
                configuration: LiteConfiguration(
                    hopID: core.configuration.hopID, generation: core.configuration.generation))
            if let s = core.add(lite, at: now) { sessions.append(s) }
        }
        for s in sessions { core.process(s, at: now) }
        sessions.removeAll { $0.isClosed }
    }
    public func receive(_ batch: DatagramBatch, at now: Instant) {
        endpoint.receive(batch, at: now)
        work(now)
    }
    public func transmit(at now: Instant) -> DatagramBatch? { endpoint.transmit(at: now) }
    public var deadline: Instant? { Instant?.earlier(endpoint.deadline, core.deadline) }
    public func advance(to now: Instant) {
        endpoint.advance(to: now)
        core.advance(to: now)
        work(now)
    }
    public func shutdown(reason: String, at now: Instant) { core.shutdown(code: 0, reason: reason, at: now) }
    public func snapshot(under p: BroadcastPath) -> RelaySnapshot { core.snapshot(under: p) }
}
