import MoqJSON

/// Writes a track of JSON snapshots, such as a catalog's (moq-json's snapshot mode).
///
/// The original stack writes catalogs without deltas: a group of one frame for each change. A draft forbids more than
/// one frame a group; its readers take deltas.
public final class SnapshotTrackWriter {
    /// What to write.
    public struct Frame: Equatable, Sendable {
        /// The frame's bytes.
        public var bytes: [UInt8]
        /// Whether it is the first of a new group; the one before is then complete.
        public var opensGroup: Bool

        /// A frame of its parts.
        public init(bytes: [UInt8], opensGroup: Bool) {
            self.bytes = bytes
            self.opensGroup = opensGroup
        }
    }

    /// Whether frames are compressed.
    public let isCompressed: Bool
    /// How many times the size of the snapshot deltas may take before a new group begins; 0 for no deltas.
    public let deltaRatio: Int
    /// What has been written last.
    public private(set) var document: JSONValue?
    private var deflater: GroupDeflater?
    private var snapshotBytes = 0
    private var deltaBytes = 0
    private var frames = 0

    /// A writer of a plain or of a compressed track.
    public init(compressed: Bool = false, deltaRatio: Int = 0) {
        isCompressed = compressed
        self.deltaRatio = max(deltaRatio, 0)
    }

    /// What to write so that readers have this document; nil when they have it already.
    public func update(_ new: JSONValue) -> Frame? {
        if let document, document.isEquivalent(to: new) { return nil }
        defer { document = new }
        if let document, deltasFit, let patch = JSONMergePatch.difference(from: document, to: new) {
            let bytes = packed(patch.written())
            deltaBytes += bytes.count
            frames += 1
            return Frame(bytes: bytes, opensGroup: false)
        }
        deflater = isCompressed ? GroupDeflater() : nil
        let bytes = packed(new.written())
        snapshotBytes = bytes.count
        deltaBytes = 0
        frames = 1
        return Frame(bytes: bytes, opensGroup: true)
    }

    private var deltasFit: Bool {
        guard deltaRatio > 0, frames > 0, frames < HangLimits.framesPerDeltaGroup else { return false }
        let (room, overflow) = snapshotBytes.multipliedReportingOverflow(by: deltaRatio)
        return overflow || deltaBytes <= room
    }

    private func packed(_ text: [UInt8]) -> [UInt8] {
        deflater?.deflate(text) ?? text
    }
}
