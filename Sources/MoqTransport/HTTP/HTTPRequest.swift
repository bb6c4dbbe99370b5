import MoqBase

/// The head of a GET request.
public struct HTTPRequest: Hashable, Sendable {
    /// The target as it was sent: path and query. The query may hold a token.
    public var target: String
    /// The path of the target, percent signs resolved, without query.
    public var path: String
    /// The query items in order, percent signs resolved.
    public var query: [HTTPQueryItem]
    /// The headers in order.
    public var headers: [HTTPHeader]

    /// A request for a target, or nil when the target is no path or is badly escaped.
    public init?(target: String, headers: [HTTPHeader] = []) {
        guard target.hasPrefix("/") else { return nil }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = Self.resolved(parts[0]) else { return nil }
        self.target = target
        self.path = path
        self.headers = headers
        query = []
        guard parts.count > 1 else { return }
        for item in parts[1].split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.resolved(pair[0]), let value = Self.resolved(pair.count > 1 ? pair[1] : "") else {
                return nil
            }
            query.append(HTTPQueryItem(name: name, value: value))
        }
    }

    /// The first value of a query item.
    public func value(of name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// Whether it asks to go on as WebSocket (RFC 6455 section 4.1). The rest of it may still be wrong.
    public var wantsWebSocket: Bool {
        headers.lists("websocket", in: "Upgrade")
    }

    /// The bytes of the request.
    public var bytes: [UInt8] {
        var text = "GET \(target) HTTP/1.1\r\n"
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        return Array((text + "\r\n").utf8)
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

/// One `name=value` of a query.
public struct HTTPQueryItem: Hashable, Sendable {
    /// The name, percent signs resolved.
    public var name: String
    /// The value, percent signs resolved; empty when there is none.
    public var value: String

    /// An item of its parts.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
