import Foundation
import Testing

@testable import MoqKit

/// Traces that were written by hand from the documented tables, one for each machine and profile.
@Suite struct TraceGoldenTests {
    private static func trace(_ definition: MachineDefinition) throws -> Trace {
        let name = "fixtures/traces/\(definition.name).\(definition.profile.rawValue).jsonl"
        return try Trace(parsing: Array(Data(contentsOf: MachineFilesTests.root.appending(path: name))))
    }

    private static func accepts(_ trace: Trace, _ definition: MachineDefinition) throws -> Bool {
        try TraceCheck(trace, machine: definition.name).first == nil
    }

    @Test func everyMachineHasATraceUnderEachProfileThatIsAccepted() throws {
        for definition in MachineLibrary.builtIn.definitions {
            let check = try TraceCheck(Self.trace(definition), machine: definition.name)
            #expect(check.objects.count == 1)
            #expect(check.first?.refusal == nil, "\(definition.name) \(definition.profile.rawValue)")
        }
    }

    @Test func aStepThatIsLeftOutDoubledOrSwappedIsRefusedUnlessAReplayFindsItLegal() throws {
        var mutants = 0
        var accepted = 0
        for definition in MachineLibrary.builtIn.definitions {
            let trace = try Self.trace(definition)
            for lines in Self.mutants(of: trace.lines) where lines != trace.lines && !lines.isEmpty {
                mutants += 1
                var mutant = trace
                mutant.lines = lines
                let isAccepted = try Self.accepts(mutant, definition)
                if isAccepted { accepted += 1 }
                #expect(
                    isAccepted == Self.replays(lines, definition),
                    "\(definition.name) \(definition.profile.rawValue): \(lines.map(\.summary))")
            }
        }
        #expect(mutants > 1500 && accepted > 0 && accepted * 2 < mutants, "\(accepted) of \(mutants) mutants are legal")
    }

    /// Every trace that differs from the given one by a step left out, a step that comes twice, or two neighbours that
    /// changed places.
    private static func mutants(of lines: [TraceLine]) -> [[TraceLine]] {
        var mutants: [[TraceLine]] = []
        for index in lines.indices {
            var left = lines
            left.remove(at: index)
            mutants.append(left)
            var doubled = lines
            doubled.insert(lines[index], at: index)
            mutants.append(doubled)
            guard index + 1 < lines.count else { continue }
            var swapped = lines
            swapped.swapAt(index, index + 1)
            mutants.append(swapped)
        }
        return mutants
    }

    /// The judge that knows nothing of situations: an object takes the triggers one after another, and what it would have
    /// shown is what the lines show.
    private static func replays(_ lines: [TraceLine], _ definition: MachineDefinition) -> Bool {
        var machine = Machine(definition)
        var rest = lines[...]
        while let line = rest.popFirst() {
            guard let trigger = line.trigger, line.from == definition.state(machine.state)?.shown ?? machine.state
            else { return false }
            let outcome = machine.take(trigger, line.payload, choosing: line.to)
            guard let step = outcome.transition, step.to == line.to || definition.state(step.to)?.shown == line.to
            else { return false }
            if case .refused(_, let error) = outcome {
                guard line.error == error.name else { return false }
            } else if line.error != nil {
                return false
            }
            for event in step.events {
                let isLossy = definition.event(event.name)?.isLossy == true
                guard let next = rest.first, next.trigger == nil, next.event == event.name,
                    event.payload.entries.allSatisfy({ next.payload[$0.name] ?? $0.value == $0.value })
                else {
                    if isLossy { continue }
                    return false
                }
                rest.removeFirst()
            }
        }
        return true
    }
}
