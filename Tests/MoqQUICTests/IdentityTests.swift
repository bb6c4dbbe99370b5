import Foundation
import MoqBase
import Testing

@testable import MoqQUIC

@Suite struct IdentityTests {
    @Test func generatedCertificatesDifferButNotInSize() throws {
        let identities = try (0..<20).map { _ in try ServerIdentity.selfSigned(unixTime: 1_790_000_000) }
        #expect(Set(identities.map(\.fingerprint)).count == 20)
        #expect(Set(identities.map(\.certificateChain.count)).count == 1)
        #expect(identities[0].fingerprint.count == 64)
    }

    @Test func anIdentityIsReadFromFilesAndItsFaultsAreTold() throws {
        let identity = try ServerIdentity.selfSigned(unixTime: 1_790_000_000)
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("moqspec-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let certificate = directory.appendingPathComponent("cert.pem").path
        let key = directory.appendingPathComponent("key.pem").path
        try Data(identity.certificateChain).write(to: URL(fileURLWithPath: certificate))
        try Data(identity.privateKey).write(to: URL(fileURLWithPath: key))
        let loaded = try ServerIdentity.load(certificateFile: certificate, keyFile: key)
        #expect(loaded == identity)
        _ = try QUICServerCredentials(identity: loaded)
        #expect(throws: QUICError.self) { try ServerIdentity.load(certificateFile: key, keyFile: key) }
        #expect(throws: QUICError.self) {
            try ServerIdentity.load(certificateFile: certificate + ".none", keyFile: key)
        }
        let stranger = try ServerIdentity(
            certificateChain: identity.certificateChain,
            privateKey: ServerIdentity.selfSigned(unixTime: 1_790_000_000).privateKey)
        #expect(throws: QUICError.self) { try QUICServerCredentials(identity: stranger) }
        // As its own root it is known, but its dates are checked against the system's clock, which is no matter here.
        _ = try QUICClientCredentials(trust: .roots([certificate]))
        #expect(throws: QUICError.self) { try QUICClientCredentials(trust: .roots([key])) }
    }

    @Test func certificateNamesMustBeNames() {
        #expect(throws: QUICError.self) {
            try ServerIdentity.selfSigned(unixTime: 1_790_000_000, names: ["a,b:c\u{0}"])
        }
    }

    @Test(arguments: ["", "xyz", "abcd", String(repeating: "a", count: 63)])
    func aPinThatIsNoFingerprintIsRefused(pin: String) {
        #expect(throws: QUICError.self) { try QUICClientCredentials(trust: .pinned([pin])) }
    }
}

@Suite struct IdentityTrustTests {
    /// Certificates for the system's clock: trust by roots looks at it.
    private func refusal(unixTime: Int, serverName: String, shown: String? = nil) throws -> CertificateRefusal.Problem?
    {
        let identity = try ServerIdentity.selfSigned(unixTime: unixTime)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("moqspec-root-\(UUID()).pem")
        try Data(identity.certificateChain).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let pipe = Pipe(
            server: QUICServerConfiguration(
                protocols: ["x"], credentials: try QUICServerCredentials(identity: identity)))
        var configuration = QUICClientConfiguration(
            serverName: serverName, protocols: ["x"], credentials: try QUICClientCredentials(trust: .roots([file.path]))
        )
        configuration.shownServerName = shown
        let client = Peer(pipe.client.connect(to: Pipe.serverAddress, configuration: configuration))
        pipe.onStep = { client.turn() }
        pipe.run { client.has(.established) || client.close != nil }
        guard case .certificateRefused(let refusal) = client.close?.cause else { return nil }
        return refusal.problem
    }

    @Test func aKnownRootNeedsTheRightNameAndTime() throws {
        let now = Int(Date().timeIntervalSince1970)
        for name in ["localhost", "127.0.0.1", "::1", "[::1]"] {
            #expect(try refusal(unixTime: now, serverName: name) == nil, "\(name)")
        }
        #expect(try refusal(unixTime: now, serverName: "example.org") == .nameMismatch(expected: "example.org"))
        // The name that is shown is not what the certificate is checked for.
        #expect(try refusal(unixTime: now, serverName: "localhost", shown: "example.org") == nil)
        #expect(try refusal(unixTime: now, serverName: "localhost", shown: "") == nil)
        #expect(try refusal(unixTime: now, serverName: "example.org", shown: "localhost") != nil)
        #expect(try refusal(unixTime: now - 20 * 86_400, serverName: "localhost") == .expired)
        #expect(try refusal(unixTime: now + 20 * 86_400, serverName: "localhost") == .notYetValid)
    }
}
