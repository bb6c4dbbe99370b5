import Foundation
import MoqBase
import Testing

@testable import MoqTransport

/// The recorded stream codes of `fixtures/wire`, both ways.
@Suite struct StreamCodeVectorTests {
    private struct Vector {
        var number: UInt64
        var wire: UInt64
    }

    private static func vectors() throws -> [Vector] {
        try ["moqlite-vectors", "moqlite-vectors-06"].flatMap { file in
            let path = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../fixtures/wire/\(file).json").standardized
            let entries = try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [[String: Any]] ?? []
            return try entries.filter { ($0["message"] as? String)?.hasPrefix("STREAM CODE") == true }.map { entry in
                let fields = try #require(entry["fields"] as? [String: Any])
                let number = try #require(fields["code"] as? Int)
                let text = try #require(entry["hex"] as? String)
                var bytes = ByteReader(try #require(Hexadecimal.decode(text)))
                return Vector(number: UInt64(number), wire: try bytes.varint())
            }
        }
    }

    @Test func everyRecordedCodeIsMappedBothWays() throws {
        let vectors = try Self.vectors()
        #expect(vectors.count == 22)
        for vector in vectors {
            #expect(StreamCodeMapping.wire(.code(vector.number)) == vector.wire, "code \(vector.number)")
            #expect(StreamCodeMapping.code(vector.wire) == .code(vector.number), "code \(vector.number)")
        }
    }

    @Test func numbersOutsideTheMappingStayAsTheyAre() {
        for raw: UInt64 in [0, 24, 0x52e4_a40f_a8da, 0x52e4_a40f_a8db + 30] {
            #expect(StreamCodeMapping.code(raw) == .unmapped(raw: raw))
            #expect(StreamCodeMapping.wire(.unmapped(raw: raw)) == raw)
        }
    }

    @Test func theMappingIsOneToOneOverItsFirstThousands() {
        for number: UInt64 in 0..<5000 {
            #expect(StreamCodeMapping.code(StreamCodeMapping.wire(.code(number))) == .code(number))
        }
    }
}
