/// The catalogs of a case as they should be: what was written goes in, and what viewers got; what cannot be comes out.
public struct CatalogModel: Sendable {
    private struct Written: Sendable {
        var publisher: PublisherSession
        var group: UInt64
        var text: [UInt8]
    }

    /// What one subscription has.
    private struct View: Sendable {
        var group: UInt64
        var text: [UInt8]
    }

    private struct Viewer: Hashable, Sendable {
        var actor: String
        var subscription: Int
    }

    private var written: [TrackKey: [Written]] = [:]
    private var views: [Viewer: View] = [:]

    /// A model of a case in which nothing was written.
    public init() {}

    /// A publisher writes a catalog as a group of its own.
    public mutating func wrote(_ text: [UInt8], to track: TrackKey, group: UInt64, by publisher: PublisherSession) {
        written[track, default: []].append(Written(publisher: publisher, group: group, text: text))
    }

    /// Whether catalogs were written to a track.
    public func isCatalog(_ track: TrackKey) -> Bool {
        written[track] != nil
    }

    /// The group of the newest catalog that a publisher wrote to a track; nil when it wrote none.
    public func newestGroup(of track: TrackKey, by publisher: PublisherSession) -> UInt64? {
        written[track]?.last { $0.publisher == publisher }?.group
    }

    /// A viewer gets a payload on a track to which catalogs were written. `subscription` is its place in the record.
    public mutating func saw(
        _ text: [UInt8], of track: TrackKey, group: UInt64, by actor: String, subscription: Int
    ) -> [ModelBreach] {
        guard let written = written[track], written.contains(where: { $0.text == text }) else { return [] }
        let viewer = Viewer(actor: actor, subscription: subscription)
        guard written.contains(where: { $0.group == group && $0.text == text }) else {
            let origin = written.filter { $0.text == text }.map(\.group)
            return [
                ModelBreach(
                    actor: actor, headline: "group \(group) of \(track.track) brought the catalog of another group",
                    expected: "the catalog that was written as group \(group)",
                    actual: "the one of group \(origin.map(String.init).joined(separator: " and "))",
                    requirements: ["catalog.views-agree", "catalog.update-replaces"])
            ]
        }
        // Groups may overtake each other: the newest is the one with the greatest number.
        if let view = views[viewer], view.group > group { return [] }
        views[viewer] = View(group: group, text: text)
        return []
    }

    /// Whether a viewer that reads has, at rest, the newest catalog of the publisher from which its subscription is
    /// served; nil when it has.
    public func disagreement(
        of actor: String, subscription: Int, on track: TrackKey, servedBy publisher: PublisherSession
    ) -> ModelBreach? {
        guard let newest = written[track]?.last(where: { $0.publisher == publisher }) else { return nil }
        let view = views[Viewer(actor: actor, subscription: subscription)]
        guard view?.text != newest.text || view?.group != newest.group else { return nil }
        return ModelBreach(
            actor: actor, headline: "the newest catalog of \(track.track) has not reached the viewer at the end",
            expected: "the last that \(publisher) wrote, in group \(newest.group)",
            actual: view.map { "that of group \($0.group)" } ?? "none",
            requirements: ["catalog.views-agree", "catalog.newest-wins"])
    }
}
