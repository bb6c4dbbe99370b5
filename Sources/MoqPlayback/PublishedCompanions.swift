import MoqHang
import MoqJSON

/// What a publisher of the original stack writes beside its catalog and its media: the catalog compressed and mirrored, and
/// records of when groups begin.
public struct PublishedCompanions {
    private var timelines: [String: TimelineTrackWriter] = [:]

    /// Nothing yet.
    public init() {}

    /// A catalog as it goes out on `catalog.json.z`, a group of its own; nil for what is no JSON.
    public static func compressed(_ catalog: [UInt8]) -> [UInt8]? {
        guard let document = document(catalog) else { return nil }
        return SnapshotTrackWriter(compressed: true).update(document)?.bytes
    }

    /// A catalog as it goes out on `catalog`, for players of MSF; nil for one that cannot be read.
    public static func mirrored(_ catalog: [UInt8]) -> [UInt8]? {
        guard let catalog = try? CatalogReader(profile: .rust).read(catalog) else { return nil }
        return MSFCatalog(mirroring: catalog).written()
    }

    private static func document(_ text: [UInt8]) -> JSONValue? {
        try? JSONValue(parsing: text)
    }

    /// The record on the timeline of a track of a group that begins at a time in microseconds; nil where there is none, less
    /// than a second after the one before. A timeline is one group, and has a frame for each record.
    public mutating func record(of track: String, group: UInt64, at timestamp: UInt64) -> [UInt8]? {
        let writer = timelines[track] ?? TimelineTrackWriter()
        timelines[track] = writer
        return writer.frame(group: group, timestamp: Int(clamping: timestamp))
    }
}
