import MoqBase
import MoqQUIC

/// What client and server say to each other before the first frame (RFC 6455 section 4).
enum WebSocketHandshake {
    /// The version of the protocol.
    static let version = "13"
    /// Section 1.3: it shows that the server has understood.
    private static let guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// What the server answers to a key.
    static func accept(_ key: String) -> String {
        Base64.encode(Digest.sha1(Array((key + guid).utf8)))
    }

    // MARK: The client

    /// A client's request. Nil when the path cannot be asked for.
    static func request(authority: String, path: String, key: String, offers: [String]) -> HTTPRequest? {
        var headers = [
            HTTPHeader(name: "Host", value: authority),
            HTTPHeader(name: "User-Agent", value: "moqspec"),
            HTTPHeader(name: "Upgrade", value: "websocket"),
            HTTPHeader(name: "Connection", value: "Upgrade"),
            HTTPHeader(name: "Sec-WebSocket-Key", value: key),
            HTTPHeader(name: "Sec-WebSocket-Version", value: version),
        ]
        if !offers.isEmpty {
            headers.append(HTTPHeader(name: "Sec-WebSocket-Protocol", value: offers.joined(separator: ", ")))
        }
        let isPlain = path.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        return isPlain ? HTTPRequest(target: path, headers: headers) : nil
    }

    /// Checks a server's answer. Gives the name that it picked, nil when there was none to pick.
    static func check(
        _ answer: HTTPAnswer, key: String, offers: [String]
    ) throws(HandshakeRefusal) -> String? {
        guard answer.status == 101 else { throw .status(answer.status) }
        guard answer.headers.lists("websocket", in: "Upgrade"), answer.headers.lists("upgrade", in: "Connection") else {
            throw .notSpoken("the server switches to something else than WebSocket")
        }
        guard answer.headers.first("Sec-WebSocket-Accept") == accept(key) else {
            throw .notSpoken("the server's Sec-WebSocket-Accept does not answer our key: it is no WebSocket server")
        }
        if let name = answer.headers.members("Sec-WebSocket-Extensions").first {
            throw .extensionNotOffered(name)
        }
        let picked = answer.headers.members("Sec-WebSocket-Protocol")
        guard let name = picked.first else {
            if offers.isEmpty { return nil }
            throw .noProtocol
        }
        guard picked.count == 1, offers.contains(name) else { throw .notOffered(picked.joined(separator: ", ")) }
        return name
    }

    // MARK: The server

    /// What a server makes of a request.
    enum Verdict: Hashable {
        /// It is taken; `name` is what was picked of the client's offers, nil when it offered nothing.
        case accepted(name: String?, answer: [UInt8])
        /// It is refused before it becomes a WebSocket.
        case refused(HandshakeRefusal, HTTPResponse)
    }

    /// Judges a client's request. Of its offers, the first that is in `names` is taken; a client without offers is
    /// taken only if `allowsNone`.
    static func judge(
        _ request: HTTPRequest, names: [String], allowsNone: Bool, flaw: BindingFlaw? = nil
    ) -> Verdict {
        func refuse(_ status: Int, _ why: String, _ headers: [HTTPHeader] = []) -> Verdict {
            var response = HTTPResponse.text(status, why)
            response.headers = headers
            return .refused(.status(status), response)
        }
        guard request.wantsWebSocket, request.headers.lists("upgrade", in: "Connection") else {
            return refuse(400, "Connection and Upgrade do not ask for WebSocket")
        }
        let isOurs = request.headers.members("Sec-WebSocket-Version") == [version]
        guard isOurs || flaw == .webSocketAnyVersion else {
            let header = HTTPHeader(name: "Sec-WebSocket-Version", value: version)
            return refuse(426, "only version \(version) of WebSocket is spoken", [header])
        }
        let keys = request.headers.members("Sec-WebSocket-Key")
        guard keys.count == 1, let key = keys.first, Base64.decodedCount(key) == 16 else {
            return refuse(400, "Sec-WebSocket-Key is not 16 bytes in base64")
        }
        let offers = request.headers.members("Sec-WebSocket-Protocol")
        let picked = offers.first(where: names.contains)
        guard picked != nil || (offers.isEmpty && allowsNone) else {
            let why = "none of the subprotocols is spoken here; spoken are \(names.joined(separator: ", "))"
            return .refused(.noProtocol, HTTPResponse.text(400, why))
        }
        var text = """
            HTTP/1.1 101 Switching Protocols\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Accept: \(accept(key))\r

            """
        if let picked { text += "Sec-WebSocket-Protocol: \(picked)\r\n" }
        return .accepted(name: picked, answer: Array((text + "\r\n").utf8))
    }
}

/// Bytes in the 64 characters of RFC 4648 section 4.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            var word: UInt32 = 0
            for offset in 0..<3 { word = word << 8 | (offset < part.count ? UInt32(part[start + offset]) : 0) }
            for place in 0..<4 {
                let digit = Int(word >> UInt32(18 - 6 * place)) & 63
                text.append(place <= part.count ? alphabet[digit] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// How many bytes a padded text stands for, nil when it is no base64.
    static func decodedCount(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        let padding = bytes.suffix(2).filter { $0 == UInt8(ascii: "=") }.count
        guard !bytes.isEmpty, bytes.count.isMultiple(of: 4),
            bytes.dropLast(padding).allSatisfy(alphabet.contains)
        else { return nil }
        return bytes.count / 4 * 3 - padding
    }
}
