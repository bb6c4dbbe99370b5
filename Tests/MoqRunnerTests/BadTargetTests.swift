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
        _ kind: TransportKind, isSecure: Bool = false, versions: [Version] = [.lite06, .lite05],
        serve: (SimulatedDriver, ServerIdentity) throws -> Void
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
            let wanted = TargetProbe.Wanted(transport: .one(kind), versions: versions)
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

    @Test func whereSilenceSetsInIsToldWithinTheDeadline() throws {
        let places: [(TransportKind, Bool, String)] = [
            (
                .websocket, false,
                "the connection was taken, the request for WebSocket was sent, and it was not answered"
            ),
            (.websocket, true, "the connection was taken, and the TLS handshake was not answered"),
            (.tcp, false, "the connection was taken, and Qmux's transport parameters were sent, and none came back"),
            (.tcp, true, "the connection was taken, and the TLS handshake was not answered"),
        ]
        for (kind, isSecure, standing) in places {
            let (text, time) = try complaint(kind, isSecure: isSecure) { driver, _ in
                _ = try driver.listen(on: Self.address) { _ in OneAnswer(nil) }
            }
            #expect(text.contains("within 2 s: \(standing)") && !text.contains("nobody"), "\(text)")
            #expect(text.contains("--transport") && !text.contains("\n"), "\(text)")
            #expect(time <= .milliseconds(2100), "\(kind): \(time)")
        }
    }

    @Test func silenceBehindTheUpgradeIsToldAsThat() throws {
        let (text, time) = try complaint(.websocket) { driver, _ in
            _ = try driver.listen(on: Self.address) { _ in ChatServer(says: []) }
        }
        #expect(text.contains("(101)") && text.contains("none came back") && !text.contains("nobody"), "\(text)")
        #expect(time <= .milliseconds(2100))
    }

    @Test func silenceBehindTheHandshakeOfQUICIsToldAsThat() throws {
        for (protocols, missing) in [(["h3"], "SETTINGS"), (["moql"], "setup exchange")] {
            let kind = protocols == ["h3"] ? TransportKind.webtransport : .quic
            let (text, time) = try complaint(kind, versions: [.lite02]) { driver, identity in
                let endpoint = QUICEndpoint(
                    random: SeededRandom(seed: 3),
                    server: QUICServerConfiguration(
                        protocols: protocols, credentials: try QUICServerCredentials(identity: identity)))
                _ = try driver.bind(endpoint, to: Self.address)
            }
            #expect(text.contains(missing) && text.contains("within 2 s") && !text.contains("nobody"), "\(text)")
            #expect(time <= .milliseconds(2100) && !text.contains("\n"))
        }
    }

    @Test func aPortThatHearsAndNeverAnswersIsSilent() throws {
        for kind in [TransportKind.quic, .webtransport] {
            let (text, time) = try complaint(kind) { driver, _ in
                _ = try driver.bind(DeafMachine(), to: Self.address)
            }
            #expect(text.contains("nobody answered") && text.contains("UDP port"), "\(text)")
            #expect(time <= .milliseconds(2100))
        }
    }

    @Test func aRelayThatAcceptsAndIsMuteCannotBeUsed() throws {
        let (text, time) = try complaint(.quic) { driver, identity in
            let endpoint = QUICEndpoint(
                random: SeededRandom(seed: 3),
                server: QUICServerConfiguration(
                    protocols: ["moq-lite-06", "moq-lite-05"],
                    credentials: try QUICServerCredentials(identity: identity)))
            _ = try driver.bind(endpoint, to: Self.address)
        }
        #expect(text.contains("accepts moq-lite-06, and then says nothing") && text.contains("See its log"), "\(text)")
        // 2 s for the first version, and less for the other.
        #expect(time <= .seconds(3) && !text.contains("\n"))
    }

    @Test func anExtensionThatWasNotOfferedIsToldAsThat() throws {
        let (text, _) = try complaint(.websocket) { driver, _ in
            _ = try driver.listen(on: Self.address) { _ in
                ChatServer(says: [], headers: "Sec-WebSocket-Extensions: permessage-deflate\r\n")
            }
        }
        #expect(text.contains("picked the WebSocket extension `permessage-deflate`"), "\(text)")
        #expect(!text.contains("--moq-version") && text.contains("--transport"), "\(text)")
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

/// Takes packets and says nothing.
private final class DeafMachine: DatagramMachine {
    func receive(_ batch: DatagramBatch, at now: Instant) {}
    func transmit(at now: Instant) -> DatagramBatch? { nil }
    var deadline: Instant? { nil }
    func advance(to now: Instant) {}
}

/// A WebSocket server that takes the first subprotocol, and then talks in text, or not at all.
private final class ChatServer: ByteStreamMachine {
    private let says: [UInt8]
    private let headers: String
    private var hasAnswered = false
    private var parser = HTTPRequestParser()
    private var words: [UInt8]?
    private var hasEnded = false

    init(says: [UInt8] = [0x81, 0x02] + Array("hi".utf8), headers: String = "") {
        self.says = says
        self.headers = headers
    }

    func receive(_ bytes: [UInt8], at now: Instant) {
        // What follows the request is none.
        guard !hasAnswered, case .request(let request) = parser.take(bytes),
            case .accepted(_, let answer) = WebSocketHandshake.judge(
                request, names: request.headers.members("Sec-WebSocket-Protocol"), allowsNone: false)
        else { return }
        hasAnswered = true
        words = answer.dropLast(2) + Array("\(headers)\r\n".utf8) + says
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
