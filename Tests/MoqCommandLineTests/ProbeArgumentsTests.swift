import MoqRunner
import MoqTransport
import MoqWire
import Testing

@testable import MoqCommandLine

@Suite struct ProbeArgumentsTests {
    private func arguments(_ words: String...) throws -> ProbeArguments {
        try ProbeArguments(Samples.parsed(.probe, words))
    }

    private func complaint(_ words: String...) -> String? {
        Samples.message { _ = try ProbeArguments(Samples.parsed(.probe, words)) }
    }

    @Test func withoutFlagsEverythingIsTried() throws {
        let probe = try arguments("moqt://localhost:4443/anon")
        #expect(probe.url.port == 4443)
        #expect(probe.transports == TransportKind.allCases)
        #expect(probe.versions == Version.byPreference)
        #expect(probe.trust == .systemRoots && probe.token == nil && probe.report == nil)
    }

    @Test func flagsNarrowIt() throws {
        let probe = try arguments(
            "tcp://h:1", "--transport", "tcp,quic", "--moq-version", "03,07-wip", "--insecure", "--timeout", "2s",
            "--report", "json=-", "--token", "t")
        #expect(probe.transports == [.tcp, .quic])
        // The newest first, in whatever order they are named.
        #expect(probe.versions == [.lite07, .lite03])
        #expect(probe.trust == .insecure && probe.token == "t")
        #expect(probe.timeout == .seconds(2))
        #expect(probe.report?.path == nil && probe.report != nil)
    }

    @Test func whatIsWrongIsSaid() {
        #expect(complaint()?.contains("URL of a relay is missing") == true)
        #expect(complaint("localhost")?.contains("is no URL") == true)
        #expect(complaint("quic://h:1/")?.contains("no scheme of a relay") == true)
        #expect(complaint("tcp://h:1", "tcp://h:2")?.contains("one URL") == true)
        #expect(complaint("tcp://h:1", "--transport", "auto")?.contains("races nothing") == true)
        #expect(complaint("tcp://h:1", "--report", "junit=x")?.contains("json=PATH") == true)
        #expect(complaint("tcp://h:1", "--insecure", "--tls-root", "x")?.contains("two ways") == true)
    }

    @Test func aComplaintShowsNoToken() {
        #expect(complaint("host?jwt=secretsecret")?.contains("secretsecret") == false)
        #expect(complaint("tcp://h:1", "tcp://h:2?jwt=secretsecret")?.contains("secretsecret") == false)
    }
}
