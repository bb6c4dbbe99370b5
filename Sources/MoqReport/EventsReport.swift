import MoqEvents

/// The stream of events itself, as `--report events=PATH` writes it (docs/events.md).
public enum EventsReport {
    /// The line for one event, with its line feed. To be written at once: nothing of it may wait for the run's end.
    public static func line(for event: RunEvent) -> [UInt8] {
        EventCodec.encode(event)
    }
}
