import MoqJSON

/// Writes a catalog track: `SnapshotTrackWriter` for catalogs.
public final class CatalogTrackWriter {
    private let track: SnapshotTrackWriter
    private let writer: CatalogWriter

    /// A writer of `catalog.json`, or of `catalog.json.z` when that is compressed.
    public init(compressed: Bool = false, deltaRatio: Int = 0, writer: CatalogWriter = CatalogWriter()) {
        track = SnapshotTrackWriter(compressed: compressed, deltaRatio: deltaRatio)
        self.writer = writer
    }

    /// What has been written last.
    public var document: JSONValue? { track.document }

    /// What to write so that readers have this catalog; nil when they have it already.
    public func update(_ catalog: Catalog) -> SnapshotTrackWriter.Frame? {
        track.update(writer.document(catalog))
    }
}
