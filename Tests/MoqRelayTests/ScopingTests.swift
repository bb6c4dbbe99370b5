import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

@testable import MoqRelay

struct ScopingTests {
    @Test func pathsAreRelativeToTheRootOfTheSession() {
        let world = World()
        let publisher = world.connect(.lite05, path: "/anon/room?x=abc")
        publisher.publication.announce(world.path("cam"))
        let wide = world.connect(.lite05, path: "/anon")
        let top = world.connect(.lite06, path: "/")
        let none = world.connect(.lite06, path: nil)
        let beside = world.connect(.lite05, path: "/anon/other")
        let old = world.connect(.lite03)
        for peer in [wide, top, none, beside, old] { peer.lite.requestAnnouncements(prefix: .empty) }
        world.settle()
        #expect(wide.announcements == ["+room/cam"])
        #expect(top.announcements == ["+anon/room/cam"])
        #expect(none.announcements == ["+anon/room/cam"])
        #expect(beside.announcements.isEmpty)
        #expect(old.announcements == ["+room/cam"])
    }

    @Test func outsideTheGrantNothingIsSeenSaidOrServed() {
        let world = World(generation: .first)
        let top = world.connect(.lite05, path: "/")
        top.publication.announce(world.path("elsewhere/cam"))
        top.publication.announce(world.path("anon/cam"))
        world.settle()
        #expect(world.core.snapshot().broadcasts == [world.path("anon/cam")])
        let other = world.connect(.lite05, path: "/")
        other.lite.requestAnnouncements(prefix: world.path("elsewhere"))
        let id = other.subscribe("elsewhere/cam", "video")
        world.settle()
        #expect(other.announcements.isEmpty)
        #expect(other.closed == nil)
        #expect(other[id].ended == .reset(.code(30)))
    }

    @Test(arguments: CodeGeneration.allCases)
    func aPathOutsideThePublicPrefixIsUnauthorized(_ generation: CodeGeneration) {
        for path in ["/secret", "/anonymous", "/secret/anon"] {
            let world = World(generation: generation)
            let peer = world.connect(.lite05, path: path)
            #expect(peer.closed?.cause == .application(code: generation == .first ? 6 : 2), "\(path)")
            #expect(world.core.snapshot().isEmpty)
        }
    }

    @Test func aSessionThatNeverSendsItsSetupIsClosedInTheEnd() {
        let world = World()
        let silent = world.connect(.lite05, sendsSetup: false)
        world.advance(9)
        #expect(silent.closed == nil)
        world.advance(2)
        #expect(silent.closed != nil)
        #expect(world.core.snapshot().isEmpty)
    }

    @Test func aSubscriberIsNotAskedForAnnouncements() {
        let world = World()
        let viewer = world.connect(.lite05, role: .subscriber)
        viewer.publication.announce(world.path("x"))
        world.settle()
        #expect(world.core.snapshot().broadcasts.isEmpty)
    }

    @Test(arguments: [
        ("/anon", "anon", ""), ("/anon/", "anon", ""), ("//anon//x", "anon/x", ""), ("/", "", "anon"), ("", "", "anon"),
        ("/anon?jwt=a/b", "anon", ""),
    ])
    func grantsFollowFromTheRequestPath(_ request: String, _ root: String, _ allowed: String) throws {
        let path = try #require(PathPolicy.requested(request))
        let grant = PathPolicy.grant(for: path, publicPrefix: BroadcastPath(test: "anon"))
        #expect(grant == PathGrant(root: BroadcastPath(test: root), allowed: [BroadcastPath(test: allowed)]))
    }

    @Test func aPrefixOfSeveralPartsIsReachedFromAbove() {
        let prefix = BroadcastPath(test: "a/b")
        #expect(
            PathPolicy.grant(for: BroadcastPath(test: "a"), publicPrefix: prefix)
                == PathGrant(root: BroadcastPath(test: "a"), allowed: [BroadcastPath(test: "b")]))
        #expect(PathPolicy.grant(for: BroadcastPath(test: "a/c"), publicPrefix: prefix) == nil)
        #expect(
            PathPolicy.grant(for: BroadcastPath(test: "c"), publicPrefix: .empty)
                == PathGrant(root: BroadcastPath(test: "c"), allowed: [.empty]))
    }
}
