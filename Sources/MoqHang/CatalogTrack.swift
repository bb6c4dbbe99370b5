import MoqJSON

/// A catalog track as a player follows it: frames in, catalogs out, the newest one only.
///
/// Feed it with `receive` and `finish`, then ask `next()` until it is nil. Of what came between two calls of `next()`
/// only the newest catalog is seen. An end, a refusal or a catalog that cannot be read ends it for good: moq-kit makes
/// "offline" of all of them, and coming back takes a new subscription.
public final class CatalogTrack {
    /// Where it stands (moq-kit's catalog stream).
    public enum State: Equatable, Sendable {
        /// No catalog has come. A broadcast of data tracks alone stays so until its end.
        case waiting
        /// There is a catalog.
        case live
        /// It is over.
        case ended(End)
    }

    /// Why it is over.
    public enum End: Equatable, Sendable {
        /// The publisher ended the track.
        case finished
        /// The other side refused the subscription or reset it, with this code.
        case remote(code: UInt64)
        /// A catalog could not be read.
        case undecodable(CatalogError)
        /// This side has no more use for it.
        case cancelled
    }

    /// What there is to see.
    public enum Event: Equatable, Sendable {
        /// This catalog replaces all before it; it came in this group.
        case catalog(Catalog, group: UInt64)
        /// It is over; nothing comes after this.
        case ended(End)
    }

    /// Where it stands.
    public private(set) var state: State = .waiting
    /// How many catalogs were read, those that nobody saw included.
    public private(set) var updates = 0
    private let track: SnapshotTrack
    private let reader: CatalogReader
    private var unseen: (catalog: Catalog, group: UInt64)?
    private var unseenEnd: End?

    /// A follower of `catalog.json`, or of `catalog.json.z` when that is compressed.
    public init(compressed: Bool = false, reader: CatalogReader = CatalogReader()) {
        track = SnapshotTrack(compressed: compressed)
        self.reader = reader
    }

    /// The newest document as it came, deltas merged; nil before the first.
    public var document: JSONValue? { track.document }

    /// Takes a frame of a group, the `index`-th from 0. Groups may come in any order, and the first may be any.
    public func receive(_ frame: [UInt8], group: UInt64, index: Int) {
        if case .ended = state { return }
        do throws(CatalogError) {
            guard let text = try track.receive(frame, group: group, index: index), let document = track.document else {
                return
            }
            unseen = (index == 0 ? try read(document, text) : try reader.read(document), group)
            updates += 1
            state = .live
        } catch {
            finish(.undecodable(error))
        }
    }

    /// Ends it; what ended already stays as it ended. A catalog that nobody has seen yet is still to be seen.
    public func finish(_ end: End = .finished) {
        if case .ended = state { return }
        state = .ended(end)
        unseenEnd = end
        if end == .cancelled { unseen = nil }
    }

    /// The next thing to see: the newest catalog when there is one that was not seen, then the end, once.
    public func next() -> Event? {
        if let (catalog, group) = unseen {
            unseen = nil
            return .catalog(catalog, group: group)
        }
        if let end = unseenEnd {
            unseenEnd = nil
            return .ended(end)
        }
        return nil
    }

    private func read(_ document: JSONValue, _ text: [UInt8]) throws(CatalogError) -> Catalog {
        do throws(CatalogError) {
            return try reader.read(document)
        } catch {
            throw error.placed(in: text)
        }
    }
}
