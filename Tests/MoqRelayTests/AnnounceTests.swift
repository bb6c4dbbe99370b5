import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

@testable import MoqRelay

struct AnnounceTests {
    @Test(arguments: Pair.all)
    func announcementsAreReplayedFollowedAndEnded(_ pair: Pair) {
        let world = World()
        let publisher = world.connect(pair.publisher)
        publisher.publication.announce(world.path("early"))
        world.settle()
        let viewer = world.connect(pair.subscriber)
        viewer.lite.requestAnnouncements(prefix: .empty)
        world.settle()
        #expect(viewer.announcements == ["+early"])
        publisher.publication.announce(world.path("late/one"))
        world.settle()
        publisher.publication.unannounce(world.path("early"))
        world.settle()
        #expect(viewer.announcements == ["+early", "+late/one", "-early"])
        publisher.lite.close(code: 0, reason: "")
        world.settle()
        #expect(viewer.announcements == ["+early", "+late/one", "-early", "-late/one"])
    }

    @Test func aPrefixIsComparedByParts() {
        let world = World()
        let publisher = world.connect()
        for path in ["room", "room/a", "roommate", "other"] { publisher.publication.announce(world.path(path)) }
        let viewer = world.connect()
        viewer.lite.requestAnnouncements(prefix: world.path("room"))
        world.settle()
        #expect(viewer.announcements == ["+room", "+room/a"])
    }

    @Test(arguments: Version.allCases)
    func aSessionDoesNotHearItsOwnAnnouncements(_ version: Version) {
        let world = World()
        let both = world.connect(version, hop: 42)
        both.lite.requestAnnouncements(prefix: .empty, excludeHop: 42)
        both.publication.announce(world.path("mine"))
        let other = world.connect(version)
        other.publication.announce(world.path("theirs"))
        world.settle()
        #expect(both.announcements == ["+theirs"])
    }

    @Test func hopsNameThePublisherAndTheRelayAndCostsAddUp() {
        let world = World()
        let publisher = world.connect(.lite06, hop: 7)
        publisher.publication.announce(world.path("x"), cost: RouteCost(warm: 5, cold: VarInt.maximum))
        for version in Version.allCases {
            let viewer = world.connect(version)
            viewer.lite.requestAnnouncements(prefix: .empty)
            world.settle()
            let route = viewer.routes[world.path("x")]
            let hops: [UInt64] = version.hasHopIDs ? [7, 9] : version.hasHops ? [0, 0] : [0]
            #expect(route?.hops.ids == hops, "\(version)")
            if version.hasCosts {
                #expect(route?.cost == RouteCost(warm: 6, cold: version.hasColdCost ? VarInt.maximum : 6))
            }
        }
    }

    @Test func aLoopIsIgnoredAndItsEndToo() throws {
        let world = World()
        let neighbour = world.connect(.lite06)
        let viewer = world.connect()
        viewer.lite.requestAnnouncements(prefix: .empty)
        neighbour.publication.announce(world.path("x"), hops: try HopList([3, 9]))
        world.settle()
        #expect(viewer.announcements.isEmpty)
        neighbour.publication.unannounce(world.path("x"))
        world.settle()
        #expect(viewer.announcements.isEmpty)
        #expect(neighbour.closed == nil)
    }

    @Test func aFullHopListIsNotPassedOn() throws {
        let world = World()
        let neighbour = world.connect(.lite05)
        neighbour.publication.announce(world.path("short"), hops: try HopList((1...30).map { UInt64($0) + 1000 }))
        neighbour.publication.announce(world.path("long"), hops: try HopList((1...31).map { UInt64($0) + 1000 }))
        let viewer = world.connect(.lite05)
        viewer.lite.requestAnnouncements(prefix: .empty)
        world.settle()
        #expect(viewer.announcements == ["+short"])
    }

    @Test(arguments: Version.allCases)
    func anotherPublisherTakesThePathAndTheLoserGetsItBack(_ version: Version) {
        let world = World()
        let first = world.connect(version)
        let second = world.connect(version)
        let viewer = world.connect(version)
        viewer.lite.requestAnnouncements(prefix: .empty)
        first.publication.announce(world.path("x"))
        world.settle()
        second.publication.announce(world.path("x"))
        world.settle()
        #expect(viewer.announcements == ["+x", "-x", "+x"])
        second.publication.unannounce(world.path("x"))
        world.settle()
        #expect(viewer.announcements == ["+x", "-x", "+x", "-x", "+x"])
        first.publication.unannounce(world.path("x"))
        world.settle()
        #expect(viewer.announcements.last == "-x")
        #expect(viewer.announcements.count == 6)
    }

    @Test func aLoserDoesNotWinByAMereChangeOfRoute() {
        let world = World()
        let first = world.connect(.lite06, hop: 50)
        let second = world.connect(.lite06, hop: 51)
        let viewer = world.connect(.lite06)
        viewer.lite.requestAnnouncements(prefix: .empty)
        first.publication.announce(world.path("x"))
        world.settle()
        second.publication.announce(world.path("x"))
        world.settle()
        let before = viewer.announcements
        first.publication.announce(world.path("x"), cost: RouteCost(warm: 0, cold: 77))
        world.settle()
        #expect(viewer.announcements == before)
        #expect(viewer.routes[world.path("x")]?.hops.ids.first == 51)
    }

