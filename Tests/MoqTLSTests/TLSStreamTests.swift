import COpenSSL
import Foundation
import MoqBase
import MoqQUIC
import Testing

@testable import MoqTLS

/// Client and server over a pipe. OpenSSL judges certificates by the time of the day.
struct TLSStreamTests {
    private static let unixTime = Int(Date().timeIntervalSince1970)
    private static let identity = try? ServerIdentity.selfSigned(unixTime: unixTime)

    private var identity: ServerIdentity {
        get throws { try #require(Self.identity) }
    }

    /// A server and a client that have said what they have to say.
    private func talk(
        client: Talker, server: Talker, name: String? = "localhost", shown: String? = nil,
        offering clientProtocols: [String] = [],
        serving serverProtocols: [String] = [], trust: CertificateTrust, identity: ServerIdentity? = nil,
        requiresProtocol: Bool = false, seed: UInt64? = nil
    ) throws -> (client: TLSStream, server: TLSStream) {
        let outer = try TLSStream(
            client: client, serverName: name, protocols: clientProtocols,
            credentials: TLSClientCredentials(trust: trust), shownServerName: shown,
            requiresProtocol: requiresProtocol)
        let inner = try TLSStream(server: server, identity: identity ?? self.identity, protocols: serverProtocols)
        let pipe = Pipe(outer, inner, seed: seed)
        #expect(pipe.settle())
        return (outer, inner)
    }

    /// Runs `body` with a file that holds the certificate.
    private func withRoot(_ identity: ServerIdentity, _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("moqspec-\(UUID().uuidString).pem")
        try Data(identity.certificateChain).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file.path)
    }

    @Test(arguments: [nil, 1, 2, 3] as [UInt64?])
    func bytesCrossBothWaysHoweverTheyAreCut(_ seed: UInt64?) throws {
        var random = SeededRandom(seed: 9)
        let long = random.bytes(300_000)
        let client = Talker(saying: [Array("hello".utf8), long, []], hangsUp: true)
        let server = Talker(saying: [long, Array("bye".utf8)], hangsUp: false)
        let ends = try talk(
            client: client, server: server, offering: ["b", "a"], serving: ["a", "b"],
            trust: .pinned([identity.fingerprint.uppercased()]), seed: seed)
        // Compared outside of the macro, which would work for minutes on how long arrays differ.
        let hasServerHeard = server.heard == Array("hello".utf8) + long
        let hasClientHeard = client.heard == long + Array("bye".utf8)
        #expect(hasServerHeard)
        #expect(hasClientHeard)
        #expect(server.end == "")
        #expect(ends.client.isFinished)
        #expect(ends.client.negotiatedProtocol == "a")
        #expect(ends.server.negotiatedProtocol == "a")
        #expect(ends.server.requestedName == "localhost")
        let facts = try #require(ends.client.facts)
        #expect(facts.version == "TLSv1.3")
        #expect(facts.peerFingerprint == Self.identity?.fingerprint)
        #expect(ends.client.failure == nil)
    }

