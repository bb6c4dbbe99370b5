/// Something that has to hold for a rule to apply: one name, one test. The tests are all there are, so that whether two
/// rules overlap can be said without running anything.
public struct MachineCondition: Equatable, Sendable, CustomStringConvertible {
    /// What is asked.
    public enum Test: Equatable, Sendable {
        /// It is true, or is false.
        case isFlag(Bool)
        /// It is one of these words.
        case isWord([String])
        /// It is none of these words.
        case isNoWord([String])
        /// It is a number in this range; nil is no bound.
        case isBetween(Int?, Int?)
        /// It is greater than what this name has.
        case isAbove(String)
        /// It is less than what this name has.
        case isBelow(String)
        /// It is at most what this name has.
        case isNotAbove(String)
        /// It is what this name has.
        case isSame(String)
        /// It is not what this name has.
        case isOther(String)
        /// It is one more than what this name has.
        case follows(String)
        /// It is among the numbers that this name remembers.
        case isIn(String)
        /// It is not among the numbers that this name remembers.
        case isNotIn(String)
    }

    /// A parameter of the input, or a variable.
    public var name: String
    /// What is asked.
    public var test: Test

    /// The other name that the test asks about.
    var otherName: String? {
        switch test {
        case .isAbove(let name), .isBelow(let name), .isNotAbove(let name), .isSame(let name), .isOther(let name),
            .follows(let name), .isIn(let name), .isNotIn(let name):
            name
        case .isFlag, .isWord, .isNoWord, .isBetween: nil
        }
    }

    /// Whether it holds; nil while a value is not known.
    func holds(_ lookUp: (String) -> MachineValue?) -> Bool? {
        guard let value = lookUp(name) else { return nil }
        switch (test, value) {
        case (.isFlag(let wanted), .flag(let flag)): return flag == wanted
        case (.isWord(let words), .word(let word)): return words.contains(word)
        case (.isNoWord(let words), .word(let word)): return !words.contains(word)
        case (.isBetween(let least, let most), .number(let number)):
            return number >= least ?? .min && number <= most ?? .max
        case (.isSame(let name), _): return lookUp(name).map { $0 == value }
        case (.isOther(let name), _): return lookUp(name).map { $0 != value }
        case (.isAbove(let name), .number(let number)): return Self.number(name, lookUp).map { number > $0 }
        case (.isBelow(let name), .number(let number)): return Self.number(name, lookUp).map { number < $0 }
        case (.isNotAbove(let name), .number(let number)): return Self.number(name, lookUp).map { number <= $0 }
        case (.follows(let name), .number(let number)): return Self.number(name, lookUp).map { number - 1 == $0 }
        case (.isIn(let name), .number(let number)): return Self.numbers(name, lookUp).map { $0.contains(number) }
        case (.isNotIn(let name), .number(let number)): return Self.numbers(name, lookUp).map { !$0.contains(number) }
        default: return false
        }
    }

    /// Whether some value holds for both: what two rules have to have for each name that both ask about.
    func overlaps(_ other: MachineCondition) -> Bool {
        guard name == other.name else { return true }
        switch (test, other.test) {
        case (.isFlag(let left), .isFlag(let right)): return left == right
        case (.isWord(let left), .isWord(let right)): return left.contains { right.contains($0) }
        case (.isWord(let words), .isNoWord(let not)), (.isNoWord(let not), .isWord(let words)):
            return words.contains { !not.contains($0) }
        case (.isBetween(let low, let high), .isBetween(let otherLow, let otherHigh)):
            return max(low ?? .min, otherLow ?? .min) <= min(high ?? .max, otherHigh ?? .max)
        case (.isAbove(let left), .isNotAbove(let right)), (.isNotAbove(let left), .isAbove(let right)),
            (.isSame(let left), .isOther(let right)), (.isOther(let left), .isSame(let right)),
            (.isBelow(let left), .isAbove(let right)), (.isAbove(let left), .isBelow(let right)),
            (.isBelow(let left), .isSame(let right)), (.isSame(let left), .isBelow(let right)),
            (.isBelow(let left), .follows(let right)), (.follows(let left), .isBelow(let right)),
            (.isSame(let left), .isAbove(let right)), (.isAbove(let left), .isSame(let right)),
            (.isSame(let left), .follows(let right)), (.follows(let left), .isSame(let right)),
            (.follows(let left), .isNotAbove(let right)), (.isNotAbove(let left), .follows(let right)),
            (.isIn(let left), .isNotIn(let right)), (.isNotIn(let left), .isIn(let right)):
            return left != right
        default: return true
        }
    }

    public var description: String {
        switch test {
        case .isFlag(let flag): flag ? name : "not \(name)"
        case .isWord(let words): "\(name) is \(words.joined(separator: " or "))"
        case .isNoWord(let words): "\(name) is not \(words.joined(separator: " or "))"
        case .isBetween(let least?, let most?) where least == most: "\(name) is \(least)"
        case .isBetween(let least?, let most?): "\(name) is \(least) to \(most)"
        case .isBetween(let least?, nil): "\(name) is at least \(least)"
        case .isBetween(nil, let most?): "\(name) is at most \(most)"
        case .isBetween(nil, nil): "\(name) is any"
        case .isAbove(let other): "\(name) is above \(other)"
        case .isBelow(let other): "\(name) is below \(other)"
        case .isNotAbove(let other): "\(name) is not above \(other)"
        case .isSame(let other): "\(name) is \(other)"
        case .isOther(let other): "\(name) is not \(other)"
        case .follows(let other): "\(name) follows \(other)"
        case .isIn(let other): "\(name) is in \(other)"
        case .isNotIn(let other): "\(name) is not in \(other)"
        }
    }

    private static func number(_ name: String, _ lookUp: (String) -> MachineValue?) -> Int? {
        if case .number(let number)? = lookUp(name) { number } else { nil }
    }

    private static func numbers(_ name: String, _ lookUp: (String) -> MachineValue?) -> [Int]? {
        if case .numbers(let numbers)? = lookUp(name) { numbers } else { nil }
    }
}
