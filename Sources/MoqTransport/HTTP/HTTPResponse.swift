/// An answer; the connection is closed behind it.
public struct HTTPResponse: Hashable, Sendable {
    /// The status, 100 to 599.
    public var status: Int
    /// What the body is.
    public var contentType = "text/plain; charset=utf-8"
    /// Headers besides those that every answer has.
    public var headers: [HTTPHeader] = []
    /// The body.
    public var body: [UInt8]

    /// An answer of its parts.
    public init(
        status: Int, contentType: String = "text/plain; charset=utf-8", headers: [HTTPHeader] = [], body: [UInt8]
    ) {
        self.status = status
        self.contentType = contentType
        self.headers = headers
        self.body = body
    }

    /// A text, which gets a line end.
    public static func text(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(status: status, body: Array((text + "\n").utf8))
    }

    /// Head and body. Browsers on other origins may read it: they need the fingerprint before they can connect.
    public var bytes: [UInt8] {
        var head = """
            HTTP/1.1 \(status) \(Self.phrase(status))\r
            Content-Type: \(contentType)\r
            Content-Length: \(body.count)\r
            Access-Control-Allow-Origin: *\r
            Cache-Control: no-store\r
            Connection: close\r

            """
        for header in headers { head += "\(header.name): \(header.value)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }

    private static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 426: "Upgrade Required"
        case 431: "Request Header Fields Too Large"
        case 502: "Bad Gateway"
        case 504: "Gateway Timeout"
        default: "Error"
        }
    }
}
