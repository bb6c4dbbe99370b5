import MoqConformance
import Testing

/// The model of announcements: what it explains, and for each of its rules a view that it refuses.
@Suite struct AnnouncementModelTests {
    private let camera = PublisherSession(actor: "camera", incarnation: 1)
    private let other = PublisherSession(actor: "other", incarnation: 1)

    private func headlines(_ breaches: [ModelBreach]) -> [String] { breaches.map(\.headline) }

    private func atRest(_ model: AnnouncementModel) -> [ModelBreach] {
        model.disagreements(serving: { _ in true }, reading: { _ in true })
    }

    /// A model with a watcher of everything and a broadcast that it was told of.
    private func live() -> (model: AnnouncementModel, watch: Int) {
        var model = AnnouncementModel()
        let watch = model.watchBegan(by: "viewer", prefix: "")
        #expect(model.published("game", by: camera, firstHop: 7) == [])
        #expect(model.saw("game", isUpdate: false, firstHop: 7, on: watch) == [])
        return (model, watch)
    }

    // MARK: What is explained

    @Test func aBroadcastThatComesAndGoesIsExplained() {
        var (model, watch) = live()
        #expect(model.withdrew("game", by: camera) == [])
        #expect(model.sawEnd("game", on: watch) == [])
        #expect(model.published("game", by: camera, firstHop: 7) == [])
        #expect(model.saw("game", isUpdate: false, firstHop: 7, on: watch) == [])
        #expect(atRest(model) == [])
    }

    @Test func whatIsUndoneAtOnceMayBeLeftOut() {
        var (model, _) = live()
        for _ in 0..<3 {
            #expect(model.withdrew("game", by: camera) == [])
            #expect(model.published("game", by: camera, firstHop: 7) == [])
        }
        #expect(atRest(model) == [])
    }

    @Test func aTakeoverIsAnEndAndABeginningInEitherOrderOfThePublishers() {
        var (model, watch) = live()
        #expect(model.published("game", by: other, firstHop: 8) == [])
        #expect(model.sawEnd("game", on: watch) == [])
        #expect(model.saw("game", isUpdate: false, firstHop: 8, on: watch) == [])
        #expect(model.withdrew("game", by: other) == [])
        #expect(model.sawEnd("game", on: watch) == [])
        #expect(model.saw("game", isUpdate: false, firstHop: 7, on: watch) == [])
        #expect(atRest(model) == [])
    }

    @Test func anEndThatComesBeforeTheLossOfItsPublisherIsKnownIsExplainedWhenItIs() {
        var (model, watch) = live()
        #expect(model.sawEnd("game", on: watch) == [])
        #expect(model.sessionEnded(camera) == [])
        #expect(atRest(model) == [])
    }

    @Test func whatALostPublisherHadMayBeKeptForAWhile() {
        var (model, _) = live()
        #expect(model.sessionEnded(camera) == [])
        #expect(atRest(model) == [])
    }

    @Test func aPublisherThatReturnsBeforeItsLossIsNoticedMayFallBackToItsOldSession() {
        var (model, watch) = live()
        let again = PublisherSession(actor: "camera", incarnation: 2)
        #expect(model.sessionEnded(camera) == [])
        #expect(model.published("game", by: again, firstHop: nil) == [])
        #expect(model.sawEnd("game", on: watch) == [])
        #expect(model.saw("game", isUpdate: false, firstHop: nil, on: watch) == [])
        #expect(model.withdrew("game", by: again) == [])
        #expect(model.sawEnd("game", on: watch) == [])
        #expect(model.saw("game", isUpdate: false, firstHop: 7, on: watch) == [])
        #expect(atRest(model) == [])
        #expect(model.sawEnd("game", on: watch) == [])
        #expect(atRest(model) == [])
    }

    @Test func pathsThatBytesOfTheScenarioNameAreNotJudged() {
        var (model, watch) = live()
        model.wroteBytes(Array("xxgamexx".utf8), on: other)
        #expect(model.sawEnd("game", on: watch) == [])
        #expect(model.saw("game", isUpdate: false, firstHop: 9, on: watch) == [])
        #expect(model.saw("forged", isUpdate: false, firstHop: nil, on: watch) == [])
        #expect(atRest(model) == [])
    }

