import MoqBase

/// A response that was received.
public struct HTTPAnswer: Hashable, Sendable {
    /// The status, 100 to 599.
    public var status: Int
    /// The headers in order.
    public var headers: [HTTPHeader]
    /// The body.
    public var body: [UInt8]

    /// An answer of its parts.
    public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Reads one HTTP/1.1 response, however it is cut into pieces, with a body up to a limit.
///
/// Bodies are delimited by `Content-Length`, by chunks or by the end of the stream (RFC 9112 section 6.3). After an
/// upgrade (101) there is no body: what follows is in `rest`.
public struct HTTPResponseParser: Sendable {
    /// What is known after some bytes.
    public enum Outcome: Hashable, Sendable {
        /// More is to come.
        case incomplete
        /// The whole response.
        case answer(HTTPAnswer)
        /// It is no response that can be used: why.
        case refused(String)
    }

    /// How the end of the body is found.
    private enum Body: Sendable {
        case counted(Int)
        case chunked(ChunkReader)
        case untilEnd
    }

    private let limit: Int
    private var head = HTTPHead()
    private var answer: HTTPAnswer?
    private var body = Body.untilEnd

    /// Takes bodies of up to `limit` bytes.
    public init(bodyLimit limit: Int) {
        self.limit = limit
    }

    /// The bytes behind the head of an answer with status 101.
    public var rest: [UInt8] { head.rest }

    /// Takes bytes, until something else than `incomplete` is known.
    public mutating func take(_ bytes: [UInt8]) -> Outcome {
        guard answer == nil else { return goOn(with: bytes) }
        // A TLS alert or handshake record (RFC 8446 section 5.1).
        if head.isEmptySoFar, let first = bytes.first, first == 0x15 || first == 0x16 {
            return .refused("the answer is TLS: this port wants a scheme with TLS (https, wss, tls)")
        }
        do throws(HTTPHead.Fault) {
            try head.take(bytes)
        } catch {
            switch error {
            case .tooLong: return .refused("the head of the answer is over \(HTTPHead.maximumSize) bytes")
            case .malformed(let why): return .refused("the answer is no HTTP/1.1: \(why)")
            }
        }
        if !head.isComplete {
            // Something else than HTTP need not be read to its end to be told.
            if head.firstLine.isEmpty { return Self.mayBegin(head.beginning) }
            return Self.status(head.firstLine) != nil ? .incomplete : Self.notHTTP
        }
        return begin()
    }

    /// The stream has ended.
    public mutating func takeEnd() -> Outcome {
        guard let answer else {
            return .refused(head.isEmptySoFar ? "the connection ended without an answer" : "the answer is cut short")
        }
        if case .untilEnd = body { return .answer(answer) }
        return .refused("the answer is cut short")
    }

    /// What the first bytes of an answer tell before its first line is complete.
    private static func mayBegin(_ bytes: [UInt8]) -> Outcome {
        let expected = Array("HTTP/1.".utf8)
        let isSoFar = bytes.starts(with: expected.prefix(bytes.count)) || bytes.starts(with: expected)
        return isSoFar ? .incomplete : notHTTP
    }

    private static let notHTTP = Outcome.refused("the answer is no HTTP/1.1: it has no status line")

    private static func status(_ line: String) -> Int? {
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3,
            let status = Int(words[1]), (100...599).contains(status)
        else { return nil }
        return status
    }

    private mutating func begin() -> Outcome {
        guard let status = Self.status(head.firstLine) else { return Self.notHTTP }
        let answer = HTTPAnswer(status: status, headers: head.headers)
        if status == 101 { return .answer(answer) }
        let rest = head.takeRest()
        if status < 200 {
            // An interim answer; the real one follows.
            head = HTTPHead()
            return take(rest)
        }
        self.answer = answer
        if status == 204 || status == 304 { return .answer(answer) }
        let lengths = head.headers.members("Content-Length")
        if head.headers.lists("chunked", in: "Transfer-Encoding") {
            body = .chunked(ChunkReader(limit: limit))
        } else if let length = lengths.first {
            guard let count = Int(length), count >= 0, lengths.allSatisfy({ $0 == length }) else {
                return .refused("the answer's Content-Length is no number")
            }
            guard count <= limit else { return tooLong }
            body = .counted(count)
        } else {
            body = .untilEnd
        }
        return goOn(with: rest)
    }

    private var tooLong: Outcome { .refused("the answer is over \(limit) bytes") }

    private mutating func goOn(with bytes: [UInt8]) -> Outcome {
        guard var answer else { return .incomplete }
        defer { self.answer = answer }
        switch body {
        case .counted(let count):
            answer.body += bytes.prefix(count - answer.body.count)
            return answer.body.count == count ? .answer(answer) : .incomplete
        case .untilEnd:
            answer.body += bytes.prefix(limit + 1 - answer.body.count)
            return answer.body.count > limit ? tooLong : .incomplete
        case .chunked(var reader):
            let step = reader.take(bytes)
            body = .chunked(reader)
            switch step {
            case .incomplete: return .incomplete
            case .tooLong: return tooLong
            case .malformed: return .refused("the answer's chunks are malformed")
            case .complete(let body):
                answer.body = body
                return .answer(answer)
            }
        }
    }
}
