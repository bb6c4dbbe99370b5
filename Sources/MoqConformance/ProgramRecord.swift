import MoqScenario

/// What was seen of an outside program.
public struct ProgramRecord: Hashable, Sendable {
    /// A line that it printed.
    public struct Line: Hashable, Sendable {
        /// How many it had printed before, over all starts.
        public var number: Int
        /// Whether it stood on standard error.
        public var isError: Bool
        /// The line.
        public var text: String
        /// The members of the JSON object that it is, those of objects inside it by names with dots; of a list how many
        /// elements it has.
        public var fields: [Field]

        /// A line of its parts.
        public init(number: Int, isError: Bool, text: String, fields: [Field] = []) {
            self.number = number
            self.isError = isError
            self.text = text
            self.fields = fields
        }
    }

    /// A member of a line that is a JSON object.
    public struct Field: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Its value as a scenario writes it.
        public var value: String

        /// A member of its parts.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Whether it is there.
    public enum State: Hashable, Sendable {
        /// It was never started.
        case idle
        case running
        /// It ended with a status.
        case exited(Int32)
        /// It was ended by a signal.
        case signalled(Int32)
    }

    /// Lines kept from its start; as many again are kept of what it printed last.
    public static let linesKept = 1_000
    /// Bytes kept of these, and of those.
    public static let bytesKept = 2 << 20

    /// Whether it is there.
    public private(set) var state = State.idle
    /// How often it was started.
    public private(set) var starts = 0
    /// How many lines it printed, over all starts.
    public private(set) var lineCount = 0
    /// How many of those since its start were let go of.
    public private(set) var dropped = 0
    /// Where all that it prints is kept, for people; nil for nowhere.
    public var outputPath: String?
    private var head: [Line] = []
    private var headBytes = 0
    private var tail: [Line] = []
    private var tailBytes = 0

    /// A program that was never started.
    public init() {}

    /// The lines since its start, as far as they are kept.
    public var lines: [Line] { head + tail }

    /// It was started, again perhaps.
    public mutating func started() {
        state = .running
        starts += 1
        (head, tail, headBytes, tailBytes, dropped) = ([], [], 0, 0, 0)
    }

    /// It has ended.
    public mutating func ended(_ state: State) {
        self.state = state
    }

    /// It printed a line.
    public mutating func printed(_ text: String, isError: Bool, fields: [Field] = []) {
        let line = Line(number: lineCount, isError: isError, text: text, fields: fields)
        lineCount += 1
        let size = text.utf8.count
        if tail.isEmpty, head.count < Self.linesKept, headBytes + size <= Self.bytesKept {
            head.append(line)
            headBytes += size
            return
        }
        tail.append(line)
        tailBytes += size
        while tail.count > 2 * Self.linesKept || (tailBytes > Self.bytesKept && tail.count > 1) {
            // Half at once, so that not every line of a flood moves all others.
            let gone = max(1, tail.count / 2)
            tailBytes -= tail.prefix(gone).reduce(0) { $0 + $1.text.utf8.count }
            tail.removeFirst(gone)
            dropped += gone
        }
    }
}
