/// An answer; the connection is closed behind it.
struct HTTPResponse: Hashable {
    var status: Int
    var contentType = "text/plain; charset=utf-8"
    var body: [UInt8]

    /// A text, which gets a line end.
    static func text(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(status: status, body: Array((text + "\n").utf8))
    }

    /// Head and body. Browsers on other origins may read it: they need the fingerprint before they can connect.
    var bytes: [UInt8] {
        let head = """
            HTTP/1.1 \(status) \(Self.phrase(status))\r
            Content-Type: \(contentType)\r
            Content-Length: \(body.count)\r
            Access-Control-Allow-Origin: *\r
            Cache-Control: no-store\r
            Connection: close\r
            \r

            """
        return Array(head.utf8) + body
    }

    private static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 400: "Bad Request"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 431: "Request Header Fields Too Large"
        case 502: "Bad Gateway"
        case 504: "Gateway Timeout"
        default: "Error"
        }
    }
}
