import MoqBase
import MoqScenario

// Expectations of an outside program.
extension Judge {
    /// `before` is how many lines there were when the step began, for what must not happen; nil for what must.
    static func judge(
        _ wanted: ProgramExpectation, _ count: CountExpectation?, _ record: ProgramRecord, since before: Int?
    ) -> Judgement {
        switch wanted {
        case .running(let runs):
            if (record.state == .running) == runs { return .met(record.story) }
            if case .running = record.state { return .pending(record.story) }
            return runs && record.state != .idle ? .broken(record.story) : .pending(record.story)
        case .exit(let exit): return judge(exit, record)
        case .line(let pattern):
            let lines = record.lines.filter { $0.number >= before ?? 0 && pattern.matches($0) }
            let seen = "\(Counted.text(lines.count, "such line")); \(record.story)"
            let judgement = tally(lines.count, count, lines.last.map { "`\($0.text.shortened)`; \(seen)" } ?? seen)
            // What a program prints no more once it has ended will not come.
            if case .pending(let text) = judgement, record.hasEnded { return .broken(text) }
            return judgement
        case .lines(let patterns): return judge(patterns, record)
        }
    }

    private static func judge(_ wanted: ProgramExit, _ record: ProgramRecord) -> Judgement {
        guard record.hasEnded else { return .pending(record.story) }
        let isWanted =
            switch (wanted, record.state) {
            case (.any, _): true
            case (.status(let status), .exited(let seen)): status == seen
            case (.signal(let signal), .signalled(let seen)): signal.number == seen
            default: false
            }
        return isWanted ? .met(record.story) : .broken(record.story)
    }

    private static func judge(_ patterns: [ProgramLinePattern], _ record: ProgramRecord) -> Judgement {
        var rest = record.lines[...]
        for (index, pattern) in patterns.enumerated() {
            guard let place = rest.firstIndex(where: pattern.matches) else {
                let seen = "\(index) of \(patterns.count) lines were printed in order; \(record.story)"
                return record.hasEnded ? .broken(seen) : .pending(seen)
            }
            rest = rest[(place + 1)...]
        }
        return .met("all \(patterns.count) lines were printed in order")
    }
}

extension RelaySignal {
    /// Its number on Linux, on the processors that Swift runs on.
    public var number: Int32 {
        switch self {
        case .hup: 1
        case .int: 2
        case .kill: 9
        case .term: 15
        case .resume: 18
        case .stop: 19
        }
    }
}

extension ProgramLinePattern {
    /// Whether a line is such a one.
    func matches(_ line: ProgramRecord.Line) -> Bool {
        guard line.isError == (stream == .errors) else { return false }
        if let whole, line.text != whole { return false }
        if let part, !line.text.contains(part) { return false }
        if let pattern, !Glob(pattern, separator: nil).matches(line.text) { return false }
        return fields.allSatisfy { field in
            guard let value = line.fields.first(where: { $0.name == field.name })?.value else { return false }
            switch field.value {
            case .text(let text): return text == value
            case .count(let count): return Int(value).map(count.contains) ?? false
            }
        }
    }
}

extension ProgramRecord {
    /// Whether it was started and is there no more.
    public var hasEnded: Bool {
        switch state {
        case .exited, .signalled: true
        case .idle, .running: false
        }
    }

    /// Lines shown of what was seen.
    private static let linesShown = 3

    /// What it does, and what it printed last, in one line.
    public var story: String {
        let state =
            switch state {
            case .idle: "it was not started"
            case .running: "it runs"
            case .exited(let status): "it ended with status \(status)"
            case .signalled(let number): "it was ended by signal \(number)"
            }
        let last = lines.suffix(Self.linesShown).map { ($0.isError ? "(error) " : "") + $0.text.shortened }
        var parts = [state, last.isEmpty ? "it printed nothing" : "it printed last: \(last.joined(separator: " | "))"]
        if dropped > 0 { parts.append("\(Counted.text(dropped, "line")) between were not kept") }
        if let outputPath { parts.append("its output is in \(outputPath)") }
        return parts.joined(separator: "; ")
    }
}

extension String {
    /// Characters shown of a line.
    private static let shown = 200

    /// The text as far as it helps people.
    fileprivate var shortened: String { count > Self.shown ? prefix(Self.shown) + "…" : self }
}
