/// A value of a variable of a machine, or of something that comes with an input.
public enum MachineValue: Hashable, Sendable, CustomStringConvertible {
    /// True or false.
    case flag(Bool)
    /// A whole number.
    case number(Int)
    /// A word or a text.
    case word(String)
    /// Numbers that were seen, the oldest first; at most `mostNumbers`.
    case numbers([Int])

    /// How many numbers a variable remembers: more than a relay keeps groups of a track.
    public static let mostNumbers = 1024

    public var description: String {
        switch self {
        case .flag(let flag): "\(flag)"
        case .number(let number): "\(number)"
        case .word(let word): word
        case .numbers(let numbers): "[\(numbers.map(String.init).joined(separator: ", "))]"
        }
    }
}

extension MachineValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// A flag.
    public init(booleanLiteral value: Bool) { self = .flag(value) }
    /// A number.
    public init(integerLiteral value: Int) { self = .number(value) }
    /// A word.
    public init(stringLiteral value: String) { self = .word(value) }
}

/// Values by name, each name once, in the order of the names: the same values are always equal.
public struct MachineValues: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// A name with its value.
    public struct Entry: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: MachineValue
    }

    /// All values, in the order of their names.
    public private(set) var entries: [Entry] = []

    /// Nothing.
    public init() {}

    /// The values under their names; of a name that stands twice the last.
    public init(dictionaryLiteral elements: (String, MachineValue)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// The value of a name; setting nil removes it.
    public subscript(name: String) -> MachineValue? {
        get { entries.first { $0.name == name }?.value }
        set {
            let index = entries.firstIndex { $0.name >= name } ?? entries.count
            let isThere = index < entries.count && entries[index].name == name
            switch (isThere, newValue) {
            case (true, let value?): entries[index].value = value
            case (true, nil): entries.remove(at: index)
            case (false, let value?): entries.insert(Entry(name: name, value: value), at: index)
            case (false, nil): break
            }
        }
    }

    /// Whether there is none.
    public var isEmpty: Bool { entries.isEmpty }
}
