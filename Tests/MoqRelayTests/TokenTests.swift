import MoqBase
import MoqLite
import MoqTokens
import MoqTransport
import MoqWire
import Testing

@testable import MoqRelay

struct TokenTests {
    private let key: JSONWebKey
    private let foreign: JSONWebKey
    private let world: World
    /// What the clock says at the origin of the world's time: 2026-01-01.
    private static let epoch: Int64 = 1_767_225_600

    init() throws {
        var random = SeededRandom(seed: 1)
        let key = try JSONWebKey.generate(.hs256, random: &random)
        self.key = key
        foreign = try JSONWebKey.generate(.hs256, random: &random)
        world = World { configuration in
            configuration.tokenKey = key
            configuration.epoch = .seconds(Self.epoch)
        }
    }

    /// The request path with a token in it; `expires` counts from the origin.
    private func request(
        _ path: String, root: String = "room", publish: [String] = [], subscribe: [String] = [], expires: Int64? = nil,
        key: JSONWebKey? = nil
    ) throws -> String {
        let claims = TokenClaims(
            root: root, publish: publish, subscribe: subscribe, expires: expires.map { Self.epoch + $0 })
        return RequestToken.request(path, with: try (key ?? self.key).sign(claims))
    }

    private var isUnauthorized: SessionClose.Cause { .application(code: 2) }

    @Test func aTokenOpensItsRootAndNothingElseDoes() throws {
        let good = world.connect(path: try request("/room", publish: [""], subscribe: [""]))
        #expect(good.closed == nil)
        for refused in [
            "/room", "/room?jwt=", "/room?jwt=nonsense",
            try request("/roomy", subscribe: [""]), try request("/other", subscribe: [""]),
            try request("/room/b", subscribe: ["a"]), try request("/room", subscribe: [""], expires: -1),
            try request("/room", subscribe: [""], key: foreign),
            // A token that is no good is not taken for none, even where none is needed.
            try request("/anon", root: "anon", subscribe: [""], key: foreign),
        ] {
            #expect(world.connect(path: refused).closed?.cause == isUnauthorized, "\(refused)")
        }
        #expect(world.connect(path: "/anon").closed == nil)
    }

    @Test func aRelayWithoutAKeyRefusesEveryToken() throws {
        let keyless = World()
        let path = try request("/anon", root: "anon", publish: [""], subscribe: [""])
        #expect(keyless.connect(path: path).closed?.cause == isUnauthorized)
        #expect(keyless.connect(path: "/anon?jwt=").closed == nil)
    }

    @Test func aRelayThatOpensNothingTakesOnlyTokens() throws {
        let key = key
        let closed = World { configuration in
            configuration.tokenKey = key
            configuration.publicPrefix = nil
        }
        #expect(closed.connect(path: "/anon").closed?.cause == isUnauthorized)
        #expect(closed.connect(path: "/").closed?.cause == isUnauthorized)
        #expect(closed.connect(path: try request("/room", subscribe: [""])).closed == nil)
    }

    @Test func whoMayOnlySubscribeIsNeverAskedWhatItHas() throws {
        let viewer = world.connect(path: try request("/room", subscribe: [""]))
        viewer.publication.announce(world.path("mine"))
        let camera = world.connect(path: try request("/room", publish: [""]))
        camera.publication.announce(world.path("cam"))
        viewer.lite.requestAnnouncements(prefix: .empty)
        world.settle()
        #expect(viewer.announcements == ["+cam"])
        #expect(world.core.snapshot().broadcasts == [world.path("room/cam")])
        #expect(viewer.closed == nil)
    }

    @Test func whoMayOnlyPublishSeesNothingAndGetsNothing() throws {
        let other = world.connect(path: try request("/room", publish: [""], subscribe: [""]))
        other.publication.announce(world.path("cam"))
        let camera = world.connect(path: try request("/room", publish: ["mine"]))
        camera.publication.announce(world.path("mine"))
        camera.publication.announce(world.path("not/mine"))
        camera.lite.requestAnnouncements(prefix: .empty)
        let id = camera.subscribe("cam", "video")
        world.settle()
        #expect(camera.announcements.isEmpty)
        #expect(camera[id].ended == .reset(.code(CodeTable.numberToSend(for: .unroutable, in: .second, on: .reset))))
        #expect(camera.closed == nil)
        #expect(world.core.snapshot().broadcasts == [world.path("room/cam"), world.path("room/mine")])
    }

