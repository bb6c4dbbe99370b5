/// What a trace shows of the steps of one machine. What it does not show may happen without a line.
struct TraceVisibility: Equatable {
    var calls = false
    var triggers = false
    var states = false
    var events = false
    var errors = false

    /// What a recorder says it observes.
    init(_ aspects: [Trace.Aspect]) {
        triggers = aspects.contains(.triggers)
        calls = triggers || aspects.contains(.calls)
        states = aspects.contains(.states)
        events = aspects.contains(.events)
        errors = aspects.contains(.errors)
    }

    /// What is to be seen from the lines: a kind of observation that some line has, all of its kind have.
    init(lines: [TraceLine], of definition: MachineDefinition) {
        for line in lines {
            if let trigger = line.trigger {
                calls = true
                if definition.input(trigger).map({ $0.kind != .call }) ?? false { triggers = true }
            }
            states = states || line.from != nil || line.to != nil
            events = events || line.event != nil
            errors = errors || line.error != nil
        }
    }

    /// Whether there is a line with the trigger when an input of this kind comes.
    func shows(_ kind: MachineDefinition.Input.Kind) -> Bool {
        triggers || (calls && kind == .call)
    }
}
