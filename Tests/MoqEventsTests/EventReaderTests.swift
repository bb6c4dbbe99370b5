import Foundation
import MoqBase
import Testing

@testable import MoqEvents

struct EventReaderTests {
    static let recording = EventSamples.everyKind.flatMap { EventCodec.encode($0) }

    @Test(arguments: [1, 2, 7, 64, 100_000])
    func `a recording reads the same in pieces of any size`(size: Int) throws {
        var reader = EventReader()
        var events: [RunEvent] = []
        for start in stride(from: 0, to: Self.recording.count, by: size) {
            events += try reader.read(Array(Self.recording[start..<min(start + size, Self.recording.count)]))
        }
        events += try reader.finish()
        #expect(events == EventSamples.everyKind)
        #expect(!reader.droppedTail)
    }

    @Test func `a recording that stops at any byte gives every whole line`() throws {
        let firstLine = EventCodec.encode(EventSamples.everyKind[0]).count
        for end in firstLine..<Self.recording.count {
            var reader = EventReader()
            var events = try reader.read(Array(Self.recording[..<end]))
            let whole = Self.recording[..<end].count { $0 == UInt8(ascii: "\n") }
            events += try reader.finish()
            // A line that lacks only its line feed counts.
            let isWhole = Self.recording[end] == UInt8(ascii: "\n")
            #expect(events == Array(EventSamples.everyKind.prefix(whole + (isWhole ? 1 : 0))))
            #expect(reader.droppedTail == (!isWhole && Self.recording[end - 1] != UInt8(ascii: "\n")))
        }
    }

    @Test func `rubble in the middle is an error with its line`() {
        let rubble = EventCodec.encode(EventSamples.everyKind[0]) + Array("{torn\n".utf8) + Self.recording
        do {
            _ = try EventReader.events(in: rubble)
            Issue.record("rubble was read")
        } catch {
            guard case .notJSON(2, _, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func `a stream without its beginning is refused`() {
        #expect(throws: EventError.noBeginning) { try EventReader.events(in: []) }
        #expect(throws: EventError.noBeginning) {
            try EventReader.events(in: EventCodec.encode(EventSamples.everyKind[1]))
        }
    }

    @Test func `a line that never ends is refused before it fills memory`() {
        var reader = EventReader()
        let piece = [UInt8](repeating: UInt8(ascii: " "), count: EventReader.lineLimit / 2 + 1)
        #expect(throws: Never.self) { try reader.read(piece) }
        #expect(throws: EventError.lineTooLong(line: 1, limit: EventReader.lineLimit)) { try reader.read(piece) }
    }

    @Test func `the documentation's stream reads, and its page knows every word`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/events.md"), encoding: .utf8)
        let example = try #require(
            page.components(separatedBy: "```jsonl\n").last?.components(separatedBy: "```").first)
        let events = try EventReader.events(in: Array(example.utf8))
        #expect(Set(events.map(\.kind)) == Set(EventSamples.everyKind.map(\.kind)))
        #expect(RunResults(of: events).ledger.fail == 1)
        #expect(RunResults(of: events).disagreement == nil)

        let words =
            EventSamples.everyKind.map(\.kind) + TraceEntry.Category.allCases.map(\.rawValue)
            + Verdict.allCases.map(\.rawValue) + Finding.Severity.allCases.map(\.rawValue)
            + StepEnded.Outcome.allCases.map(\.rawValue) + Interruption.allCases.map(\.rawValue)
            + RunStarted.World.allCases.map(\.rawValue) + RunStarted.Target.Kind.allCases.map(\.rawValue)
            + TargetProbed.Generation.allCases.map(\.rawValue)
        for word in words { #expect(page.contains("`\(word)`"), "docs/events.md does not explain \(word)") }
        #expect(page.contains("schema \(EventCodec.schemaVersion)"))
    }
}