    @Test func itsOwnBroadcastMayBeHiddenFromASession() {
        var model = AnnouncementModel()
        _ = model.watchBegan(by: "camera", prefix: "")
        #expect(model.published("game", by: camera, firstHop: 7) == [])
        #expect(atRest(model) == [])
    }

    // MARK: What is refused

    @Test func whatNobodyPublishedIsRefused() {
        var (model, watch) = live()
        let breaches = model.saw("gane", isUpdate: false, firstHop: nil, on: watch)
        #expect(headlines(breaches) == ["`gane` was announced, which nobody ever published"])
    }

    @Test func whatLiesOutsideThePrefixIsRefused() {
        var model = AnnouncementModel()
        let watch = model.watchBegan(by: "viewer", prefix: "ga")
        _ = model.published("game", by: camera, firstHop: nil)
        let breaches = model.saw("game", isUpdate: false, firstHop: nil, on: watch)
        #expect(headlines(breaches) == ["`game` was announced outside the prefix that was asked for"])
        #expect(atRest(model) == [])
    }

    @Test func aSecondBeginningWithoutAnEndIsRefused() {
        var (model, watch) = live()
        #expect(model.saw("game", isUpdate: true, firstHop: 7, on: watch) == [])
        let breaches = model.saw("game", isUpdate: false, firstHop: 7, on: watch)
        #expect(headlines(breaches) == ["`game` was announced twice without an end between"])
    }

    @Test func theEndOfWhatWasNotAnnouncedIsRefused() {
        var (model, watch) = live()
        _ = model.withdrew("game", by: camera)
        #expect(model.sawEnd("game", on: watch) == [])
        let breaches = model.sawEnd("game", on: watch)
        #expect(headlines(breaches) == ["the end of `game` was told, which was not announced"])
    }

    @Test func aBeginningAfterEverybodyHasWithdrawnIsRefused() {
        var (model, watch) = live()
        _ = model.withdrew("game", by: camera)
        #expect(model.sawEnd("game", on: watch) == [])
        let breaches = model.saw("game", isUpdate: false, firstHop: 7, on: watch)
        #expect(headlines(breaches) == ["`game` was announced, which nobody publishes any more"])
        #expect(breaches.first?.requirements.contains("announce.order-kept") == true)
    }

    @Test func aWatcherThatComesAfterAnEndThatWasToldMustNotBeToldOfTheBroadcast() {
        var (model, watch) = live()
        _ = model.withdrew("game", by: camera)
        let early = model.watchBegan(by: "early", prefix: "")
        #expect(model.saw("game", isUpdate: false, firstHop: 7, on: early) == [])
        #expect(model.sawEnd("game", on: watch) == [])
        let late = model.watchBegan(by: "late", prefix: "")
        let breaches = model.saw("game", isUpdate: false, firstHop: 7, on: late)
        #expect(breaches.first?.requirements.contains("announce.not-replayed") == true)
    }

    @Test func aBetterRouteIsToldAsAnEndToWhomItCannotBeToldOtherwise() {
        for (changesEnd, isExplained) in [(true, true), (false, false)] {
            var model = AnnouncementModel()
            let watch = model.watchBegan(by: "viewer", prefix: "", changesEnd: changesEnd)
            _ = model.published("game", by: camera, firstHop: 7)
            #expect(model.saw("game", isUpdate: false, firstHop: 7, on: watch) == [])
            _ = model.published("game", by: other, firstHop: 7)
            #expect(model.sawEnd("game", on: watch) == [])
            #expect(model.saw("game", isUpdate: false, firstHop: 7, on: watch) == [])
            #expect(atRest(model).isEmpty == isExplained)
        }
    }

    @Test func aRouteOverAHopThatIsLeftOutNeedNotBeSeen() {
        for (excluded, isExplained) in [(UInt64(5), true), (6, false)] {
            var model = AnnouncementModel()
            _ = model.published("game", by: camera, firstHop: 7, hops: [7, 5])
            _ = model.watchBegan(by: "viewer", prefix: "", excluding: excluded)
            #expect(atRest(model).isEmpty == isExplained)
        }
    }

