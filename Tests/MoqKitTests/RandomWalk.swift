import MoqBase

@testable import MoqKit

/// A walk over a machine by chance: what an object shows to whom sees everything.
struct RandomWalk {
    var machine: Machine
    var random: SeededRandom
    var lines: [TraceLine] = []
    /// The places at which a step begins, as positions in `lines`, with the object as it was then.
    var steps: [(position: Int, machine: Machine)] = []

    init(_ definition: MachineDefinition, seed: UInt64, steps count: Int) {
        machine = Machine(definition)
        random = SeededRandom(seed: seed)
        var left = count
        for _ in 0..<(count * 20) where left > 0 {
            guard let input = pick(machine.knownInputs) else { break }
            let values = values(for: input)
            let before = machine
            let open = machine.definition.ruleIndices(machine.state, input).map { machine.definition.rules[$0] }
            let choosing = pick(open.filter(\.isOpen))?.to
            let outcome = machine.take(input, values, choosing: choosing)
            guard outcome.transition != nil else { continue }
            steps.append((lines.count, before))
            lines += TraceLine.lines(of: outcome, values: values, object: "a").map(shown)
            left -= 1
        }
        for index in lines.indices { lines[index].line = index + 2 }
    }

    /// The line with states as observers see them.
    private func shown(_ line: TraceLine) -> TraceLine {
        var line = line
        line.from = line.from.map { machine.definition.state($0)?.shown ?? $0 }
        line.to = line.to.map { machine.definition.state($0)?.shown ?? $0 }
        return line
    }

    mutating func pick<Value>(_ values: [Value]) -> Value? {
        values.isEmpty ? nil : values[Int(random.next() % UInt64(values.count))]
    }

    /// Something for each value that comes with an input; numbers near those that are remembered.
    mutating func values(for input: String) -> MachineValues {
        var values = MachineValues()
        for parameter in machine.definition.input(input)?.parameters ?? [] {
            switch parameter.type {
            case .flag: values[parameter.name] = .flag(random.next() % 2 == 0)
            case .text: values[parameter.name] = "x"
            case .words(let words): values[parameter.name] = pick(words).map { .word($0) }
            case .numbers: break
            case .number:
                var numbers = [0, 1, 2, 13, 24, 501, 2001]
                for entry in machine.variables.entries {
                    if case .number(let number) = entry.value { numbers += [max(0, number), number + 1, number + 1] }
                }
                values[parameter.name] = pick(numbers).map { .number($0) }
            }
        }
        return values
    }
}
