/// Reads the head of one HTTP/1.1 request, however it is cut into pieces.
public struct HTTPRequestParser: Sendable {
    /// The longest head that is read, in bytes.
    public static let maximumHead = HTTPHead.maximumSize

    /// What is known after some bytes.
    public enum Outcome: Hashable, Sendable {
        /// The head is not complete.
        case incomplete
        /// A complete request. What came behind its head is in `rest`.
        case request(HTTPRequest)
        /// It is refused with this status and reason.
        case refused(Int, String)
    }

    private var head = HTTPHead()

    /// Starts before the first byte.
    public init() {}

    /// The bytes behind the head: the requests that are served have no body, but WebSocket goes on here.
    public var rest: [UInt8] { head.rest }

    /// Takes bytes, until something else than `incomplete` is known.
    public mutating func take(_ bytes: [UInt8]) -> Outcome {
        do throws(HTTPHead.Fault) {
            try head.take(bytes)
        } catch {
            switch error {
            case .tooLong: return .refused(431, "the head is over \(Self.maximumHead) bytes")
            case .malformed(let why): return .refused(400, why)
            }
        }
        return head.isComplete ? parse() : .incomplete
    }

    private func parse() -> Outcome {
        let words = head.firstLine.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
            return .refused(400, "the request line is not one of HTTP/1.1")
        }
        guard words[0] == "GET" else { return .refused(405, "only GET is served") }
        guard words[1].hasPrefix("/") else { return .refused(400, "the target is not a path") }
        guard let request = HTTPRequest(target: String(words[1]), headers: head.headers) else {
            return .refused(400, "the target is badly escaped")
        }
        // RFC 9112 section 3.2; HTTP/1.0 knew no Host.
        let hosts = head.headers.count { $0.name.lowercased() == "host" }
        guard hosts == 1 || hosts == 0 && words[2] == "HTTP/1.0" else {
            return .refused(400, hosts == 0 ? "there is no Host" : "there is more than one Host")
        }
        return .request(request)
    }
}
