import MoqBase
import Testing

@testable import MoqJSON

struct JSONPathTests {
    private let text = Array("{\n \"a\": [1, {\"b\\u00e9\": \"x]}\\\"\", \"\": [[], {}]}],\n \"a.b\": true}".utf8)

    @Test func `a path is written as JSONPath writes it`() {
        #expect(JSONPath().description == "$")
        #expect(JSONPath().member("a").element(1).member("b c").member("0").description == "$.a[1][\"b c\"][\"0\"]")
    }

    @Test func `a value's place is found, whatever stands before it`() {
        let root = JSONPath()
        #expect(root.place(in: text) == JSONPath.Place(line: 1, column: 1))
        #expect(root.member("a").place(in: text) == JSONPath.Place(line: 2, column: 7))
        #expect(root.member("a").element(1).place(in: text) == JSONPath.Place(line: 2, column: 11))
        #expect(root.member("a").element(1).member("bé").place(in: text) == JSONPath.Place(line: 2, column: 23))
        let inner = root.member("a").element(1).member("").element(1)
        #expect(inner.place(in: text) == JSONPath.Place(line: 2, column: 41))
        #expect(root.member("a.b").place(in: text) == JSONPath.Place(line: 3, column: 9))
    }

    @Test func `what is not there has no place`() {
        let root = JSONPath()
        for path in [root.member("b"), root.member("a").element(2), root.element(0), root.member("a").member("x")] {
            #expect(path.place(in: text) == nil, "\(path)")
        }
    }

    @Test func `no text whatever crashes the search`() {
        var random = SeededRandom(seed: 4)
        let alphabet = Array("{}[]\",:\\ab1 \n".utf8)
        let path = JSONPath().member("a").element(1).member("b")
        for _ in 0..<5000 {
            let bytes = (0..<random.next() % 30).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
            _ = path.place(in: bytes)
        }
    }

    @Test func `a document is written and reads back`() throws {
        let value = try JSONValue(parsing: text)
        #expect(try JSONValue(parsing: value.written()) == value)
        #expect(try JSONValue(parsing: value.written(indented: true)) == value)
        let numbers = JSONValue.array([
            .real(0.1), .real(1e300), .real(-0.0), .real(.infinity), .null, .real(.leastNonzeroMagnitude),
        ])
        #expect(String(decoding: numbers.written(), as: UTF8.self) == "[0.1,1e+300,-0.0,null,null,5e-324]")
        #expect(throws: Never.self) { try JSONValue(parsing: numbers.written()) }
    }

    @Test func `the order of members does not count in equivalence, and bytes do`() throws {
        let one = try JSONValue(parsing: Array("{\"a\":1,\"b\":[1,{\"c\":2,\"d\":3}]}".utf8))
        let two = try JSONValue(parsing: Array("{\"b\":[1,{\"d\":3,\"c\":2}],\"a\":1}".utf8))
        #expect(one != two)
        #expect(one.isEquivalent(to: two))
        #expect(!JSONValue.string("e\u{301}").isEquivalent(to: .string("\u{e9}")))
        #expect(!JSONValue.integer(1).isEquivalent(to: .real(1)))
    }
}
