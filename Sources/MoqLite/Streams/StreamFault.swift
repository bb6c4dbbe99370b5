import MoqWire

/// What the peer did wrong on a stream.
struct StreamFault: Error {
    /// For people: what, without a full stop.
    var text: String
    /// What to call it when the stream is refused or the session closed.
    var condition: ErrorCondition

    init(_ text: String, _ condition: ErrorCondition) {
        self.text = text
        self.condition = condition
    }

    init(_ error: WireError) {
        self.init(error.description, error.condition)
    }

    /// The same fault of the first message of a request, which known peers refuse as if they had cancelled it
    /// (RESET 0 up to release 0.3, 1 from 0.4 on; observed).
    var ofRequest: StreamFault { StreamFault(text, .cancelled) }
}
