import MoqBase
import Testing

@testable import MoqEvents

struct EventCodecTests {
    /// Texts that break writers, readers, terminals and parsers.
    static let hostileTexts = [
        "", " ", "\"", "\\", "\\\"", "\\u0000", "a\0b", "\u{1}\u{1F}\u{7F}", "line\nfeed", "carriage\r\nreturn\r",
        "\t", "\u{2028}\u{2029}", "\u{FEFF}", "\u{FFFE}\u{FFFF}", "e\u{301}", "\u{202E}txt.exe", "🎥👩‍👩‍👧", "\u{10FFFF}",
        "{\"kind\":\"runFinished\"}", "</script><![CDATA[", "]]>", "\u{1B}[2J\u{1B}]0;title\u{7}", "null", "0",
    ]

    @Test(arguments: EventSamples.everyKind)
    func `every kind of event comes back as it was written`(event: RunEvent) throws {
        #expect(try EventCodec.decode(EventCodec.encode(event)) == event)
    }

    @Test(arguments: hostileTexts)
    func `hostile text in every field comes back as it was, on one line`(text: String) throws {
        for event in EventSamples.everyKind(text: text) {
            let line = EventCodec.encode(event)
            #expect(line.last == UInt8(ascii: "\n"))
            #expect(line.dropLast().allSatisfy { $0 >= 0x20 })
            #expect(try EventCodec.decode(line) == event.published())
        }
        // Only what cannot be the name of a JSON member changes on its way.
        if !text.contains("\0") {
            #expect(EventSamples.everyKind(text: text).map { $0.published() } == EventSamples.everyKind(text: text))
        }
    }

    @Test func `random text in every field comes back as it was`() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            let text = String(decoding: random.bytes(Int(random.next() % 40)), as: UTF8.self)
            for event in EventSamples.everyKind(text: text) {
                #expect(try EventCodec.decode(EventCodec.encode(event)) == event.published())
            }
        }
    }

    @Test func `absent fields stay absent`() throws {
        let events: [RunEvent] = [
            .targetProbed(TargetProbed(generation: .unknown, evidence: "")),
            .step(StepEnded(caseID: "c", indexPath: [], text: "", outcome: .passed)),
            .finding(Finding(caseID: "c", severity: .note, headline: "h")),
            .caseFinished(CaseFinished(caseID: "c", verdict: .pass)),
            .runFinished(RunFinished(ledger: Ledger(), exitCode: 0)),
        ]
        for event in events { #expect(try EventCodec.decode(EventCodec.encode(event)) == event) }
    }

    @Test func `the first line says the schema`() {
        let line = String(decoding: EventCodec.encode(.runStarted(EventSamples.started)), as: UTF8.self)
        #expect(line.hasPrefix("{\"kind\":\"runStarted\",\"schema\":1,"))
    }

    @Test func `unknown fields are ignored and unknown kinds are kept by name`() throws {
        let line =
            "{\"new\":{\"a\":[1]},\"kind\":\"caseFinished\",\"case\":\"c\",\"verdict\":\"pass\",\"durationNs\":1,"
            + "\"protocolNs\":2,\"cpuNs\":3,\"other\":null,\"reason\":null}"
        let expected = CaseFinished(
            caseID: "c", verdict: .pass, duration: .nanoseconds(1), protocolTime: .nanoseconds(2),
            cpuTime: .nanoseconds(3))
        #expect(try EventCodec.decode(Array(line.utf8)) == .caseFinished(expected))
        #expect(try EventCodec.decode(Array("{\"kind\":\"weather\"}".utf8)) == .unknown(kind: "weather"))
    }

    @Test func `a trace of a newer category is skipped, not an error`() throws {
        let line =
            "{\"kind\":\"trace\",\"case\":\"c\",\"atNs\":1,\"actor\":\"a\",\"category\":\"smell\",\"text\":\"t\"}"
        #expect(try EventCodec.decode(Array(line.utf8)) == .unknown(kind: "trace"))
    }

    @Test(arguments: [
        ("", EventError.notJSON(line: 4, column: 1, problem: "there is nothing")),
        ("[]", .notAnEvent(line: 4)),
        ("{\"kind\":7}", .notAnEvent(line: 4)),
        ("{\"kind\":\"step\"}", .field(line: 4, kind: "step", field: "case", problem: "is missing")),
        (
            "{\"kind\":\"trace\",\"category\":\"code\",\"case\":7}",
            .field(line: 4, kind: "trace", field: "case", problem: "is not a string")
        ),
        (
            "{\"kind\":\"targetProbed\",\"generation\":\"third\"}",
            .field(
                line: 4, kind: "targetProbed", field: "generation",
                problem: "is \"third\", and must be one of first, second, unknown")
        ),
        ("{\"kind\":\"runStarted\",\"schema\":2}", .newerSchema(found: 2, supported: 1)),
        (
            "{\"kind\":\"runFinished\",\"ledger\":{\"all\":3,\"pass\":2}}",
            .field(
                line: 4, kind: "runFinished", field: "ledger",
                problem: "does not add up: \"all\" is not the sum of the entries")
        ),
    ])
    func `a line that is no event says what is wrong and where`(line: String, expected: EventError) {
        #expect(throws: expected) { try EventCodec.decode(Array(line.utf8), number: 4) }
        #expect(expected.description.contains("line 4") || expected.description.contains("schema 2"))
    }

    @Test func `text, lists and bytes beyond their bounds are cut when written`() throws {
        let long = String(repeating: "é", count: EventLimits.text)
        let event = RunEvent.finding(
            Finding(
                caseID: "c", severity: .fail, headline: long, requirements: Array(repeating: "r", count: 1000),
                bytes: Array(repeating: 1, count: 10_000)))
        guard case .finding(let read) = try EventCodec.decode(EventCodec.encode(event)) else {
            Issue.record("a finding is not a finding any more")
            return
        }
        #expect(read.headline.utf8.count <= EventLimits.text)
        #expect(read.headline.hasSuffix(" bytes cut)"))
        #expect(read.headline.prefix(8000).allSatisfy { $0 == "é" })
        #expect(read.requirements.count == EventLimits.entries)
        #expect(read.bytes.count == EventLimits.bytes)
        #expect(RunEvent.finding(read).published() == .finding(read))
    }
}
