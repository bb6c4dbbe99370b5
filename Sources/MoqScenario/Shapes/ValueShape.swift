/// What stands at one place of a scenario file, as far as can be said without the rest of the file.
public final class ValueShape {
    /// A scalar, by what its reader takes.
    public enum Leaf: Equatable, Sendable {
        /// Any text; numbers are text, too.
        case text
        /// `true` or `false`.
        case truth
        /// A whole number.
        case whole(ClosedRange<UInt64>)
        /// One of these words.
        case words([String])
        /// A number with one of these units.
        case measured(units: [String])
        /// A code: one of these conditions, `app(N)`, `wire(N)` or a number.
        case code([String])
        /// How often: a number, or `at_least`, `at_most` or both up to this.
        case count(most: UInt64)
        /// Whatever one likes.
        case anything
    }

    /// A key of a mapping.
    public struct Member {
        /// The key.
        public let key: String
        /// What it has.
        public let shape: ValueShape
        /// Whether it has to be there.
        public let isNeeded: Bool
    }

    /// What stands there as a scalar, each once; any of them.
    public internal(set) var leaves: [Leaf] = []
    /// The definitions that say what may stand there besides.
    public internal(set) var references: [String] = []
    /// What is in a list that may stand there; nil for no list.
    public internal(set) var items: ValueShape?
    /// The keys of a mapping that may stand there; nil for no mapping of known keys.
    public internal(set) var members: [Member]?
    /// What any other key of the mapping has; nil where there must be no other.
    public internal(set) var others: ValueShape?

    init() {}
}
