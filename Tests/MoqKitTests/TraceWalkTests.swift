import MoqBase
import Testing

@testable import MoqKit

/// What machines do by chance is accepted, and one illegal step in it is found.
@Suite struct TraceWalkTests {
    private static let everything: [Trace.Aspect] = [.triggers, .states, .events, .errors]

    private static func check(
        _ lines: [TraceLine], _ definition: MachineDefinition, _ aspects: [Trace.Aspect]
    ) throws -> TraceCheck {
        try TraceCheck(
            Trace(profile: definition.profile, observes: aspects, lines: lines), machine: definition.name)
    }

    private static func walks(_ body: (MachineDefinition, inout RandomWalk) throws -> Void) rethrows {
        for definition in MachineLibrary.builtIn.definitions {
            for seed in UInt64(1)...4 {
                var walk = RandomWalk(definition, seed: seed, steps: 40)
                try body(definition, &walk)
            }
        }
    }

    @Test func everyWalkIsAccepted() throws {
        var lines = 0
        try Self.walks { definition, walk in
            lines += walk.lines.count
            let check = try Self.check(walk.lines, definition, Self.everything)
            #expect(check.first?.refusal == nil, "\(definition.name) \(definition.profile.rawValue)")
        }
        #expect(lines > 5000)
    }

    @Test func aWalkOfWhichOnlyStatesOrOnlyEventsAreSeenIsAccepted() throws {
        try Self.walks { definition, walk in
            let states = walk.lines.compactMap { line -> TraceLine? in
                guard let from = line.from, let to = line.to, from != to else { return nil }
                return TraceLine(object: "a", machine: definition.name, from: from, to: to, line: line.line)
            }
            if !states.isEmpty {
                let check = try Self.check(states, definition, [.states])
                #expect(check.first?.refusal == nil, "\(definition.name) \(definition.profile.rawValue), states")
            }
            let events = walk.lines.filter { $0.event != nil }
            if !events.isEmpty {
                let check = try Self.check(events, definition, [.events])
                #expect(check.first?.refusal == nil, "\(definition.name) \(definition.profile.rawValue), events")
            }
        }
    }

    @Test func oneIllegalStepIsRefusedWhereItStands() throws {
        var tried = 0
        try Self.walks { definition, walk in
            guard let (position, machine) = walk.pick(walk.steps) else { return }
            // Something that the object has no rule for, where it is then.
            walk.machine = machine
            for input in definition.inputs.map(\.name) {
                let values = walk.values(for: input)
                let outcome = machine.outcome(of: input, values)
                guard case .undefined = outcome else { continue }
                var illegal = TraceLine.lines(of: outcome, values: values, object: "a")[0]
                illegal.from = definition.state(machine.state)?.shown ?? machine.state
                var lines = walk.lines
                lines.insert(illegal, at: position)
                for index in lines.indices { lines[index].line = index + 2 }
                let check = try Self.check(lines, definition, Self.everything)
                #expect(
                    check.first?.refusal?.line == position + 2,
                    "\(definition.name) \(definition.profile.rawValue): \(illegal.summary)")
                tried += 1
            }
        }
        #expect(tried > 200)
    }
}
