/// Puts the chunks of a body together (RFC 9112 section 7.1). Trailers are passed over.
struct ChunkReader: Sendable {
    enum Step: Hashable {
        case incomplete
        case complete([UInt8])
        case tooLong
        case malformed
    }

    /// The longest line with a chunk's size or a trailer.
    private static let maximumLine = 1024
    /// The longest trailers altogether.
    private static let maximumTrailers = 8 << 10

    private enum State {
        case size
        case data(Int)
        case dataEnd
        case trailers(Int)
    }

    private let limit: Int
    private var state = State.size
    private var line: [UInt8] = []
    private var body: [UInt8] = []

    init(limit: Int) {
        self.limit = limit
    }

    mutating func take(_ bytes: [UInt8]) -> Step {
        var rest = bytes[...]
        while !rest.isEmpty {
            if case .data(let left) = state {
                let part = rest.prefix(left)
                body += part
                rest = rest.dropFirst(part.count)
                state = part.count == left ? .dataEnd : .data(left - part.count)
                continue
            }
            let byte = rest.removeFirst()
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                if line.count > Self.maximumLine { return .malformed }
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            defer { line = [] }
            if let step = endLine() { return step }
        }
        return .incomplete
    }

    private mutating func endLine() -> Step? {
        switch state {
        case .size:
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            guard !digits.isEmpty, digits.count <= 8, digits.allSatisfy({ $0 != UInt8(ascii: "+") }),
                let count = Int(String(decoding: digits, as: UTF8.self), radix: 16), count >= 0
            else { return .malformed }
            guard body.count + count <= limit else { return .tooLong }
            state = count == 0 ? .trailers(0) : .data(count)
        case .data, .dataEnd:
            guard line.isEmpty else { return .malformed }
            state = .size
        case .trailers(let size):
            if line.isEmpty { return .complete(body) }
            guard size + line.count <= Self.maximumTrailers else { return .malformed }
            state = .trailers(size + line.count)
        }
        return nil
    }
}
