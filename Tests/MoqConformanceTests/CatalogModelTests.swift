import MoqConformance
import Testing

/// The model of catalogs: what it explains, and for each of its rules a view that it refuses.
@Suite struct CatalogModelTests {
    private let studio = PublisherSession(actor: "studio", incarnation: 1)
    private let track = TrackKey(broadcast: "live", track: "catalog.json")

    /// Two catalogs, in groups 0 and 1.
    private func written() -> CatalogModel {
        var model = CatalogModel()
        model.wrote([1], to: track, group: 0, by: studio)
        model.wrote([2], to: track, group: 1, by: studio)
        return model
    }

    private func saw(_ text: UInt8, _ group: UInt64, _ model: inout CatalogModel) -> [ModelBreach] {
        model.saw([text], of: track, group: group, by: "viewer", subscription: 0)
    }

    private func atRest(_ model: CatalogModel) -> ModelBreach? {
        model.disagreement(of: "viewer", subscription: 0, on: track, servedBy: studio)
    }

    @Test func aViewerThatHasTheNewestAgreesAlsoWhenGroupsOvertookEachOther() {
        var model = written()
        #expect(saw(2, 1, &model) == [])
        #expect(saw(1, 0, &model) == [])
        #expect(atRest(model) == nil)
        #expect(model.newestGroup(of: track, by: studio) == 1)
    }

    @Test func anOlderCatalogAtRestIsRefused() {
        var model = written()
        #expect(saw(1, 0, &model) == [])
        #expect(atRest(model)?.actual == "that of group 0")
    }

    @Test func noCatalogAtRestIsRefused() {
        #expect(atRest(written())?.actual == "none")
    }

    @Test func aCatalogInAnotherGroupThanItsOwnIsRefused() {
        var model = written()
        let breaches = saw(1, 1, &model)
        #expect(breaches.map(\.headline) == ["group 1 of catalog.json brought the catalog of another group"])
        #expect(atRest(model) != nil)
    }

    @Test func payloadsThatAreNoCatalogsAreLeftToOthers() {
        var model = written()
        #expect(saw(9, 1, &model) == [])
        #expect(model.isCatalog(track))
        #expect(!model.isCatalog(TrackKey(broadcast: "live", track: "video")))
    }

    @Test func anotherPublisherHasCatalogsOfItsOwn() {
        var model = written()
        let next = PublisherSession(actor: "studio", incarnation: 2)
        #expect(saw(2, 1, &model) == [])
        #expect(model.disagreement(of: "viewer", subscription: 0, on: track, servedBy: next) == nil)
        model.wrote([3], to: track, group: 2, by: next)
        #expect(model.disagreement(of: "viewer", subscription: 0, on: track, servedBy: next) != nil)
    }
}
