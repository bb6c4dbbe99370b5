import MoqTransport
import MoqWire

/// Frames that arrive on one stream, behind its head: a group, or the answer to a fetch.
struct ArrivingFrames {
    private var assembler: FrameAssembler
    /// The number of the next frame within the group.
    private(set) var nextIndex: UInt64
    /// How many bytes were fed and have not left in a frame yet, heads of frames included.
    private(set) var heldBytes = 0

    init(version: Version, frameLimit: Int, firstIndex: UInt64) {
        assembler = FrameAssembler(version: version, frameLimit: frameLimit)
        nextIndex = firstIndex
    }

    mutating func feed(_ bytes: [UInt8]) {
        heldBytes += bytes.count
        assembler.feed(bytes)
    }

    /// The next whole frame with its number; nil when more bytes are needed.
    mutating func next() throws(StreamFault) -> (index: UInt64, frame: Frame)? {
        do throws(WireError) {
            guard let frame = try assembler.next() else {
                if assembler.isBetweenFrames { heldBytes = 0 }
                return nil
            }
            heldBytes = max(heldBytes - frame.payload.count, 0)
            defer { nextIndex += 1 }
            return (nextIndex, frame)
        } catch {
            throw StreamFault(error)
        }
    }

    /// What arrived of the next frame, with its number, and was not told before.
    mutating func nextPart() -> (index: UInt64, part: FramePart)? {
        assembler.nextPart().map { (nextIndex, $0) }
    }

    /// The peer finished the stream: throws when that is inside a frame.
    func finish() throws(StreamFault) {
        do throws(WireError) {
            try assembler.finish()
        } catch {
            throw StreamFault(error)
        }
    }
}

/// A group that the peer sends; its head is known.
struct IncomingGroup {
    let subscription: SubscriptionID
    var frames: ArrivingFrames
}

/// A group that this side sends.
struct OutgoingGroup {
    let subscription: IncomingSubscriptionID
    var encoder: FrameEncoder
}
