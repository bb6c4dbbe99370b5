import MoqJSON

/// One observation of one object (docs/traces.md). Everything but the object may be missing.
public struct TraceLine: Equatable, Sendable {
    /// The line of the file, counted from 1.
    public var line: Int
    /// Nanoseconds since the trace began, on whichever clock it was recorded with.
    public var atNs: Int64?
    /// The time of the day, ISO 8601.
    public var time: String?
    /// Which object: ids are told apart within a trace.
    public var object: String
    /// The object that it belongs to, such as the session of a player; it stays so in later lines.
    public var of: String?
    /// What kind of object, such as `Session`.
    public var objectKind: String?
    /// Which machine it is held against.
    public var machine: String?
    /// The state before.
    public var from: String?
    /// The state afterwards, or the state that is shown.
    public var to: String?
    /// What happened: an input of the machine.
    public var trigger: String?
    /// What was shown.
    public var event: String?
    /// What came with the trigger or the event.
    public var payload: MachineValues
    /// The code of a failure.
    public var code: Int?
    /// What a call was refused with.
    public var error: String?

    /// An observation.
    public init(
        object: String, of: String? = nil, machine: String? = nil, from: String? = nil, to: String? = nil,
        trigger: String? = nil,
        event: String? = nil, payload: MachineValues = [:], code: Int? = nil, error: String? = nil,
        atNs: Int64? = nil, time: String? = nil, objectKind: String? = nil, line: Int = 0
    ) {
        self.line = line
        self.atNs = atNs
        self.time = time
        self.object = object
        self.of = of
        self.objectKind = objectKind
        self.machine = machine
        self.from = from
        self.to = to
        self.trigger = trigger
        self.event = event
        self.payload = payload
        self.code = code
        self.error = error
    }

    /// What is observed of an outcome: the step, and then each event. Of what is undefined there is only the trigger.
    public static func lines(
        of outcome: MachineOutcome, values: MachineValues, object: String, atNs: Int64? = nil
    ) -> [TraceLine] {
        guard let step = outcome.transition else {
            guard case .undefined(let undefined) = outcome else { return [] }
            return [
                TraceLine(
                    object: object, machine: undefined.machine, from: undefined.state, trigger: undefined.input,
                    payload: values, atNs: atNs)
            ]
        }
        var first = TraceLine(
            object: object, machine: step.machine, from: step.from, to: step.to, trigger: step.input, payload: values,
            atNs: atNs)
        if case .refused(_, let error) = outcome { first.error = error.name }
        return [first]
            + step.events.map {
                TraceLine(object: object, machine: step.machine, event: $0.name, payload: $0.payload, atNs: atNs)
            }
    }

    /// What came with it, the code among it.
    var values: MachineValues {
        var values = payload
        if let code, values["code"] == nil { values["code"] = .number(code) }
        return values
    }

    /// What it says, for people.
    public var summary: String {
        var parts: [String] = []
        if let trigger { parts.append("trigger `\(trigger)`") }
        switch (from, to) {
        case (let from?, let to?): parts.append("state `\(from)` -> `\(to)`")
        case (nil, let to?): parts.append("state `\(to)`")
        case (let from?, nil): parts.append("in state `\(from)`")
        case (nil, nil): break
        }
        if let event { parts.append("event `\(event)`") }
        if let error { parts.append("error `\(error)`") }
        let payload = values.entries.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        if !payload.isEmpty { parts.append("(\(payload))") }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }

    /// The line as JSON, with its line feed.
    public func json() -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if let atNs { writer.member("atNs", atNs) }
            writer.member("time", time)
            writer.member("object", object)
            writer.member("of", of)
            writer.member("objectKind", objectKind)
            writer.member("machine", machine)
            writer.member("trigger", trigger)
            writer.member("from", from)
            writer.member("to", to)
            writer.member("event", event)
            if !payload.isEmpty {
                writer.name("payload")
                writer.object { writer in
                    for entry in payload.entries {
                        writer.name(entry.name)
                        switch entry.value {
                        case .flag(let flag): writer.value(flag)
                        case .number(let number): writer.value(number)
                        case .word(let word): writer.value(word)
                        case .numbers(let numbers): writer.array { for number in numbers { $0.value(number) } }
                        }
                    }
                }
            }
            if let code { writer.member("code", code) }
            writer.member("error", error)
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
