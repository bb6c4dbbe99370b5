import MoqJSON

/// The fields of one event, or of an object in it, read with their types.
///
/// Errors name line 1; who reads a stream puts the right line in (`EventError.onLine`).
struct EventFields {
    let kind: String
    let value: JSONValue

    func wrong(_ field: String, _ problem: String) -> EventError {
        .field(line: 1, kind: kind, field: field, problem: problem)
    }

    private func required<Value>(_ found: Value?, _ field: String) throws(EventError) -> Value {
        guard let found else { throw wrong(field, "is missing") }
        return found
    }

    /// The field's value; nil when it is absent or null.
    private func present(_ field: String) -> JSONValue? {
        guard let found = value[field], found != .null else { return nil }
        return found
    }

    func optionalText(_ field: String) throws(EventError) -> String? {
        guard let found = present(field) else { return nil }
        guard let text = found.string else { throw wrong(field, "is not a string") }
        return text
    }

    func text(_ field: String) throws(EventError) -> String {
        try required(try optionalText(field), field)
    }

    func texts(_ field: String) throws(EventError) -> [String] {
        guard let found = present(field) else { return [] }
        guard let elements = found.elements else { throw wrong(field, "is not an array") }
        var texts: [String] = []
        for element in elements {
            guard let text = element.string else { throw wrong(field, "holds something that is not a string") }
            texts.append(text)
        }
        return texts
    }

    func optionalInteger(_ field: String) throws(EventError) -> Int? {
        guard let found = present(field) else { return nil }
        guard let number = found.integer else { throw wrong(field, "is not an integer") }
        return Int(number)
    }

    func integer(_ field: String) throws(EventError) -> Int {
        try required(try optionalInteger(field), field)
    }

    func integers(_ field: String) throws(EventError) -> [Int] {
        guard let elements = try required(present(field), field).elements else { throw wrong(field, "is not an array") }
        var numbers: [Int] = []
        for element in elements {
            guard let number = element.integer else { throw wrong(field, "holds something that is not an integer") }
            numbers.append(Int(number))
        }
        return numbers
    }

    func seed(_ field: String) throws(EventError) -> UInt64 {
        guard let seed = UInt64(try text(field)) else {
            throw wrong(field, "is not a number from 0 to 2^64 - 1 in decimal digits")
        }
        return seed
    }

    func optionalDuration(_ field: String) throws(EventError) -> Duration? {
        guard let count = try optionalInteger(field) else { return nil }
        return .nanoseconds(count)
    }

    func duration(_ field: String) throws(EventError) -> Duration {
        try required(try optionalDuration(field), field)
    }

    func optionalChoice<Choice>(_ field: String) throws(EventError) -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let word = try optionalText(field) else { return nil }
        guard let choice = Choice(rawValue: word) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw wrong(field, "is \"\(word)\", and must be one of \(words)")
        }
        return choice
    }

    func choice<Choice>(_ field: String) throws(EventError) -> Choice
    where Choice: RawRepresentable<String> & CaseIterable {
        try required(try optionalChoice(field), field)
    }

    func optionalBytes(_ field: String) throws(EventError) -> [UInt8] {
        guard let text = try optionalText(field) else { return [] }
        guard let bytes = Hex.bytes(text) else { throw wrong(field, "is not hexadecimal") }
        return bytes
    }

    func optionalPairs(_ field: String) throws(EventError) -> NamedValues {
        guard let found = present(field) else { return [:] }
        guard let members = found.members else { throw wrong(field, "is not an object") }
        var pairs = NamedValues()
        for member in members {
            guard let text = member.value.string else { throw wrong(field, "holds something that is not a string") }
            pairs[member.name] = text
        }
        return pairs
    }

    func tallies(_ field: String) throws(EventError) -> [RequirementTally] {
        guard let found = present(field) else { return [] }
        guard let members = found.members else { throw wrong(field, "is not an object") }
        var tallies: [RequirementTally] = []
        for member in members {
            let counts = EventFields(kind: kind, value: member.value)
            tallies.append(
                RequirementTally(
                    requirement: member.name, held: try counts.optionalInteger("held") ?? 0,
                    broken: try counts.optionalInteger("broken") ?? 0))
        }
        return tallies
    }

    func transitions(_ field: String) throws(EventError) -> [TransitionTally] {
        guard let found = present(field) else { return [] }
        guard let elements = found.elements else { throw wrong(field, "is not an array") }
        var tallies: [TransitionTally] = []
        for element in elements {
            let tally = EventFields(kind: kind, value: element)
            tallies.append(
                TransitionTally(
                    machine: try tally.text("machine"), profile: try tally.text("profile"),
                    transition: try tally.text("transition"), taken: try tally.integer("taken")))
        }
        return tallies
    }

    func pairs(_ field: String) throws(EventError) -> NamedValues {
        guard present(field) != nil else { throw wrong(field, "is missing") }
        return try optionalPairs(field)
    }

    func object(_ field: String) throws(EventError) -> EventFields {
        let found = try required(present(field), field)
        guard found.members != nil else { throw wrong(field, "is not an object") }
        return EventFields(kind: kind, value: found)
    }

    func optionalPlace(_ field: String) throws(EventError) -> FilePlace? {
        guard present(field) != nil else { return nil }
        let place = try object(field)
        return FilePlace(
            file: try place.text("file"), line: try place.optionalInteger("line") ?? 0,
            column: try place.optionalInteger("column") ?? 0)
    }

    func place(_ field: String) throws(EventError) -> FilePlace {
        try required(try optionalPlace(field), field)
    }
}
