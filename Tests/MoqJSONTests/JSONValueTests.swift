import MoqBase
import Testing

@testable import MoqJSON

struct JSONValueTests {
    @Test func `every type of value is read, members in their order`() throws {
        let text =
            "{\"z\":[1,-9223372036854775808,1.5,\"\\u0000\\ud83c\\udfa5\"],\"a\":true,\"m\":false,\"b\":null,\"\":{}}"
        let value = try JSONValue(parsing: Array(text.utf8))
        #expect(
            value
                == .object([
                    .init(name: "z", value: .array([.integer(1), .integer(.min), .real(1.5), .string("\0🎥")])),
                    .init(name: "a", value: .bool(true)), .init(name: "m", value: .bool(false)),
                    .init(name: "b", value: .null), .init(name: "", value: .object([])),
                ]))
    }

    @Test(arguments: [
        "", "{", "{\"a\":1,\"a\":2}", "\"\\ud800\"", "[1] 2", "99999999999999999999", "\"\u{1}\"", "{'a':1}", "[1,]",
    ])
    func `what is no JSON document is refused`(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
    }

    @Test func `bytes that are no UTF-8 are refused`() {
        #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0xED, 0xA0, 0x80, 0x22]) }
    }

    @Test func `nesting is read to its bound and refused beyond`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array(repeating: UInt8(ascii: "["), count: depth) + Array(repeating: UInt8(ascii: "]"), count: depth)
        }
        #expect(throws: Never.self) { try JSONValue(parsing: nested(JSONValue.depthLimit + 1)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(JSONValue.depthLimit + 2)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(100_000)) }
    }

    @Test func `no bytes whatever crash the reader`() {
        var random = SeededRandom(seed: 3)
        let alphabet = Array("{}[]\",:\\u0dD81.e-+ntf \n".utf8) + [0, 0xC3, 0xFF]
        for _ in 0..<5000 {
            let bytes = (0..<random.next() % 24).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
            _ = try? JSONValue(parsing: bytes)
        }
    }

    @Test func `the writer's indented document reads back`() throws {
        var writer = JSONWriter(indented: true)
        writer.object { writer in
            writer.member("texts", ["a", "b"])
            writer.member("none", [String]())
            writer.name("pairs")
            writer.object { $0.member("k", "v") }
            writer.name("time")
            writer.value(seconds: .nanoseconds(-1_500_000_000))
            writer.name("yes")
            writer.value(true)
        }
        #expect(
            String(decoding: writer.bytes, as: UTF8.self) == """
                {
                  "texts": [
                    "a",
                    "b"
                  ],
                  "none": [],
                  "pairs": {
                    "k": "v"
                  },
                  "time": -1.500000,
                  "yes": true
                }
                """)
        #expect(try JSONValue(parsing: writer.bytes)["texts"]?[1] == .string("b"))
    }
}
