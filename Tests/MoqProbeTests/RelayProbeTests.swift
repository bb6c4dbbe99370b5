import MoqBase
import MoqDial
import MoqDrivers
import MoqJSON
import MoqLite
import MoqQUIC
import MoqRelay
import MoqTokens
import MoqTransport
import MoqWire
import Testing

@testable import MoqProbe

@Suite struct RelayProbeTests {
    @Test func aRelayThatSpeaksAllOfItIsFoundToDoSo() throws {
        let network = try ProbeNetwork()
        let findings = try network.probe(network.request())
        #expect(findings.isRelay && findings.hasAnswer && findings.advice(token: nil) == nil)
        for way in ProbeWay.all {
            #expect(findings.accepted(way.kind, isSecure: way.isSecure) == "06 05 04 03 02 01", "\(way)")
        }
        #expect(findings.order(.quic, isSecure: true) == .relay(prefers: .lite06))
        #expect(findings.order(.webtransport, isSecure: true) == .client)
        #expect(findings.order(.websocket) == .client)
        #expect(findings.order(.tcp) != nil && findings.order(.tcp, isSecure: true) == .relay(prefers: .lite06))
        #expect(findings.generation == .second)
        #expect(findings.tokens == .notWanted)
        #expect(findings.told == .fingerprint(network.identity.fingerprint))
        #expect(findings.certificates.map(\.facts.fingerprint) == [network.identity.fingerprint])
        #expect(findings.certificates[0].isAccepted && findings.certificates[0].verification == nil)
        #expect(findings.omissions.map(\.what) == ["07-wip"])
    }

    @Test func whatTheRelayAnnouncesIsKept() throws {
        let network = try ProbeNetwork()
        let publisher = try network.join(.quic)
        publisher.publication.announce(try BroadcastPath("x"))
        try network.run(for: .seconds(1))
        let findings = try network.probe(network.request())
        let quic = try #require(findings.way(ProbeWay(.quic, isSecure: true)))
        #expect(quic.facts?.alpn == "moq-lite-06" && quic.facts?.tlsVersion == "TLS1.3")
        #expect(quic.facts?.peerParameters?.maximumStreamsBidirectional == 1024)
        #expect(quic.facts?.peerParameters?.idleTimeout == .seconds(30))
        #expect(quic.setups.map(\.version) == [.lite06, .lite05])
        #expect(quic.setups[0].setup.hop == 9 && quic.setups[0].setup.probe == .report)
        #expect(quic.announcements.map(\.version) == [.lite06, .lite05, .lite02, .lite01])
        #expect(quic.announcements.map(\.count) == [1, 1, 1, 1])
        #expect(quic.announcements[0].hop == 9 && quic.announcements[2].hop == nil)
        #expect(quic.exchange == [])
        #expect(try #require(quic.datagramSize) > 1_000)
        let web = try #require(findings.way(ProbeWay(.webtransport, isSecure: true)))
        #expect(web.facts?.peerSettings?[0x08] == 1)
        let tcp = try #require(findings.way(ProbeWay(.tcp, isSecure: false)))
        #expect(tcp.facts?.qmuxVersion == .draft01)
        #expect(tcp.facts?.qmuxParameters?.streamsUnidirectional == 1024)
    }

