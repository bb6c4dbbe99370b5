import Testing

@testable import MoqReport

struct ReportRequestTests {
    @Test func `kind and path are read, a hyphen is standard output`() throws {
        #expect(
            try ReportRequest(parsing: "junit=reports/junit.xml")
                == ReportRequest(kind: .junit, path: "reports/junit.xml"))
        #expect(try ReportRequest(parsing: "events=a=b") == ReportRequest(kind: .events, path: "a=b"))
        #expect(try ReportRequest(parsing: "json=-") == ReportRequest(kind: .json, path: nil))
    }

    @Test(arguments: [
        ("junt=x", ReportError.unknownKind("junt", nearest: "junit")),
        ("JSON=x", .unknownKind("JSON", nearest: "json")),
        ("event=x", .unknownKind("event", nearest: "events")),
        ("cucumber=x", .unknownKind("cucumber", nearest: nil)),
        ("=x", .unknownKind("", nearest: nil)),
        ("junit=", .noPath(.junit)),
        ("junit", .noPath(.junit)),
        ("reports/junit.xml", .notKindAndPath("reports/junit.xml")),
        ("", .notKindAndPath("")),
    ])
    func `a mistake is explained with the nearest word`(text: String, expected: ReportError) {
        #expect(throws: expected) { try ReportRequest(parsing: text) }
    }

    @Test func `the sentences say what to write`() {
        #expect(
            ReportError.unknownKind("junt", nearest: "junit").description
                == "--report junt=...: there is no report of this kind (there are junit, json, events); did you mean junit?"
        )
        #expect(ReportError.noPath(.json).description.contains("json=-"))
        #expect(ReportError.notKindAndPath("x").description.contains("junit=reports/junit.xml"))
    }

    @Test func `two reports cannot share a destination`() throws {
        #expect(try ReportRequest.list(parsing: ["junit=a", "json=b", "events=-"]).count == 3)
        #expect(throws: ReportError.sameDestination("a")) { try ReportRequest.list(parsing: ["junit=a", "json=a"]) }
        #expect(throws: ReportError.sameDestination("-")) { try ReportRequest.list(parsing: ["junit=-", "json=-"]) }
    }

    @Test func `the command that runs a case again survives a shell`() {
        #expect(Rerun.quoted("errors.a_b-c") == "errors.a_b-c")
        #expect(Rerun.quoted("a[06,quic]") == "'a[06,quic]'")
        #expect(Rerun.quoted("it's $HOME") == "'it'\\''s $HOME'")
        #expect(Rerun.quoted("") == "''")
    }
}
