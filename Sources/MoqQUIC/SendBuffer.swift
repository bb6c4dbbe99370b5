import CNgtcp2

/// Memory for bytes on their way out, at an address that does not change until it is given back.
struct SendChunk {
    let base: UnsafeMutablePointer<UInt8>
    let capacity: Int
    var count = 0
}

/// Keeps chunks for reuse: allocating and faulting in fresh pages for every 64 KiB costs more than sending them.
final class SendChunkPool {
    /// Most streams carry one small group or a few control messages.
    static let smallCapacity = 2 << 10
    static let largeCapacity = 32 << 10
    /// Bounds of what is kept while nobody uses it: 256 KiB and 2 MiB.
    private static let maximumSmall = 128
    private static let maximumLarge = 64

    private var small: [UnsafeMutablePointer<UInt8>] = []
    private var large: [UnsafeMutablePointer<UInt8>] = []

    deinit {
        for chunk in small { chunk.deallocate() }
        for chunk in large { chunk.deallocate() }
    }

    /// A chunk that suits `wanted` bytes; it may be smaller than that.
    func take(_ wanted: Int) -> SendChunk {
        if wanted <= Self.smallCapacity {
            return SendChunk(
                base: small.popLast() ?? .allocate(capacity: Self.smallCapacity), capacity: Self.smallCapacity)
        }
        return SendChunk(base: large.popLast() ?? .allocate(capacity: Self.largeCapacity), capacity: Self.largeCapacity)
    }

    /// Takes a chunk back. Nothing may point into it any more.
    func give(_ chunk: SendChunk) {
        if chunk.capacity == Self.smallCapacity {
            if small.count < Self.maximumSmall { small.append(chunk.base) } else { chunk.base.deallocate() }
        } else {
            if large.count < Self.maximumLarge { large.append(chunk.base) } else { chunk.base.deallocate() }
        }
    }
}

/// The bytes of one stream from `write` to acknowledgement.
///
/// ngtcp2 does not copy stream data: the bytes stay where they are until `acknowledge` or `releaseAll`.
struct SendBuffer {
    /// How many pieces are offered to one packet. A packet is smaller than a chunk, so two would do nearly always.
    static let maximumPieces = 4

    private var chunks: [SendChunk] = []
    /// Stream offset of the first byte of `chunks[0]`.
    private var firstOffset: UInt64 = 0
    /// Where the next unsent byte is.
    private var sendChunk = 0
    private var sendPosition = 0

    /// Stream offsets: bytes taken, handed to ngtcp2, acknowledged by the peer.
    private(set) var written: UInt64 = 0
    private(set) var sent: UInt64 = 0
    private(set) var acknowledged: UInt64 = 0

    var unsent: Int { Int(written - sent) }

    /// Copies bytes behind those already taken.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, from pool: SendChunkPool) {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            if chunks.isEmpty || chunks[chunks.count - 1].count == chunks[chunks.count - 1].capacity {
                if chunks.isEmpty { firstOffset = written }
                chunks.append(pool.take(rest.count))
            }
            let last = chunks.count - 1
            let count = min(rest.count, chunks[last].capacity - chunks[last].count)
            (chunks[last].base + chunks[last].count).update(from: start, count: count)
            chunks[last].count += count
            written += UInt64(count)
            rest = UnsafeBufferPointer(rebasing: rest[count...])
        }
    }

    /// Fills `pieces` (room for `maximumPieces`) with unsent bytes; tells how many, and whether these are all.
    mutating func unsentPieces(into pieces: UnsafeMutablePointer<ngtcp2_vec>) -> (count: Int, areAll: Bool) {
        var index = sendChunk
        var position = sendPosition
        var count = 0
        while count < Self.maximumPieces, index < chunks.count {
            let chunk = chunks[index]
            if position < chunk.count {
                pieces[count] = ngtcp2_vec(base: chunk.base + position, len: chunk.count - position)
                count += 1
            }
            index += 1
            position = 0
        }
        return (count, index >= chunks.count)
    }

    /// Notes that the next `count` unsent bytes were handed to ngtcp2.
    mutating func markSent(_ count: Int) {
        sent += UInt64(count)
        var left = count
        while left > 0 {
            let step = min(left, chunks[sendChunk].count - sendPosition)
            sendPosition += step
            left -= step
            // A chunk that may still grow stays the current one.
            if sendPosition == chunks[sendChunk].capacity {
                sendChunk += 1
                sendPosition = 0
            } else if left > 0 {
                // This cannot happen as long as ngtcp2 takes no more than it is offered; the loop would not end.
                preconditionFailure("more bytes sent than were offered")
            }
        }
    }

    /// Notes that the peer has everything below `offset`, and gives back chunks that hold nothing else.
    mutating func acknowledge(upTo offset: UInt64, to pool: SendChunkPool) {
        acknowledged = max(acknowledged, offset)
        if acknowledged == written {
            releaseAll(to: pool)
            return
        }
        var free = 0
        while free < chunks.count, chunks[free].count == chunks[free].capacity,
            firstOffset + UInt64(chunks[free].count) <= acknowledged
        {
            firstOffset += UInt64(chunks[free].count)
            pool.give(chunks[free])
            free += 1
        }
        if free > 0 {
            chunks.removeFirst(free)
            sendChunk -= free
        }
    }

    /// Forgets the bytes that were not handed to ngtcp2 yet (after a reset); the others may still be sent again.
    mutating func dropUnsent(to pool: SendChunkPool) {
        written = sent
        let keep = sendPosition > 0 ? sendChunk + 1 : sendChunk
        while chunks.count > keep {
            if let chunk = chunks.popLast() { pool.give(chunk) }
        }
        if sendPosition > 0, sendChunk < chunks.count { chunks[sendChunk].count = sendPosition }
        if acknowledged == written { releaseAll(to: pool) }
    }

    /// Gives everything back. ngtcp2 must have forgotten the stream, or everything must be acknowledged.
    mutating func releaseAll(to pool: SendChunkPool) {
        for chunk in chunks { pool.give(chunk) }
        chunks = []
        sendChunk = 0
        sendPosition = 0
        firstOffset = written
    }
}
