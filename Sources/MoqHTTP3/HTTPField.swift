/// One field line of a message.
public struct HTTPField: Hashable, Sendable, CustomStringConvertible {
    /// In lower case; pseudo-fields begin with a colon.
    public var name: String
    /// Without spaces around it.
    public var value: String

    /// A field of its parts.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    public var description: String { "\(name): \(value)" }

    /// Its share of a section's size (RFC 9114 section 4.2.2).
    var size: Int { name.utf8.count + value.utf8.count + 32 }
}

/// The fields of a message, after its pseudo-fields were taken out and everything was checked
/// (RFC 9114 sections 4.2 and 4.3).
struct CheckedFields {
    private(set) var pseudo: [HTTPField] = []
    private(set) var regular: [HTTPField] = []

    /// Fields that speak of HTTP/1.1 connections, and make a message malformed here.
    private static let connectionSpecific = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    /// Checks fields of which only `allowed` may begin with a colon. Throws H3_MESSAGE_ERROR, for the stream.
    init(_ fields: [HTTPField], allowed: [String]) throws(HTTP3Error) {
        for field in fields {
            if field.name.hasPrefix(":") {
                guard allowed.contains(field.name) else { throw Self.malformed("`\(field.name)` has no place here") }
                guard regular.isEmpty else { throw Self.malformed("`\(field.name)` comes behind other fields") }
                guard !pseudo.contains(where: { $0.name == field.name }) else {
                    throw Self.malformed("`\(field.name)` is there twice")
                }
                pseudo.append(field)
            } else {
                guard !field.name.isEmpty, field.name.utf8.allSatisfy(Self.isNameByte) else {
                    throw Self.malformed("a field name is not in lower case, or no name")
                }
                guard !Self.connectionSpecific.contains(field.name) else {
                    throw Self.malformed("`\(field.name)` belongs to HTTP/1.1")
                }
                regular.append(field)
            }
            guard !field.value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
                throw Self.malformed("the value of `\(field.name)` holds a line break or a zero")
            }
        }
    }

    /// The value of a pseudo-field.
    func value(_ name: String) -> String? {
        pseudo.first { $0.name == name }?.value
    }

    static func malformed(_ what: String) -> HTTP3Error {
        HTTP3Error(.messageError, what, scope: .stream)
    }

    /// The characters of a token (RFC 9110 section 5.6.2), without upper case.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: Array("!#$%&'*+-.^_`|~".utf8).contains(byte)
        }
    }
}

extension [HTTPField] {
    /// The values of all lines of a field, joined as one list; nil when there is none.
    func list(_ name: String) -> String? {
        let values = filter { $0.name == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
