import MoqBase
import MoqWire

/// Reads frames for their heads and a hash of their payloads, which are not kept.
struct FrameScanner {
    /// What is wrong with a frame.
    enum Fault {
        /// The running timestamp leaves 0...2^62-1.
        case timestamp(previous: UInt64, delta: Int64)
        /// The length is above what any relay may send.
        case tooLarge(UInt64)
    }

    /// A frame whose head was read.
    struct Head {
        /// Its index among the frames of this stream, from 0.
        var index: UInt64
        /// Where the head begins.
        var offset: UInt64
        /// Its bytes.
        var bytes: [UInt8]
        /// Whether a number was written in more bytes than needed.
        var isWide: Bool
        /// What is wrong, if anything; the scanner reads no further then.
        var fault: Fault?
    }

    /// What it tells of.
    enum Event {
        case head(Head)
        /// The frame with this head is complete.
        case frame(FrameDigest, Head)
    }

    private let hasTimestamps: Bool
    private var head: [UInt8] = []
    private var remaining = 0
    private var isInside = false
    private var digest = FrameDigest()
    private var timestamp: UInt64 = 0
    private var position: UInt64
    private(set) var isFailed = false
    /// How many heads were read.
    private(set) var count: UInt64 = 0
    private var lastHead: Head?

    /// A scanner of what begins at `offset` of a stream.
    init(version: Version, offset: UInt64) {
        hasTimestamps = version.hasFrameTimestamps
        position = offset
    }

    /// Whether the stream may end here.
    var isBetweenFrames: Bool { head.isEmpty && !isInside }

    /// Where the next byte stands.
    var offset: UInt64 { position }

    /// Reads on, and tells of every head and every whole frame.
    mutating func feed(_ bytes: [UInt8], _ tell: (Event) -> Void) {
        var index = 0
        while index < bytes.count, !isFailed {
            if isInside {
                let step = min(remaining, bytes.count - index)
                digest.take(bytes[index..<index + step])
                remaining -= step
                index += step
                position += UInt64(step)
                endIfWhole(tell)
                continue
            }
            head.append(bytes[index])
            index += 1
            position += 1
            if let read = readHead() {
                tell(.head(read))
                endIfWhole(tell)
            }
        }
    }

    private mutating func endIfWhole(_ tell: (Event) -> Void) {
        guard isInside, remaining == 0, let lastHead else { return }
        isInside = false
        tell(.frame(digest, lastHead))
    }

    private mutating func readHead() -> Head? {
        let first = hasTimestamps ? VarInt.length(firstByte: head[0]) : 0
        guard head.count > first, head.count == first + VarInt.length(firstByte: head[first]) else { return nil }
        var reader = ByteReader(head)
        var read = Head(
            index: count, offset: position - UInt64(head.count), bytes: head, isWide: false, fault: nil)
        if hasTimestamps {
            guard let word = try? reader.varint() else { return nil }
            let delta = VarInt.unzigzag(word)
            let sum = Int64(timestamp) + delta
            read.isWide = VarInt.length(word) < first
            if sum < 0 || sum > Int64(VarInt.maximum) {
                read.fault = .timestamp(previous: timestamp, delta: delta)
            } else {
                timestamp = UInt64(sum)
            }
        }
        guard let size = try? reader.varint() else { return nil }
        read.isWide = read.isWide || VarInt.length(size) < head.count - first
        if size > UInt64(WireLimits.frameBytes) { read.fault = read.fault ?? .tooLarge(size) }
        isFailed = read.fault != nil
        isInside = !isFailed
        remaining = isFailed ? 0 : Int(size)
        digest = FrameDigest(timestamp: hasTimestamps ? timestamp : nil)
        lastHead = read
        head.removeAll(keepingCapacity: true)
        count += 1
        return read
    }
}
