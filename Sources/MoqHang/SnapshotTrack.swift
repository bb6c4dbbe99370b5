import MoqJSON

/// Follows a track of JSON snapshots, such as a catalog's: frame 0 of a group is the whole document, further frames of
/// the group are merge patches, and only the newest group counts (moq-json's snapshot mode, 0.3.19 and 0.4.18).
///
/// It may join at any group. Frames of older groups than the one it is at are passed over; so is the rest of a group
/// when a newer one brings a frame. What it keeps is one document and, of a compressed track, one inflater.
public final class SnapshotTrack {
    /// Whether frames are compressed.
    public let isCompressed: Bool
    /// The newest document; nil before the first.
    public private(set) var document: JSONValue?
    /// The group of the newest document.
    public private(set) var group: UInt64?
    /// How many frames of that group have come.
    public private(set) var frames = 0
    /// How many frames of older groups were passed over.
    public private(set) var skippedFrames: UInt64 = 0
    private var inflater: GroupInflater?
    /// Bytes of the newest group's patches: a document grows by no more.
    private var patchBytes = 0
    private var isBroken = false

    /// A follower of a plain or of a compressed track.
    public init(compressed: Bool) {
        isCompressed = compressed
    }

    /// Takes a frame of a group, the `index`-th from 0; returns the text of the document or of the patch, and nil when
    /// the frame is of no use any more. After an error only a newer group is of use.
    @discardableResult
    public func receive(_ frame: [UInt8], group number: UInt64, index: Int) throws(CatalogError) -> [UInt8]? {
        if let group, number < group || (number == group && isBroken) {
            skippedFrames += 1
            return nil
        }
        let isNew = group != number
        if isNew {
            group = number
            frames = 0
            inflater = isCompressed ? GroupInflater(limit: HangLimits.documentBytes) : nil
            patchBytes = 0
        }
        // Until the frame is in.
        isBroken = true
        guard index == frames else {
            throw CatalogError(
                .noSnapshot,
                "frame \(index) of group \(number) came where frame \(frames) was due: each builds on all before it")
        }
        let text = try inflated(frame)
        if !isNew { patchBytes += text.count }
        guard patchBytes <= HangLimits.documentBytes else {
            throw CatalogError(
                .tooLong,
                "the changes of group \(number) have \(patchBytes) bytes; at most \(HangLimits.documentBytes) are read")
        }
        let value = try CatalogReader.document(text)
        document = isNew ? value : JSONMergePatch.apply(value, to: document)
        frames += 1
        isBroken = false
        return text
    }

    private func inflated(_ frame: [UInt8]) throws(CatalogError) -> [UInt8] {
        guard let inflater else { return frame }
        do throws(CompressionError) {
            return try inflater.inflate(frame)
        } catch {
            throw CatalogError(error)
        }
    }
}

extension CatalogError {
    init(_ error: CompressionError) {
        if case .tooLong = error {
            self.init(.tooLong, "\(error)")
        } else {
            self.init(.corrupt, "\(error)")
        }
    }
}