    @Test func contentThatHasEndedIsNotToldInPlaceOfAnother() {
        var (model, watch) = live()
        #expect(model.withdrew("game", by: camera) == [])
        #expect(model.sawEnd("game", on: watch) == [])
        #expect(model.published("game", by: other, firstHop: 8) == [])
        let breaches = model.saw("game", isUpdate: false, firstHop: 7, on: watch)
        #expect(headlines(breaches) == ["`game` was announced, which nobody publishes any more"])
    }

    @Test func contentOfNoPublisherOfThePathIsRefused() {
        var (model, watch) = live()
        _ = model.published("game", by: other, firstHop: 8)
        #expect(model.sawEnd("game", on: watch) == [])
        let breaches = model.saw("game", isUpdate: false, firstHop: 9, on: watch)
        #expect(headlines(breaches) == ["`game` was announced as the content of somebody who does not publish it"])
        #expect(breaches.first?.requirements == ["announce.views-agree", "hop.oldest-first"])
    }

    @Test func anEndThatNobodyCausedIsRefusedAtRest() {
        var (model, watch) = live()
        _ = model.published("game", by: other, firstHop: 7)
        #expect(model.sawEnd("game", on: watch) == [])
        #expect(model.saw("game", isUpdate: false, firstHop: 7, on: watch) == [])
        #expect(headlines(atRest(model)) == ["the end of `game` was told, although nobody had withdrawn it"])
    }

    @Test func aProofOfLifeKeepsALaterLossFromExplainingAnEarlierEnd() {
        var (model, watch) = live()
        #expect(model.sawEnd("game", on: watch) == [])
        model.proved(camera, asOf: model.tick())
        _ = model.sessionEnded(camera)
        #expect(headlines(atRest(model)) == ["the end of `game` was told, although nobody had withdrawn it"])
    }

    @Test func aNewRouteToTheSameContentIsNoReasonForAnEnd() {
        var (model, watch) = live()
        _ = model.reannounced("game", by: camera, firstHop: 7, canEnd: false)
        #expect(model.sawEnd("game", on: watch) == [])
        #expect(model.saw("game", isUpdate: false, firstHop: 7, on: watch) == [])
        #expect(headlines(atRest(model)) == ["the end of `game` was told, although nobody had withdrawn it"])
    }

    @Test func aLiveBroadcastThatAWatcherDoesNotKnowOfIsRefusedAtRest() {
        var (model, _) = live()
        _ = model.watchBegan(by: "second", prefix: "")
        let breaches = atRest(model)
        #expect(headlines(breaches) == ["`game` is live at the end of the steps, and the watcher does not know of it"])
        #expect(breaches.first?.actor == "second")
        #expect(breaches.first?.requirements == ["announce.views-agree", "announce.replay"])
    }

    @Test func aBroadcastThatIsOverAndStillShownIsRefusedAtRest() {
        var (model, _) = live()
        _ = model.withdrew("game", by: camera)
        #expect(
            headlines(atRest(model)) == ["`game` is over at the end of the steps, and the watcher does not know of it"])
    }

    @Test func contentThatIsOverAndStillShownIsRefusedAtRest() {
        var (model, _) = live()
        _ = model.published("game", by: other, firstHop: 8)
        #expect(atRest(model) == [])
        _ = model.withdrew("game", by: camera)
        #expect(headlines(atRest(model)) == ["`game` is shown to the watcher as content that is over"])
    }

    @Test func whereEndsOfWhatWasReplayedLackTheyAreNotMissed() {
        var model = AnnouncementModel()
        _ = model.published("game", by: camera, firstHop: nil)
        let watch = model.watchBegan(by: "viewer", prefix: "", lacksReplayedEnds: true)
        #expect(model.saw("game", isUpdate: false, firstHop: nil, on: watch) == [])
        _ = model.withdrew("game", by: camera)
        #expect(atRest(model) == [])
    }
}
