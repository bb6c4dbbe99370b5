import MoqBase

/// The last line of a screen, which is written over and over; where there is no terminal, a line now and then.
public final class StatusLine {
    private let screen: OutputFile
    private let isLive: Bool
    private var shown = ""
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
        shown = text
        screen.write(Array("\r\u{1B}[2K\(text)".utf8))
    }

    /// Writes lines above it.
    public func lines(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        let text = lines.joined(separator: "\n")
        guard isLive, !shown.isEmpty else { return screen.line(text) }
        screen.write(Array("\r\u{1B}[2K\(text)\n\(shown)".utf8))
    }

    /// Takes it away at the end.
    public func clear() {
        guard isLive, !shown.isEmpty else { return }
        shown = ""
        screen.write(Array("\r\u{1B}[2K".utf8))
    }
}
