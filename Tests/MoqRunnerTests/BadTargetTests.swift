import MoqBase
import MoqDial
import MoqDrivers
import MoqQUIC
import MoqRelay
import MoqWire
import Testing

@testable import MoqRunner
@testable import MoqTransport

/// What is said of a target that is no relay: one line, with what to try, within the deadline.
@Suite struct BadTargetTests {
    private static let address = NetworkAddress.loopback(port: 4443)

    /// Probes what `serve` put on a simulated network; gives the complaint and how long it took.
    private func complaint(
        _ kind: TransportKind, isSecure: Bool = false, serve: (SimulatedDriver, ServerIdentity) throws -> Void
    ) throws -> (text: String, time: Duration) {
        let driver = SimulatedDriver(seed: 2)
        let identity = try ServerIdentity.selfSigned(unixTime: 1_767_225_600)
        try serve(driver, identity)
        let route = Route(
            kind: kind, isSecure: isSecure, address: Self.address, serverName: "localhost",
            authority: "localhost:4443", requestPath: "/anon",
            credentials: try DialCredentials(trust: .pinned([identity.fingerprint])))
        let access = TargetAccess(routes: [route], keyLog: nil, connectTimeout: .seconds(2), nonce: 0)
        let probe = TargetProbe(access: access, driver: driver, seed: 1)
        let begin = driver.now
        do {
            let wanted = TargetProbe.Wanted(transport: .one(kind), versions: [.lite06, .lite05])
            _ = try probe.run([wanted], generation: nil)
            return ("no complaint", .zero)
        } catch {
            return (error.description, begin.duration(to: driver.now))
        }
    }

