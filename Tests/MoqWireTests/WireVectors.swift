import Foundation
import MoqBase
import Testing

/// One entry of `fixtures/wire`: a message in words and its bytes.
struct WireVector: CustomStringConvertible {
    let version: String
    let message: String
    let fields: [String: Any]
    let bytes: [UInt8]

    var description: String { "\(message) of \(version): \(Hexadecimal.encode(bytes))" }

    static func load(_ file: String) throws -> [WireVector] {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../fixtures/wire/\(file).json").standardized
        let entries = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [[String: Any]])
        return try entries.map { entry in
            WireVector(
                version: try #require(entry["version"] as? String), message: try #require(entry["message"] as? String),
                fields: try #require(entry["fields"] as? [String: Any]),
                bytes: try hexadecimal(entry["hex"]))
        }
    }

    static func hexadecimal(_ value: Any?) throws -> [UInt8] {
        let text = try #require(value as? String)
        return try #require(Hexadecimal.decode(text))
    }

    /// Whether the bytes start with the type of the stream.
    var opensStream: Bool { message.hasSuffix(" stream") }

    /// The message without the remarks behind its name.
    var messageName: String {
        message.replacingOccurrences(of: " stream", with: "").replacingOccurrences(of: " (START)", with: "")
    }

    func number(_ name: String) throws -> UInt64 {
        try #require(optional(name), "\(self) lacks \(name)")
    }

    func optional(_ name: String) -> UInt64? {
        (fields[name] as? NSNumber)?.uint64Value
    }

    func text(_ name: String) throws -> String {
        try #require(fields[name] as? String, "\(self) lacks \(name)")
    }

    func numbers(_ name: String) -> [UInt64] {
        (fields[name] as? [NSNumber] ?? []).map(\.uint64Value)
    }

    /// Why an entry says nothing about the versions spoken here; nil for those that do.
    var skipReason: String? {
        switch version {
        case "06-wip": "the trial of 06, replaced by the final 06, whose bytes differ"
        case "06-draft": "a draft text that was never put on the wire"
        case "qmux": "frames of another binding, not messages"
        default: message.hasPrefix("STREAM CODE") ? "the mapping of codes belongs to the transport's binding" : nil
        }
    }
}
