import MoqBase

/// The part of a request that a relay looks at.
struct HTTPRequest: Hashable {
    /// The path of the target, percent signs resolved, without query.
    var path: String
    /// The query items in order, percent signs resolved.
    var query: [HTTPQueryItem]

    /// The first value of a query item.
    func value(of name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}

/// One `name=value` of a query.
struct HTTPQueryItem: Hashable {
    var name: String
    var value: String
}

/// Reads the head of one HTTP/1.1 request, however it is cut into pieces.
struct HTTPRequestParser {
    /// The longest head: a path of 32 parts and a browser's headers fit several times.
    static let maximumHead = 16 << 10

    /// What is known after some bytes.
    enum Outcome: Hashable {
        /// The head is not complete.
        case incomplete
        case request(HTTPRequest)
        /// It is refused with this status and reason.
        case refused(Int, String)
    }

    private var head: [UInt8] = []
    private var lineStart = 0

    /// Takes bytes. What lies behind the head is not looked at: the requests that are served have no body.
    mutating func take(_ bytes: [UInt8]) -> Outcome {
        for byte in bytes {
            head.append(byte)
            guard byte == UInt8(ascii: "\n") else {
                if head.count >= Self.maximumHead { return .refused(431, "the head is over \(Self.maximumHead) bytes") }
                continue
            }
            let line = head[lineStart..<head.count - 1].filter { $0 != UInt8(ascii: "\r") }
            // An empty line ends the head; before the request line it is passed over.
            if line.isEmpty, lineStart > 0 { return parse() }
            if line.isEmpty { head = [] }
            lineStart = head.count
            if head.count >= Self.maximumHead { return .refused(431, "the head is over \(Self.maximumHead) bytes") }
        }
        return .incomplete
    }

    private func parse() -> Outcome {
        let end = head.firstIndex(of: UInt8(ascii: "\n")) ?? head.count
        guard let line = String(validating: head[..<end].filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self) else {
            return .refused(400, "the request line is not UTF-8")
        }
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
            return .refused(400, "the request line is not one of HTTP/1.1")
        }
        guard words[0] == "GET" else { return .refused(405, "only GET is served") }
        guard words[1].hasPrefix("/") else { return .refused(400, "the target is not a path") }
        let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = Self.resolved(parts[0]) else { return .refused(400, "the path is badly escaped") }
        var query: [HTTPQueryItem] = []
        if parts.count > 1 {
            for item in parts[1].split(separator: "&") {
                let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let name = Self.resolved(pair[0]), let value = Self.resolved(pair.count > 1 ? pair[1] : "") else {
                    return .refused(400, "the query is badly escaped")
                }
                query.append(HTTPQueryItem(name: name, value: value))
            }
        }
        return .request(HTTPRequest(path: path, query: query))
    }

    /// Text with its percent signs resolved, or nil when they are not followed by two digits or give no UTF-8.
    static func resolved(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2,
                let value = Hexadecimal.decode(String(decoding: rest.prefix(2), as: UTF8.self))
            else { return nil }
            bytes += value
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