    @Test func theSamePublisherOverASecondSessionJoinsSilently() {
        let world = World()
        let first = world.connect(.lite05, hop: 50)
        let second = world.connect(.lite05, hop: 50)
        let viewer = world.connect(.lite04)
        viewer.lite.requestAnnouncements(prefix: .empty)
        first.publication.announce(world.path("x"))
        world.settle()
        second.publication.announce(world.path("x"))
        world.settle()
        first.lite.close(code: 0, reason: "")
        world.settle()
        #expect(viewer.announcements == ["+x"])
        second.lite.close(code: 0, reason: "")
        world.settle()
        #expect(viewer.announcements == ["+x", "-x"])
    }

    @Test func aChangedRouteIsAnUpdateFrom05OnAndNothingBefore() {
        let world = World()
        let publisher = world.connect(.lite06, hop: 50)
        publisher.publication.announce(world.path("x"))
        let viewers = Version.allCases.map { world.connect($0) }
        for viewer in viewers { viewer.lite.requestAnnouncements(prefix: .empty) }
        world.settle()
        publisher.publication.announce(world.path("x"), cost: RouteCost(warm: 8, cold: 8))
        world.settle()
        for (viewer, version) in zip(viewers, Version.allCases) {
            #expect(viewer.announcements == (version.announcementsCanChange ? ["+x", "~x"] : ["+x"]), "\(version)")
        }
    }

    @Test func anEchoWithoutHopsDoesNotDisturbTheOriginal() {
        let world = World()
        let publisher = world.connect(.lite05)
        let echo = world.connect(.lite03)
        let viewer = world.connect(.lite05)
        echo.lite.requestAnnouncements(prefix: .empty)
        viewer.lite.requestAnnouncements(prefix: .empty)
        publisher.publication.announce(world.path("x"))
        world.settle()
        echo.publication.announce(world.path("x"))
        world.settle()
        #expect(viewer.announcements == ["+x"])
        #expect(echo.announcements == ["+x"])
    }

    @Test func aLostPublisherStaysAnnouncedForTheLingerAndOneThatSaysSoDoesNot() {
        let world = World { $0.linger = .seconds(3) }
        let lost = world.connect(.lite05, hop: 60)
        let deliberate = world.connect(.lite05, hop: 61)
        let viewer = world.connect(.lite05)
        viewer.lite.requestAnnouncements(prefix: .empty)
        lost.publication.announce(world.path("a"))
        deliberate.publication.announce(world.path("b"))
        world.settle()
        lost.lite.close(code: 0, reason: "")
        deliberate.publication.unannounce(world.path("b"))
        world.settle()
        #expect(viewer.announcements == ["+a", "+b", "-b"])
        world.advance(2.9)
        #expect(viewer.announcements.count == 3)
        world.advance(0.2)
        #expect(viewer.announcements.last == "-a")
    }

    @Test func aPublisherThatReturnsInItsLingerIsNotSeenToHaveGone() {
        let world = World { $0.linger = .seconds(3) }
        let lost = world.connect(.lite05, hop: 60)
        let viewer = world.connect(.lite05)
        viewer.lite.requestAnnouncements(prefix: .empty)
        lost.publication.announce(world.path("a"))
        world.settle()
        lost.lite.close(code: 0, reason: "")
        world.advance(1)
        let back = world.connect(.lite05, hop: 60)
        back.publication.announce(world.path("a"))
        world.advance(10)
        #expect(viewer.announcements == ["+a"])
    }

    @Test func aThousandBroadcastsThatComeAndGoLeaveNothing() {
        let world = World()
        let viewer = world.connect(.lite06)
        viewer.lite.requestAnnouncements(prefix: .empty)
        let publisher = world.connect(.lite06)
        for number in 0..<1000 { publisher.publication.announce(world.path("churn/\(number)")) }
        world.settle()
        #expect(world.core.snapshot(under: world.path("anon/churn")).broadcasts.count == 1000)
        #expect(viewer.announcements.count == 1000)
        for number in 0..<500 { publisher.publication.removeBroadcast(world.path("churn/\(number)")) }
        world.settle()
        publisher.lite.close(code: 0, reason: "")
        world.settle()
        #expect(viewer.announcements.filter { $0.hasPrefix("-") }.count == 1000)
        viewer.lite.close(code: 0, reason: "")
        world.settle()
        #expect(world.core.snapshot().isEmpty)
        #expect(world.core.entries.count == 0)
    }

    @Test func announcementsBeyondTheBoundAreLeftOut() {
        let world = World { $0.limits.announcementsPerSession = 3 }
        let publisher = world.connect()
        for number in 0..<5 { publisher.publication.announce(world.path("b\(number)")) }
        world.settle()
        #expect(world.core.snapshot().broadcasts.count == 3)
        #expect(publisher.closed == nil)
    }
}
