/// The stream as JSON Lines: one event a line.
public enum EventCodec {
    /// The version of the grammar (docs/events.md), which the first line of a stream carries.
    ///
    /// Raised when a reader of the old grammar would misread the new one; new fields and new kinds do not raise it.
    public static let schemaVersion = 1
}