    @Test func aPublisherIsAskedOncePerPrefix() throws {
        let camera = world.connect(path: try request("/room", publish: ["a", "b", "a/c"]))
        for name in ["a", "a/c", "b/d", "c"] { camera.publication.announce(world.path(name)) }
        world.settle()
        #expect(
            world.core.snapshot().broadcasts
                == ["room/a", "room/a/c", "room/b/d"].map { world.path($0) })
    }

    @Test func fromAboveItsRootATokenSeesTheWayDown() throws {
        let camera = world.connect(path: try request("/room", publish: [""]))
        camera.publication.announce(world.path("cam"))
        let above = world.connect(path: try request("/", subscribe: [""]))
        above.lite.requestAnnouncements(prefix: .empty)
        world.settle()
        #expect(above.announcements == ["+room/cam"])
    }

    @Test func aRoleThatTheTokenCannotSatisfyIsRefused() throws {
        for (role, publish, subscribe) in [
            (SetupRole.publisher, [], [""]), (.subscriber, [""], []),
        ] as [(SetupRole, [String], [String])] {
            let peer = world.connect(
                path: try request("/room", publish: publish, subscribe: subscribe), role: role)
            #expect(peer.closed?.cause == isUnauthorized)
        }
        let publisher = world.connect(path: try request("/room", publish: [""], subscribe: [""]), role: .publisher)
        let other = world.connect(path: try request("/room", publish: [""]))
        other.publication.announce(world.path("cam"))
        publisher.lite.requestAnnouncements(prefix: .empty)
        world.settle()
        #expect(publisher.closed == nil)
        #expect(publisher.announcements.isEmpty)
    }

    @Test func aSessionEndsWhenItsTokenExpires() throws {
        let viewer = world.connect(path: try request("/room", subscribe: [""]))
        viewer.lite.requestAnnouncements(prefix: .empty)
        let camera = world.connect(path: try request("/room", publish: [""], expires: 3))
        let lasting = world.connect(path: try request("/room", publish: [""], expires: 1000))
        camera.publication.announce(world.path("cam"))
        lasting.publication.announce(world.path("lasting"))
        world.settle()
        world.advance(2.5)
        #expect(camera.closed == nil)
        #expect(viewer.announcements == ["+cam", "+lasting"])
        world.advance(0.5)
        #expect(camera.closed?.cause == isUnauthorized)
        #expect(viewer.announcements == ["+cam", "+lasting", "-cam"])
        #expect(lasting.closed == nil)
        #expect(viewer.closed == nil)
    }

    @Test func theNumberOfTheCloseIsThatOfTheGeneration() throws {
        let key = key
        let first = World(generation: .first) { configuration in
            configuration.tokenKey = key
            configuration.epoch = .seconds(Self.epoch)
        }
        let peer = first.connect(path: try request("/room", subscribe: [""], expires: 1))
        first.advance(1)
        #expect(peer.closed?.cause == .application(code: 6))
    }

    @Test func theListOfAnnouncementsIsThatOfTheToken() throws {
        let camera = world.connect(path: try request("/room", publish: [""]))
        camera.publication.announce(world.path("a"))
        camera.publication.announce(world.path("b"))
        world.settle()
        func ask(_ target: String) -> String {
            let http = RelayHTTP(core: world.core, fingerprint: "abc", at: world.now)
            http.receive(Array("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n".utf8), at: world.now)
            return String(decoding: http.transmit(at: world.now) ?? [], as: UTF8.self)
        }
        #expect(ask(try request("/announced/room", subscribe: [""])).hasSuffix("\r\n\r\na\nb\n"))
        #expect(ask(try request("/announced/room", subscribe: ["b"])).hasSuffix("\r\n\r\nb\n"))
        #expect(ask(try request("/announced/room", publish: [""])).hasSuffix("\r\n\r\n"))
        #expect(ask("/announced/room").hasPrefix("HTTP/1.1 404"))
        #expect(ask(try request("/announced/room", subscribe: [""], key: foreign)).hasPrefix("HTTP/1.1 404"))
    }
}
