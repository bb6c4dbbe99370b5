import MoqBase
import MoqEvents

/// Runs in which every text is chosen to break a reader.
enum HostileRuns {
    static let texts = [
        "]]>", "<failure>", "&amp;&#0;", "\"'>", "\0\u{1}\u{8}\u{B}\u{1F}", "\u{7F}\u{85}\u{9F}",
        // Non-characters, which no literal may hold.
        String(decoding: [0xFFFE, 0xFFFF, 0xFDD0, 0xD83F, 0xDFFE] as [UInt16], as: UTF16.self),
        "line\nfeed\r\nand\ttab\r", "\u{2028}", "🎥e\u{301}\u{202E}", "\u{1B}[31mred",
        String(decoding: [0xED, 0xA0, 0x80, 0xFF, 0xC0] as [UInt8], as: UTF8.self), " ", "",
    ]

    static let all: [(name: String, events: [RunEvent])] = texts.enumerated().map { index, text in
        ("hostile \(index)", run(text))
    }

    static func run(_ text: String) -> [RunEvent] {
        var events: [RunEvent] = [
            .runStarted(
                RunStarted(
                    moqspecVersion: text, seed: 1,
                    target: RunStarted.Target(description: text, kind: .url, address: text, capabilities: [text]),
                    world: .simulated, started: text)),
            .targetProbed(TargetProbed(generation: .second, evidence: text, version: text, transport: text)),
        ]
        for (number, verdict) in Verdict.allCases.enumerated() {
            let start = CaseStarted(
                caseID: "\(number) \(text)", suite: text, scenario: "\(number) \(text)", title: text,
                place: FilePlace(file: text, line: number, column: number), tags: [text], requirements: [text],
                variables: ["name \(text)": text])
            events.append(.caseStarted(start))
            events.append(
                .trace(
                    TraceEntry(
                        caseID: start.caseID, at: .seconds(-1), actor: text, category: .relay, text: text,
                        data: ["\(text)": text])))
            events.append(
                .step(
                    StepEnded(
                        caseID: start.caseID, indexPath: [number], text: text, outcome: .passed, detail: text)))
            for severity in Finding.Severity.allCases {
                events.append(
                    .finding(
                        Finding(
                            caseID: start.caseID, severity: severity, headline: text, place: start.place,
                            sourceLine: text, expected: text, actual: text, requirements: [text], basis: text)))
            }
            events.append(
                .caseFinished(
                    CaseFinished(
                        caseID: start.caseID, verdict: verdict, duration: .seconds(-1), version: text,
                        transport: text, reason: text)))
        }
        return events + [.runFinished(RunFinished(ledger: Ledger(), exitCode: 3, reasons: [text]))]
    }
}
