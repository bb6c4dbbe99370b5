import MoqBase
import Testing

@testable import MoqKit

@Suite struct SessionModelTests {
    @Test(arguments: KitPlatform.allCases)
    func aSessionConnectsOnce(_ platform: KitPlatform) throws {
        let bench = Bench(platform)
        let session = try bench.session()
        #expect(reason { try session.connect() } == .alreadyConnected)
        session.close()
        #expect(session.state == .closed)
        #expect(reason { try session.connect() } == .alreadyClosed)
        session.close()
        bench.settle()
        #expect(bench.requests == [.connect, .close])
    }

    @Test func closingWhatNeverConnectedIsFinalOnOnePlatformOnly() {
        for platform in KitPlatform.allCases {
            let bench = Bench(platform)
            let session = SessionModel("session 1", as: platform, port: bench.port)
            session.close()
            bench.settle()
            #expect(session.state == (platform == .ios ? .closed : .idle))
        }
    }

    @Test(arguments: KitPlatform.allCases)
    func aLostSessionTakesItsSubscriptionsAndPublishersAlong(_ platform: KitPlatform) throws {
        let bench = Bench(platform)
        let session = try bench.session()
        let subscription = try session.subscribe(prefix: "live")
        let publisher = PublisherModel("publisher 1", as: platform, port: bench.port)
        _ = try publisher.addData("chat")
        try session.publish("live/a", publisher)
        try publisher.start()
        session.transportEnded("idle")
        bench.settle()
        #expect(session.state == .closed)
        #expect(subscription.isFinished)
        #expect(publisher.state == .stopped)
        #expect(bench.names == ["trackStarted", "trackStopped"])
    }

    @Test(arguments: KitPlatform.allCases)
    func aPrefixIsTakenOnceAndFreeAgain(_ platform: KitPlatform) throws {
        let bench = Bench(platform)
        let session = try bench.session()
        let first = try session.subscribe(prefix: "live")
        #expect(reason { _ = try session.subscribe(prefix: "live") } == .alreadySubscribed)
        first.cancel()
        #expect(reason { _ = try session.subscribe(prefix: "live") } == nil)
        bench.settle()
    }

    @Test(
        arguments: [
            ("live/game", "live", "game"), ("live", "live", ""), ("live/game", "", "live/game"),
            ("/live//game/", "live/", "game"),
        ])
    func pathsAreRelativeToThePrefix(_ path: String, _ prefix: String, _ relative: String) {
        #expect(BroadcastSubscription.relative(path, to: prefix) == relative)
    }

    @Test func aPrefixEndsAtASegment() {
        #expect(BroadcastSubscription.relative("foobar", to: "foo") == nil)
        #expect(BroadcastSubscription.isOwn("me", publishing: "live/me", prefix: "live"))
        #expect(!BroadcastSubscription.isOwn("you", publishing: "live/me", prefix: "live"))
    }
}
