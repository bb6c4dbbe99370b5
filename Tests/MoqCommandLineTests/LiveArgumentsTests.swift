import MoqKit
import MoqLive
import MoqRunner
import MoqTransport
import MoqWire
import Testing

@testable import MoqCommandLine

@Suite struct LiveArgumentsTests {
    private func publish(_ words: String...) throws -> PublishArguments {
        try PublishArguments(Samples.parsed(.publish, words))
    }

    private func watch(_ words: String...) throws -> WatchArguments {
        try WatchArguments(Samples.parsed(.watch, words))
    }

    private func complaint(_ words: String...) -> String? {
        Samples.message {
            if words.first == "publish" {
                _ = try PublishArguments(Samples.parsed(.publish, Array(words.dropFirst())))
            } else {
                _ = try WatchArguments(Samples.parsed(.watch, Array(words.dropFirst())))
            }
        }
    }

    @Test func aFileAloneIsPublishedAtTheRelayOfThisMachine() throws {
        let arguments = try publish("fixtures/media/bars.h264.mp4")
        #expect(arguments.relay.url.description == RelayArguments.usualURL)
        #expect(arguments.relay.kinds.isEmpty && arguments.relay.versions == Version.byPreference)
        #expect(arguments.relay.trust == .systemRoots && arguments.relay.token == nil)
        #expect(arguments.settings.path.text == "bars.h264")
        #expect(arguments.settings.packing == .legacy)
        #expect(arguments.settings.catalogs == PublishSettings.CatalogForm.allCases)
        #expect(!arguments.settings.loops && arguments.settings.waitForViewer == nil && !arguments.isJSON)
    }

    @Test func flagsSayHowItIsPublished() throws {
        let arguments = try publish(
            "bars.mp4", "--relay", "https://relay.example/room", "--broadcast", "live/studio", "--loop", "--container",
            "cmaf", "--catalog", "catalog.json.z,msf", "--wait", "2s", "--duration", "1min", "--json", "--transport",
            "auto", "--moq-version", "04,06", "--insecure", "--token", "t", "--connect-timeout", "1s")
        #expect(arguments.relay.url.host == "relay.example")
        #expect(arguments.relay.kinds == [.webtransport, .websocket])
        #expect(arguments.relay.versions == [.lite06, .lite04])
        #expect(arguments.relay.trust == .insecure && arguments.relay.token == "t")
        #expect(arguments.relay.connectTimeout == .seconds(1))
        let settings = arguments.settings
        #expect(settings.path.text == "live/studio" && settings.loops && settings.packing == .cmaf)
        #expect(settings.catalogs == [.compressed, .msf])
        #expect(settings.waitForViewer == .seconds(2) && settings.duration == .seconds(60) && arguments.isJSON)
    }

    @Test func withoutFlagsTheFirstBroadcastIsWatched() throws {
        let arguments = try watch()
        #expect(arguments.settings.broadcast == nil && arguments.save == nil && !arguments.settings.records)
        #expect(arguments.settings.video == .first && arguments.settings.audio == .first)
        #expect(arguments.settings.target == PlayerModel.usualTarget && arguments.settings.platform == .ios)
        #expect(arguments.settings.patience == nil && arguments.settings.duration == nil)
    }

    @Test func flagsSayWhatIsWatched() throws {
        let arguments = try watch(
            "--broadcast", "/live//studio/", "--video", "hd", "--audio", "none", "--target-latency", "250ms",
            "--profile", "android", "--save", "out.mp4", "--wait", "3s", "--duration", "10s", "--json", "--catalog",
            "msf", "--transport", "tcp", "--relay", "tcp://h:1")
        let settings = arguments.settings
        #expect(settings.broadcast == "live/studio")
        #expect(settings.video == .named("hd") && settings.audio == .none)
        #expect(settings.target == .milliseconds(250) && settings.platform == .android)
        #expect(settings.records && arguments.save == "out.mp4")
        #expect(settings.patience == .seconds(3) && settings.duration == .seconds(10))
        #expect(settings.catalog == .msf && arguments.isJSON)
        #expect(arguments.relay.kinds == [.tcp])
    }

    @Test func whatIsWrongIsSaid() {
        #expect(complaint("publish")?.contains("a media file is missing") == true)
        #expect(complaint("publish", "a.mp4", "b.mp4")?.contains("`b.mp4` is a second") == true)
        #expect(complaint("publish", "a.mp4", "--container", "cmfa")?.contains("did you mean `cmaf`?") == true)
        #expect(complaint("publish", "a.mp4", "--catalog", "catalog")?.contains("--catalog: `catalog` is no") == true)
        #expect(complaint("publish", "a.mp4", "--broadcast", "//")?.contains("not empty") == true)
        #expect(complaint("publish", "a.mp4", "--transport", "tcp,quic")?.contains("a session has one") == true)
        #expect(complaint("publish", "a.mp4", "--relay", "localhost")?.contains("it is a URL") == true)
        #expect(complaint("watch", "--relay", "quic://h:1/")?.contains("no scheme of a relay") == true)
        #expect(complaint("watch", "--video", "none", "--audio", "none")?.contains("nothing to watch") == true)
        #expect(complaint("watch", "--profile", "web")?.contains("is no profile") == true)
        #expect(complaint("watch", "--save", "-")?.contains("the path of a file") == true)
        #expect(complaint("watch", "--duration", "10")?.contains("--duration") == true)
        #expect(complaint("watch", "x.mp4")?.contains("takes flags only") == true)
        #expect(complaint("watch", "--insecure", "--tls-root", "x")?.contains("two ways") == true)
    }

    @Test func aComplaintShowsNoToken() {
        #expect(complaint("watch", "--relay", "host?jwt=secretsecret")?.contains("secretsecret") == false)
    }
}