    @Test func aServerSpeaksRightBehindItsPartOfTheHandshake() throws {
        let now = Instant(nanoseconds: 1)
        let inside = Talker()
        let within = Talker(saying: [Array("welcome".utf8)])
        let client = try TLSStream(client: inside, serverName: nil, protocols: ["a"], trust: .insecure)
        let server = try TLSStream(server: within, identity: identity, protocols: ["a"])
        server.receive(try #require(client.transmit(at: now)), at: now)
        var flight: [UInt8] = []
        while let piece = server.transmit(at: now) { flight += piece }
        #expect(!server.isEstablished)
        #expect(server.negotiatedProtocol == "a")
        client.receive(flight, at: now)
        #expect(client.isEstablished)
        #expect(inside.heard == Array("welcome".utf8))
        server.receive(try #require(client.transmit(at: now)), at: now)
        #expect(server.isEstablished)
        within.toSay = [Array("again".utf8)]
        client.receive(try #require(server.transmit(at: now)), at: now)
        #expect(inside.heard == Array("welcomeagain".utf8))
    }

    /// A client whose first key share is of a group that the server has not is asked for another (HelloRetryRequest):
    /// until then nothing may be said in the server's name.
    @Test func aServerThatAsksForAnotherKeyShareSaysNothingBefore() throws {
        let now = Instant(nanoseconds: 1)
        let inside = Talker()
        let within = Talker(saying: [Array("welcome".utf8)])
        let credentials = try TLSClientCredentials(trust: .insecure)
        var groups = Array("brainpoolP256r1tls13:X25519".utf8CString)
        let isSet = groups.withUnsafeMutableBytes {
            SSL_CTX_ctrl(credentials.context.handle, SSL_CTRL_SET_GROUPS_LIST, 0, $0.baseAddress)
        }
        try #require(isSet == 1)
        let client = try TLSStream(client: inside, serverName: nil, protocols: ["a"], credentials: credentials)
        let server = try TLSStream(server: within, identity: identity, protocols: ["a"])
        var flights: [Int] = []
        for _ in 0..<4 {
            while let piece = client.transmit(at: now) { server.receive(piece, at: now) }
            var flight: [UInt8] = []
            while let piece = server.transmit(at: now) { flight += piece }
            flights.append(flight.count)
            client.receive(flight, at: now)
        }
        // The first flight is the request for another key share: no certificate fits into it.
        #expect(flights[0] > 0 && flights[0] < 200 && flights[1] > 500, "\(flights)")
        #expect(client.isEstablished && server.isEstablished)
        #expect(inside.heard == Array("welcome".utf8))
    }

    @Test func theCertificateIsTold() throws {
        let ends = try talk(client: Talker(), server: Talker(), trust: .insecure)
        let facts = try #require(ends.client.peerCertificate)
        #expect(facts.subject == "CN=moqspec")
        #expect(facts.isSelfSigned)
        #expect(facts.names == ["localhost", "127.0.0.1", "0:0:0:0:0:0:0:1"])
        #expect(facts.notBefore == Self.unixTime - 3600)
        #expect(facts.notAfter == Self.unixTime - 3600 + 13 * 86_400)
        #expect(facts.key == "id-ecPublicKey 256 bits")
    }

    @Test(arguments: ["localhost", "127.0.0.1", "::1", "[::1]"])
    func aRootVouchesForNamesAndAddresses(_ name: String) throws {
        try withRoot(identity) { file in
            let ends = try talk(client: Talker(), server: Talker(), name: name, trust: .roots([file]))
            #expect(ends.client.isEstablished)
            #expect(ends.server.requestedName == (name == "localhost" ? name : nil))
        }
    }

    @Test(arguments: ["example.org", "", "127.0.0.1"])
    func theNameThatIsShownIsNotWhatTheCertificateIsCheckedFor(_ shown: String) throws {
        try withRoot(identity) { file in
            let ends = try talk(client: Talker(), server: Talker(), shown: shown, trust: .roots([file]))
            #expect(ends.client.isEstablished)
            #expect(ends.server.requestedName == (shown == "example.org" ? shown : nil))
            let others = try talk(
                client: Talker(), server: Talker(), name: "example.org", shown: "localhost", trust: .roots([file]))
            #expect(!others.client.isEstablished)
        }
    }

    @Test(arguments: ["example.org", "127.0.0.2"])
    func aWrongNameIsRefused(_ name: String) throws {
        try withRoot(identity) { file in
            let client = Talker()
            let server = Talker()
            let ends = try talk(client: client, server: server, name: name, trust: .roots([file]))
            let refusal = CertificateRefusal(
                problem: .nameMismatch(expected: name), fingerprint: try identity.fingerprint)
            #expect(ends.client.failure == .certificateRefused(refusal))
            #expect(client.end?.contains("not for \(name)") == true)
            #expect(!ends.client.isEstablished)
            #expect(ends.client.isFinished)
            guard case .alertReceived? = ends.server.failure else {
                Issue.record("the server saw \(String(describing: ends.server.failure))")
                return
            }
        }
    }

    @Test func whatNobodyVouchesForIsRefused() throws {
        let client = Talker(saying: [Array("secret".utf8)])
        let server = Talker()
        let ends = try talk(client: client, server: server, trust: .systemRoots)
        guard case .certificateRefused(let refusal)? = ends.client.failure else {
            Issue.record("\(String(describing: ends.client.failure))")
            return
        }
        #expect(refusal.problem == .unknownIssuer)
        #expect(refusal.fingerprint == Self.identity?.fingerprint)
        #expect(server.heard.isEmpty)
        #expect(ends.server.failure == .alertReceived(48))
        #expect(server.end?.contains("alert 48") == true, "the machine inside was made, and hears how it ended")
    }

    @Test(arguments: [(-30, CertificateRefusal.Problem.expired), (30, .notYetValid)])
    func datesAreChecked(_ days: Int, _ problem: CertificateRefusal.Problem) throws {
        let identity = try ServerIdentity.selfSigned(unixTime: Self.unixTime + days * 86_400)
        try withRoot(identity) { file in
            let ends = try talk(client: Talker(), server: Talker(), trust: .roots([file]), identity: identity)
            let refusal = CertificateRefusal(problem: problem, fingerprint: identity.fingerprint)
            #expect(ends.client.failure == .certificateRefused(refusal))
        }
        // A pin stands above dates and names.
        let pinned = try talk(
            client: Talker(), server: Talker(), name: nil, trust: .pinned([identity.fingerprint]), identity: identity)
        #expect(pinned.client.isEstablished)
    }

    @Test func anotherFingerprintThanThePinnedIsRefused() throws {
        let pin = String(repeating: "ab", count: 32)
        let ends = try talk(client: Talker(), server: Talker(), trust: .pinned([pin]))
        let refusal = CertificateRefusal(
            problem: .fingerprintMismatch(expected: [pin]), fingerprint: try identity.fingerprint)
        #expect(ends.client.failure == .certificateRefused(refusal))
    }

    @Test func noProtocolInCommonEndsTheHandshake() throws {
        let ends = try talk(
            client: Talker(), server: Talker(), offering: ["moq-lite-06"], serving: ["http/1.1"], trust: .insecure)
        #expect(ends.client.failure == .alertReceived(120))
        #expect(ends.client.failure?.description.contains("no application protocol (ALPN) in common") == true)
        #expect(ends.server.failure == .noProtocol)
    }

    @Test(arguments: [false, true])
    func aServerWithoutProtocolsPicksNone(_ isRequired: Bool) throws {
        let ends = try talk(
            client: Talker(), server: Talker(), offering: ["moq-lite-06"], trust: .insecure,
            requiresProtocol: isRequired)
        #expect(ends.client.negotiatedProtocol == nil)
        #expect(ends.client.failure == (isRequired ? .noProtocol : nil))
    }

    @Test func theServerMayChooseItsMachineByTheProtocol() throws {
        let web = Talker()
        let server = try TLSStream(
            server: TLSServerCredentials(identity: identity), protocols: ["moq-lite-06", "http/1.1"]
        ) { name, _ in name == "http/1.1" ? web : nil }
        let client = try TLSStream(
            client: Talker(saying: [[1, 2, 3]]), serverName: "localhost", protocols: ["http/1.1"], trust: .insecure)
        let pipe = Pipe(client, server)
        #expect(pipe.settle())
        #expect(web.heard == [1, 2, 3])
    }

    @Test func setUpFaultsAreToldInWords() throws {
        #expect(throws: TLSError.noServerName) {
            _ = try TLSStream(client: Talker(), serverName: nil, protocols: [], trust: .systemRoots)
        }
        #expect(throws: TLSError.self) { _ = try TLSClientCredentials(trust: .pinned(["nonsense"])) }
        #expect(throws: TLSError.self) { _ = try TLSClientCredentials(trust: .roots(["does-not-exist.pem"])) }
        #expect(throws: TLSError.self) {
            let other = try ServerIdentity.selfSigned(unixTime: Self.unixTime)
            _ = try TLSServerCredentials(
                identity: ServerIdentity(certificateChain: identity.certificateChain, privateKey: other.privateKey))
        }
        #expect(throws: TLSError.self) {
            _ = try TLSServerCredentials(
                identity: ServerIdentity(certificateChain: identity.certificateChain, privateKey: [1, 2, 3]))
        }
    }
}
