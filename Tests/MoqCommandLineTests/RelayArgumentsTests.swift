import MoqTransport
import MoqWire
import Testing

@testable import MoqCommandLine

@Suite struct RelayArgumentsTests {
    private func arguments(_ words: String...) throws -> RelayArguments {
        try RelayArguments(Samples.parsed(.relay, words))
    }

    private func complaint(_ words: String...) -> String? {
        Samples.message { _ = try RelayArguments(Samples.parsed(.relay, words)) }
    }

    @Test func withoutFlagsItListensOnLoopbackOfBothFamilies() throws {
        let arguments = try arguments()
        #expect(arguments.url.description == "http://localhost:4443/anon")
        #expect(arguments.hosts == ["127.0.0.1", "::1"])
        #expect(!arguments.isBoundExplicitly)
        #expect(arguments.generation == .second)
        #expect(arguments.versions == [.lite06, .lite05, .lite04, .lite03, .lite02, .lite01])
        #expect(arguments.transports == [.quic, .webtransport, .websocket, .tcp])
        #expect(arguments.publicPrefix?.description == "anon")
        #expect(arguments.linger == .zero)
        #expect(arguments.identity == nil && !arguments.isJSON)
    }

    @Test func everyFlagReachesItsSetting() throws {
        let arguments = try arguments(
            "--url", "http://127.0.0.1:0/live", "--generation", "first", "--moq-version", "03,04", "--public", "",
            "--linger", "2s", "--tls-cert", "c.pem", "--tls-key", "k.pem", "--json")
        #expect(arguments.url.port == 0)
        #expect(arguments.url.path == "/live")
        #expect(arguments.hosts == ["127.0.0.1"])
        #expect(arguments.generation == .first)
        #expect(arguments.versions == [.lite03, .lite04])
        #expect(arguments.publicPrefix == .empty)
        #expect(arguments.linger == .seconds(2))
        #expect(arguments.identity == RelayArguments.Identity(certificate: "c.pem", key: "k.pem"))
        #expect(arguments.isJSON)
    }

    @Test func portZeroIsUnderstoodForEveryHost() throws {
        #expect(try arguments("--url", "http://[::1]:0").url.description == "http://[::1]:0/")
        #expect(try arguments("--url", "http://localhost:0/a:0/b").url.description == "http://localhost:0/a:0/b")
    }

    @Test func nobodyElseIsServedUnlessThatIsSaid() throws {
        #expect(complaint("--url", "http://relay.example:4443/")?.contains("keeps to loopback") == true)
        #expect(complaint("--url", "http://10.0.0.1:4443/")?.contains("keeps to loopback") == true)
        let open = try arguments("--url", "http://relay.example:4443/", "--bind", "0.0.0.0")
        #expect(open.hosts == ["0.0.0.0"])
        #expect(open.isBoundExplicitly)
        #expect(try arguments("--bind", "[::]").hosts == ["::"])
        #expect(complaint("--bind", "everywhere")?.contains("IP address") == true)
        #expect(complaint("--bind", "0.0.0.0:80")?.contains("without a port") == true)
    }

    @Test func transportsAreChosenAndToldAsURLs() throws {
        let arguments = try arguments("--transport", "tcp,quic,tcp", "--url", "http://localhost:5000/live")
        #expect(arguments.transports == [.tcp, .quic])
        let urls = RelayArguments.servedURLs(url: arguments.url, transports: arguments.transports)
        #expect(
            urls.map(\.description) == [
                "moqt://localhost:5000/live", "tcp://localhost:5000/live", "tls://localhost:5000/live",
            ])
        #expect(complaint("--transport", "websockets")?.contains("websocket") == true)
        #expect(try self.arguments("--transport", "all").transports.count == 4)
    }

    @Test func aURLThatNobodyCouldUseIsNotPromised() throws {
        let told = try #require(complaint("--url", "tcp://localhost:5000/live", "--transport", "quic,websocket"))
        #expect(told.contains("leaves tcp out") && told.contains("moqt://, ws://, wss://"), "\(told)")
        #expect(complaint("--url", "moqt://localhost:5000/", "--transport", "tcp") != nil)
        #expect(try arguments("--url", "moql://localhost:5000/", "--transport", "quic").url.scheme == .moql)
        #expect(try arguments("--url", "tls://localhost:5000/", "--transport", "tcp").url.scheme == .tls)
        #expect(try arguments("--transport", "quic").url.description == "moqt://localhost:4443/anon")
        #expect(
            try arguments("--url", "http://localhost:0/a", "--transport", "tcp").url.description
                == "tcp://localhost:0/a")
        #expect(try arguments("--transport", "webtransport").url.description == "http://localhost:4443/anon")
    }

    @Test func halfAnIdentityIsNone() {
        #expect(complaint("--tls-cert", "c")?.contains("--tls-key") == true)
        #expect(complaint("--tls-key", "k")?.contains("--tls-cert") == true)
    }

    @Test func urlsThatNobodyCouldUseAreRefused() {
        #expect(complaint("--url", "localhost:4443")?.contains("it is a URL such as") == true)
        #expect(complaint("--url", "quic://localhost:4443/")?.contains("no scheme of a relay") == true)
        #expect(complaint("--url", "http://localhost:99999/")?.contains("1 to 65535") == true)
        #expect(complaint("--url", "http://localhost:1/?a=b")?.contains("query") == true)
        #expect(complaint("--generation", "probe")?.contains("first, second") == true)
    }
}
