import MoqBase
import MoqWire

/// A frame by its size and a hash of its bytes.
struct FrameDigest: Hashable {
    var size = 0
    /// Four hashes, each of every fourth byte that counts: a processor works at them side by side.
    var hashes = SIMD4<UInt64>(repeating: 0xCBF2_9CE4_8422_2325)
    /// The running timestamp; nil where frames have none.
    var timestamp: UInt64?

    /// Bytes of a frame that all count; of what comes behind them one in `stride` does, which still finds what was torn,
    /// moved or mixed up.
    private static let dense = 4096
    private static let stride = 61

    /// Takes the next bytes of the payload.
    mutating func take(_ bytes: ArraySlice<UInt8>) {
        var index = bytes.startIndex
        let end = bytes.endIndex
        while index < end, size < Self.dense {
            if size % 4 == 0, end - index >= 4, size + 4 <= Self.dense {
                let four = SIMD4<UInt64>(
                    UInt64(bytes[index]), UInt64(bytes[index + 1]), UInt64(bytes[index + 2]), UInt64(bytes[index + 3]))
                hashes = (hashes ^ four) &* SIMD4(repeating: Self.prime)
                index += 4
                size += 4
            } else {
                count(bytes[index], in: size % 4)
                index += 1
                size += 1
            }
        }
        guard index < end else { return }
        // To the next byte that counts.
        let skip = (Self.stride - size % Self.stride) % Self.stride
        var position = index + skip
        while position < end {
            count(bytes[position], in: 0)
            position += Self.stride
        }
        size += end - index
    }

    private mutating func count(_ byte: UInt8, in lane: Int) {
        hashes[lane] = (hashes[lane] ^ UInt64(byte)) &* Self.prime
    }
    private static let prime: UInt64 = 0x0000_0100_0000_01B3

    /// All of them in one.
    var hash: UInt64 { (hashes[0] &* 3) ^ (hashes[1] &* 5) ^ (hashes[2] &* 7) ^ hashes[3] }

    /// Whether it has the same bytes.
    func hasContent(of other: FrameDigest) -> Bool { size == other.size && hashes == other.hashes }
}

/// A group of a track.
struct GroupID: Hashable {
    var track: TrackID
    var sequence: UInt64
}

/// One stream, or datagram, with which a publisher gave a group.
final class PublishedGroup {
    let isDatagram: Bool
    /// The index of its first frame within the group.
    let firstFrame: UInt64
    /// Whether it goes on to the end of the group.
    let isToEnd: Bool
    var frames: [FrameDigest] = []
    var isFinished = false
    var isOpen = true

    init(isDatagram: Bool = false, firstFrame: UInt64 = 0, isToEnd: Bool = true) {
        self.isDatagram = isDatagram
        self.firstFrame = firstFrame
        self.isToEnd = isToEnd
    }

    /// The frame at an index of the group.
    subscript(index: UInt64) -> FrameDigest? {
        guard index >= firstFrame, index - firstFrame < UInt64(frames.count) else { return nil }
        return frames[Int(index - firstFrame)]
    }

    /// How many frames the group has in all; nil when it was not finished.
    var length: UInt64? { isFinished && isToEnd ? firstFrame + UInt64(frames.count) : nil }
}

/// All that publishers gave of one group.
final class PublishedGroups {
    var all: [PublishedGroup] = []
    /// Whether a publisher sent something that cannot be read: nothing is judged then.
    var isUnclear = false
}

/// What publishers said of one track.
final class PublishedTrack {
    var infos: Set<TrackInfo> = []
    /// What relays said of it.
    var told: TrackInfo?
    /// The ends that were named, exclusive.
    var ends: Set<UInt64> = []
    /// Subscriptions of relays that are open, were ended in good order, and were reset.
    var open = 0
    var finished = 0
    var failed = 0
}

/// What the publishers of a case sent.
final class ContentBook {
    private var groups: [GroupID: PublishedGroups] = [:]
    private var tracks: [TrackID: PublishedTrack] = [:]
    private var places: [UInt64: GroupID] = [:]
    /// Whether there was something of a publisher that belongs nowhere.
    var isUnclear = false

    /// All of a group, to be filled; nil when there is no more room.
    func open(_ group: GroupID) -> PublishedGroups? {
        if let known = groups[group] { return known }
        guard groups.count < MonitorLimits.published else {
            isUnclear = true
            return nil
        }
        let new = PublishedGroups()
        groups[group] = new
        return new
    }

    /// All of a group; nil when nobody has published it.
    subscript(group: GroupID) -> PublishedGroups? { groups[group] }

    /// What was said of a track, to be filled; nil when there is no more room.
    func track(_ id: TrackID) -> PublishedTrack? {
        if let known = tracks[id] { return known }
        guard tracks.count < MonitorLimits.published else {
            isUnclear = true
            return nil
        }
        let new = PublishedTrack()
        tracks[id] = new
        return new
    }

    /// Notes a frame of a publisher.
    func add(_ frame: FrameDigest, to published: PublishedGroup, of group: GroupID) {
        guard published.frames.count < MonitorLimits.published else {
            isUnclear = true
            return
        }
        published.frames.append(frame)
        // Small ones are too much alike to say where one comes from.
        if frame.size >= 8, places.count < MonitorLimits.published, places[frame.hash] == nil {
            places[frame.hash] = group
        }
    }

    /// The group in which a frame was published first.
    func home(of frame: FrameDigest) -> GroupID? { frame.size >= 8 ? places[frame.hash] : nil }
}
