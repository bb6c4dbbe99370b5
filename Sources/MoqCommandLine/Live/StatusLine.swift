import MoqBase

/// The last line of a screen, which is written over and over; where there is no terminal, a line now and then.
public final class StatusLine {
    private let screen: OutputFile
    private let isLive: Bool
    private var isShown = false
    private var next: Instant?

    /// How often it is written anew on a terminal, and where there is none.
    private static let usualInterval = Duration.milliseconds(250)
    private static let intervalWithoutTerminal = Duration.seconds(10)
    private static let intervalForPrograms = Duration.seconds(1)
    private let interval: Duration

    /// A status line on `screen`; without a terminal it keeps to a line now and then, and in JSON to one a second.
    public init(on screen: OutputFile, isJSON: Bool = false) {
        self.screen = screen
        isLive = screen.isTerminal && !isJSON
        interval = isJSON ? Self.intervalForPrograms : isLive ? Self.usualInterval : Self.intervalWithoutTerminal
    }

    /// Whether it is time for another text.
    public func isDue(at now: Instant) -> Bool {
        guard let next else {
            // Without a terminal there is nothing to tell in the first moments.
            self.next = isLive ? now : now.advanced(by: interval)
            return isLive
        }
        return now >= next
    }

    /// When it wants another text.
    public var deadline: Instant? { next }

    /// Shows a text.
    public func show(_ text: String, at now: Instant) {
        next = now.advanced(by: interval)
        guard isLive else { return screen.line(text) }
        isShown = true
        // What is wider than the terminal is cut, and does not wrap: the next text could not take it back.
        screen.write(Array("\r\u{1B}[2K\u{1B}[?7l\(text)\u{1B}[?7h".utf8))
    }

    /// Writes lines in its place; it comes again below them.
    public func lines(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        clear()
        screen.line(lines.joined(separator: "\n"))
    }

    /// Takes it away at the end.
    public func clear() {
        guard isShown else { return }
        isShown = false
        screen.write(Array("\r\u{1B}[2K".utf8))
    }
}
