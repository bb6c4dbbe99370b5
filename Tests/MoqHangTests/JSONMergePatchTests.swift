import MoqBase
import MoqJSON
import Testing

@testable import MoqHang

struct JSONMergePatchTests {
    private static func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    // The cases of RFC 7396, appendix A.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func `a patch changes what it names`(document: String, patch: String, result: String) throws {
        #expect(JSONMergePatch.apply(try Self.json(patch), to: try Self.json(document)) == (try Self.json(result)))
    }

    @Test(arguments: [
        (#"{"a":1,"b":2}"#, #"{"a":1,"b":3}"#, #"{"b":3}"#), (#"{"a":1}"#, #"{"b":2}"#, #"{"b":2,"a":null}"#),
        (#"{"o":{"x":1,"y":2}}"#, #"{"o":{"x":1,"y":9}}"#, #"{"o":{"y":9}}"#),
        (#"{"a":[1,2]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
        (#"{"a":1}"#, #"{"a":1}"#, "{}"), (#"{"a":[null]}"#, #"{"a":[null,1]}"#, #"{"a":[null,1]}"#),
        (#"{"a":null,"b":1}"#, #"{"a":null,"b":2}"#, #"{"b":2}"#),
    ])
    func `a difference is the least patch`(old: String, new: String, patch: String) throws {
        #expect(JSONMergePatch.difference(from: try Self.json(old), to: try Self.json(new)) == (try Self.json(patch)))
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":null}"#), ("{}", #"{"a":{"b":null}}"#), ("[1]", "[2]"), ("{}", "1"), ("1", "{}"),
    ])
    func `what no patch can say has none`(old: String, new: String) throws {
        #expect(JSONMergePatch.difference(from: try Self.json(old), to: try Self.json(new)) == nil)
    }

    @Test func `any difference applied gives the new document`() {
        var random = SeededRandom(seed: 31)
        var patches = 0
        for _ in 0..<3000 {
            let old = JSONValue.arbitrary(&random, depth: 4)
            let new = JSONValue.arbitrary(&random, depth: 4)
            guard let patch = JSONMergePatch.difference(from: old, to: new) else { continue }
            #expect(JSONMergePatch.apply(patch, to: old).isEquivalent(to: new))
            patches += 1
        }
        #expect(patches > 20)
    }
}
