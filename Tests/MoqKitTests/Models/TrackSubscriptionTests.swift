import MoqBase
import Testing

@testable import MoqKit

@Suite struct TrackSubscriptionTests {
    private func groups(
        _ delivery: TrackSubscription.Delivery, _ platform: KitPlatform, _ arriving: [UInt64]
    ) throws -> [UInt64] {
        let bench = Bench(platform)
        let session = try bench.session()
        let broadcast = FoundBroadcast(path: "a", fullPath: "live/a", number: 1)
        let subscription = session.subscribeTrack("chat", of: broadcast, delivery, object: "chat")
        session.accepted(1)
        for group in arriving {
            session.frame(1, group, index: 0, [UInt8(group)])
            session.groupEnded(1, group, .clean)
        }
        bench.settle()
        return subscription.objects.map(\.group)
    }

    @Test(arguments: KitPlatform.allCases)
    func monotonicDeliveryGivesOnlyWhatIsLaterThanAll(_ platform: KitPlatform) throws {
        #expect(try groups(.monotonic, platform, [1, 2, 4, 5, 3]) == [1, 2, 4, 5])
    }

    @Test(arguments: KitPlatform.allCases)
    func deliveryByArrivalGivesEverythingAsItComes(_ platform: KitPlatform) throws {
        #expect(try groups(.arrival, platform, [1, 2, 4, 5, 3]) == [1, 2, 4, 5, 3])
    }

    @Test(arguments: KitPlatform.allCases)
    func aGroupThatFailsEndsTheSubscription(_ platform: KitPlatform) throws {
        let bench = Bench(platform)
        let session = try bench.session()
        let broadcast = FoundBroadcast(path: "a", fullPath: "live/a", number: 1)
        let subscription = session.subscribeTrack("chat", of: broadcast, .arrival, object: "chat")
        session.groupOpened(1, 7)
        session.groupEnded(1, 7, .code(2))
        session.frame(1, 8, index: 0, [1])
        bench.settle()
        #expect(subscription.end == .code(2))
        #expect(subscription.objects.isEmpty)
    }
}
