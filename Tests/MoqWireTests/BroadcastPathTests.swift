import Testing

@testable import MoqWire

@Suite struct BroadcastPathTests {
    @Test(arguments: [
        ("/n//o/", "n/o"), ("", ""), ("///", ""), ("a", "a"), ("a/./B", "a/./B"), ("%2f/x", "%2f/x"),
        ("a/\u{301}b", "a/\u{301}b"),
    ])
    func slashesAreStrippedAndCollapsedAndNothingElseChanges(text: String, normalised: String) throws {
        let path = try BroadcastPath(text)
        #expect(Array(path.text.utf8) == Array(normalised.utf8))
        #expect(path.partCount == normalised.utf8.split(separator: 0x2F).count)
    }

    @Test func prefixesMatchByWholeParts() throws {
        let foo = try BroadcastPath("foo")
        #expect(foo.isPrefix(of: foo))
        #expect(foo.isPrefix(of: try BroadcastPath("foo/bar")))
        #expect(!foo.isPrefix(of: try BroadcastPath("foobar")))
        #expect(!foo.isPrefix(of: .empty))
        #expect(BroadcastPath.empty.isPrefix(of: foo))
        #expect(BroadcastPath.empty.isPrefix(of: .empty))
    }

    @Test func suffixAndJoiningAreInverse() throws {
        let whole = try BroadcastPath("a/b/c")
        for prefix in try ["", "a", "a/b", "a/b/c"].map({ try BroadcastPath($0) }) {
            let suffix = try #require(whole.suffix(after: prefix))
            #expect(suffix.partCount == whole.partCount - prefix.partCount)
            #expect(prefix.appending(suffix) == whole)
        }
        #expect(whole.suffix(after: whole) == .empty)
        #expect(whole.suffix(after: try BroadcastPath("a/x")) == nil)
    }

    @Test func joiningBeyond32PartsGivesNothing() throws {
        let long = try BroadcastPath(Array(repeating: "a", count: 31).joined(separator: "/"))
        #expect(long.appending(try BroadcastPath("b"))?.partCount == 32)
        #expect(long.appending(try BroadcastPath("b/c")) == nil)
        #expect(throws: WireError.tooMany(WireField("PATH", "parts"), count: 33, limit: 32)) {
            try BroadcastPath(Array(repeating: "a", count: 33).joined(separator: "/"))
        }
    }

    @Test func namesAreEqualByTheirBytesNotByTheirLook() throws {
        #expect("\u{E9}" == "e\u{301}")
        #expect(try BroadcastPath("\u{E9}") != BroadcastPath("e\u{301}"))
        #expect(TrackName("\u{E9}") != TrackName("e\u{301}"))
        #expect(Set([TrackName("a"), TrackName("a"), TrackName("b")]).count == 2)
        #expect(try BroadcastPath("a") < BroadcastPath("a/b"))
    }

    @Test func aHopListIsBoundedAndNeverContainsTheUnknownHop() throws {
        let list = try HopList([0, 7, 0])
        #expect(list.contains(7))
        #expect(!list.contains(0))
        #expect(list.repeatedID == nil)
        #expect(try HopList([7, 0, 7]).repeatedID == 7)
        let full = try HopList(Array(0..<32))
        #expect(full.appending(99) == nil)
        #expect(list.appending(9)?.ids == [0, 7, 0, 9])
        #expect(throws: WireError.self) { try HopList(Array(0..<33)) }
    }
}
