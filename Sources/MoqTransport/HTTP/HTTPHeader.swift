/// One header line of an HTTP/1.1 message.
public struct HTTPHeader: Hashable, Sendable {
    /// The name as it was written; names are compared without regard to case.
    public var name: String
    /// The value without the space around it.
    public var value: String

    /// A header of its parts.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension [HTTPHeader] {
    /// The value of the first header of a name, if there is one.
    public func first(_ name: String) -> String? {
        let wanted = name.lowercased()
        return first { $0.name.lowercased() == wanted }?.value
    }

    /// The members of a list that may be spread over several headers of one name (RFC 9110 section 5.6.1).
    public func members(_ name: String) -> [String] {
        let wanted = name.lowercased()
        return filter { $0.name.lowercased() == wanted }
            .flatMap { $0.value.split(separator: ",") }
            .map { HTTPHead.trimmed($0) }
            .filter { !$0.isEmpty }
    }

    /// Whether a list names a token, without regard to case.
    public func lists(_ token: String, in name: String) -> Bool {
        let wanted = token.lowercased()
        return members(name).contains { $0.lowercased() == wanted }
    }
}
