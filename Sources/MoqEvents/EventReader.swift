/// Reads a recorded stream piece by piece.
///
/// Give it bytes as they come with `read`, and call `finish` at the end. The stream of a run that died may end in
/// the middle of a line: that line is dropped, and `droppedTail` says so.
public struct EventReader {
    /// The longest line that is taken: no event with all its texts at their bounds comes near it.
    public static let lineLimit = 4 << 20

    /// How many lines have been read.
    public private(set) var lines = 0
    /// Whether the stream ended in the middle of a line.
    public private(set) var droppedTail = false
    private var pending: [UInt8] = []

    /// A reader at the beginning of a stream.
    public init() {}

    /// All events of a complete recording.
    public static func events(in bytes: [UInt8]) throws(EventError) -> [RunEvent] {
        var reader = EventReader()
        var events = try reader.read(bytes)
        events += try reader.finish()
        return events
    }

    /// Takes more bytes and gives the events of the lines that they complete.
    public mutating func read(_ bytes: [UInt8]) throws(EventError) -> [RunEvent] {
        var events: [RunEvent] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            pending.append(contentsOf: rest[..<end])
            rest = rest[(end + 1)...]
            if let event = try takeLine() { events.append(event) }
        }
        pending.append(contentsOf: rest)
        guard pending.count <= Self.lineLimit else { throw .lineTooLong(line: lines + 1, limit: Self.lineLimit) }
        return events
    }

    /// Ends the stream: gives the last event when its line lacks nothing but the line feed.
    public mutating func finish() throws(EventError) -> [RunEvent] {
        guard !pending.isEmpty else {
            guard lines > 0 else { throw .noBeginning }
            return []
        }
        do throws(EventError) {
            return try takeLine().map { [$0] } ?? []
        } catch .notJSON where lines > 1 {
            droppedTail = true
            return []
        }
    }

    private mutating func takeLine() throws(EventError) -> RunEvent? {
        let line = pending
        pending.removeAll(keepingCapacity: true)
        lines += 1
        guard line.count <= Self.lineLimit else { throw .lineTooLong(line: lines, limit: Self.lineLimit) }
        let event = try EventCodec.decode(line, number: lines)
        if lines == 1 {
            guard case .runStarted = event else { throw .noBeginning }
        }
        return event
    }
}