    @Test func aRelayOfFewWaysAndVersionsIsFoundToBeOne() throws {
        let network = try ProbeNetwork {
            $0.transports = [.quic, .websocket]
            $0.versions = [.lite03, .lite04]
            $0.generation = .first
        }
        var request = try network.request()
        request.versions = Version.allCases.sorted(by: >)
        let findings = try network.probe(request)
        #expect(findings.accepted(.quic, isSecure: true) == "04 03")
        #expect(findings.order(.quic, isSecure: true) == .relay(prefers: .lite03))
        #expect(findings.accepted(.websocket) == "04 03")
        #expect(findings.accepted(.websocket, isSecure: true) == "04 03")
        #expect(findings.accepted(.webtransport, isSecure: true) == nil)
        #expect(findings.accepted(.tcp) == nil)
        #expect(findings.accepted(.tcp, isSecure: true) == nil)
        #expect(findings.generation == .first)
        #expect(findings.omissions.isEmpty)
        let table = ProbeTable(findings, token: nil, unixTime: 1_790_000_000).lines
        #expect(table[2] == "transport      07-wip  06      05      04      03      02      01      order")
        #expect(
            table[3]
                == "quic           no      no      no      yes     yes     no      no      the relay's (it prefers 03)")
        #expect(table[4].hasPrefix("webtransport   refused: "))
    }

    @Test func theFewestConnectionsAreMadeWhereNobodyListens() throws {
        let network = try ProbeNetwork()
        var request = try network.request()
        request.address.port = 1
        let findings = try network.probe(request)
        #expect(!findings.hasAnswer && !findings.isRelay)
        #expect(findings.connections <= 3)
        let advice = try #require(findings.advice(token: nil))
        #expect(advice.contains("127.0.0.1:1") && advice.hasSuffix("its address and port."), "\(advice)")
        #expect(!advice.contains("\n"))
    }

    @Test func aSilentPortCostsOneTimeoutOfEachNetwork() throws {
        let network = try ProbeNetwork()
        var request = try network.request()
        let silent = Mute()
        request.address = try network.driver.bind(silent, to: .loopback(port: 0))
        let findings = try network.probe(request)
        #expect(!findings.hasAnswer)
        #expect(findings.duration < .seconds(9))
        guard case .silent = findings.ways[0].state, case .notTried = findings.ways[1].state else {
            Issue.record("\(findings.ways.map(\.state))")
            return
        }
    }

    @Test func aRelayThatAcceptsAndIsMuteIsNone() throws {
        let network = try ProbeNetwork()
        var request = try network.request()
        let endpoint = QUICEndpoint(
            random: SeededRandom(seed: 3),
            server: QUICServerConfiguration(
                protocols: ["moq-lite-06", "moq-lite-04", "h3"],
                credentials: try QUICServerCredentials(identity: network.identity)))
        request.address = try network.driver.bind(endpoint, to: .loopback(port: 0))
        let findings = try network.probe(request)
        #expect(findings.hasAnswer && !findings.isRelay)
        let advice = try #require(findings.advice(token: nil))
        #expect(advice.contains("accepts sessions, and then says nothing") && !advice.contains("\n"), "\(advice)")
        #expect(findings.duration < .seconds(31))
        // HTTP/3 without SETTINGS was answered, and is told as what it is.
        guard case .refused(let close) = findings.ways[1].state else {
            Issue.record("\(findings.ways[1].state)")
            return
        }
        #expect("\(close)".contains("SETTINGS"))
    }

    @Test func aProbeEndsWhenItsTimeIsOverAndSaysWhatItLeftOut() throws {
        let network = try ProbeNetwork()
        var request = try network.request()
        request.timeout = .milliseconds(300)
        let findings = try network.probe(request)
        #expect(findings.isRelay)
        #expect(findings.duration < .seconds(1))
        #expect(findings.omissions.contains { $0.reason.contains("--timeout") })
    }

    @Test func anInterruptedProbeEndsAtOnce() throws {
        let network = try ProbeNetwork()
        var looks = 0
        let probe = RelayProbe(try network.request(), on: network.driver) {
            looks += 1
            return looks > 20
        }
        let findings = try probe.run()
        #expect(findings.omissions.contains { $0.reason == "the probe was interrupted" })
    }

    // MARK: Certificates

    @Test func aRefusedCertificateIsShownAllTheSame() throws {
        let network = try ProbeNetwork()
        let request = try network.request(trust: .pinned([String(repeating: "ab", count: 32)]))
        let findings = try network.probe(request)
        #expect(findings.certificates.map(\.facts.fingerprint) == [network.identity.fingerprint])
        #expect(findings.certificates.first?.isAccepted == false)
        #expect(findings.certificates.first?.facts.names.contains("localhost") == true)
        // Ways without TLS have no certificate to refuse.
        #expect(findings.accepted(.tcp) == "06 05 04 03 02 01")
        #expect(findings.accepted(.quic, isSecure: true) == nil)
    }

    @Test func whereEveryWayHasTLSARefusedCertificateIsTheAdvice() throws {
        let network = try ProbeNetwork()
        var request = try network.request(trust: .pinned([String(repeating: "ab", count: 32)]))
        request.ways = ProbeWay.all.filter(\.isSecure)
        let findings = try network.probe(request)
        #expect(!findings.isRelay && findings.hasAnswer)
        let advice = try #require(findings.advice(token: nil))
        #expect(advice.contains("certificate") && advice.contains("--fingerprint"), "\(advice)")
    }

    @Test func aCertificateThatIsNotJudgedIsVerifiedBesides() throws {
        let network = try ProbeNetwork()
        var request = try network.request(trust: .insecure)
        request.verifier = try DialCredentials(trust: .pinned([String(repeating: "ab", count: 32)]))
        let findings = try network.probe(request)
        #expect(findings.certificates.first?.isAccepted == true)
        #expect(findings.certificates.first?.verification?.isGood == false)
        request.verifier = try DialCredentials(trust: .pinned([network.identity.fingerprint]))
        #expect(try network.probe(request).certificates.first?.verification?.isGood == true)
    }

    @Test func theFingerprintThatIsToldIsPinnedWhereThatIsWanted() throws {
        let network = try ProbeNetwork()
        var request = try network.request(trust: .pinned([String(repeating: "ab", count: 32)]))
        request.trustsToldFingerprint = true
        request.ways = [ProbeWay(.webtransport, isSecure: true)]
        let findings = try network.probe(request)
        #expect(findings.accepted(.webtransport, isSecure: true) == "06 05 04 03 02 01")
    }

    // MARK: Tokens

    @Test func aRelayThatWantsTokensIsFoundToDoSo() throws {
        var random = SeededRandom(seed: 3)
        let key = try JSONWebKey.generate(.hs256, random: &random)
        let network = try ProbeNetwork {
            $0.publicPrefix = nil
            $0.tokenKey = key
        }
        let without = try network.probe(network.request("/room"))
        guard case .wanted(let evidence) = without.tokens else {
            Issue.record("\(without.tokens)")
            return
        }
        #expect(evidence.hasPrefix("quic"), "\(evidence)")
        #expect(without.isRelay)
        guard case .denied = without.way(ProbeWay(.websocket, isSecure: false))?.state else {
            Issue.record("\(String(describing: without.way(ProbeWay(.websocket, isSecure: false))?.state))")
            return
        }

        var request = try network.request("/room")
        request.versions = [.lite06, .lite05]
        let token = try key.sign(TokenClaims(root: "room", publish: [""], subscribe: [""]))
        request.token = token
        let with = try network.probe(request)
        #expect(with.accepted(.quic, isSecure: true) == "06 05")
        guard case .accepted(let rest) = with.tokens else {
            Issue.record("\(with.tokens)")
            return
        }
        #expect(rest.contains("is denied"), "\(rest)")

        request.token = "nonsense-of-a-token"
        guard case .refused = try network.probe(request).tokens else {
            Issue.record("a token of nonsense was not refused")
            return
        }
    }

    @Test func whatIsWrittenHoldsNoToken() throws {
        let network = try ProbeNetwork()
        var request = try network.request("/anon?x=1")
        request.token = "a-very-secret-word"
        var findings = try network.probe(request)
        // As a relay would that says what it was asked for.
        findings.generationEvidence = "it said a-very-secret-word and jwt=another-secret\u{1B}[2J"
        findings.omit("?jwt=a-very-secret-word")
        let table = ProbeTable(findings, token: request.token, unixTime: 0).lines.joined(separator: "\n")
        let document = ProbeDocument(findings, token: request.token, moqspecVersion: "1", started: "now").bytes()
        for text in [table, String(decoding: document, as: UTF8.self)] {
            #expect(!text.contains("very-secret") && !text.contains("another-secret") && !text.contains("\u{1B}"))
            #expect(text.contains("REDACTED"))
        }
    }

    // MARK: JSON

    @Test func theDocumentSaysWhatTheTableSays() throws {
        let network = try ProbeNetwork { $0.versions = [.lite06, .lite02] }
        let findings = try network.probe(network.request())
        let bytes = ProbeDocument(findings, token: nil, moqspecVersion: "1.2", started: "2026-01-01T00:00:00Z").bytes()
        let document = try JSONValue(parsing: bytes)
        #expect(document["format"]?.string == "moqspec-probe")
        #expect(document["codes"]?["generation"]?.string == "second")
        let transports = try #require(document["transports"]?.elements)
        #expect(transports.map { $0["transport"]?.string } == findings.ways.map(\.way.kind.rawValue))
        let outcomes = transports[0]["versions"]?.elements?.map { $0["outcome"]?.string }
        #expect(outcomes == ["accepted", "refused", "refused", "refused", "accepted", "refused"])
        #expect(transports[0]["order"]?.string == "relay" && transports[0]["prefers"]?.string == "06")
    }

    @Test func datesAndSizesAreReadable() {
        #expect(ProbeWords.date(0) == "1970-01-01 00:00:00 UTC")
        #expect(ProbeWords.date(1_709_210_096) == "2024-02-29 12:34:56 UTC")
        #expect(ProbeWords.date(-1) == "1969-12-31 23:59:59 UTC")
        #expect(ProbeWords.date(4_102_444_799) == "2099-12-31 23:59:59 UTC")
        #expect(ProbeWords.bytes(16 << 20) == "16 MiB" && ProbeWords.bytes(65_536) == "64 KiB")
        #expect(ProbeWords.bytes(1_250_000) == "1250000 bytes" && ProbeWords.bytes(0) == "0 bytes")
        #expect(ProbeWords.time(.microseconds(340)) == "0.3 ms" && ProbeWords.time(.seconds(10)) == "10 s")
    }
}

extension ProbeFindings {
    /// Something more that was not tried.
    fileprivate mutating func omit(_ what: String) {
        omissions.append(Omission(what: what, reason: "a test"))
    }
}

/// A machine that hears everything and says nothing.
private final class Mute: DatagramMachine {
    func receive(_ batch: DatagramBatch, at now: Instant) {}
    func transmit(at now: Instant) -> DatagramBatch? { nil }
    var deadline: Instant? { nil }
    func advance(to now: Instant) {}
}
