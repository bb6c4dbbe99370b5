/// The head of a request.
public struct HTTP3Request: Hashable, Sendable {
    /// Such as `CONNECT` or `GET`.
    public var method: String
    /// `https`; nil for a CONNECT that asks for a plain tunnel.
    public var scheme: String?
    /// Host and port.
    public var authority: String?
    /// Path and query.
    public var path: String?
    /// What an extended CONNECT asks for (RFC 9220), such as `webtransport`.
    public var connectProtocol: String?
    /// All other fields, in order.
    public var fields: [HTTPField]

    private static let pseudoFields = [":method", ":scheme", ":authority", ":path", ":protocol"]
    private static let availableProtocols = "wt-available-protocols"

    /// A CONNECT that asks for a WebTransport session, offering protocol names, the preferred first.
    public static func webTransport(authority: String, path: String, protocols: [String]) -> HTTP3Request {
        var fields = [
            HTTPField("origin", "https://\(authority)"),
            // Servers of draft 02 look for it.
            HTTPField("sec-webtransport-http3-draft02", "1"),
        ]
        if !protocols.isEmpty {
            fields.append(HTTPField(availableProtocols, StructuredStrings.encode(protocols)))
        }
        return HTTP3Request(
            method: "CONNECT", scheme: "https", authority: authority, path: path, connectProtocol: "webtransport",
            fields: fields)
    }

    /// A request of its parts.
    public init(
        method: String, scheme: String?, authority: String?, path: String?, connectProtocol: String? = nil,
        fields: [HTTPField] = []
    ) {
        self.method = method
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.connectProtocol = connectProtocol
        self.fields = fields
    }

    /// Reads a decoded section. Throws H3_MESSAGE_ERROR, for the stream, when it is malformed.
    public init(section: [HTTPField]) throws(HTTP3Error) {
        let checked = try CheckedFields(section, allowed: Self.pseudoFields)
        guard let method = checked.value(":method"), !method.isEmpty else {
            throw CheckedFields.malformed("a request without `:method`")
        }
        self.method = method
        scheme = checked.value(":scheme")
        authority = checked.value(":authority")
        path = checked.value(":path")
        connectProtocol = checked.value(":protocol")
        fields = checked.regular
        if method == "CONNECT" && connectProtocol == nil {
            guard scheme == nil, path == nil, authority != nil else {
                throw CheckedFields.malformed("a CONNECT without `:protocol` names `:authority` and nothing else")
            }
            return
        }
        guard connectProtocol == nil || method == "CONNECT" else {
            throw CheckedFields.malformed("`:protocol` without CONNECT")
        }
        guard scheme != nil, let path, path.hasPrefix("/") || path == "*" else {
            throw CheckedFields.malformed("a request needs `:scheme` and `:path`")
        }
        guard authority ?? fields.list("host") ?? "" != "" else {
            throw CheckedFields.malformed("a request needs `:authority`")
        }
    }

    /// The section to encode.
    public var section: [HTTPField] {
        var result = [HTTPField(":method", method)]
        if let connectProtocol { result.append(HTTPField(":protocol", connectProtocol)) }
        if let scheme { result.append(HTTPField(":scheme", scheme)) }
        if let authority { result.append(HTTPField(":authority", authority)) }
        if let path { result.append(HTTPField(":path", path)) }
        return result + fields
    }

    /// Whether it asks for a WebTransport session.
    public var isWebTransport: Bool { method == "CONNECT" && connectProtocol == "webtransport" }

    /// The protocol names that are offered; none when the field is missing or not a list of strings.
    public var offeredProtocols: [String] {
        fields.list(Self.availableProtocols).flatMap(StructuredStrings.decodeList) ?? []
    }
}

/// The head of a response.
public struct HTTP3Response: Hashable, Sendable {
    /// 100 to 599, and what else three digits say.
    public var status: Int
    /// All other fields, in order.
    public var fields: [HTTPField]

    private static let chosenProtocol = "wt-protocol"

    /// The answer that accepts a WebTransport session, with the chosen protocol if there is one.
    public static func webTransport(choosing name: String?) -> HTTP3Response {
        var fields = [HTTPField("sec-webtransport-http3-draft", "draft02")]
        if let name { fields.append(HTTPField(chosenProtocol, StructuredStrings.encode([name]))) }
        return HTTP3Response(status: 200, fields: fields)
    }

    /// A response of its parts.
    public init(status: Int, fields: [HTTPField] = []) {
        self.status = status
        self.fields = fields
    }

    /// Reads a decoded section. Throws H3_MESSAGE_ERROR, for the stream, when it is malformed.
    public init(section: [HTTPField]) throws(HTTP3Error) {
        let checked = try CheckedFields(section, allowed: [":status"])
        guard let text = checked.value(":status"), text.utf8.count == 3, let status = Int(text), status >= 100 else {
            throw CheckedFields.malformed("a response without a `:status` of three digits")
        }
        self.status = status
        fields = checked.regular
    }

    /// The section to encode.
    public var section: [HTTPField] { [HTTPField(":status", String(status))] + fields }

    /// The protocol that the server chose; nil when the field is missing or not one string.
    public var protocolName: String? {
        fields.list(Self.chosenProtocol).flatMap(StructuredStrings.decodeItem)
    }
}
