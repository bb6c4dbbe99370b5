/// Bytes in order, kept in the pieces in which they came; small pieces are joined, so that a peer or an owner that
/// hands over single bytes costs no more than the bytes.
struct QmuxBytes {
    /// Pieces up to this size are joined.
    private static let joinLimit = 16 << 10
    /// A piece from this size on is handed out as it is.
    private static let wholeLimit = 4 << 10

    private var pieces: [[UInt8]] = []
    /// The first piece, and where its first byte is that was not taken.
    private var head = 0
    private var offset = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        count += bytes.count
        if joins(bytes.count) {
            pieces[pieces.count - 1].append(contentsOf: bytes)
        } else {
            pieces.append(bytes)
        }
    }

    mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        count += range.count
        if joins(range.count) {
            pieces[pieces.count - 1].append(contentsOf: bytes[range])
        } else {
            pieces.append(Array(bytes[range]))
        }
    }

    /// Takes up to `limit` bytes; fewer than there are when a large piece can be handed out whole.
    mutating func take(_ limit: Int) -> [UInt8] {
        guard count > 0, limit > 0 else { return [] }
        let first = pieces[head]
        if offset == 0, first.count <= limit, first.count == count || first.count >= Self.wholeLimit {
            drop(first.count)
            return first
        }
        var taken: [UInt8] = []
        move(min(limit, count), onto: &taken)
        return taken
    }

    /// Moves `wanted` bytes, of which there must be that many, to the end of `target`.
    mutating func move(_ wanted: Int, onto target: inout [UInt8]) {
        precondition(wanted <= count)
        target.reserveCapacity(target.count + wanted)
        var left = wanted
        while left > 0 {
            let step = min(left, pieces[head].count - offset)
            target.append(contentsOf: pieces[head][offset..<offset + step])
            drop(step)
            left -= step
        }
    }

    mutating func removeAll() {
        self = QmuxBytes()
    }

    private func joins(_ more: Int) -> Bool {
        guard let last = pieces.last, pieces.count > head else { return false }
        return last.count + more <= Self.joinLimit
    }

    /// Forgets bytes of the first piece.
    private mutating func drop(_ step: Int) {
        offset += step
        count -= step
        guard offset == pieces[head].count else { return }
        pieces[head] = []
        head += 1
        offset = 0
        if head == pieces.count {
            pieces.removeAll(keepingCapacity: pieces.capacity <= 64)
            head = 0
        } else if head >= 64, head > pieces.count / 2 {
            pieces.removeFirst(head)
            head = 0
        }
    }
}