    @Test func aWebServerIsNoRelay() throws {
        let (text, _) = try complaint(.websocket) { driver, _ in
            _ = try driver.listen(on: Self.address) { _ in
                OneAnswer("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            }
        }
        #expect(text.contains("HTTP status 404") && text.contains("--transport"), "\(text)")
        #expect(!text.contains("\n"))
    }

    @Test func aDenialAsksForAToken() throws {
        let (text, _) = try complaint(.websocket) { driver, _ in
            _ = try driver.listen(on: Self.address) { _ in
                OneAnswer("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
            }
        }
        #expect(text.contains("denies access") && text.contains("--token-file"), "\(text)")
    }

    @Test func anotherProtocolOverTCPIsNoRelay() throws {
        let (text, _) = try complaint(.tcp) { driver, _ in
            _ = try driver.listen(on: Self.address) { _ in OneAnswer("SSH-2.0-OpenSSH_9.2 is not a relay\r\n") }
        }
        #expect(text.contains("is no MoQ relay") && text.contains("Check address and port"), "\(text)")
    }

    @Test func aQUICServerOfSomethingElseIsNoRelay() throws {
        for kind in [TransportKind.quic, .webtransport] {
            let (text, _) = try complaint(kind) { driver, identity in
                let endpoint = QUICEndpoint(
                    random: SeededRandom(seed: 3),
                    server: QUICServerConfiguration(
                        protocols: ["doq"], credentials: try QUICServerCredentials(identity: identity)))
                _ = try driver.bind(endpoint, to: Self.address)
            }
            #expect(text.contains("accepts none of moq-lite-06, moq-lite-05"), "\(text)")
            #expect(text.contains("--moq-version"), "\(text)")
        }
    }

    @Test func aServerThatClosesAtOnceIsToldAsThat() throws {
        for kind in [TransportKind.websocket, .tcp] {
            let (text, time) = try complaint(kind) { driver, _ in
                _ = try driver.listen(on: Self.address) { _ in Closer() }
            }
            #expect(text.contains("broke the connection off") && text.contains("TLS"), "\(text)")
            #expect(time <= .seconds(1) && !text.contains("\n"), "\(text)")
        }
    }

    @Test func aRelayThatEndsEverySessionIsToldAsThat() throws {
        for kind in [TransportKind.quic, .webtransport] {
            let (text, time) = try complaint(kind) { driver, identity in
                var configuration = RelayConfiguration(hopID: 7)
                configuration.publicPrefix = try BroadcastPath("elsewhere")
                let relay = EmbeddedRelay(
                    configuration: configuration,
                    server: QUICServerConfiguration(
                        protocols: [], credentials: try QUICServerCredentials(identity: identity)),
                    random: SeededRandom(seed: 3))
                _ = try driver.bind(relay, to: Self.address)
            }
            #expect(text.contains("ends every session at once") && text.contains("unauthorized"), "\(text)")
            #expect(text.contains("--token-file") && !text.contains("\n"))
            #expect(time <= .seconds(1))
        }
    }

    @Test func aWebSocketServerOfSomethingElseBreaksTheProtocol() throws {
        let (text, _) = try complaint(.websocket) { driver, _ in
            _ = try driver.listen(on: Self.address) { _ in ChatServer() }
        }
        #expect(text.contains("breaks the protocol") && text.contains("text is not spoken here"), "\(text)")
        #expect(!text.contains("accepts none"))
    }

    @Test func nobodyThereIsToldAtOnce() throws {
        for kind in TransportKind.allCases {
            let (text, time) = try complaint(kind) { _, _ in }
            #expect(text.contains("127.0.0.1:4443"), "\(text)")
            #expect(time <= .seconds(2), "\(kind): \(time)")
        }
    }

    @Test func silenceIsToldWithinTheDeadline() throws {
        for kind in [TransportKind.websocket, .tcp] {
            for isSecure in [false, true] {
                let (text, time) = try complaint(kind, isSecure: isSecure) { driver, _ in
                    _ = try driver.listen(on: Self.address) { _ in OneAnswer(nil) }
                }
                #expect(text.contains("nobody answered") && text.contains("TCP port"), "\(text)")
                #expect(time <= .milliseconds(2100), "\(kind): \(time)")
            }
        }
    }
}

/// Has nothing to say and ends at once.
private final class Closer: ByteStreamMachine {
    func receive(_ bytes: [UInt8], at now: Instant) {}
    func receiveEnd(failure: String?, at now: Instant) {}
    func transmit(at now: Instant) -> [UInt8]? { nil }
    var isFinished: Bool { true }
    var deadline: Instant? { nil }
    func advance(to now: Instant) {}
}

/// A WebSocket server that takes the first subprotocol, and then talks in text.
private final class ChatServer: ByteStreamMachine {
    private var parser = HTTPRequestParser()
    private var words: [UInt8]?
    private var hasEnded = false

    func receive(_ bytes: [UInt8], at now: Instant) {
        guard case .request(let request) = parser.take(bytes),
            case .accepted(_, let answer) = WebSocketHandshake.judge(
                request, names: request.headers.members("Sec-WebSocket-Protocol"), allowsNone: false)
        else { return }
        words = answer + [0x81, 0x02] + Array("hi".utf8)
    }
    func receiveEnd(failure: String?, at now: Instant) { hasEnded = true }
    func transmit(at now: Instant) -> [UInt8]? {
        defer { words = nil }
        return words
    }
    var isFinished: Bool { hasEnded }
    var deadline: Instant? { nil }
    func advance(to now: Instant) {}
}

/// Answers the first thing that it hears with some words, or never.
private final class OneAnswer: ByteStreamMachine {
    private var words: [UInt8]?
    private var hasHeard = false
    private let isSilent: Bool

    init(_ words: String?) {
        self.words = words.map { Array($0.utf8) }
        isSilent = words == nil
    }

    func receive(_ bytes: [UInt8], at now: Instant) { hasHeard = true }
    func receiveEnd(failure: String?, at now: Instant) { hasHeard = true }
    func transmit(at now: Instant) -> [UInt8]? {
        guard hasHeard else { return nil }
        defer { words = nil }
        return words
    }
    var isFinished: Bool { hasHeard && words == nil && !isSilent }
    var deadline: Instant? { nil }
    func advance(to now: Instant) {}
}
